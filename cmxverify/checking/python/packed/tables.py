"""What actions do, looked up by the bits that they read.

A group of instances that touch few bits has a table: from the value of those bits to what the instances do there.
How they change a state is a set of bits to flip, so a successor costs one look-up and one exclusive or.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from cmxverify.checking.python.packed.code import DISABLED, FAULTY, Pair, step_of, steps_of
from cmxverify.checking.python.packed.places import Places
from cmxverify.checking.python.packed.support import grouped
from cmxverify.modeling.ir.system import ActionKind, Instance, System

Numbered = tuple[int, Instance]


@dataclass(slots=True)
class Table:
    """Instances that touch few bits."""

    mask: int
    steps: Sequence[tuple[int, bool, Callable[[int], int]]]
    flips: dict[int, tuple[int, ...]] = field(default_factory=dict)
    fired: dict[int, tuple[int, ...]] = field(default_factory=dict)
    changed: dict[int, tuple[int, ...]] = field(default_factory=dict)
    seen: Counter[int] = field(default_factory=Counter)
    faulty: set[int] = field(default_factory=set)
    idle: set[int] = field(default_factory=set)

    def look_up(self, states: Sequence[int]) -> list[int]:
        """The bits of each state, with what happens there worked out."""
        mask = self.mask
        bits = [state & mask for state in states]
        for each in set(bits):
            if each not in self.flips:
                self.learn(each)
        return bits

    def learn(self, bits: int) -> None:
        """Work out what the instances do where the touched bits are these; the others do not matter."""
        fired, changed, progress = [], [], False
        flips: dict[int, None] = {}
        for number, is_action, step in self.steps:
            after = step(bits)
            if after == FAULTY:
                self.faulty.add(bits)
                progress |= is_action
            elif after != DISABLED:
                fired.append(number)
                if after != bits:
                    changed.append(number)
                    flips[after ^ bits] = None
                    progress |= is_action
        self.flips[bits], self.fired[bits], self.changed[bits] = tuple(flips), tuple(fired), tuple(changed)
        if not progress:
            self.idle.add(bits)

    def successors(self, states: Sequence[int]) -> list[int]:
        """States one step further, self-loops left out; counts what fires."""
        bits, flips = self.look_up(states), self.flips
        self.seen.update(bits)
        return [state ^ flip for state, each in zip(states, bits, strict=True) for flip in flips[each]]

    def pairs(self, states: Sequence[int]) -> list[Pair]:
        """(state, successor) pairs of the steps that change the state; counts nothing."""
        bits, flips = self.look_up(states), self.flips
        return [
            (state, state ^ flip) for state, each in zip(states, bits, strict=True) for flip in flips[each]
        ]

    def faulty_among(self, states: Iterable[int]) -> set[int]:
        """States in which an obligation is breached."""
        mask, faulty = self.mask, self.faulty
        return {state for state in states if state & mask in faulty} if faulty else set()

    def idle_among(self, states: Iterable[int]) -> list[int]:
        """States from which no ACTION of these makes progress."""
        mask, idle = self.mask, self.idle
        return [state for state in states if state & mask in idle]

    def add_to(self, fired: list[int], changed: list[int]) -> None:
        """Add what was counted, per instance."""
        for bits, times in self.seen.items():
            for number in self.fired[bits]:
                fired[number] += times
            for number in self.changed[bits]:
                changed[number] += times


@dataclass(slots=True)
class Loop:
    """One instance that touches many bits, evaluated in every state."""

    number: int
    is_action: bool
    steps: Callable[[Iterable[int]], tuple[list[Pair], list[int]]]
    fired: int = 0
    changed: int = 0
    faulty: set[int] = field(default_factory=set)
    busy: set[int] = field(default_factory=set)

    def successors(self, states: Sequence[int]) -> list[int]:
        """States one step further, self-loops left out; counts what fires."""
        pairs, faulty = self.steps(states)
        changing = [pair for pair in pairs if pair[0] != pair[1]]
        self.fired += len(pairs)
        self.changed += len(changing)
        self.faulty = set(faulty)
        self.busy = {state for state, _ in changing} | self.faulty if self.is_action else set()
        return [after for _, after in changing]

    def pairs(self, states: Sequence[int]) -> list[Pair]:
        """(state, successor) pairs of the steps that change the state; counts nothing."""
        return [pair for pair in self.steps(states)[0] if pair[0] != pair[1]]

    def faulty_among(self, states: Iterable[int]) -> set[int]:
        """States of the last call of ``successors`` in which an obligation is breached."""
        return self.faulty & set(states) if self.faulty else set()

    def idle_among(self, states: Iterable[int]) -> list[int]:
        """States from which this makes no progress, among those of the last call of ``successors``."""
        busy = self.busy
        return [state for state in states if state not in busy] if busy else list(states)

    def add_to(self, fired: list[int], changed: list[int]) -> None:
        """Add what was counted, per instance."""
        fired[self.number] += self.fired
        changed[self.number] += self.changed


def movers_of(system: System, places: Places) -> list[Table | Loop]:
    """All instances of a system, in tables where they touch few bits and in loops where they touch many."""
    touched = [places.touched_by(instance) for instance in system.instances]
    groups, wide = grouped(range(len(system.instances)), touched.__getitem__)
    is_action = [instance.kind is ActionKind.ACTION for instance in system.instances]
    tables = [
        Table(mask, [(each, is_action[each], step_of(system.instances[each], places)) for each in group])
        for mask, group in groups
    ]
    return [
        *tables,
        *(Loop(each, is_action[each], steps_of(system.instances[each], places)) for each in wide),
    ]
