"""rumur finds what our engines find (skipped where rumur is not installed)."""

import os
import shutil
from random import Random

import pytest
from random_systems import random_system
from symmetric_systems import random_symmetric_system

from cmxverify.checking.crosscheck.comparison import CrossCheck, crosscheck
from cmxverify.checking.crosscheck.peer import NotRun, PeerLimits
from cmxverify.checking.crosscheck.rumur import Rumur
from cmxverify.checking.exploration import Exploration, Request
from cmxverify.checking.export.exporter import ExportChoices
from cmxverify.checking.python.interpret import InterpretEngine
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.system import Cell, Part, Property, PropertyKind, System

needs_rumur = pytest.mark.skipif(
    shutil.which("rumur") is None or shutil.which("cc") is None,
    reason="rumur or a C compiler is not installed",
)


def confirmed(system: System, *, symmetry: bool = False) -> CrossCheck:
    request = Request(symmetry=symmetry)
    found: Exploration = InterpretEngine().explore(system, request)
    return crosscheck(system, found, request, limits=PeerLimits(optimize=0))


@needs_rumur
@pytest.mark.parametrize("seed", range(12))
def test_random_systems_agree(seed: int) -> None:
    """States, transitions, depth, verdict and length of the counterexample."""
    table = confirmed(random_system(Random(seed)))
    assert table.agrees, table.text()


@needs_rumur
@pytest.mark.parametrize("seed", range(12))
def test_random_symmetric_systems_agree_on_orbits(seed: int) -> None:
    """As scalarsets, reduced exhaustively."""
    table = confirmed(random_symmetric_system(Random(seed), most_states=300), symmetry=True)
    assert table.agrees, table.text()


@needs_rumur
@pytest.mark.parametrize("seed", range(4))
def test_random_symmetric_systems_agree_unreduced(seed: int) -> None:
    """The same rules over ranges."""
    table = confirmed(random_symmetric_system(Random(seed), most_states=300))
    assert table.agrees, table.text()


@needs_rumur
def test_division_is_pythons() -> None:
    """L5: -9 .. 9 by 1 .. 5, negation and mixed signs, as one invariant that fails at a single wrong entry."""
    cell = Cell(0, "x", (), "x", 19, -9)
    x = cell.read()
    entries = []
    for value in range(-9, 10):
        negated = ex.eq(ex.neg(x), ex.integer(-value))
        below = ex.eq(ex.lt(x, ex.neg(x)), ex.boolean(value < 0))
        entries.append(ex.implies(ex.eq(x, ex.integer(value)), ex.and_(negated, below)))
        for divisor in range(1, 6):
            quotient = ex.eq(ex.floordiv(x, divisor), ex.integer(value // divisor))
            remainder = ex.eq(ex.mod(x, divisor), ex.integer(value % divisor))
            entries.append(ex.implies(ex.eq(x, ex.integer(value)), ex.and_(quotient, remainder)))
    table = Property("TABLE", PropertyKind.INVARIANT, (Part("table", ex.and_(*entries)),))
    system = System("Division", (cell,), tuple((value,) for value in range(-9, 10)), (), (table,))
    assert confirmed(system).agrees


@needs_rumur
def test_a_sum_about_a_value_that_is_read_from_a_cell() -> None:
    """A function that adds up is given the value, for what it is read from may be out of its sight."""
    assert confirmed(random_symmetric_system(Random(83), most_states=300)).agrees


@needs_rumur
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12, 150))
def test_many_random_systems_agree(seed: int) -> None:
    """The deep profile: plain, symmetric unreduced, and reduced."""
    assert confirmed(random_system(Random(seed))).agrees
    symmetric = random_symmetric_system(Random(seed), most_states=300)
    assert confirmed(symmetric).agrees


def test_without_rumur_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not run, with the command that installs it."""
    monkeypatch.setenv("PATH", os.devnull)
    found = Rumur().search(random_system(Random(0)), ExportChoices(), PeerLimits(), depth=3)
    assert found == NotRun("rumur is not installed (apt install rumur)")


@needs_rumur
def test_out_of_time_is_not_run() -> None:
    """A limit that is met gives no verdict."""
    found = Rumur().search(random_system(Random(0)), ExportChoices(), PeerLimits(seconds=0.01), depth=3)
    assert found == NotRun("rumur did not end within 0.01 s")
