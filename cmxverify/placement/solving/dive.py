"""Diving: round one column of the relaxation's optimum, solve again, until all are whole.

Works where mixed-integer solvers are slow: counts in the thousands beside objectives of 1e9 and more.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from time import monotonic

from cmxverify.placement.proof.program import Sense
from cmxverify.placement.solving.engines.proposal import Proposal, Task
from cmxverify.placement.solving.engines.relaxation import LpKind, LpResult, Relaxation
from cmxverify.placement.solving.matrix import Box, Matrix, Point
from cmxverify.placement.solving.rounding import above_floor, few_valued, is_whole


class Diver:
    """Dives over one matrix; knows in which direction each column's rounding breaks fewer rows."""

    def __init__(self, matrix: Matrix, relaxation: Relaxation) -> None:
        self._matrix, self._relaxation = matrix, relaxation
        self._up_is_safe = _safe_directions(matrix)
        self._few = few_valued(matrix.box)

    def dive(
        self, box: Box, *, until: float, cutoff: float | None = None, start: LpResult | None = None
    ) -> Point | None:
        """A feasible point of the box, or None; gives up where the relaxation passes ``cutoff``.

        Each column is tried the other way once; a dive never backtracks further. ``start`` is the
        relaxation's answer for the whole box, if known.
        """
        result = start or self._solve(box, until)
        while result.kind is LpKind.OPTIMAL and not (cutoff is not None and result.value >= cutoff):
            column = self._next(result.point)
            if column is None:
                rounded = [round(x) for x in result.point]
                return rounded if self._matrix.admits(rounded) else None
            for part in self._roundings(box, column, result.point[column]):
                candidate = self._solve(part, until)
                if candidate.kind is LpKind.OPTIMAL:
                    box, result = part, candidate
                    break
            else:
                return None
        return None

    def _solve(self, box: Box, until: float) -> LpResult:
        left = until - monotonic()
        return self._relaxation.solve(box, time_limit_s=left) if left > 0 else LpResult(LpKind.UNKNOWN)

    def _next(self, point: Sequence[float]) -> int | None:
        """Few-valued columns first, then the one nearest to a whole number."""
        broken = [(j, abs(x - round(x))) for j, x in enumerate(point) if not is_whole(x)]
        return min(broken, key=lambda item: (not self._few[item[0]], item[1]), default=(None, 0))[0]

    def _roundings(self, box: Box, column: int, x: float) -> tuple[Box, Box]:
        down, up = box.with_upper(column, floor(x)), box.with_lower(column, ceil(x))
        fraction = above_floor(x)
        prefers_up = (fraction > 0.1 and self._up_is_safe[column]) if self._few[column] else fraction > 0.5
        return (up, down) if prefers_up else (down, up)


def propose(task: Task) -> Proposal:
    """One dive from the relaxation's optimum."""
    relaxation = Relaxation(task.matrix, task.cost, seed=task.seed)
    until = monotonic() + task.time_limit_s
    return Proposal(Diver(task.matrix, relaxation).dive(task.matrix.box, until=until))


def _safe_directions(matrix: Matrix) -> list[bool]:
    """Whether rounding a column up breaks no more rows than rounding it down."""
    balance = [0] * len(matrix.names)
    for row in matrix.rows:
        if row.sense is Sense.EQUAL:
            continue
        for j, a in zip(row.columns, row.coefficients, strict=True):
            balance[j] += 1 if (a > 0) == (row.sense is Sense.AT_MOST) else -1
    return [hurt <= 0 for hurt in balance]
