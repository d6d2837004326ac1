"""The command: output, exit code, JSON, --strict and --force."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cmxverify.cli import import_
from cmxverify.errors import InputError

Run = Callable[..., str]
Find = Callable[..., Path]


@pytest.fixture
def run() -> Run:
    """Run the command; errors of ours come through as they are."""
    app = typer.Typer()
    import_.register(app)

    def run_it(*arguments: object) -> str:
        result = CliRunner().invoke(app, [str(a) for a in arguments])
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == 0, result.output
        return result.output

    return run_it


def test_says_what_was_found_and_assumed(run: Run, fixture: Find, tmp_path: Path) -> None:
    """The verdict is the first word; counts, warnings and assumptions follow."""
    output = run(fixture("fabric.ibnet"), "-o", tmp_path / "t.yaml")
    assert output.startswith("imported ")
    assert "4 hosts, 3 switches; 7 cables" in " ".join(output.split())
    assert "assumed    5 values: device of 4 hosts (x86-ddr5)" in output


def test_json_has_counts_and_assumptions(run: Run, fixture: Find, tmp_path: Path) -> None:
    """One JSON object."""
    found = json.loads(run(fixture("topology.conf"), "-o", tmp_path / "t.yaml", "--json"))
    assert found["nodes"] == {"host": 8, "switch": 4}
    assert found["cables"] == 12
    assert {"figure": "rate", "of": "cable", "value": "100 Gb/s", "stated": None, "count": 5} in found["assumed"]


def test_strict_refuses_assumed_values_and_writes_nothing(run: Run, fixture: Find, tmp_path: Path) -> None:
    """--strict lists what is assumed."""
    with pytest.raises(InputError, match="4 values assumed") as caught:
        run(fixture("cables-devices.csv"), "-o", tmp_path / "t.yaml", "--strict")
    assert "device of 2 hosts (x86-ddr5)" in str(caught.value)
    assert "rate of 1 cable (100 Gb/s)" in str(caught.value)
    assert not (tmp_path / "t.yaml").exists()


def test_strict_accepts_a_full_overlay(run: Run, fixture: Find, tmp_path: Path) -> None:
    """An overlay that gives everything passes."""
    run(fixture("cables.csv"), "--overlay", fixture("ethernet-overlay.yaml"), "-o", tmp_path / "t.yaml", "--strict")
    assert (tmp_path / "t.yaml").exists()


def test_existing_output_is_kept_without_force(run: Run, fixture: Find, tmp_path: Path) -> None:
    """Nothing is overwritten by accident; the message names --force."""
    (tmp_path / "t.yaml").write_text("mine")
    with pytest.raises(InputError) as caught:
        run(fixture("cables.csv"), "-o", tmp_path / "t.yaml")
    assert "--force" in (caught.value.fix or "")
    assert (tmp_path / "t.yaml").read_text() == "mine"
    run(fixture("cables.csv"), "-o", tmp_path / "t.yaml", "--force")
    assert (tmp_path / "t.yaml").read_text() != "mine"


def test_json_names_what_a_device_stands_in_for(run: Run, tmp_path: Path) -> None:
    """Machines get the file's words, too."""
    (tmp_path / "c.csv").write_text("from,to,model_b,rate\nx1,leaf0,DCS-7060,400G\n")
    found = json.loads(run(tmp_path / "c.csv", "-o", tmp_path / "t.yaml", "--json"))
    assert [each["stated"] for each in found["assumed"]] == ["DCS-7060", None]
