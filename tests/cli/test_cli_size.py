"""``cmxverify size``: the lines people read, to the digit, and the same for machines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from cmxverify.catalog.models import model_entries
from cmxverify.cli.size import register
from cmxverify.errors import InputError

CHAT = """\
acme/chat   llama-3.1-70b fp8   2 x 80 layers x 8 KV heads x 128 x 1 B = 163,840 B/token
  one session   25,000 tokens = 4.096 GB; in 16-token pages 4.097 GB (+0.03 %)
  stored        x 60,000 = 245.8 TB        hot 2,400 sessions 9.8 TB, cold 57,600 sessions 235.9 TB
  reads         40 + 30 turns/s = 286.7 GB/s       writes  70 x 400 tokens = 4.59 GB/s
  engine        1.024 GB on each of 4 ranks = 4.097 GB a session; 245.8 TB for all; 1,886 fit G1
  G1            32 x 288 GB x 90 % - 8 x 70.6 GB weights = 7.73 TB: 1,887 sessions decode at once
  article A22   70.6e9 x 2 x 2 x 25,000 x 60,000 x 1.2 = 508 EB; right figure x 1.2 = 295 TB; 1.7e6 times
"""
DOCS = """\
globex/docs   qwen3-235b-a22b fp8   2 x 94 layers x 4 KV heads x 128 x 1 B = 96,256 B/token
  one document  8,000 tokens = 770 MB; in 16-token pages 770 MB
  stored        x 40,000 = 30.8 TB, 2 copies 61.6 TB
  reads         40 reads/s = 30.8 GB/s       writes  all every 1 d = 357 MB/s, 2 copies 713 MB/s
  engine        192.5 MB on each of 4 ranks = 770 MB a document; 30.8 TB for all; 1,041 fit G1
  G1            4 x 288 GB x 90 % - 1 x 235 GB weights = 802 GB: 1,041 documents fit at once
  article A22   235.1e9 x 2 x 2 x 8,000 x 40,000 x 1.2 = 361 EB; right figure x 1.2 = 37 TB; 9.8e6 times
