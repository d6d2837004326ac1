"""A counterexample in the model's own words: every step taken by the Python source itself, with what it changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cmxverify.checking.exploration import Breach, BreachKind
from cmxverify.errors import CmxError
from cmxverify.modeling.compile import Compiled
from cmxverify.modeling.functions import BreachError, NotEnabled
from cmxverify.modeling.ir.evaluate import State, evaluate, successor
from cmxverify.modeling.ir.system import PropertyKind, System
from cmxverify.modeling.model import Plain
from cmxverify.modeling.schema import Step


class ReplayError(CmxError):
    """Source and representation differ on a trace: a bug of cmxverify; nothing is said about the model."""


@dataclass(frozen=True, slots=True)
class Change:
    """One cell that a step changed, in words."""

    cell: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step: number from 1, action, arguments as text, what changed. ``breaching`` where it breaches a duty."""

    number: int
    action: str
    arguments: tuple[tuple[str, str], ...]
    changes: tuple[Change, ...]
    breaching: bool = False

    @property
    def name(self) -> str:
        """As people write it: ``home_grants(n=node1)``."""
        return f"{self.action}({', '.join(f'{name}={text}' for name, text in self.arguments)})"


@dataclass(frozen=True, slots=True)
class Trace:
    """A shortest counterexample, replayed.

    Args:
        property: Name of what is violated: of a property, of an obligation (RANGE ...), or DEADLOCK.
        reason: What fails, for which instance, in words.
        initial: Cells of the first state in words, (cell, value).
        steps: In order.
        states: Cell values after each step, the initial state first.
        instances: Instance numbers of the steps.
    """

    property: str
    reason: str
    initial: tuple[tuple[str, str], ...]
    steps: tuple[TraceStep, ...]
    states: tuple[State, ...]
    instances: tuple[int, ...]


def replayed(compiled: Compiled, initial: State, instances: tuple[int, ...], breach: Breach) -> Trace:
    """Take the steps by the Python source, compare each state with the representation, and see the breach happen.

    Raises:
        ReplayError: If anything differs.
    """
    system = compiled.system
    calls = list(compiled.model.instances())
    states = [initial]
    steps = []
    attempted = breach.kind is BreachKind.OBLIGATION
    for number, instance in enumerate(instances, start=1):
        last = number == len(instances)
        if last and attempted:
            _expect_breach(compiled, states[-1], calls[instance], breach)
            steps.append(step_between(system, number, instance, states[-1], states[-1], breaching=True))
            continue
        after = _taken(compiled, states[-1], calls[instance], instance)
        steps.append(step_between(system, number, instance, states[-1], after))
        states.append(after)
    _expect_property_breach(compiled, states, breach)
    first = tuple((cell.name, cell.label(value)) for cell, value in zip(system.cells, initial, strict=True))
    name, reason = explained(system, states, breach)
    return Trace(name, reason, first, tuple(steps), tuple(states), instances)


def _taken(compiled: Compiled, state: State, call: tuple[Step, tuple[Any, ...]], instance: int) -> State:
    name = compiled.system.instances[instance].name
    compiled.model.state = compiled.decode(state)
    try:
        compiled.model.take(*call)
    except (NotEnabled, BreachError) as error:
        raise ReplayError(
            f"the source does not take {name}: {error!r}; this is a bug of cmxverify"
        ) from error
    after = compiled.encode(compiled.model.state)
    if after != successor(compiled.system.instances[instance], state):
        raise ReplayError(f"the source disagrees on what {name} does; this is a bug of cmxverify")
    return after


def _expect_breach(
    compiled: Compiled, state: State, call: tuple[Step, tuple[Any, ...]], breach: Breach
) -> None:
    wanted = compiled.system.instances[breach.instance].obligations[breach.obligation].kind
    compiled.model.state = compiled.decode(state)
    try:
        compiled.model.take(*call)
    except BreachError as error:
        if error.kind is wanted:
            return
    except NotEnabled:
        pass
    raise ReplayError(f"the source meets no breach of {wanted.value} there; this is a bug of cmxverify")


def _expect_property_breach(compiled: Compiled, states: list[State], breach: Breach) -> None:
    if breach.kind not in (BreachKind.INVARIANT, BreachKind.STEP, BreachKind.PROPERTY_OBLIGATION):
        return
    named = compiled.model.schema.properties[breach.property]
    arguments = []
    if named.declared.property is PropertyKind.STEP:
        old = compiled.model.copy()
        old.state = compiled.decode(before_last(states))
        arguments = [old]
    compiled.model.state = compiled.decode(states[-1])
    try:
        holds = bool(compiled.model.look(named.method, *arguments))
    except BreachError:
        holds = breach.kind is not BreachKind.PROPERTY_OBLIGATION
    if holds:
        raise ReplayError(f"the source does not violate {named.declared.name}; this is a bug of cmxverify")


def before_last(states: list[State]) -> State:
    """State before the last step; of the stutter step in an initial state, that state itself."""
    return states[-2] if len(states) > 1 else states[-1]


def step_between(
    system: System, number: int, instance: int, before: State, after: State, *, breaching: bool = False
) -> TraceStep:
    """A step in words, with only what it changed."""
    changes = tuple(
        Change(cell.name, cell.label(old), cell.label(new))
        for cell, old, new in zip(system.cells, before, after, strict=True)
        if old != new
    )
    each = system.instances[instance]
    arguments = tuple((argument.name, argument.text) for argument in each.arguments)
    return TraceStep(number, each.action, arguments, changes, breaching)


def explained(system: System, states: list[State], breach: Breach) -> tuple[str, str]:
    """Name of what is violated, and the failing conjunct with its instance and the values it looks at."""
    match breach.kind:
        case BreachKind.DEADLOCK:
            return "DEADLOCK", "no action changes the state, and the model is not quiescent"
        case BreachKind.OBLIGATION:
            duty = system.instances[breach.instance].obligations[breach.obligation]
            return duty.kind.value, f"{duty.at}: {duty.text}"
    each = system.properties[breach.property]
    if breach.kind is BreachKind.PROPERTY_OBLIGATION:
        duty = each.obligations[breach.obligation]
        return each.name, f"{duty.kind.value} at {duty.at}: {duty.text}"
    old = before_last(states) if each.kind is PropertyKind.STEP else states[-1]
    failing = [part for part in each.parts if not evaluate(part.holds, old, states[-1])]
    return each.name, failing[0].text if failing else each.name


def plain_states(compiled: Compiled, trace: Trace) -> list[Plain]:
    """States of the trace as the model holds them."""
    return [compiled.decode(state) for state in trace.states]
