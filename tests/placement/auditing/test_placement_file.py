"""Placement files: what is written reads back, is written whole, and bad ones are one clear error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tiny_cluster import OVERRIDE, write_tiny

from cmxverify.errors import InputError
from cmxverify.placement.auditing.placement_file import placement_document, read_placement, write_placement
from cmxverify.placement.model.compile import PlacementModel, compile_placement
from cmxverify.placement.model.plan import Plan, read_plan
from cmxverify.placement.proof.outcome import Outcome
from cmxverify.placement.solving.solve import solve_program
from cmxverify.topology.load import load_topology


def solved(folder: Path, *overrides: str) -> tuple[PlacementModel, Outcome, Plan | None]:
    """The tiny cluster, solved."""
    model = compile_placement(load_topology(write_tiny(folder), overrides=overrides or (OVERRIDE,)))
    outcome = solve_program(model.program)
    return model, outcome, read_plan(model, outcome.values) if outcome.values is not None else None


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    """File, changes, objectives, and every assignment with its levels."""
    model, outcome, plan = solved(tmp_path)
    write_placement(tmp_path / "p.json", model, outcome, plan)
    read = read_placement(tmp_path / "p.json")
    assert (read.file, read.overrides, read.only) == (str(tmp_path / "tiny.yaml"), (OVERRIDE,), ())
    assert read.objectives == ("late", "restore", "power")
    assert read.program_sha256 == model.program.digest()
    assert plan is not None
    assert read.claims is not None
    assert [line.chunks for line in read.claims.assignments] == [line.chunks for line in plan.assignments]
    assert [level.value for level in read.claims.levels] == [level.value for level in outcome.levels]


def test_a_refusal_is_written_without_a_plan(tmp_path: Path) -> None:
    """An infeasible program has a proof, no plan and no figures."""
    document = placement_document(*solved(tmp_path, "power.all.budget=50 W"))
    assert document["certificate"]["status"] == "infeasible"  # type: ignore[index]
    assert not {"plan", "figures"} & document.keys()


def test_an_earlier_placement_is_replaced(tmp_path: Path) -> None:
    """Solving again is no error."""
    for _ in range(2):
        write_placement(tmp_path / "p.json", *solved(tmp_path))
    assert read_placement(tmp_path / "p.json").claims is not None


def test_a_file_of_somebody_else_is_kept(tmp_path: Path) -> None:
    """Whatever it is called."""
    (tmp_path / "p.json").write_text('{"mine": 1}')
    with pytest.raises(InputError, match="file exists already"):
        write_placement(tmp_path / "p.json", *solved(tmp_path))
    assert (tmp_path / "p.json").read_text() == '{"mine": 1}'



@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cmxverify_placement": 2}, "cmxverify_placement: unknown version of this form"),
        ({"objectives": "late"}, "objectives: expected a list, found 'late'"),
        ({"chunk_bytes": 5}, "chunk_bytes: expected a string, found 5"),
        ({"extra": 1}, "the document: unknown key 'extra'"),
        ({"plan": {"assignments": []}}, "plan: key 'opened' is missing"),
        ({"topology": {}}, "topology: key 'file' is missing"),
        ({"certificate": {"status": "optimal"}}, "certificate: key 'levels' is missing"),
    ],
)
def test_a_wrong_field_is_one_clear_error(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    """With its path in the file."""
    document = {**placement_document(*solved(tmp_path)), **change}
    (tmp_path / "p.json").write_text(json.dumps(document))
    with pytest.raises(InputError) as caught:
        read_placement(tmp_path / "p.json")
    assert caught.value.what.startswith(message)


def test_another_json_file_is_told_apart(tmp_path: Path) -> None:
    """A JSON object of some other kind."""
    (tmp_path / "p.json").write_text("{}")
    with pytest.raises(InputError, match="this is no placement file"):
        read_placement(tmp_path / "p.json")