"""
RAW = """\
cmxverify: 1
name: raw
nodes: {"gpu[0-1]": rubin, host: {is: vera-x2, kv: 1.5 TB}}
links: {"gpu[0-1] -- host": 450 GB/s}
workload: {a/b: {bytes: 5 TB, read: 10 GB/s, write: 1 GB/s, runs_on: gpu0, copies: 2}}
"""
MLA_TP8 = "copies        latent cannot be split, so each of 8 ranks holds all; attention dp keeps one copy"


def run(*arguments: str) -> str:
    app = typer.Typer()
    register(app)
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_chat_of_the_rack_to_the_digit() -> None:
    assert run("cmx-rack", "--only", "acme/chat") == CHAT


def test_documents_in_their_own_words() -> None:
    assert run("cmx-rack", "--only", "globex/docs") == DOCS


def test_raw_bytes_in_their_own_words(tmp_path: Path) -> None:
    (tmp_path / "raw.yaml").write_text(RAW)
    assert run(str(tmp_path / "raw.yaml")) == (
        "a/b   bytes and rates as given, no model\n"
        "  stored        5 TB as given, x 1.2 = 6 TB; 2 copies 10 TB\n"
        "  reads         10 GB/s as given, 10 objects/s of 1 GB (assumed)       writes  1 GB/s x 2 copies\n"
    )


def test_each_set_begins_with_its_name_and_fits_120_columns() -> None:
    lines = run("cmx-rack").splitlines()
    heads = [line.split()[0] for line in lines if not line.startswith(" ")]

    assert heads == ["acme/chat", "acme/agents", "globex/docs", "hooli/private"]
    assert max(map(len, lines)) <= 120


def test_other_pages_and_reserve() -> None:
    output = run("cmx-rack", "--only", "acme/chat", "--page-tokens", "1024", "--reserve", "30%")
    assert "in 1024-token pages 4.194 GB (+2 %)" in output
    assert "x 60,000 x 1.3 = 550 EB; right figure x 1.3 = 319 TB; 1.7e6 times" in output


def test_a_changed_value_is_sized() -> None:
    output = run("cmx-rack", "--only", "acme/chat", "--set", "workload.acme/chat.sessions=30k")
    assert "x 30,000 = 122.9 TB" in output


def test_json_is_exact() -> None:
    (found,) = json.loads(run("cmx-rack", "--only", "acme/chat", "--json"))["sets"]
    whole = {
        "bytes_per_token": 163_840,
        "one_bytes": 4_096_000_000,
        "one_paged_bytes": 4_097_310_720,
        "stored_bytes": 245_760_000_000_000,
        "read_bytes_per_s": 286_720_000_000,
        "write_bytes_per_s": 4_587_520_000,
        "with_reserve_bytes": 294_912_000_000_000,
    }
    assert {key: found[key] for key in whole} == whole
    assert all(type(found[key]) is int for key in whole)
    assert found["g1"]["room_bytes"] == 7_729_970_348_032
    assert found["engine"]["bytes_a_rank"] * 4 == found["engine"]["bytes"] == 4_097_310_720
    assert found["article_a22"]["bytes"] == 70_553_706_496 * 4 * 25_000 * 60_000 * 6 // 5


def test_a_model_by_itself() -> None:
    output = run(
        "--model", "llama-3.1-70b", "--context", "128Ki", "--concurrency", "8", "--tp", "16", "--kv-dtype", "fp8"
    )
    assert output == (
        "llama-3.1-70b   fp8   2 x 80 layers x 8 KV heads x 128 x 1 B = 163,840 B/token\n"
        "  one session   131,072 tokens = 21.47 GB; in 16-token pages 21.47 GB\n"
        "  stored        x 8 = 171.8 GB\n"
        "  engine        2.684 GB on each of 16 ranks = 42.95 GB a session; 343.6 GB for all; copies on 16 ranks x 2\n"
        "  copies        8 KV heads on 16 ranks: 2 copies of each\n"
        "  article A22   70.6e9 x 2 x 2 x 131,072 x 8 x 1.2 = 355 PB; right figure x 1.2 = 206 GB; 1.7e6 times\n"
    )


def test_latent_attention_is_copied_unless_attention_is_data_parallel() -> None:
    arguments = ("--model", "deepseek-v3", "--context", "100k", "--tp", "8")

    assert MLA_TP8 in run(*arguments)
    alone = run(*arguments, "--attention", "dp")
    assert "7.027 GB on one of 8 ranks (attention dp); 7.027 GB for all" in alone
    assert "copies  " not in alone


def test_a_config_json_is_sized_with_what_was_taken_for_granted(tmp_path: Path) -> None:
    config = {"num_hidden_layers": 2, "hidden_size": 512, "num_attention_heads": 4, "model_type": "mine"}
    (tmp_path / "config.json").write_text(json.dumps(config))
    output = run("--model", str(tmp_path / "config.json"), "--context", "16")

    assert "2 x 2 layers x 4 KV heads x 128 x 2 B = 4,096 B/token" in output
    assert "note          no 'num_key_value_heads': one for each of 4 attention heads" in output
    assert "article A22   needs the number of parameters, which is unknown" in output


@pytest.mark.parametrize("name", [entry.name for entry in model_entries()])
@pytest.mark.parametrize("more", [(), ("--tp", "16", "--kv-dtype", "fp8")])
def test_every_model_of_the_catalog_fits_120_columns(name: str, more: tuple[str, ...]) -> None:
    lines = run("--model", name, "--context", "1M", "--concurrency", "1k", *more).splitlines()
    assert lines[0].startswith(f"{name}   ")
    assert max(map(len, lines)) <= 120


def test_json_of_a_model() -> None:
    found: dict[str, Any] = json.loads(run("--model", "deepseek-v3", "--context", "1000", "--tp", "8", "--json"))
    assert found["engine"]["ranks_that_hold_one"] == 8
    assert found["engine"]["minimum_bytes_a_rank"] == found["one_bytes"] == 70_272_000
    assert [step["reason"] for step in found["engine"]["steps"]] == ["whole pages of 16 tokens", "copies on 8 ranks"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "neither a topology nor a model to size"),
        (("cmx-rack", "--tp", "4"), "--tp belongs to --model"),
        (("cmx-rack", "--model", "llama-3.1-8b"), "TOPOLOGY does not go with --model"),
        (("--model", "llama-3.1-8b", "--only", "a/b"), "--only does not go with --model"),
        (("--model", "llama-3.1-8b"), "--model needs --context"),
        (("--model", "lama-3.1-8b", "--context", "1k"), "unknown model 'lama-3.1-8b'"),
        (("--model", "gone.json", "--context", "1k"), "model 'gone.json': no such file"),
        (("--model", "llama-3.1-8b", "--context", "128K"), "'128K' is not a count"),
        (("--model", "llama-3.1-8b", "--context", "0"), "context is 0"),
        (("--model", "llama-3.1-8b", "--context", "1", "--reserve", "0.2"), "'0.2' is not a percentage"),
        (("--model", "llama-3.1-8b", "--context", "1", "--kv-dtype", "fp9"), "unknown dtype 'fp9'"),
        (("--model", "llama-3.1-8b", "--context", "1", "--tp", "6"), "8 heads cannot be split over tp 6"),
        (("cmx-rack", "--only", "acme/chatt"), "no working set 'acme/chatt'"),
    ],
)
def test_wrong_use_is_told_in_one_message(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError) as caught:
        run(*arguments)
    assert message in str(caught.value)
    assert caught.value.fix


def test_a_model_in_the_place_of_a_topology_is_told_how_models_are_sized(folder: Path) -> None:
    """A config.json, and a name that only the catalog of models knows."""
    Path("config.json").write_text('{"architectures": ["X"], "model_type": "llama", "num_hidden_layers": 2}')
    for name in ("config.json", "llama-3.1-70b"):
        with pytest.raises(InputError) as caught:
            run(name)
        assert str(caught.value) == (
            f"{name}: this is a model, no topology\n  Write 'cmxverify size --model {name} --context 128k'."
        )


def test_other_files_keep_their_own_messages(folder: Path) -> None:
    """A topology with a mistake is no model, and neither is a name that nobody knows."""
    Path("t.json").write_text('{"cmxverify": 1, "model": "llama"}')
    for name, what in (("t.json", "unknown key 'model'"), ("nope", "no such file or shipped topology")):
        with pytest.raises(InputError, match=what):
            run(name)
