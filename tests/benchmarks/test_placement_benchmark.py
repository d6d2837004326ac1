"""The benchmark runs, says what it measured, and its solvers agree; times are not judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "placement.py"
SOLVERS = ("ours", "ours without z3", "HiGHS", "CP-SAT", "z3")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[dict[str, Any]]]:
    """What one short run on the smallest topology prints, and its series."""
    file = tmp_path_factory.mktemp("benchmark") / "out.json"
    options = ["--time-limit", "5", "--repeats", "1", "--only-reduced", "--no-commands", "--json", str(file)]
    done = subprocess.run([sys.executable, str(SCRIPT), "hbm-g2", *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads(file.read_text())["topologies"]["hbm-g2"]


def test_tables_name_every_solver(run: tuple[str, list[dict[str, Any]]]) -> None:
    """Times, levels and ratios are printed with a line for every solver."""
    printed, _ = run
    first_words = [line.split("  ")[0] for line in printed.splitlines()]
    assert [first_words.count(each) for each in SOLVERS] == [2, 2, 3, 3, 3]


def test_every_solver_is_measured(run: tuple[str, list[dict[str, Any]]]) -> None:
    """Each has one run with CPU, memory and the program's three levels, none ended by a fault."""
    series = {each["what"]: each for each in run[1]}
    assert list(series) == ["compile", *SOLVERS]
    for what in SOLVERS:
        (single,) = series[what]["runs"]
        assert series[what]["ended"] in ("", "limit")
        assert single["cpu"] > 0
        assert single["peak_mb"] >= single["start_mb"] > 0
        assert [level["key"] for level in single["levels"]] == ["late", "restore", "power"]


def test_those_that_finish_agree(run: tuple[str, list[dict[str, Any]]]) -> None:
    """Ours is certified, and every solver that claims the optimum has the same value at every level."""
    levels = {each["what"]: each["runs"][0]["levels"] for each in run[1] if each["what"] in SOLVERS}
    done = {w: [x["value"] for x in found] for w, found in levels.items() if all(x["optimal"] for x in found)}
    assert all(level["value"] == level["bound"] for level in levels["ours"])
    assert [what for what, values in done.items() if values != done["ours"]] == []
    assert "DISAGREE" not in run[0]


def test_disagreement_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two claims of optimum with different values are printed as such."""
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    from _report import Series, disagreements

    def claims(what: str, value: int) -> Series:
        level = {"value": value, "bound": value, "optimal": True, "exact": True}
        return Series(what, "reduced", [{"levels": [level]}])

    assert disagreements([claims("ours", 3), claims("z3", 3)]) == []
    (line,) = disagreements([claims("ours", 3), claims("z3", 2)])
    assert line == "DISAGREE on the reduced model: ours (3,), z3 (2,)"
