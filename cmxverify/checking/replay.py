"""Run a saved trace again, through the Python source, and say whether it still violates what it did."""

from __future__ import annotations

from dataclasses import dataclass

from cmxverify.checking.exploration import Breach, BreachKind
from cmxverify.checking.trace import Trace, explained, step_between
from cmxverify.checking.trace_file import SavedTrace
from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.modeling.compile import Compiled
from cmxverify.modeling.functions import BreachError, NotEnabled
from cmxverify.modeling.ir.evaluate import State, evaluate
from cmxverify.modeling.ir.system import ActionKind, PropertyKind, System
from cmxverify.modeling.model import Plain


@dataclass(frozen=True, slots=True)
class Replay:
    """What became of a saved trace.

    Args:
        trace: As far as it could be taken.
        violates: Whether it still violates what the file says.
        stopped: Why a step could not be taken, or empty.
        changed: Whether the model's source is another one than when the trace was saved.
    """

    trace: Trace
    violates: bool
    stopped: str
    changed: bool


def replay(compiled: Compiled, saved: SavedTrace, at: Location) -> Replay:
    """Take the steps of a saved trace.

    Raises:
        InputError: If the file names a cell, an action or an argument that the model does not have.
    """
    system = compiled.system
    state = _initial(compiled, saved, at)
    states, steps, instances, stopped, breached = [state], [], [], "", ""
    calls = list(compiled.model.instances())
    for number, (action, arguments) in enumerate(saved.steps, start=1):
        index = _instance(system, action, arguments, number, at)
        compiled.model.state = compiled.decode(state)
        try:
            compiled.model.take(*calls[index])
        except NotEnabled:
            stopped = f"step {number}, {system.instances[index].name}, is not possible there"
            break
        except BreachError as error:
            breached = error.kind.value
            steps.append(step_between(system, number, index, state, state, breaching=True))
            instances.append(index)
            break
        after = compiled.encode(compiled.model.state)
        steps.append(step_between(system, number, index, state, after))
        instances.append(index)
        states.append(after)
        state = after
    reason = _reason(compiled, states, saved.violated, breached)
    first = tuple((cell.name, cell.label(value)) for cell, value in zip(system.cells, states[0], strict=True))
    trace = Trace(saved.violated, reason, first, tuple(steps), tuple(states), tuple(instances))
    return Replay(trace, bool(reason) and not stopped, stopped, saved.source != system.source_hash)


def _initial(compiled: Compiled, saved: SavedTrace, at: Location) -> State:
    system = compiled.system
    names = {cell.name: cell for cell in system.cells}
    for name in saved.initial:
        if name not in names:
            raise InputError(
                f"'initial' names '{name}', which the model does not have",
                at=at,
                fix=did_you_mean(name, names),
            )
    for state in system.initial:
        words = {cell.name: cell.label(value) for cell, value in zip(system.cells, state, strict=True)}
        if all(words[name] == text for name, text in saved.initial.items()):
            return state
    raise InputError(
        "the model does not start in the state of this trace", at=at, fix="Check the model again."
    )


def _instance(system: System, action: str, arguments: dict[str, str], number: int, at: Location) -> int:
    known = {each.action for each in system.instances}
    if action not in known:
        raise InputError(
            f"step {number}: there is no action '{action}'", at=at, fix=did_you_mean(action, known)
        )
    for index, each in enumerate(system.instances):
        if each.action == action and {a.name: a.text for a in each.arguments} == arguments:
            return index
    listed = ", ".join(f"{name}={text}" for name, text in arguments.items())
    raise InputError(f"step {number}: {action} cannot be taken with {listed or 'no arguments'}", at=at)


def _reason(compiled: Compiled, states: list[State], violated: str, breached: str) -> str:
    """Why the end of the trace violates what the file says, or empty."""
    if breached:
        return "the last step breaches this duty" if breached == violated else ""
    if violated == "DEADLOCK":
        return "no action changes the state" if _stuck(compiled, states[-1]) else ""
    system = compiled.system
    for index, each in enumerate(system.properties):
        if each.name == violated and _fails(compiled, index, states):
            kind = BreachKind.STEP if each.kind is PropertyKind.STEP else BreachKind.INVARIANT
            return explained(system, states, Breach(kind, len(states) - 1, property=index))[1]
    return ""


def _fails(compiled: Compiled, index: int, states: list[State]) -> bool:
    named = compiled.model.schema.properties[index]
    arguments = []
    if named.declared.property is PropertyKind.STEP:
        old = compiled.model.copy()
        old.state = compiled.decode(states[-2] if len(states) > 1 else states[-1])
        arguments = [old]
    compiled.model.state = compiled.decode(states[-1])
    try:
        return not compiled.model.look(named.method, *arguments)
    except BreachError:
        return True


def _stuck(compiled: Compiled, state: State) -> bool:
    plain: Plain = compiled.decode(state)
    if compiled.system.quiescent is not None and evaluate(compiled.system.quiescent, state):
        return False
    for step, arguments in compiled.model.instances():
        if step.kind is not ActionKind.ACTION:
            continue
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
