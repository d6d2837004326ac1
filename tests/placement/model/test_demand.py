"""Working sets on a topology: the figures of the shipped rack, and one clear error for what cannot be resolved."""

from __future__ import annotations

import gzip
import json
from fractions import Fraction
from pathlib import Path

import pytest

from cmxverify.errors import InputError
from cmxverify.placement.model.demand import WorkingSet, resolve_demand
from cmxverify.placement.model.weights import kv_room, weights_on_gpu
from cmxverify.topology.load import load_topology
from cmxverify.workload.dtype import Dtype

GB, TB = 10**9, 10**12
SMALL = """\
cmxverify: 1
name: small
templates:
  tray:
    nodes: {"gpu[0-3]": rubin, host: {is: vera-x2, kv: 1.5 TB}}
    links: {"gpu[0-3] -- host": 450 GB/s}
nodes: {"tray[0-1]": tray}
workload:
  acme/chat:
    model: llama-3.1-70b
    runs_on: tray0
    tp: 4
    sessions: 100
    context: 1000
    new_tokens: 10
    turns: {every: 50 s}
"""
LLAMA = {
    "model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
    "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256, "torch_dtype": "bfloat16",
}  # fmt: skip


@pytest.fixture(scope="module")
def rack() -> dict[str, WorkingSet]:
    return {each.name: each for each in resolve_demand(load_topology("cmx-rack"))}


def small(folder: Path, *changes: tuple[str, str]) -> tuple[WorkingSet, ...]:
    """The working sets of the small file, each change made: (old, new), old exactly once."""
    text = SMALL
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "small.yaml").write_text(text)
    return resolve_demand(load_topology(folder / "small.yaml"))


def message(folder: Path, *changes: tuple[str, str]) -> str:
    with pytest.raises(InputError) as caught:
        small(folder, *changes)
    return str(caught.value).removeprefix(f"{folder}/")


@pytest.mark.parametrize(
    ("name", "object_bytes", "stored_tb", "turns", "written_mb"),
    [
        ("acme/chat", 4_096_000_000, "245.76", 70, "4587.52"),
        ("acme/agents", 7_027_200_000, "337.3056", 66, "3710.3616"),
        ("globex/docs", 770_048_000, "30.80192", 40, None),
        ("hooli/private", 4_096_000_000, "49.152", 10, "655.36"),
    ],
)
def test_the_rack_has_the_figures_worked_out_by_hand(
    rack: dict[str, WorkingSet], name: str, object_bytes: int, stored_tb: str, turns: int, written_mb: str | None
) -> None:
    found = rack[name]

    assert found.object_bytes == object_bytes
    assert found.stored_bytes == Fraction(stored_tb) * TB
    assert found.reads == turns
    if written_mb is not None:
        assert sum(band.writes for band in found.bands) == Fraction(written_mb) * 10**6


def test_the_rack_reads_what_the_turns_bring_back(rack: dict[str, WorkingSet]) -> None:
    """Chat: 40 hot and 30 cold turns a second, 286.72 GB/s in all."""
    chat = rack["acme/chat"]
    assert {band.name: (band.objects, band.reads) for band in chat.bands} == {"hot": (2400, 40), "cold": (57_600, 30)}
    assert chat.reads * chat.object_bytes == Fraction("286.72") * GB


def test_rewritten_documents_are_written_once_a_day(rack: dict[str, WorkingSet]) -> None:
    (band,) = rack["globex/docs"].bands
    assert band.writes == 40_000 * 770_048_000 / Fraction(86_400)


def test_isolation_comes_from_the_tenant(rack: dict[str, WorkingSet]) -> None:
    assert {name: each.isolation for name, each in rack.items() if each.isolation} == {"hooli/private": "enclosure"}


def test_engines_and_weights_of_the_rack(rack: dict[str, WorkingSet]) -> None:
    """32 GPUs run 8 engines of Llama or 4 of DeepSeek; 8-bit KV goes with 8-bit weights."""
    chat, agents = rack["acme/chat"], rack["acme/agents"]
    assert (len(chat.gpus), chat.instances, agents.instances) == (32, 8, 4)
    assert round(chat.weight_bytes / GB, 1) == Fraction("70.6")
    assert round(agents.weight_bytes / GB) == 671


def test_the_rack_has_7_73_tb_for_the_kv_of_chat(rack: dict[str, WorkingSet]) -> None:
    topology = load_topology("cmx-rack")
    sets = tuple(rack.values())
    room = sum(kv_room(topology, topology.places[gpu], sets) for gpu in rack["acme/chat"].gpus)

    assert room == 32 * 288 * GB * Fraction(9, 10) - 8 * rack["acme/chat"].weight_bytes


