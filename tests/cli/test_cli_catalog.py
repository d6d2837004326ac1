"""``cmxverify catalog``: everything at a glance, one entry in full, the same for machines."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from cmxverify.catalog.devices import devices
from cmxverify.catalog.models import model_entries
from cmxverify.cli.catalog import register
from cmxverify.errors import InputError

NAMES = [each.name for each in (*devices(), *model_entries())]


def run(*arguments: str) -> str:
    app = typer.Typer()
    register(app)
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_the_list_names_everything_in_120_columns() -> None:
    lines = run().splitlines()

    assert {line.split()[0] for line in lines if line.startswith("  ")} >= set(NAMES)
    assert max(map(len, lines)) <= 120
    assert any("llama-3.1-70b" in line and "Meta Llama 3.1 and 3.3 70B" in line for line in lines)


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_fits_120_columns_and_ends_with_the_grades(name: str) -> None:
    lines = run(name).splitlines()

    assert lines[0].startswith(f"{name}   ")
    assert max(map(len, lines)) <= 120
    assert lines[-2].startswith("grades: A primary text read")


def test_an_assumed_figure_shows_range_and_reason() -> None:
    line = next(line for line in run("tlc-gen6-30tb").splitlines() if line.startswith("  idle"))
    assert line.split()[:8] == ["idle", "25", "W", "15", "W", "to", "40", "W"]
    assert "?  assumed: drive at rest" in line


def test_a_sourced_figure_points_to_its_reference() -> None:
    output = run("bluefield-4")
    assert "A  [1] table 5" in output
    assert "[1] NVIDIA Technical Blog" in output


def test_a_model_shows_its_formula_and_bytes() -> None:
    assert "2 x 80 layers x 8 KV heads x 128 x 1 B = 163,840 B/token" in run("llama-3.1-70b")


def test_json_of_everything_lists_each_name_once() -> None:
    found = json.loads(run("--json"))
    assert [each["name"] for each in (*found["devices"], *found["models"])] == NAMES


def test_json_of_a_device_gives_base_units() -> None:
    figure = json.loads(run("bluefield-4", "--json"))["figures"]["rate"]
    assert (figure["value"], figure["grade"], figure["assumed"]) == (100e9, "A", False)


def test_json_of_a_model_gives_bytes() -> None:
    found = json.loads(run("deepseek-v3", "--json"))
    assert (found["kind"], found["bytes_per_token"]) == ("model", {"bf16": 70_272, "fp8": 35_136})


def test_an_unknown_name_is_told_the_nearest() -> None:
    with pytest.raises(InputError) as caught:
        run("rubyn")
    assert str(caught.value) == "the catalog has no 'rubyn'\n  Did you mean 'rubin'?"
