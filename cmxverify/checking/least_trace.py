"""From the layers of a breach to one trace: the least of all shortest ones, so every engine tells the same story."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cmxverify.checking.exploration import Breach, BreachKind, Exploration
from cmxverify.checking.refinement import Canonizer
from cmxverify.modeling.ir.evaluate import State, enabled, evaluate, successor
from cmxverify.modeling.ir.system import ActionKind, Instance, PropertyKind, System


@dataclass(frozen=True, slots=True)
class Path:
    """A trace by its numbers, in states as they are, not in those that stand for their orbits.

    Args:
        start: Index of the first state in ``System.initial``.
        instances: The steps. Of an obligation the last one is the attempted step, which has no successor.
        states: The first state and the one after each step that is taken.
        stutters: Whether it is the stutter step after the last state that breaches: then it has no instance, and
            ``instances`` is one shorter than ``Breach.steps``.
    """

    start: int
    instances: tuple[int, ...]
    states: tuple[State, ...]
    stutters: bool = False

    @property
    def initial(self) -> State:
        """The first state."""
        return self.states[0]


@dataclass(frozen=True, slots=True)
class _Ending:
    """What ends a trace in its last state: nothing more, an instance, or the stutter step."""

    instance: int | None = None
    stutters: bool = False


def least_trace(system: System, found: Exploration) -> Path:
    """The shortest trace to ``found.breach`` whose start and instances are least, compared from the first on.

    Where several steps from one state breach a step property, the stutter step comes first, then the least instance.
    Backtracks only where the breach is told of one instance, and some states of an orbit do not have it.
    """
    assert found.breach is not None, "only a breach has a trace"
    canonizer = Canonizer(system, found.reduced)
    layers = [frozenset(map(canonizer.key, layer)) for layer in found.layers]
    return _Walk(system, found.breach, layers, canonizer).path()


@dataclass(frozen=True, slots=True)
class _Walk:
    system: System
    breach: Breach
    layers: Sequence[frozenset[State]]
    canonizer: Canonizer

    def path(self) -> Path:
        """Depth first in the order of instances: the first trace that ends in the breach is the least."""
        hopeless: set[tuple[int, State]] = set()
        for start, first in enumerate(self.system.initial):
            if not self.lies_on(first, 0):
                continue
            states, instances, options = [first], list[int](), [self.steps(first, 1)]
            while options:
                level = len(states) - 1
                if level == len(self.layers) - 1 and (ending := self.ending(states[-1])) is not None:
                    return self.finished(start, instances, states, ending)
                step = next((each for each in options[-1] if (level + 1, each[1]) not in hopeless), None)
                if step is None:
                    hopeless.add((level, states.pop()))
                    options.pop()
                    instances = instances[:-1]
                else:
                    instances.append(step[0])
                    states.append(step[1])
                    options.append(self.steps(step[1], level + 2))
        raise AssertionError("the layers hold no trace to the breach")

    def lies_on(self, state: State, level: int) -> bool:
        """Whether a state, or one that is alike, is in a layer."""
        return self.canonizer.key(state) in self.layers[level]

    def steps(self, state: State, level: int) -> Iterator[tuple[int, State]]:
        """Steps into a layer, in order; none beyond the last."""
        if level < len(self.layers):
            for number, after in _successors(self.system, state):
                if self.lies_on(after, level):
                    yield number, after

    def ending(self, state: State) -> _Ending | None:
        """How the breach happens in, or on a step from, a state; None: it does not."""
        breach = self.breach
        match breach.kind:
            case BreachKind.DEADLOCK:
                return _Ending() if _is_deadlock(self.system, state) else None
            case BreachKind.OBLIGATION:
                duty = self.system.instances[breach.instance].obligations[breach.obligation]
                return _Ending(breach.instance) if evaluate(duty.breach, state) else None
        if self.system.properties[breach.property].kind is PropertyKind.STEP:
            return self.ending_step(state)
        return _Ending() if self.breaks(state, state) else None

    def ending_step(self, state: State) -> _Ending | None:
        """The least step from a state that breaches."""
        if self.breaks(state, state):
            return _Ending(stutters=True)
        steps = _successors(self.system, state)
        return next((_Ending(number) for number, after in steps if self.breaks(state, after)), None)

    def breaks(self, state: State, following: State) -> bool:
        """Whether the property, or its obligation, is breached there."""
        each = self.system.properties[self.breach.property]
        if self.breach.kind is BreachKind.PROPERTY_OBLIGATION:
            return bool(evaluate(each.obligations[self.breach.obligation].breach, state, following))
        return not all(evaluate(part.holds, state, following) for part in each.parts)

    def finished(self, start: int, instances: list[int], states: list[State], ending: _Ending) -> Path:
        """The path with its end."""
        if ending.instance is not None:
            instances = [*instances, ending.instance]
            if self.breach.kind is not BreachKind.OBLIGATION:
                states = [*states, successor(self.system.instances[ending.instance], states[-1])]
        return Path(start, tuple(instances), tuple(states), ending.stutters)


def _faulty(instance: Instance, state: State) -> bool:
    return any(evaluate(each.breach, state) for each in instance.obligations)


def _successors(system: System, state: State) -> Iterator[tuple[int, State]]:
    for number, instance in enumerate(system.instances):
        if enabled(instance, state) and not _faulty(instance, state):
            yield number, successor(instance, state)


def _is_deadlock(system: System, state: State) -> bool:
    """Whether no action makes progress though some step is due (L25)."""
    assert system.quiescent is not None, "without quiescence no state is a deadlock"
    actions = [each for each in system.instances if each.kind is ActionKind.ACTION]
    busy = any(
        _faulty(each, state) or (enabled(each, state) and successor(each, state) != state) for each in actions
    )
    return not busy and not evaluate(system.quiescent, state)
