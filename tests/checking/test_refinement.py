"""Canonical states by refinement are right: the same for all images of a state, and for no other."""

from __future__ import annotations

from random import Random

import pytest
from symmetric_systems import random_symmetric_system

from cmxverify.checking.refinement import Canonizer
from cmxverify.checking.symmetry import symmetry_of
from cmxverify.modeling.compile import system_of
from cmxverify.modeling.ir.system import System
from models.classics.german import German


def some_state(system: System, draw: Random) -> tuple[int, ...]:
    """A state of which no engine asks whether it is reachable."""
    return tuple(draw.randint(cell.low, cell.high) for cell in system.cells)


@pytest.mark.parametrize("seed", range(60))
def test_keys_are_equal_on_orbits_and_differ_elsewhere(seed: int) -> None:
    """Two states have one key if and only if the brute force finds a permutation between them."""
    draw = Random(seed)
    system = random_symmetric_system(draw)
    symmetry, canonizer = symmetry_of(system), Canonizer(system, tuple(symmetry_of(system).sorts))
    states = [some_state(system, draw) for _ in range(12)]

    keys = {}
    for state in states:
        orbit = symmetry.orbit(state)
        assert canonizer.key(state) in orbit
        assert {canonizer.key(image) for image in orbit} == {canonizer.key(state)}
        keys[symmetry.canonical(state)] = canonizer.key(state)
    assert len(set(keys.values())) == len(keys)


def test_twelve_nodes_take_no_time() -> None:
    """Where 479,001,600 permutations exist, idle nodes are twins: one candidate."""
    system = system_of(German, {"node": 12})
    canonizer = Canonizer(system, ("node",))

    assert canonizer.key(system.initial[0]) == system.initial[0]
