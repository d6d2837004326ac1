"""Tables and loops: one answer, however an instance is worked out."""

from __future__ import annotations

from random import Random

import pytest
from random_systems import random_system

from cmxverify.checking.python.packed import support
from cmxverify.checking.python.packed.places import Places, places_of
from cmxverify.checking.python.packed.tables import Loop, Table, movers_of
from cmxverify.modeling.ir.system import System


def states_of(system: System, places: Places, count: int) -> list[int]:
    """Different states, in no order."""
    draw = Random(1)
    return list(
        {places.pack([draw.randint(cell.low, cell.high) for cell in system.cells]) for _ in range(count)}
    )


def told(movers: list[Table | Loop], states: list[int], instances: int) -> tuple[object, ...]:
    """All that a search asks of them."""
    after = {next_ for mover in movers for next_ in mover.successors(states)}
    pairs = {pair for mover in movers for pair in mover.pairs(states)}
    faulty = set[int]().union(*(mover.faulty_among(states) for mover in movers))
    idle = states
    for mover in movers:
        idle = mover.idle_among(idle)
    fired, changed = [0] * instances, [0] * instances
    for mover in movers:
        mover.add_to(fired, changed)
    return after, pairs, faulty, sorted(idle), fired, changed


def test_loops_tell_what_tables_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no bits to spare everything is a loop; counts, successors, faults and idle states stay the same."""
    for seed in range(40):
        system = random_system(Random(seed))
        places = places_of(system.cells)
        states = states_of(system, places, 60)
        tables = told(movers_of(system, places), states, len(system.instances))
        with monkeypatch.context() as patch:
            patch.setattr(support, "NARROW_BITS", -1)
            movers = movers_of(system, places)
            assert all(isinstance(mover, Loop) for mover in movers)
            assert told(movers, states, len(system.instances)) == tables


def test_a_second_look_up_works_nothing_out() -> None:
    """What was learned of some bits serves every state that has them."""
    system = random_system(Random(3), wide=False)
    places = places_of(system.cells)
    table = movers_of(system, places)[0]
    assert isinstance(table, Table)
    states = states_of(system, places, 200)
    table.look_up(states)
    known = len(table.flips)
    table.look_up(states)
    assert len(table.flips) == known == len({state & table.mask for state in states})
