"""Linear relaxations by HiGHS, solved again and again over changing boxes from the last basis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import highspy
import numpy as np

from cmxverify.placement.proof.program import Sense
from cmxverify.placement.solving.matrix import Box, Matrix

_FINEST_ROW_BITS = 18
"""Rows are divided by at most 2**18, so that HiGHS's tolerance of 1e-6 stays below half a unit."""

_LARGEST_COST_BITS = 20
"""Costs above 2**20 are scaled down to it."""

_SHORTEST_S = 0.5
"""A relaxation always gets this long, so that even a late level has a certified bound worth reading."""


class LpKind(Enum):
    """What the float solver says; nothing is believed before exact arithmetic agrees."""

    OPTIMAL = "optimal"
    EMPTY = "empty"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class LpResult:
    """``value``, ``point`` and row ``duals`` in the program's own units; ``duals`` is a ray if empty."""

    kind: LpKind
    value: float = 0.0
    point: Sequence[float] = ()
    duals: Sequence[float] = ()


class Relaxation:
    """One HiGHS instance that holds a matrix and a cost; boxes change from call to call."""

    def __init__(self, matrix: Matrix, cost: Sequence[int], *, seed: int = 0) -> None:
        self._columns = np.arange(len(matrix.names), dtype=np.int32)
        self._row_scale = np.array([row_scale(row.coefficients) for row in matrix.rows])
        self._cost_scale = cost_scale(cost)
        self._highs = quiet_highs(seed)
        self._highs.setOptionValue("solver", "simplex")
        self._highs.setOptionValue("presolve", "off")
        self._highs.passModel(highs_lp(matrix, cost))

    def solve(self, box: Box, *, time_limit_s: float) -> LpResult:
        """Minimise over a box, starting from the last basis; once more from scratch if HiGHS gets lost."""
        lower, upper = np.array(box.lower, dtype=float), np.array(box.upper, dtype=float)
        self._highs.changeColsBounds(len(self._columns), self._columns, lower, upper)
        result = self._run(time_limit_s)
        if result.kind is LpKind.UNKNOWN:
            self._highs.clearSolver()
            result = self._run(time_limit_s)
        return result

    def _run(self, time_limit_s: float) -> LpResult:
        highs = self._highs
        highs.setOptionValue("time_limit", highs.getRunTime() + max(time_limit_s, _SHORTEST_S))
        highs.run()
        match highs.getModelStatus():
            case highspy.HighsModelStatus.kOptimal:
                return self._optimal()
            case highspy.HighsModelStatus.kInfeasible:
                return LpResult(LpKind.EMPTY, duals=self._ray())
        return LpResult(LpKind.UNKNOWN)

    def _optimal(self) -> LpResult:
        solution = self._highs.getSolution()
        duals = np.array(solution.row_dual) * self._row_scale / self._cost_scale
        value = self._highs.getInfo().objective_function_value / self._cost_scale
        return LpResult(LpKind.OPTIMAL, value, list(solution.col_value), duals.tolist())

    def _ray(self) -> list[float]:
        _, exists, ray = self._highs.getDualRay()
        if not exists:
            return []
        scaled = np.array(ray) * self._row_scale
        largest = np.abs(scaled).max(initial=0.0)
        return (scaled / largest).tolist() if largest else []

    def basis(self) -> tuple[list[int], list[int]]:
        """Basic columns and tight rows (slack not basic) of the last solve."""
        basis, basic = self._highs.getBasis(), highspy.HighsBasisStatus.kBasic
        columns = [j for j, status in enumerate(basis.col_status) if status == basic]
        return columns, [r for r, status in enumerate(basis.row_status) if status != basic]


class _QuietHighs(highspy.Highs):
    """HiGHS greets on standard output when its constructor enables callbacks; silence it before that."""

    def enableCallbacks(self) -> None:  # noqa: N802  # the binding's own name
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()  # type: ignore[no-untyped-call]  # the binding is not typed


def quiet_highs(seed: int) -> Any:
    """A HiGHS instance on one thread that prints nothing."""
    highs: Any = _QuietHighs()  # type: ignore[no-untyped-call]  # the binding's stubs miss methods
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("random_seed", seed % (1 << 31))
    return highs


def row_scale(coefficients: Sequence[int]) -> float:
    """Power of two that brings a row's largest coefficient towards 1."""
    largest = max((abs(a) for a in coefficients), default=1)
    return 2.0 ** -min(largest.bit_length() - 1, _FINEST_ROW_BITS)


def cost_scale(cost: Sequence[int]) -> float:
    """Power of two that keeps the largest cost at or below about a million."""
    largest = max((abs(c) for c in cost), default=1)
    return 2.0 ** -max(largest.bit_length() - _LARGEST_COST_BITS, 0)


def highs_lp(matrix: Matrix, cost: Sequence[int]) -> highspy.HighsLp:
    """The scaled linear program, rows by row."""
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(matrix.names), len(matrix.rows)
    lp.col_cost_ = np.array(cost, dtype=float) * cost_scale(cost)
    lp.col_lower_ = np.array(matrix.box.lower, dtype=float)
    lp.col_upper_ = np.array(matrix.box.upper, dtype=float)
    scales = [row_scale(row.coefficients) for row in matrix.rows]
    infinite = highspy.kHighsInf
    sides = list(zip(matrix.rows, scales, strict=True))
    lp.row_lower_ = np.array([-infinite if r.sense is Sense.AT_MOST else r.rhs * s for r, s in sides])
    lp.row_upper_ = np.array([infinite if r.sense is Sense.AT_LEAST else r.rhs * s for r, s in sides])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.cumsum([0, *(len(row.columns) for row in matrix.rows)], dtype=np.int32)
    lp.a_matrix_.index_ = np.array([j for row in matrix.rows for j in row.columns], dtype=np.int32)
    lp.a_matrix_.value_ = np.array([a * s for r, s in sides for a in r.coefficients], dtype=float)
    return lp
