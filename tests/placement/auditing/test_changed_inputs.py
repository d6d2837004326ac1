"""``verify`` names the file that was edited after solving, whichever kind of input it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_cluster import TINY

from cmxverify.placement.auditing.placement_file import write_placement
from cmxverify.placement.auditing.verify import verify_placement
from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.model.plan import read_plan
from cmxverify.placement.solving.solve import solve_program
from cmxverify.topology.load import load_topology

CONFIG = {
    "model_type": "llama",
    "torch_dtype": "bfloat16",
    "hidden_size": 4096,
    "num_hidden_layers": 8,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
}
REQUESTS = [{"timestamp": 30_000 * n, "input_length": 512 * n, "hash_ids": [*range(n)]} for n in (1, 2, 3)]
SETS = "{runs_on: box0, sessions: 100, context: 8k, new_tokens: 100, turns: {from: %s, bands: 1}, model: %s}"
WORKLOAD = f"acme/chat: {SETS % ('traces/t.jsonl', 'small.json')}\nacme/folder: {SETS % ('traces/t.jsonl', 'llama')}\n"


@pytest.fixture
def placement(tmp_path: Path) -> Path:
    """A placement whose topology includes a file, and whose workload, in a folder of its own, names three more."""
    head, _, rest = TINY.partition("templates:")
    templates, _, cluster = rest.partition('nodes: {"box[0-1]"')
    cluster = f'nodes: {{"box[0-1]"{cluster.partition("tenants:")[0]}'
    files = {
        "rack.yaml": f"{head}include: parts.yaml\n{cluster}workload: sets/w.yaml\n",
        "parts.yaml": f"cmxverify: 1\nname: parts\ntemplates:{templates}",
        "sets/w.yaml": WORKLOAD,
        "sets/small.json": json.dumps(CONFIG),
        "sets/llama/config.json": json.dumps(CONFIG),
        "sets/traces/t.jsonl": "\n".join(map(json.dumps, REQUESTS)),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    model = compile_placement(load_topology(tmp_path / "rack.yaml"))
    outcome = solve_program(model.program)
    assert outcome.values is not None
    path = tmp_path / "p.json"
    write_placement(path, model, outcome, read_plan(model, outcome.values))
    return path


INPUTS = [
    "rack.yaml", "parts.yaml", "sets/w.yaml", "sets/small.json", "sets/llama/config.json", "sets/traces/t.jsonl"
]  # fmt: skip


def edit(path: Path, change: Callable[[str], str]) -> None:
    """Change a file's text."""
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")


def faults(placement: Path) -> tuple[str, ...]:
    """What ``verify`` has to say."""
    return verify_placement(placement).faults


def test_every_file_that_was_read_is_stated(placement: Path) -> None:
    """The placement holds a digest of each, and is accepted while none changes."""
    stated = json.loads(placement.read_text(encoding="utf-8"))["topology"]["sha256"]
    assert sorted(stated) == sorted(str(placement.parent / name) for name in INPUTS)
    assert faults(placement) == ()


@pytest.mark.parametrize("name", INPUTS)
def test_an_edited_file_is_named_alone(placement: Path, name: str) -> None:
    """A line break at its end is enough, though nothing else follows from it."""
    edit(placement.parent / name, lambda text: text + "\n")
    assert faults(placement) == (f"{placement.parent / name} has changed: it is not what was planned for",)


@pytest.mark.parametrize("name", INPUTS[:3])
def test_a_file_that_is_refused_now_is_named_too(placement: Path, name: str) -> None:
    """What cannot be read any more is told as the edit that it is, with the reason."""
    edit(placement.parent / name, lambda text: text + "\n}{ x")
    (fault,) = faults(placement)
    assert fault.startswith(f"{placement.parent / name} has changed since, and what is read is refused: ")


def test_files_that_moved_together_are_found_when_one_is_refused(placement: Path) -> None:
    """Names lead from the topology as it is given, not from where it was."""
    moved = placement.parent / "new"
    moved.mkdir()
    for name in ("rack.yaml", "parts.yaml", "sets"):
        (placement.parent / name).rename(moved / name)
    edit(moved / "sets/w.yaml", lambda text: text + "x")
    (fault,) = verify_placement(placement, topology=str(moved / "rack.yaml")).faults
    assert "sets/w.yaml has changed since" in fault


@pytest.mark.parametrize("name", INPUTS[3:])
def test_a_model_or_trace_that_is_gone_is_named(placement: Path, name: str) -> None:
    """They are known by name only, so the fault says that one is not there."""
    (placement.parent / name).unlink()
    assert f"{placement.parent / name} is not read, or not there: it was when this was planned" in faults(placement)


def test_a_byte_order_mark_changes_nothing(placement: Path) -> None:
    """An editor that adds one does not make a placement stale."""
    for name in INPUTS[:5]:
        path = placement.parent / name
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert faults(placement) == ()
