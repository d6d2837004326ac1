"""The way back from a breach: shortest traces without parent pointers, by expanding the levels once more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cmxverify.checking.exploration import Breach
from cmxverify.checking.native.memory import Region
from cmxverify.modeling.ir.evaluate import State

if TYPE_CHECKING:
    from cmxverify.checking.native.search import Search


def layers_towards(search: Search, breach: Breach) -> tuple[frozenset[State], ...]:
    """For each level the states on a shortest trace to a breach, those of the last level last."""
    level = search.expanded
    indices = list(_targets(search, breach, level))
    layers = [_states(search, indices)]
    while level:
        indices = list(_predecessors(search, indices, level))
        layers.append(_states(search, indices))
        level -= 1
    return tuple(reversed(layers))


def _targets(search: Search, breach: Breach, level: int) -> Iterator[int]:
    """States of a level in which, or on a step from which, a breach is met."""
    number = search.flags.number_of_breach(breach)
    expanding = search.flags.flags[number].expanding
    start, end = search.starts[level : level + 2]
    while (found := search.program.first_raising(search.store, start, end, number, expanding=expanding)) is not None:
        yield found
        start = found + 1


def _predecessors(search: Search, indices: list[int], level: int) -> Iterator[int]:
    """States of the level before with a successor among some states of a level."""
    before, base, top = search.starts[level - 1 : level + 2]
    marks = Region(top - base)
    for index in indices:
        marks.mark(index - base)
    start = before
    while (found := search.program.first_before(search.store, start, base, marks, base, top)) is not None:
        yield found
        start = found + 1
    marks.close()


def _states(search: Search, indices: list[int]) -> frozenset[State]:
    return frozenset(search.layout.unpack(search.store.state_words(index)) for index in indices)