def test_the_kv_format_is_the_models_where_none_is_given(tmp_path: Path) -> None:
    (found,) = small(tmp_path)
    assert (found.dtype, found.object_bytes) == (Dtype.BF16, 1000 * 327_680)


def test_a_config_json_is_found_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.json").write_text(json.dumps(LLAMA))
    (found,) = small(tmp_path, ("llama-3.1-70b", "mine/config.json"))

    assert found.object_bytes == 1000 * 131_072


def test_bands_of_a_trace_beside_the_file(tmp_path: Path) -> None:
    """One conversation is kept 30 s for 3 returns, one 60 s for 2: of 90 sessions 30 are hot."""
    lines = [{"requests": [{"t": t} for t in times]} for times in ([0, 10, 20, 30], [0, 20, 60])]
    (tmp_path / "t.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    (found,) = small(tmp_path, ("{every: 50 s}", "{from: t.jsonl.gz, bands: 2}"), ("sessions: 100", "sessions: 90"))

    assert [(b.name, b.objects, b.reads) for b in found.bands] == [("hot", 30, 3), ("cold", 60, 2)]


def test_a_missing_trace_is_told_at_the_line_of_the_turns(tmp_path: Path) -> None:
    assert message(tmp_path, ("{every: 50 s}", "{from: gone.jsonl}")) == (
        f"small.yaml:16:5: trace '{tmp_path}/gone.jsonl' cannot be read: No such file or directory\n"
        "  Paths are relative to the file that names them."
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "tp: 4",
            "tp: 3",
            "small.yaml:12:5: acme/chat: tp 3 does not divide its 4 GPUs\n"
            "  Choose tp so that it divides 4, or change runs_on.",
        ),
        (
            "runs_on: tray0",
            "runs_on: tray1.host",
            "small.yaml:11:5: acme/chat: runs_on 'tray1.host' holds no GPU\n"
            "  Name GPUs, or trays and racks that hold some.",
        ),
        (
            "runs_on: tray0",
            "runs_on: tray7",
            "small.yaml:11:5: 'tray7' names nothing in this topology\n  Did you mean 'tray1'?",
        ),
        (
            "model: llama-3.1-70b",
            "model: lama-3.1-70b",
            "small.yaml:10:5: unknown model 'lama-3.1-70b'\n  Did you mean 'llama-3.1-70b'?",
        ),
        (
            "model: llama-3.1-70b",
            "model: gone/config.json",
            "small.yaml:10:5: model 'gone/config.json': no such file\n"
            "  Name a config.json relative to the file that names it, or a model of the catalog.",
        ),
        (
            "model: llama-3.1-70b",
            "model: ./",
            "small.yaml:10:5: model './': this folder holds no config.json\n"
            "  Name a config.json relative to the file that names it, or a model of the catalog.",
        ),
    ],
)
def test_what_cannot_be_resolved_is_told_with_its_line(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert message(tmp_path, (old, new)) == expected


def test_a_topology_without_workload_cannot_be_resolved(tmp_path: Path) -> None:
    assert message(tmp_path, (SMALL[SMALL.index("workload:") :], "")) == (
        "small.yaml: the topology has no workload to place\n  Add a 'workload:' section; see 'cmxverify init'."
    )


def test_weights_that_do_not_fit_are_told_at_the_model(tmp_path: Path) -> None:
    """671 GB of DeepSeek-V3 on one GPU of 288."""
    sets = small(tmp_path, ("llama-3.1-70b", "deepseek-v3"), ("tp: 4", "tp: 1"))
    topology = load_topology(tmp_path / "small.yaml")
    with pytest.raises(InputError) as caught:
        kv_room(topology, topology.places["tray0.gpu0"], sets)

    assert str(caught.value).removeprefix(f"{tmp_path}/") == (
        "small.yaml:10:5: acme/chat: 671.0 GB of weights a GPU (deepseek-v3) do not fit in tray0.gpu0\n"
        "  Raise tp, or run on larger GPUs."
    )


def test_two_sets_of_one_model_load_its_weights_once(tmp_path: Path) -> None:
    second = (
        "  acme/more: {model: llama-3.1-70b, runs_on: tray0, tp: 4, sessions: 5, context: 9, new_tokens: 1,\n"
        "              turns: {every: 9 s}}\n"
    )
    sets = small(tmp_path, ("every: 50 s}\n", "every: 50 s}\n" + second))

    assert len(sets) == 2
    assert weights_on_gpu("tray0.gpu0", sets) == {"llama-3.1-70b": sets[0].weight_bytes / 4}
    assert weights_on_gpu("tray1.gpu0", sets) == {}


def test_rooms_other_than_hbm_are_whole(tmp_path: Path) -> None:
    sets = small(tmp_path)
    topology = load_topology(tmp_path / "small.yaml")
    assert kv_room(topology, topology.places["tray0.host"], sets) == Fraction(3, 2) * TB
