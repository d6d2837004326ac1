"""What ``check`` and ``trace`` print fits the terminal: every shipped mistake, and every kind of ending."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runs import Ran, Run

from models.classics.table import MISTAKES, Mistake

NAMES = [f"{each.model}-{each.breaks}" for each in MISTAKES]


def too_long(ran: Ran, width: int) -> list[str]:
    """Lines of output and errors that are longer than the terminal is wide; a path alone is not split."""
    assert ran.out or ran.err
    lines = (ran.out + ran.err).splitlines()
    return [line for line in lines if len(line) > width and " " in line.strip()]


def arguments(mistake: Mistake) -> list[str]:
    """What one types for a mistake."""
    bounds = [word for name, value in mistake.bounds.items() for word in ("--bound", f"{name}={value}")]
    return [mistake.model, *bounds, "--engine", "packed"]


@pytest.fixture(params=[60, 80, 120])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The columns of the terminal."""
    monkeypatch.setenv("COLUMNS", str(request.param))
    return int(request.param)


@pytest.mark.parametrize("mistake", MISTAKES, ids=NAMES)
def test_counterexamples_fit(run: Run, monkeypatch: pytest.MonkeyPatch, mistake: Mistake) -> None:
    """The chart and all that is told of the search, as found and as taken again."""
    monkeypatch.setenv("COLUMNS", "80")
    found = run("check", *arguments(mistake), "-o", "x.json")
    again = run("trace", "x.json")
    assert (found.code, again.code) == (1, 1)
    assert too_long(found, 80) + too_long(again, 80) == []


@pytest.mark.parametrize("name", ["german", "lease:LeaseAcceptsAnyGrant", "die-hard:DieHardSpills"])
def test_widths_of_all_kinds_fit(run: Run, width: int, name: str) -> None:
    """What holds, a chart, a list of steps."""
    bounds = {"german": ["node=2"], "lease:LeaseAcceptsAnyGrant": ["node=1", "lease=1"]}.get(name, [])
    options = [word for bound in bounds for word in ("--bound", bound)]
    assert too_long(run("check", name, *options, "--engine", "packed", "--actions"), width) == []


@pytest.mark.parametrize(
    "words",
    [("gorman",), ("german",), ("german", "--bound", "node=0"), ("german:Gorman",), ("no.such:Thing",)],
)
def test_refusals_fit(run: Run, width: int, words: tuple[str, ...]) -> None:
    """Messages are folded."""
    assert too_long(run("check", *words), width) == []


def test_what_is_no_longer_violated_fits(run: Run, width: int) -> None:
    """The reason may be long."""
    run("check", "german:GermanHastyGrant", "--bound", "node=2", "--engine", "packed", "-o", "x.json")
    Path("y.json").write_text(Path("x.json").read_text().replace("german:GermanHastyGrant", "german"))
    ran = run("trace", "y.json")
    assert (ran.code, too_long(ran, width)) == (0, [])
