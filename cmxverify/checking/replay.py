"""Run a saved trace again, through the Python source, and say whether it still violates what it did."""

from __future__ import annotations

from dataclasses import dataclass, field

from cmxverify.checking.exploration import Breach, BreachKind
from cmxverify.checking.trace import (
    Failure,
    Trace,
    TraceStep,
    before_last,
    claim_of,
    failure_of,
    property_holds,
    said_of,
    step_between,
    words_of,
)
from cmxverify.checking.trace_file import SavedTrace
from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.modeling.compile import Compiled
from cmxverify.modeling.functions import BreachError, NotEnabled
from cmxverify.modeling.ir.evaluate import State, evaluate
from cmxverify.modeling.ir.system import ActionKind, ObligationKind, PropertyKind, System

DEADLOCK = "DEADLOCK"


@dataclass(frozen=True, slots=True)
class Replay:
    """What became of a saved trace.

    Args:
        trace: As far as it could be taken.
        violates: Whether it still violates what the file says.
        why_not: Why it does not, or empty.
        changed: Whether the model's source is another one than when the trace was saved.
    """

    trace: Trace
    violates: bool
    why_not: str
    changed: bool

    @property
    def meets_full_channel(self) -> bool:
        """Whether what it ends in only stops a search, and violates nothing (L17)."""
        return self.violates and self.trace.violated == ObligationKind.BOUND.value


@dataclass(slots=True)
class _Walk:
    """The steps taken so far; ``breached`` is the kind of the duty that the last one breached."""

    states: list[State]
    steps: list[TraceStep] = field(default_factory=list)
    instances: list[int] = field(default_factory=list)
    breached: str = ""
    said: str = ""
    stopped: str = ""


def replay(compiled: Compiled, saved: SavedTrace, at: Location) -> Replay:
    """Take the steps of a saved trace.

    Raises:
        InputError: If the file names a property, a cell, an action or an argument that the model does not have.
    """
    system = compiled.system
    _refuse_unknown(system, saved, at)
    wanted = [_instance(system, *step, number, at) for number, step in enumerate(saved.steps, start=1)]
    initial = _initial(system, saved)
    walk = _Walk([system.initial[0] if initial is None else initial])
    if initial is None:
        walk.stopped = "the model no longer starts in the first state of this trace"
    else:
        _take(compiled, wanted, walk)
    failure = None if walk.stopped else _failure(compiled, walk, saved.violated)
    why_not = "" if failure else walk.stopped or _why_not(walk, saved.violated)
    trace = Trace(
        failure or Failure(saved.violated, _claim(compiled, saved.violated), "", why_not),
        words_of(system, walk.states[0]),
        tuple(walk.steps),
        tuple(walk.states),
        tuple(walk.instances),
    )
    return Replay(trace, failure is not None, why_not, saved.source != system.source_hash)


def _take(compiled: Compiled, wanted: list[int], walk: _Walk) -> None:
    calls = list(compiled.model.instances())
    for number, index in enumerate(wanted, start=1):
        before = walk.states[-1]
        compiled.model.state = compiled.decode(before)
        try:
            compiled.model.take(*calls[index])
        except NotEnabled:
            walk.stopped = f"step {number}, {compiled.system.instances[index].name}, is not possible there"
            return
        except BreachError as error:
            walk.breached, walk.said = error.kind.value, said_of(error)
            walk.steps.append(step_between(compiled, number, index, before, before, breaching=True))
            walk.instances.append(index)
            return
        after = compiled.encode(compiled.model.state)
        walk.steps.append(step_between(compiled, number, index, before, after))
        walk.instances.append(index)
        walk.states.append(after)


def _refuse_unknown(system: System, saved: SavedTrace, at: Location) -> None:
    kinds = [DEADLOCK, *(kind.value for kind in ObligationKind)]
    properties = [each.name for each in system.properties]
    if saved.violated not in (*kinds, *properties):
        raise InputError(
            f"'violated' names '{saved.violated}', which is no property of the model",
            at=at,
            fix=did_you_mean(saved.violated, [*properties, *kinds]),
        )
    cells = {cell.name for cell in system.cells}
    for name in saved.initial:
        if name not in cells:
            what = f"'initial' names '{name}', which the model does not have"
            raise InputError(what, at=at, fix=did_you_mean(name, cells))


def _initial(system: System, saved: SavedTrace) -> State | None:
    """The first initial state that agrees with all that the file says of it."""
    for state in system.initial:
        words = dict(words_of(system, state))
        if all(words[name] == text for name, text in saved.initial.items()):
            return state
    return None


def _instance(system: System, action: str, arguments: dict[str, str], number: int, at: Location) -> int:
    known = {each.action for each in system.instances}
    if action not in known:
        what = f"step {number}: there is no action '{action}'"
        raise InputError(what, at=at, fix=did_you_mean(action, known))
    for index, each in enumerate(system.instances):
        if each.action == action and {a.name: a.text for a in each.arguments} == arguments:
            return index
    listed = ", ".join(f"{name}={text}" for name, text in arguments.items())
    example = next(each.name for each in system.instances if each.action == action)
    raise InputError(
        f"step {number}: {action} cannot be taken with {listed or 'no arguments'}",
        at=at,
        fix=f"It is taken as in {example}.",
    )


def _failure(compiled: Compiled, walk: _Walk, violated: str) -> Failure | None:
    """What the walk ends in, if it is what the file says."""
    if walk.breached:
        return Failure(violated, "", "", walk.said) if walk.breached == violated else None
    system, last = compiled.system, walk.states[-1]
    if violated == DEADLOCK:
        stuck = _is_stuck(compiled, last)
        return (
            failure_of(compiled, last, last, Breach(BreachKind.DEADLOCK, len(walk.steps))) if stuck else None
        )
    for index, each in enumerate(system.properties):
        if each.name == violated:
            return _property_failure(compiled, walk, index, each.kind)
    return None


def _property_failure(compiled: Compiled, walk: _Walk, index: int, kind: PropertyKind) -> Failure | None:
    """How a property fails in the last state; of a step property, in the last step or the stutter step after it."""
    last = walk.states[-1]
    for old in (before_last(walk.states), last) if kind is PropertyKind.STEP else (last,):
        answer = property_holds(compiled, index, old, last)
        if answer is None:
            name, claim = compiled.system.properties[index].name, claim_of(compiled, index)
            return Failure(name, claim, "", "it is not defined in the last state")
        if not answer:
            breach = BreachKind.STEP if kind is PropertyKind.STEP else BreachKind.INVARIANT
            return failure_of(compiled, old, last, Breach(breach, len(walk.steps), property=index))
    return None


def _why_not(walk: _Walk, violated: str) -> str:
    if walk.breached:
        return f"step {len(walk.steps)} breaches {walk.breached} instead"
    return f"all steps are possible, and {violated} is not violated at the end"


def _claim(compiled: Compiled, violated: str) -> str:
    names = [each.name for each in compiled.system.properties]
    return claim_of(compiled, names.index(violated)) if violated in names else ""


def _is_stuck(compiled: Compiled, state: State) -> bool:
    """Whether no ACTION changes the state by the source, and it is not quiescent (L25)."""
    quiescent = compiled.system.quiescent
    if quiescent is not None and evaluate(quiescent, state):
        return False
    plain = compiled.decode(state)
    actions = [each for each in compiled.model.instances() if each[0].kind is ActionKind.ACTION]
    for step, arguments in actions:
        compiled.model.state = plain
        try:
            compiled.model.take(step, arguments)
        except NotEnabled:
            continue
        except BreachError:
            return False
        if compiled.model.state != plain:
            return False
    return True
