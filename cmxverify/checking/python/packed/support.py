"""What reads few bits is worked out once for each value of those bits: grouping by bits read, and remembered tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

NARROW_BITS = 20
"""Up to so many bits a result is remembered by them; beyond, too few states share a value."""

GROUP_BITS = 16
"""Groups grow up to so many bits: every group costs a look-up a state, every value of its bits one evaluation."""

Item = TypeVar("Item")
Test = Callable[[int], object]


def grouped(
    items: Iterable[Item], mask_of: Callable[[Item], int]
) -> tuple[list[tuple[int, list[Item]]], list[Item]]:
    """Items that read few bits, in groups (bits, items) that still read few, and the items that read many.

    Greedy: an item joins the group that it widens least.
    """
    groups: list[tuple[int, list[Item]]] = []
    wide = []
    for item in sorted(items, key=lambda each: -mask_of(each).bit_count()):
        mask = mask_of(item)
        if mask.bit_count() > NARROW_BITS:
            wide.append(item)
            continue
        fitting = [place for place, (bits, _) in enumerate(groups) if _fits(bits, mask)]
        best = min(fitting, key=lambda place: (groups[place][0] | mask).bit_count(), default=None)
        if best is None:
            groups.append((mask, [item]))
        else:
            groups[best] = (groups[best][0] | mask, [*groups[best][1], item])
    return groups, wide


def _fits(bits: int, mask: int) -> bool:
    together = (bits | mask).bit_count()
    return together <= GROUP_BITS or together == bits.bit_count()


@dataclass(slots=True)
class RememberedTest:
    """A conjunction that reads few bits, evaluated once for each value of them."""

    mask: int
    tests: Sequence[Test]
    known: set[int] = field(default_factory=set)
    failing: set[int] = field(default_factory=set)

    def failures(self, states: Iterable[int]) -> set[int]:
        """States in which the conjunction is false."""
        mask = self.mask
        for bits in {state & mask for state in states} - self.known:
            self.known.add(bits)
            if not all(test(bits) for test in self.tests):
                self.failing.add(bits)
        failing = self.failing
        return {state for state in states if state & mask in failing} if failing else set()


@dataclass(frozen=True, slots=True)
class WideTest:
    """A condition that reads many bits, evaluated in every state."""

    test: Test

    def failures(self, states: Iterable[int]) -> set[int]:
        """States in which the condition is false."""
        test = self.test
        return {state for state in states if not test(state)}
