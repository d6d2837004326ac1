"""Every shipped model against rumur: counts, depth, verdict (skipped where rumur is not installed)."""

import shutil

import pytest

from cmxverify.checking.crosscheck.comparison import crosscheck
from cmxverify.checking.crosscheck.peer import PeerLimits
from cmxverify.checking.exploration import Request
from cmxverify.checking.python.interpret import InterpretEngine
from cmxverify.checking.python.packed.search import PackedEngine
from cmxverify.modeling.compile import system_of
from models.classics.table import MISTAKES, RUNS, Mistake, Run

needs_rumur = pytest.mark.skipif(
    shutil.which("rumur") is None or shutil.which("cc") is None,
    reason="rumur or a C compiler is not installed",
)
FEW = 10_000
"""Larger ones are for the deep profile."""


def _marked(run: Run) -> object:
    name = run.model + "-" + ",".join(f"{bound}={value}" for bound, value in run.bounds.items())
    return pytest.param(run, id=name, marks=[pytest.mark.slow] if run.states > FEW else [])


@needs_rumur
@pytest.mark.parametrize("run", [_marked(run) for run in RUNS if run.states < 500_000])
def test_shipped_model_agrees(run: Run) -> None:
    """Without symmetry: states, transitions, states at each depth."""
    system = system_of(run.load(), run.bounds)
    table = crosscheck(
        system, PackedEngine().explore(system, Request()), Request(), limits=PeerLimits(optimize=0)
    )
    assert table.agrees, table.text()


@needs_rumur
@pytest.mark.parametrize("run", [_marked(run) for run in RUNS if run.orbits and run.states < 1_000])
def test_shipped_model_agrees_on_orbits(run: Run) -> None:
    """With symmetric types as scalarsets."""
    system, request = system_of(run.load(), run.bounds), Request(symmetry=True)
    table = crosscheck(
        system, InterpretEngine().explore(system, request), request, limits=PeerLimits(optimize=0)
    )
    assert table.agrees, table.text()


@needs_rumur
@pytest.mark.parametrize("mistake", MISTAKES, ids=[each.model for each in MISTAKES])
def test_shipped_mistake_has_the_same_shortest_counterexample(mistake: Mistake) -> None:
    """A variant breaks in as many steps in both."""
    system = system_of(mistake.load(), mistake.bounds)
    table = crosscheck(
        system, PackedEngine().explore(system, Request()), Request(), limits=PeerLimits(optimize=0)
    )
    assert table.agrees, table.text()
