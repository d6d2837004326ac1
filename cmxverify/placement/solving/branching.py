"""Which column to branch on, learnt from how much earlier branchings raised the bound."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from cmxverify.placement.solving.evaluate import Evaluation
from cmxverify.placement.solving.matrix import Box
from cmxverify.placement.solving.rounding import above_floor, few_valued, is_whole

_LEAST_DISTANCE = 1e-4
"""Rises over a shorter way to the next whole number teach nothing."""


class Branching:
    """Pseudo-costs: mean rise of the bound for one unit of rounding, per column and direction."""

    def __init__(self, root: Box) -> None:
        columns = range(len(root.lower))
        self._few = few_valued(root)
        self._rise = [[0.0, 0.0] for _ in columns]
        self._seen = [[0, 0] for _ in columns]
        self._total_rise, self._total_seen = 0.0, 0

    def choose(self, box: Box, point: Sequence[float]) -> tuple[int, int]:
        """Column and value to split at: ``x <= value`` against ``x >= value + 1``.

        The box must hold more than one point.
        """
        broken = [j for j, x in enumerate(point) if not is_whole(x) and box.lower[j] < box.upper[j]]
        if broken:
            column = max(broken, key=lambda j: (self._few[j], self._score(j, point[j]), -j))
            at = floor(point[column])
        else:
            column = max(range(len(box.lower)), key=lambda j: (box.upper[j] - box.lower[j], -j))
            middle = (box.lower[column] + box.upper[column]) // 2
            at = round(point[column]) if point else middle
        return column, min(max(at, box.lower[column]), box.upper[column] - 1)

    def _score(self, column: int, x: float) -> float:
        fraction = above_floor(x)
        down = self._mean(column, 0) * fraction
        up = self._mean(column, 1) * (1 - fraction)
        return max(down, 1e-6) * max(up, 1e-6)

    def _mean(self, column: int, side: int) -> float:
        seen = self._seen[column][side]
        if seen:
            return self._rise[column][side] / seen
        return self._total_rise / self._total_seen if self._total_seen else 1.0

    def learn(
        self, column: int, fraction: float, parent: Evaluation, low: Evaluation, high: Evaluation
    ) -> None:
        """Remember how far each child's bound rose above its parent's."""
        for side, (child, distance) in enumerate(((low, fraction), (high, 1 - fraction))):
            if child.empty or distance < _LEAST_DISTANCE:
                continue
            rise = max(child.bound - parent.bound, 0) / distance
            self._rise[column][side] += rise
            self._seen[column][side] += 1
            self._total_rise += rise
            self._total_seen += 1
