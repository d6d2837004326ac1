"""What is met in a representative is met, under other names, in its whole orbit: premises and obligations.

Native code sees representatives only. Orbits of premises, and of breached obligations, are completed here from one
example of each, by exchanging neighbouring values of a type until nothing new appears: such exchanges generate every
permutation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from cmxverify.checking.exploration import Breach, BreachKind
from cmxverify.checking.native.flags import Flag, FlagKind, FlagTable, premises_of
from cmxverify.checking.native.packing import mention_of
from cmxverify.modeling.ir.evaluate import State, enabled, evaluate, successor
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.system import System

Pair = tuple[State, State]
"""A state and the one after it; the same twice where only one is looked at."""
Exchange = Callable[[State], State]


@dataclass(slots=True)
class Orbits:
    """Orbits of what flags stand for, under some types of a system."""

    flags: FlagTable
    sorts: tuple[str, ...]
    exchanges: list[Exchange] = field(init=False)

    def __post_init__(self) -> None:
        system = self.flags.system
        self.exchanges = [
            _exchange(system, self.sorts, sort, ordinal)
            for sort in self.sorts
            for ordinal in range(system.sorts[sort] - 1)
        ]

    def completed(self, found: dict[int, State]) -> set[int]:
        """Flags that are raised somewhere in the orbits, given for each raised one a state that raises it."""
        known: set[int] = set()
        pending = [
            (number, pair) for number, state in found.items() for pair in self._examples(number, state)
        ]
        while pending:
            number, pair = pending.pop()
            if number in known:
                continue
            known.add(number)
            for exchange in self.exchanges:
                image = exchange(pair[0]), exchange(pair[1])
                pending += [(each, image) for each in self._raised(number, image) if each not in known]
        return known

    def raises_somewhere(self, number: int, state: State) -> bool:
        """Whether some state of the orbit raises a flag."""
        pending = list(self._pairs(self.flags.flags[number], state))
        seen = set(pending)
        while pending:
            pair = pending.pop()
            if evaluate(self._condition(number), *pair):
                return True
            images = {(exchange(pair[0]), exchange(pair[1])) for exchange in self.exchanges} - seen
            seen |= images
            pending += images
        return False

    def alike(self, number: int) -> Iterator[int]:
        """Flags that may be the same as a flag under other names: of one source place."""
        place = self._place(self.flags.flags[number])
        return (other for other, flag in enumerate(self.flags.flags) if self._place(flag) == place)

    def _examples(self, number: int, state: State) -> Iterator[Pair]:
        """A pair that raises a flag, from a state known to do so."""
        for pair in self._pairs(self.flags.flags[number], state):
            if evaluate(self._condition(number), *pair):
                yield pair
                return

    def _pairs(self, flag: Flag, state: State) -> Iterator[Pair]:
        """What a flag may be met on: the state, or, for a step property, the steps from it."""
        yield state, state
        if flag.expanding and not (flag.breach and flag.breach.kind is BreachKind.OBLIGATION):
            for instance in self.flags.system.instances:
                faulty = any(evaluate(each.breach, state) for each in instance.obligations)
                if not faulty and enabled(instance, state):
                    yield state, successor(instance, state)

    def _raised(self, number: int, pair: Pair) -> Iterator[int]:
        """Flags like one that a pair raises."""
        return (other for other in self.alike(number) if evaluate(self._condition(other), *pair))

    def _condition(self, number: int) -> Expr:
        flag, system = self.flags.flags[number], self.flags.system
        if flag.kind is FlagKind.PREMISE:
            return dict(premises_of(system.properties[flag.property]))[flag.part]
        assert flag.breach is not None, "witnesses speak of whole orbits"
        if flag.breach.kind is BreachKind.OBLIGATION:
            return system.instances[flag.breach.instance].obligations[flag.breach.obligation].breach
        return system.properties[flag.breach.property].obligations[flag.breach.obligation].breach

    def _place(self, flag: Flag) -> tuple[object, ...]:
        """Where in the source the thing stands that a flag looks for, without the names of values."""
        system = self.flags.system
        if flag.kind is FlagKind.PREMISE:
            return flag.kind, flag.property
        breach = flag.breach or Breach(BreachKind.INVARIANT, 0)
        if breach.kind is BreachKind.OBLIGATION:
            instance = system.instances[breach.instance]
            return breach.kind, instance.action, instance.obligations[breach.obligation].kind
        return breach.kind, breach.property


def has_orbits(flag: Flag) -> bool:
    """Whether what a flag looks for bears names of values: premises and obligations do, whole properties do not."""
    if flag.kind is FlagKind.PREMISE:
        return True
    kinds = (BreachKind.OBLIGATION, BreachKind.PROPERTY_OBLIGATION)
    return flag.breach is not None and flag.breach.kind in kinds


def _exchange(system: System, sorts: tuple[str, ...], sort: str, ordinal: int) -> Exchange:
    """Exchange of two neighbouring values of a type, as it acts on states."""
    renamed = {ordinal: ordinal + 1, ordinal + 1: ordinal}
    mentions = [mention_of(cell, sorts) for cell in system.cells]
    places = {(each.row, each.keys): each.cell.index for each in mentions}
    sources, moved = [], []
    for each in mentions:
        keys = tuple((name, renamed.get(key, key) if name == sort else key) for name, key in each.keys)
        sources.append(places[each.row, keys])
        moved.append(each.sort == sort)

    def exchange(state: State) -> State:
        values = (state[source] for source in sources)
        return tuple(renamed.get(v, v) if is_moved else v for v, is_moved in zip(values, moved, strict=True))

    return exchange
