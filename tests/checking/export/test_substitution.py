"""Formulas over two states as formulas over one."""

from random import Random

import pytest
from random_systems import random_system

from cmxverify.modeling.ir.evaluate import evaluate, successor
from cmxverify.modeling.ir.substitution import after_step
from cmxverify.modeling.ir.system import PropertyKind


@pytest.mark.parametrize("seed", range(40))
def test_a_step_property_reads_the_same_before_the_step(seed: int) -> None:
    """With updates put in, its value in the old state is its value over both."""
    system = random_system(Random(seed))
    steps = [
        part.holds for each in system.properties if each.kind is PropertyKind.STEP for part in each.parts
    ]
    for state in system.initial:
        for instance in system.instances:
            following = successor(instance, state)
            for formula in steps:
                once = after_step(formula, dict(instance.updates))
                assert evaluate(once, state) == evaluate(formula, state, following)
