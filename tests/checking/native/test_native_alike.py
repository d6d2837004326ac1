"""What a representative shows stands for its whole orbit, under the names that come first."""

from __future__ import annotations

from itertools import permutations

import pytest

from cmxverify.checking.exploration import BreachKind, Exploration, Request
from cmxverify.checking.native.engine import NativeEngine
from cmxverify.errors import Location
from cmxverify.modeling.ir.expression import FALSE, TRUE
from cmxverify.modeling.ir.system import (
    ActionKind,
    Argument,
    Atom,
    Cell,
    Instance,
    Obligation,
    ObligationKind,
    Part,
    Property,
    PropertyKind,
    System,
)

NODES = range(3)


def switches(*, breached: bool) -> System:
    """Three nodes of which one is on, whichever; nobody may touch that one, if ``breached`` is said to matter."""
    cells = tuple(
        Cell(node, "on", (Atom("node", node, f"node{node}"),), f"on[node{node}]", 2, is_bool=True)
        for node in NODES
    )
    touches = tuple(
        Instance(
            "touch",
            ActionKind.ACTION,
            (Argument("n", f"node{node}", "node", node),),
            FALSE,
            (),
            (Obligation(ObligationKind.ASSERT, Location("m.py", 1), "not on", cells[node].read()),)
            * breached,
        )
        for node in NODES
    )
    parts = tuple(Part(f"node{node}", TRUE, premise=cells[node].read()) for node in NODES)
    initial = tuple(sorted(set(permutations((0, 0, 1)))))
    vacuous = Property("ON", PropertyKind.INVARIANT, parts)
    return System("Switches", cells, initial, touches, (vacuous,), sorts={"node": 3})


def reduced(system: System, threads: int) -> Exploration:
    """Result of a reduced search."""
    return NativeEngine().explore(system, Request(symmetry=True, threads=threads))


@pytest.mark.parametrize("threads", [1, 2])
def test_the_least_instance_of_an_orbit_is_named(threads: int) -> None:
    """Whichever node is on in the representative, it is the first instance that is told."""
    breach = reduced(switches(breached=True), threads).breach
    assert breach is not None
    assert (breach.kind, breach.instance, breach.steps) == (BreachKind.OBLIGATION, 0, 1)


@pytest.mark.parametrize("threads", [1, 2])
def test_premises_of_a_whole_orbit_hold(threads: int) -> None:
    """One state stands for three: the premise holds for each node."""
    found = reduced(switches(breached=False), threads)
    assert found.states == 1
    assert found.premises == {(0, node) for node in NODES}
