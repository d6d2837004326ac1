"""The slow reference of symmetry: permutations act as they must, and orbits add up."""

from __future__ import annotations

from random import Random

import pytest
from directory_by_hand import directory
from engines import ORACLE
from symmetric_systems import random_symmetric_system

from cmxverify.checking.exploration import Request
from cmxverify.checking.python.packed.search import PackedEngine
from cmxverify.checking.symmetry import canonical, sorts_used, symmetry_of
from cmxverify.modeling.ir.evaluate import State, enabled, successor
from cmxverify.modeling.ir.system import Atom, Cell, Property, PropertyKind, System

NODES = [Atom("node", ordinal, f"node{ordinal}") for ordinal in range(3)]
HOLDS = [
    Cell(index, "holds", (node,), f"holds[{node.name}]", 2, is_bool=True) for index, node in enumerate(NODES)
]
OWNER = Cell(3, "owner", (), "owner", 4, low=-1, sort="node")
SMALL = System("small", (*HOLDS, OWNER), ((0, 0, 0, -1),), (), (), sorts={"node": 3})


def random_state(system: System, draw: Random) -> State:
    return tuple(draw.randint(cell.low, cell.high) for cell in system.cells)


@pytest.mark.parametrize(
    ("state", "least"),
    [((1, 0, 0, 0), (0, 0, 1, 2)), ((1, 0, 0, 2), (0, 0, 1, 0)), ((1, 0, 1, -1), (0, 1, 1, -1))],
)
def test_places_and_values_move_together(state: State, least: State) -> None:
    """Who holds and who owns are renamed alike; none stays none."""
    assert canonical(SMALL, state) == least


def test_an_orbit_holds_every_renaming() -> None:
    """One holder who is the owner: three states; one holder, another owner: six."""
    symmetry = symmetry_of(SMALL)
    assert len(symmetry.orbit((1, 0, 0, 0))) == 3
    assert len(symmetry.orbit((1, 0, 0, 2))) == 6


def test_the_first_action_is_the_identity() -> None:
    """Images begin with the state itself."""
    state = (1, 0, 1, 2)
    assert next(symmetry_of(SMALL).images(state)) == state


def test_whoever_is_asked_the_least_is_the_same() -> None:
    """Every state of an orbit has the same canonical state, which is its own."""
    draw = Random(1)
    for seed in range(30):
        system = random_symmetric_system(Random(seed))
        symmetry = symmetry_of(system)
        state = random_state(system, draw)
        assert {symmetry.canonical(each) for each in symmetry.orbit(state)} == {symmetry.canonical(state)}


def test_random_symmetric_systems_are_symmetric() -> None:
    """A step from an image is the image of a step: what the tests of all engines rely on."""
    draw = Random(2)
    for seed in range(30):
        system = random_symmetric_system(Random(seed))
        for action in symmetry_of(system).actions:
            state = random_state(system, draw)
            before = [action.image(after) for after in successors(system, state)]
            assert sorted(before) == sorted(successors(system, action.image(state)))


def successors(system: System, state: State) -> list[State]:
    return [successor(each, state) for each in system.instances if enabled(each, state)]


def test_orbits_add_up_to_the_whole_graph() -> None:
    """The sizes of the orbits that a reduced search finds sum to the states of a full one."""
    for seed in range(30):
        system = random_symmetric_system(Random(seed), most_states=400)
        full, symmetry = ORACLE.explore(system, Request()), symmetry_of(system)
        if not full.breach:
            reached = reachable(system)
            assert len(reached) == full.states
            orbits = {symmetry.canonical(state) for state in reached}
            assert ORACLE.explore(system, Request(symmetry=True)).states == len(orbits)
            assert sum(len(symmetry.orbit(state)) for state in orbits) == full.states


def reachable(system: System) -> set[State]:
    """States without a search engine."""
    reached, pending = set(system.initial), list(system.initial)
    while pending:
        fresh = set(successors(system, pending.pop())) - reached
        reached |= fresh
        pending += fresh
    return reached


def test_only_symmetric_properties_allow_reduction() -> None:
    """An asymmetric property that is checked forbids it, one that is not checked does not."""
    apart = Property("P", PropertyKind.INVARIANT, (), symmetric=False)
    system = System("small", SMALL.cells, SMALL.initial, (), (apart,), sorts={"node": 3, "single": 1})
    assert sorts_used(system, Request(symmetry=True)) == ()
    assert sorts_used(system, Request(symmetry=True, properties=())) == ("node",)
    assert sorts_used(system, Request(properties=())) == ()


def test_reduction_pays() -> None:
    """The directory protocol of three nodes has 125,408 states in 22,124 orbits, as rumur counts."""
    found = PackedEngine().explore(directory(3), Request(symmetry=True))
    assert (found.states, found.reduced) == (22_124, ("node",))
