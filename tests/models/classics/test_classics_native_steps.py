"""Steps of every shipped model in native code are those of its representation, in any well-typed state (S2)."""

from __future__ import annotations

import pytest

from cmxverify.checking.agreement import random_states
from cmxverify.checking.native.compiler import Effort
from cmxverify.checking.native.stepping import NativeSteps
from cmxverify.modeling.compile import compiled
from cmxverify.modeling.ir.evaluate import State, enabled, evaluate, successor
from cmxverify.modeling.ir.system import System
from models.classics.table import RUNS, Run

SMALLEST = [run for at, run in enumerate(RUNS) if run.model not in {each.model for each in RUNS[:at]}]
EACH_MODEL = pytest.mark.parametrize("run", SMALLEST, ids=lambda run: run.load().__name__)


def compare_steps(run: Run, states: int, effort: Effort) -> None:
    """Instances that are enabled and breach nothing, with their successors."""
    made = compiled(run.load(), run.bounds)
    steps = NativeSteps(made.system, effort)
    for state in map(made.encode, random_states(made, states, seed=4)):
        expected, breached = evaluated(made.system, state)
        assert [each for each in steps.of(state) if each[0] not in breached] == expected, made.decode(state)


def evaluated(system: System, state: State) -> tuple[list[tuple[int, State]], set[int]]:
    """Steps as the representation says, and the instances that breach a duty: what they lead to means nothing."""
    numbered = list(enumerate(system.instances))
    breached = {n for n, each in numbered if any(evaluate(duty.breach, state) for duty in each.obligations)}
    taken = [(n, each) for n, each in numbered if n not in breached and enabled(each, state)]
    return [(n, successor(each, state)) for n, each in taken], breached


@EACH_MODEL
def test_s02_native_steps_agree_anywhere(run: Run) -> None:
    """Translated instruction by instruction, in a hundred states."""
    compare_steps(run, 100, Effort.QUICK)


@pytest.mark.slow
@EACH_MODEL
@pytest.mark.parametrize("effort", Effort)
def test_s02_native_steps_agree_anywhere_at_length(run: Run, effort: Effort) -> None:
    """In ten thousand states, optimised code as well."""
    compare_steps(run, 10_000, effort)
