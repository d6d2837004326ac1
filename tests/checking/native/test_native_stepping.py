"""S2: steps in native code are those of the reference evaluator, from states reachable or not."""

from __future__ import annotations

from random import Random

import pytest
from directory_by_hand import directory
from random_systems import random_system

from cmxverify.checking.native.compiler import Effort
from cmxverify.checking.native.stepping import NativeSteps
from cmxverify.modeling.ir.evaluate import enabled, successor
from cmxverify.modeling.ir.system import System


def steps_agree(system: System, draw: Random, states: int) -> None:
    """Enabled instances and successors on random well-typed states where no obligation is breached."""
    steps = NativeSteps(system, draw.choice(list(Effort)))
    for _ in range(states):
        state = tuple(draw.randint(cell.low, cell.high) for cell in system.cells)
        sound = {n for n, each in enumerate(system.instances) if not each.obligations}
        expected = [
            (number, successor(system.instances[number], state))
            for number in sorted(sound)
            if enabled(system.instances[number], state)
        ]
        assert [step for step in steps.of(state) if step[0] in sound] == expected


@pytest.mark.parametrize("seed", range(10))
def test_steps_of_random_systems(seed: int) -> None:
    """Of one word and of several."""
    draw = Random(seed)
    steps_agree(random_system(draw, wide=seed % 2 == 1), draw, 60)


def test_steps_of_a_real_protocol() -> None:
    """The directory protocol, anywhere in its state space."""
    steps_agree(directory(3), Random(7), 300)
