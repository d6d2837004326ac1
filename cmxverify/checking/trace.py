"""A counterexample in the model's own words: every step taken by the Python source itself, with what it changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cmxverify.checking.exploration import Breach, BreachKind
from cmxverify.checking.least_trace import Path
from cmxverify.checking.wording import part_of_cell, parts_of_state
from cmxverify.errors import CmxError
from cmxverify.modeling.compile import Compiled
from cmxverify.modeling.functions import BreachError, NotEnabled
from cmxverify.modeling.ir.evaluate import State, evaluate, successor
from cmxverify.modeling.ir.expression import Expr, Op, walk
from cmxverify.modeling.ir.system import PropertyKind, System
from cmxverify.modeling.members import Step


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
class Failure:
    """What a trace ends in, in words.

    Args:
        name: Of the property or the obligation (RANGE ...), or DEADLOCK.
        claim: What should hold, by the first line of the property's docstring; may be empty.
        where: For which values of its outer ``all``: ``n = node1``; may be empty.
        formula: The conjunct that fails, or the text and place of the obligation.
        values: Cells that the conjunct reads, with their values in the last state; of a step "before -> after".
    """

    name: str
    claim: str
    where: str
    formula: str
    values: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """On one line: ``n = node1: implies(...); here cache[node0] = SHARED``."""
        where = f"{self.where}: " if self.where else ""
        here = ", ".join(f"{cell} = {value}" for cell, value in self.values)
        return f"{where}{self.formula}" + (f"; here {here}" if here else "")


@dataclass(frozen=True, slots=True)
class Trace:
    """A shortest counterexample, replayed.

    Args:
        failure: What it ends in.
        initial: Cells of the first state in words, (cell, value).
        steps: In order.
        states: Cell values after each step, the initial state first; a step that breaches a duty has none.
        instances: Instance numbers of the steps.
    """

    failure: Failure
    initial: tuple[tuple[str, str], ...]
    steps: tuple[TraceStep, ...]
    states: tuple[State, ...]
    instances: tuple[int, ...]

    @property
    def violated(self) -> str:
        """Name of what is violated."""
        return self.failure.name

    @property
    def reason(self) -> str:
        """Why, on one line."""
        return self.failure.text


def replayed(compiled: Compiled, path: Path, breach: Breach) -> Trace:
    """Take the steps by the Python source, compare each state with the representation, and see the breach happen.

    Raises:
        ReplayError: If anything differs.
    """
    calls = list(compiled.model.instances())
    states, steps, said = [path.initial], [], ""
    for number, instance in enumerate(path.instances, start=1):
        if number == len(path.instances) and breach.kind is BreachKind.OBLIGATION:
            said = _expect_breach(compiled, states[-1], calls[instance], breach)
            steps.append(step_between(compiled, number, instance, states[-1], states[-1], breaching=True))
            continue
        after = _taken(compiled, states[-1], calls[instance], instance)
        steps.append(step_between(compiled, number, instance, states[-1], after))
        states.append(after)
    old = states[-1] if path.stutters else before_last(states)
    _expect_property_breach(compiled, old, states[-1], breach)
    failure = failure_of(compiled, old, states[-1], breach, said=said)
    return Trace(
        failure, words_of(compiled.system, path.initial), tuple(steps), tuple(states), path.instances
    )


def words_of(system: System, state: State) -> tuple[tuple[str, str], ...]:
    """Every cell with its value, in words."""
    return tuple((cell.name, cell.label(value)) for cell, value in zip(system.cells, state, strict=True))


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
) -> str:
    """What the source says of the breach, with the values it meets."""
    wanted = compiled.system.instances[breach.instance].obligations[breach.obligation].kind
    compiled.model.state = compiled.decode(state)
    try:
        compiled.model.take(*call)
    except BreachError as error:
        if error.kind is wanted:
            return said_of(error)
    except NotEnabled:
        pass
    raise ReplayError(f"the source meets no breach of {wanted.value} there; this is a bug of cmxverify")


def said_of(error: BreachError) -> str:
    """What the source says of a breach, without its kind."""
    return str(error).removeprefix(f"{error.kind.value}: ")


def _expect_property_breach(compiled: Compiled, old: State, state: State, breach: Breach) -> None:
    if breach.kind not in (BreachKind.INVARIANT, BreachKind.STEP, BreachKind.PROPERTY_OBLIGATION):
        return
    answer = property_holds(compiled, breach.property, old, state)
    expected = None if breach.kind is BreachKind.PROPERTY_OBLIGATION else False
    if answer is not expected:
        name = compiled.system.properties[breach.property].name
        raise ReplayError(f"the source does not violate {name}; this is a bug of cmxverify")


def property_holds(compiled: Compiled, index: int, old: State, state: State) -> bool | None:
    """Evaluate a property by the Python source; None where a partial operation in it is not defined."""
    named = compiled.model.schema.properties[index]
    arguments = []
    if named.declared.property is PropertyKind.STEP:
        before = compiled.model.copy()
        before.state = compiled.decode(old)
        arguments = [before]
    compiled.model.state = compiled.decode(state)
    try:
        return bool(compiled.model.look(named.method, *arguments))
    except BreachError:
        return None


def before_last(states: Sequence[State]) -> State:
    """State before the last step; of the stutter step in an initial state, that state itself."""
    return states[-2] if len(states) > 1 else states[-1]


def step_between(
    compiled: Compiled, number: int, instance: int, before: State, after: State, *, breaching: bool = False
) -> TraceStep:
    """A step in words, with only what it changed."""
    old, new = parts_of_state(compiled, before), parts_of_state(compiled, after)
    changes = tuple(Change(part, text, new[part]) for part, text in old.items() if text != new[part])
    each = compiled.system.instances[instance]
    arguments = tuple((argument.name, argument.text) for argument in each.arguments)
    return TraceStep(number, each.action, arguments, changes, breaching)


def failure_of(compiled: Compiled, old: State, state: State, breach: Breach, *, said: str = "") -> Failure:
    """What fails: the first false conjunct with its instance and the values it looks at, or the obligation.

    Args:
        compiled: The model.
        old: State before the step that breaks a step property.
        state: The last one.
        breach: What is breached.
        said: What the source says of the breach of an instance's obligation.
    """
    system = compiled.system
    match breach.kind:
        case BreachKind.DEADLOCK:
            return Failure("DEADLOCK", "", "", "no action changes the state, and the model is not quiescent")
        case BreachKind.OBLIGATION:
            duty = system.instances[breach.instance].obligations[breach.obligation]
            return Failure(duty.kind.value, "", "", f"{said or duty.text}, at {duty.at}")
    each, claim = system.properties[breach.property], claim_of(compiled, breach.property)
    if breach.kind is BreachKind.PROPERTY_OBLIGATION:
        duty = each.obligations[breach.obligation]
        return Failure(each.name, claim, "", f"{duty.kind.value}: {duty.text}, at {duty.at}")
    if each.kind is not PropertyKind.STEP:
        old = state
    failing = next((part for part in each.parts if not evaluate(part.holds, old, state)), None)
    if failing is None:
        raise ReplayError(f"source and representation differ on {each.name}; this is a bug of cmxverify")
    formula, _, where = failing.text.partition("  [")
    values = _values_read(compiled, failing.holds, old, state)
    return Failure(each.name, claim, where.removesuffix("]"), formula.replace("self.", ""), values)


def claim_of(compiled: Compiled, index: int) -> str:
    """First line of a property's docstring, or empty."""
    text = compiled.model.schema.properties[index].method.__doc__ or ""
    return text.strip().partition("\n")[0].strip()


def _values_read(compiled: Compiled, formula: Expr, old: State, state: State) -> tuple[tuple[str, str], ...]:
    before, after = parts_of_state(compiled, old), parts_of_state(compiled, state)
    read = sorted({node.value for node in walk((formula,)) if node.op in (Op.CELL, Op.NEXT)})
    parts = dict.fromkeys(part_of_cell(compiled.system.cells[index].name, after) for index in read)
    return tuple(
        (part, after[part] if before[part] == after[part] else f"{before[part]} -> {after[part]}")
        for part in parts
    )
