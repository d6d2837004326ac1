"""Minimum hitting sets: the lightest choice of facts that meets every one of a list of sets.

Every explanation must contain a fact of every correction set (what a satisfiable choice of facts leaves out),
so the weight of a minimum hitting set bounds the weight of every explanation from below. Whole numbers and a
complete search, hence no trust in a solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from time import monotonic

Facts = frozenset[str]


class OutOfTime(Exception):  # noqa: N818  # not an error: an honest "not finished"
    """A search met its deadline before it had an answer."""


def minimum_hitting_set(
    sets: Iterable[Facts], weights: Mapping[str, int], *, at_least: int = 0, deadline: float
) -> Facts:
    """The lightest set that meets every given set; among the lightest, first in order of sorted ids.

    Args:
        sets: What has to be met; none of them may be empty.
        weights: Weight of every fact, 1 or more.
        at_least: Weight already known to be a lower bound, 0 if unknown; saves time only.
        deadline: ``time.monotonic()`` at which to give up.

    Raises:
        OutOfTime: If the deadline passes first.
    """
    search = _Search(sets, weights, deadline)
    return search.first_of(search.minimum(at_least))


class _Search:
    """Iterative deepening over the weight; sets are bit masks over the sorted facts."""

    def __init__(self, sets: Iterable[Facts], weights: Mapping[str, int], deadline: float) -> None:
        given = set(sets)
        assert all(given), "an empty set cannot be met"
        self.names = sorted(frozenset().union(*given))
        index = {name: position for position, name in enumerate(self.names)}
        self.weights = [weights[name] for name in self.names]
        assert all(weight >= 1 for weight in self.weights), self.weights
        self.masks = _minimal({sum(1 << index[name] for name in names) for names in given})
        self.deadline = deadline

    def minimum(self, at_least: int) -> int:
        """Weight of the lightest hitting set."""
        budget = at_least
        while True:
            needed = self._needed(self.masks, 0, budget)
            assert needed is not None, "unbanned sets can always be met"
            if needed <= budget:
                return budget
            budget = needed

    def first_of(self, weight: int) -> Facts:
        """First, in order of sorted ids, of the hitting sets with this minimum weight."""
        chosen: list[str] = []
        masks, banned = self.masks, 0
        for position, name in enumerate(self.names):
            if not masks:
                break
            rest = [mask for mask in masks if not mask >> position & 1]
            left = weight - self.weights[position]
            needed = self._needed(rest, banned, left) if left >= 0 else None
            if needed is not None and needed <= left:
                chosen.append(name)
                masks, weight = rest, left
            banned |= 1 << position
        assert not masks, "a hitting set of this weight exists"
        return frozenset(chosen)

    def _needed(self, masks: list[int], banned: int, budget: int) -> int | None:
        """``<= budget`` if the sets can be met within it, else a weight that any way takes; None if no way."""
        if not masks:
            return 0
        if monotonic() > self.deadline:
            raise OutOfTime
        allowed = sorted((mask & ~banned for mask in masks), key=int.bit_count)
        if not allowed[0]:
            return None
        packing = self._packing(allowed)
        if packing > budget:
            return packing
        return self._branch(masks, allowed[0], banned, budget)

    def _branch(self, masks: list[int], tight: int, banned: int, budget: int) -> int | None:
        """Meet the tightest set by each of its facts in turn, those in most sets first."""
        least: int | None = None
        positions = [p for p in range(tight.bit_length()) if tight >> p & 1]
        for position in sorted(positions, key=lambda p: (-sum(mask >> p & 1 for mask in masks), p)):
            rest = [mask for mask in masks if not mask >> position & 1]
            needed = self._needed(rest, banned, budget - self.weights[position])
            if needed is not None:
                needed += self.weights[position]
                least = needed if least is None else min(least, needed)
                if needed <= budget:
                    return needed
            banned |= 1 << position
        return least

    def _packing(self, masks: list[int]) -> int:
        """Lower bound: disjoint sets each cost at least their lightest fact."""
        used, total = 0, 0
        for mask in masks:
            if not mask & used:
                used |= mask
                total += min(w for p, w in enumerate(self.weights) if mask >> p & 1)
        return total


def _minimal(masks: set[int]) -> list[int]:
    """Without the sets that contain another one: they are met for free."""
    kept: list[int] = []
    for mask in sorted(masks, key=lambda m: (m.bit_count(), m)):
        if not any(small & mask == small for small in kept):
            kept.append(mask)
    return kept
