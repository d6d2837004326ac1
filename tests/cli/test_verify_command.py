"""``cmxverify verify`` as people and scripts see it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cmxverify.cli.main import main
from cmxverify.placement.auditing.placement_file import write_placement
from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.model.plan import read_plan
from cmxverify.placement.solving.solve import solve_program
from cmxverify.topology.load import load_topology


@pytest.fixture(scope="module")
def placement(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The placement of the smallest shipped topology that has enclosures."""
    model = compile_placement(load_topology("cmx-rack"))
    outcome = solve_program(model.program)
    assert outcome.values is not None
    path = tmp_path_factory.mktemp("verify") / "cmx-rack.placement.json"
    write_placement(path, model, outcome, read_plan(model, outcome.values))
    return path


def run(*arguments: str) -> int:
    """Exit code of one command."""
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return int(stopped.value.code or 0)


def altered(placement: Path, folder: Path) -> Path:
    """The same file with one enclosure fewer on."""
    document = json.loads(placement.read_text())
    document["plan"]["opened"][0]["places"].pop()
    path = folder / "altered.json"
    path.write_text(json.dumps(document))
    return path


def test_an_accepted_placement_exits_with_0(placement: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict is the first word, what was checked is told in numbers."""
    assert run("verify", str(placement)) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("accepted   optimal; plan, objectives and bounds re-checked: no plan is better")
    assert second.startswith("  cmx-rack.yaml: program of ")
    assert second.endswith(" leaves of proof; 22 places and 300 cable directions one by one")


def test_a_rejected_placement_exits_with_1(
    placement: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each fault is a sentence."""
    assert run("verify", str(altered(placement, tmp_path))) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("rejected   ")
    assert lines[1] == "  plan.opened[0].places: the file has a list of 2, what it proves has a list of 3 there"
    assert any(line.startswith("  auditor: ") for line in lines)


def test_quiet_prints_the_verdict_only(placement: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line."""
    assert run("verify", str(placement), "--quiet") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_json_is_for_machines(placement: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Verdict, faults and numbers."""
    assert run("verify", str(placement), "--json") == 0
    good = json.loads(capsys.readouterr().out)
    assert (good["verdict"], good["status"], good["checked"]["places"]) == ("accepted", "optimal", 22)
    assert run("verify", str(altered(placement, tmp_path)), "--json") == 1
    bad = json.loads(capsys.readouterr().out)
    assert (bad["verdict"], bool(bad["faults"])) == ("rejected", True)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"cmxverify_placement": 1}', "\x00"])
def test_bad_input_exits_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    """One message with the file's name, no traceback."""
    path = tmp_path / "bad.json"
    path.write_text(content)
    assert run("verify", str(path)) == 2
    assert capsys.readouterr().err.startswith(f"error: {path}")


def test_a_missing_file_exits_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same."""
    assert run("verify", str(tmp_path / "absent.json")) == 2
    assert "cannot be read" in capsys.readouterr().err
