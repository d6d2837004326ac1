"""How a breach may happen in a state, or on a step from it; straight from the contract."""

from __future__ import annotations

from cmxverify.checking.exploration import BreachKind, Exploration
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.evaluate import State, enabled, evaluate, successor
from cmxverify.modeling.ir.system import PropertyKind, System

Trace = tuple[int, ...]
"""Instances."""


def faulty(system: System, number: int, state: State) -> bool:
    return any(evaluate(each.breach, state) for each in system.instances[number].obligations)


def ends(system: System, found: Exploration, state: State) -> list[Trace]:
    """What may follow a state to make the breach happen: nothing, or an instance."""
    breach = found.breach
    assert breach is not None
    if breach.kind is BreachKind.DEADLOCK:
        return [()]
    if breach.kind is BreachKind.OBLIGATION:
        duty = system.instances[breach.instance].obligations[breach.obligation]
        return [(breach.instance,)] if evaluate(duty.breach, state) else []
    each = system.properties[breach.property]
    bad = [ex.not_(part.holds) for part in each.parts]
    if breach.kind is BreachKind.PROPERTY_OBLIGATION:
        bad = [each.obligations[breach.obligation].breach]
    afters: dict[Trace, State] = {(): state}
    if each.kind is PropertyKind.STEP:
        for number, instance in enumerate(system.instances):
            if enabled(instance, state) and not faulty(system, number, state):
                afters[number,] = successor(instance, state)
    return [end for end, after in afters.items() if any(evaluate(expr, state, after) for expr in bad)]
