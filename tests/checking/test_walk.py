"""Random walks: they go where the system goes, end where something is breached, and come back for a seed."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from counting_system import at, counting
from directory_by_hand import directory
from endings import ends, faulty
from engines import ORACLE
from random_systems import random_system

from cmxverify.checking.exploration import BreachKind, Ending, Request
from cmxverify.checking.walk import Walked, random_walks
from cmxverify.errors import Location
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.evaluate import enabled, successor
from cmxverify.modeling.ir.system import Obligation, ObligationKind, Part, Property, PropertyKind, System


def walked(system: System, *, seed: int = 1, steps: int = 300, **options: int) -> Walked:
    return random_walks(system, Request(), seed=seed, steps=steps, **options)


def test_a_seed_brings_the_walks_back() -> None:
    """The same seed takes the same steps, another one others."""
    first, again, other = (walked(directory(2), seed=seed) for seed in (1, 1, 2))
    assert replace(first, seconds=0) == replace(again, seconds=0)
    assert first.taken != other.taken


def test_every_step_is_one_of_the_system() -> None:
    """On the way to a breach each instance is enabled, meets its obligations and leads to the next state."""
    for seed in range(80):
        system = random_system(Random(seed), most_states=200)
        path = walked(system, seed=seed).path
        for number, before, after in (
            zip(path.instances, path.states, path.states[1:], strict=False) if path else ()
        ):
            assert enabled(system.instances[number], before)
            assert not faulty(system, number, before)
            assert successor(system.instances[number], before) == after != before


def test_what_ends_a_walk_is_a_breach() -> None:
    """In its last state, or on its last step, the breach happens as said."""
    for seed in range(80):
        system = random_system(Random(seed), most_states=200)
        found = walked(system, seed=seed)
        if found.breach is None or found.path is None or found.breach.kind is BreachKind.DEADLOCK:
            continue
        stepped = found.breach.steps - (1 if found.path.stutters else 0) == len(found.path.instances)
        attempted = len(found.path.states) == len(found.path.instances)
        last_step = found.breach.kind is BreachKind.STEP and not found.path.stutters
        judged = replace(ORACLE.explore(system, Request()), breach=found.breach)
        before = found.path.states[-2 if last_step else -1]
        assert stepped
        assert (found.path.instances[-1:] if attempted or last_step else ()) in ends(system, judged, before)


def test_no_breach_is_met_before_the_shortest() -> None:
    """Search finds a breach wherever a walk does, and no later; where search finds none, walks meet none."""
    met = 0
    for seed in range(80):
        system = random_system(Random(seed), most_states=200)
        expected, actual = ORACLE.explore(system, Request()), walked(system, seed=seed).breach
        if actual is not None and expected.ending is not Ending.STOPPED:
            assert expected.breach is not None
            assert expected.breach.steps <= actual.steps
            met += 1
    assert met > 20


def test_a_deadlock_ends_the_search() -> None:
    """A counter that may not end at 3 is found stuck there, after three steps."""
    found = walked(counting(quiescent=ex.FALSE))
    assert (found.breach and found.breach.kind, found.steps) == (BreachKind.DEADLOCK, 3)


def test_walks_begin_again() -> None:
    """A counter that may end does so at 3, and the next walk begins."""
    assert (walked(counting()).steps, walked(counting()).walks) == (300, 100)


def test_walks_are_no_longer_than_said() -> None:
    """Two steps a walk never reach 3."""
    never = Property("P", PropertyKind.INVARIANT, (Part("", ex.not_(at(3))),))
    assert walked(counting(never), longest=2).breach is None
    assert walked(counting(never), longest=3).breach is not None


def test_a_full_channel_ends_only_the_walk() -> None:
    """BOUND violates nothing: walks end before it and are counted."""
    full = Obligation(ObligationKind.BOUND, Location("m.py", 1), "full", at(2))
    found = walked(counting(owed=(full,)))
    assert (found.breach, found.full_channels, found.steps) == (None, 150, 300)


def test_a_system_that_cannot_move_ends() -> None:
    """Where no instance ever changes the state, walks take no step and still come to an end."""
    still = replace(counting(), instances=counting().instances[:1])
    assert walked(still).steps == 0


def test_the_time_limit_is_kept() -> None:
    """No time, no walk."""
    found = random_walks(directory(2), Request(seconds=0.0), seed=1, steps=10_000_000)
    assert found.walks == 0
