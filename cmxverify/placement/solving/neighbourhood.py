"""Small searches near a relaxation's optimum: where counts are large, good plans are close to it.

First the few-valued columns (powered enclosures) are made whole, one by one, with the relaxation solved
again; then an engine looks in a narrow box around that optimum, and between it and the best plan known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor
from time import monotonic

from cmxverify.placement.solving.engines.proposal import Proposal, Proposer, Task
from cmxverify.placement.solving.engines.relaxation import LpKind, Relaxation
from cmxverify.placement.solving.matrix import Box, Point
from cmxverify.placement.solving.rounding import above_floor, few_valued, is_whole

_RADII = (1, 5)
"""How far from the relaxation's optimum a column may go, in whole units."""

_ROUNDS = 2
"""Most searches between the relaxation's optimum and a plan that keeps getting better."""

_SEARCH_S = 1.5
"""Limit of one narrow search; most end in a tenth of that."""


def near_relaxation(search: Proposer) -> Proposer:
    """A proposer that makes few-valued columns whole and lets ``search`` look nearby."""

    def propose(task: Task) -> Proposal:
        until = monotonic() + task.time_limit_s
        best, hit_wall_clock = task.hint, False
        for part in (_with_settled_kept(task), task):
            if part is None:
                continue
            point = whole_few_valued(part, until)
            if point is None:
                continue
            found = around(replace(part, hint=best, time_limit_s=until - monotonic()), point, search)
            best, hit_wall_clock = found.point, hit_wall_clock or found.hit_wall_clock
        return Proposal(best, hit_wall_clock=hit_wall_clock)

    return propose


def _with_settled_kept(task: Task) -> Task | None:
    """The task with the earlier levels' own columns at the hint: their rows then no longer bind the rest."""
    if task.hint is None or not task.settled:
        return None
    lower, upper = list(task.matrix.box.lower), list(task.matrix.box.upper)
    for j in task.settled:
        lower[j] = upper[j] = task.hint[j]
    return replace(task, matrix=task.matrix.within(Box(tuple(lower), tuple(upper))))


def whole_few_valued(task: Task, until: float) -> Sequence[float] | None:
    """The relaxation's optimum after rounding each few-valued column to its cheaper side.

    Stops where neither side is possible: narrow boxes around that point leave both to the search. None if
    the relaxation itself has no optimum.
    """
    relaxation = Relaxation(task.matrix, task.cost, seed=task.seed)
    few, box = few_valued(task.matrix.box), task.matrix.box
    result = relaxation.solve(box, time_limit_s=until - monotonic())
    while result.kind is LpKind.OPTIMAL and monotonic() < until:
        broken = [j for j, x in enumerate(result.point) if few[j] and not is_whole(x)]
        if not broken:
            return result.point
        column = min(broken, key=lambda j: abs(above_floor(result.point[j]) - 0.5))
        x = result.point[column]
        halves = (box.with_upper(column, floor(x)), box.with_lower(column, ceil(x)))
        solved = [(relaxation.solve(half, time_limit_s=until - monotonic()), half) for half in halves]
        possible = [pair for pair in solved if pair[0].kind is LpKind.OPTIMAL]
        if not possible:
            return result.point
        result, box = min(possible, key=lambda pair: pair[0].value)
    return result.point or None


def around(task: Task, point: Sequence[float], search: Proposer) -> Proposal:
    """Search narrow boxes around a relaxation's point, then between it and the best plan, while that helps."""
    until = monotonic() + task.time_limit_s
    hunt = _Hunt(task, search, until)
    for radius in _RADII:
        hunt.look(_near(task.matrix.box, point, radius))
    for _ in range(_ROUNDS):
        before = hunt.best
        for radius in _RADII:
            if hunt.best is not None:
                hunt.look(_between(task.matrix.box, point, hunt.best, radius))
        if hunt.best is before:
            break
    return Proposal(hunt.best, hit_wall_clock=hunt.hit_wall_clock)


class _Hunt:
    """The best plan so far and one engine that looks for better ones in a box."""

    def __init__(self, task: Task, search: Proposer, until: float) -> None:
        self.best, self.hit_wall_clock = task.hint, False
        self._task, self._search, self._until = task, search, until

    def look(self, box: Box) -> None:
        """Search one box; the best plan is passed on as a hint where it lies inside."""
        left = self._until - monotonic()
        if left <= 0:
            return
        matrix = self._task.matrix.within(box)
        hint = self.best if self.best is not None and matrix.admits(self.best) else None
        limit = min(left, _SEARCH_S)
        found = self._search(replace(self._task, matrix=matrix, hint=hint, time_limit_s=limit))
        self.hit_wall_clock |= found.hit_wall_clock
        if found.point is not None and (self.best is None or self._cost(found.point) < self._cost(self.best)):
            self.best = found.point

    def _cost(self, point: Point) -> int:
        return sum(c * x for c, x in zip(self._task.cost, point, strict=True))


def _near(box: Box, point: Sequence[float], radius: int) -> Box:
    """Up to ``radius`` beyond the whole numbers next to each coordinate; few-valued columns stay as they are."""
    few = few_valued(box)
    reach = [0 if few[j] or abs(x) <= 1e-6 else radius for j, x in enumerate(point)]
    return _clipped(
        box,
        [_floor(x) - r for x, r in zip(point, reach, strict=True)],
        [_ceil(x) + r for x, r in zip(point, reach, strict=True)],
    )


def _between(box: Box, point: Sequence[float], plan: Point, radius: int) -> Box:
    """Between a relaxation's point and a plan, and ``radius`` beyond; fixed where both agree."""
    agree = [abs(x - p) <= 1e-6 for x, p in zip(point, plan, strict=True)]
    pairs = list(zip(point, plan, agree, strict=True))
    return _clipped(
        box,
        [p if same else min(_floor(x), p) - radius for x, p, same in pairs],
        [p if same else max(_ceil(x), p) + radius for x, p, same in pairs],
    )


def _floor(x: float) -> int:
    return floor(x + 1e-6)


def _ceil(x: float) -> int:
    return ceil(x - 1e-6)


def _clipped(box: Box, lower: Sequence[int], upper: Sequence[int]) -> Box:
    """The part of a box inside new bounds; a column whose new bounds lie outside takes the nearest value."""
    low = [min(max(a, b), c) for a, b, c in zip(box.lower, lower, box.upper, strict=True)]
    high = [max(min(a, b), c) for a, b, c in zip(box.upper, upper, low, strict=True)]
    return Box(tuple(low), tuple(high))
