"""The least shortest trace: against all traces, of all engines, in full and reduced."""

from __future__ import annotations

from random import Random

import pytest
from counting_system import NEXT, at, counting
from endings import Trace, ends, faulty
from engines import ENGINES, ORACLE
from random_systems import random_system
from symmetric_systems import random_symmetric_system

from cmxverify.checking.exploration import BreachKind, Exploration, Request
from cmxverify.checking.least_trace import Path, least_trace
from cmxverify.errors import Location
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.evaluate import State, enabled, successor
from cmxverify.modeling.ir.system import (
    Obligation,
    ObligationKind,
    Part,
    Property,
    PropertyKind,
    System,
)


def breached_systems(seeds: range) -> list[tuple[System, Exploration]]:
    """Plain and symmetric systems in which something is breached, with what the oracle found in full."""
    made = [random_system(Random(seed), most_states=300) for seed in seeds]
    made += [random_symmetric_system(Random(seed), most_states=300) for seed in seeds]
    found = [(system, ORACLE.explore(system, Request())) for system in made]
    return [(system, each) for system, each in found if each.breach is not None]


def all_least(system: System, steps: int) -> dict[State, Trace]:
    """To every state that so many steps reach, the least trace of that length; by trying everything."""
    least = {state: (start,) for start, state in reversed(list(enumerate(system.initial)))}
    for _ in range(steps):
        longer: dict[State, Trace] = {}
        for state, trace in sorted(least.items(), key=lambda item: item[1]):
            for number, instance in enumerate(system.instances):
                if enabled(instance, state) and not faulty(system, number, state):
                    longer.setdefault(successor(instance, state), (*trace, number))
                    after = successor(instance, state)
                    longer[after] = min(longer[after], (*trace, number))
        least = longer
    return least


def least_by_force(system: System, found: Exploration) -> Trace:
    """The least of all traces to the breach."""
    candidates = all_least(system, len(found.layers) - 1)
    deadlocked = found.layers[-1] if found.breach and found.breach.kind is BreachKind.DEADLOCK else None
    return min(
        (*trace, *end)
        for state, trace in candidates.items()
        if deadlocked is None or state in deadlocked
        for end in ends(system, found, state)
    )


def trace_of(path: Path) -> Trace:
    return (path.start, *path.instances)


@pytest.mark.parametrize("seeds", [range(0, 60), range(60, 120)])
def test_it_is_the_least_of_all(seeds: range) -> None:
    """S15: no other shortest trace to the breach comes before it."""
    for system, found in breached_systems(seeds):
        assert trace_of(least_trace(system, found)) == least_by_force(system, found)


def test_every_engine_tells_the_same_trace() -> None:
    """Start and instances are equal for all engines, with symmetry and without."""
    for system, found in breached_systems(range(40)):
        expected = least_trace(system, found)
        for engine in (ORACLE, *ENGINES):
            for symmetry in (False, True):
                assert least_trace(system, engine.explore(system, Request(symmetry=symmetry))) == expected


def test_states_are_those_of_its_steps() -> None:
    """Each state follows from the one before by the instance between them."""
    for system, found in breached_systems(range(40)):
        path = least_trace(system, found)
        assert path.initial == system.initial[path.start]
        for number, before, after in zip(path.instances, path.states, path.states[1:], strict=False):
            assert successor(system.instances[number], before) == after


# One system for each way in which a trace may end: a counter that two instances move.


def traced(system: System) -> tuple[Trace, int, bool]:
    """Instances, number of states, and whether it stutters."""
    path = least_trace(system, ORACLE.explore(system, Request()))
    return path.instances, len(path.states), path.stutters


def test_an_invariant_ends_in_its_state() -> None:
    """The last state breaks the invariant."""
    invariant = Property("P", PropertyKind.INVARIANT, (Part("", ex.not_(at(2))),))
    assert traced(counting(invariant)) == ((1, 1), 3, False)


def test_an_obligation_ends_in_the_attempted_step() -> None:
    """The attempted step has no successor."""
    duty = Obligation(ObligationKind.ASSERT, Location("m.py", 1), "x != 1", at(1))
    assert traced(counting(owed=(duty,))) == ((1, 1), 2, False)


def test_a_step_property_ends_in_the_breaching_step() -> None:
    """From 1 to 2 it breaks; the state after is told."""
    step = Property("P", PropertyKind.STEP, (Part("", ex.implies(at(1), ex.lt(NEXT, ex.integer(2)))),))
    assert traced(counting(step)) == ((1, 1), 3, False)


def test_a_stutter_step_has_no_instance() -> None:
    """What breaks without any step ends in the state, and says so."""
    step = Property("P", PropertyKind.STEP, (Part("", ex.implies(at(2), ex.eq(NEXT, ex.integer(3)))),))
    assert traced(counting(step)) == ((1, 1), 3, True)


def test_a_deadlock_ends_in_the_stuck_state() -> None:
    """In 3 nothing changes any more, and it is not quiescent."""
    assert traced(counting(quiescent=ex.FALSE)) == ((1, 1, 1), 4, False)
