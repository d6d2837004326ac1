"""Farkas proofs: multipliers which show that no point of a box satisfies the rows."""

from __future__ import annotations

from collections.abc import Sequence

from cmxverify.placement.proof.program import Sense
from cmxverify.placement.solving.bounds import (
    Multipliers,
    from_floats,
    from_fractions,
    proves_empty,
    violated_row,
)
from cmxverify.placement.solving.engines.relaxation import LpKind, Relaxation
from cmxverify.placement.solving.exact_duals import basis_duals
from cmxverify.placement.solving.matrix import Box, Matrix, MatrixRow


def farkas_from_ray(matrix: Matrix, box: Box, ray: Sequence[float]) -> Multipliers | None:
    """The float solver's ray as an exact proof, if it is one."""
    multipliers = from_floats(matrix, ray)
    if multipliers.by_row and proves_empty(matrix, box, multipliers):
        return Multipliers(multipliers.by_row)
    return None


class Elastic:
    """The rows with paid slack: its least cost is above 0 exactly where no real point satisfies the rows.

    Slower than a ray but sure: its duals can be recomputed exactly from the basis.
    """

    def __init__(self, matrix: Matrix, *, seed: int = 0) -> None:
        self._real = matrix
        self._matrix = _with_slack(matrix)
        slack_count = len(self._matrix.names) - len(matrix.names)
        self._cost = [0] * len(matrix.names) + [1] * slack_count
        self._lp = Relaxation(self._matrix, self._cost, seed=seed)

    def farkas(self, box: Box, *, time_limit_s: float) -> Multipliers | None:
        """An exact proof that the box is empty, or None (not empty, or not proved)."""
        slack = slice(len(self._real.names), None)
        lower = box.lower + self._matrix.box.lower[slack]
        upper = box.upper + self._matrix.box.upper[slack]
        result = self._lp.solve(Box(lower, upper), time_limit_s=time_limit_s)
        if result.kind is not LpKind.OPTIMAL:
            return None
        multipliers = from_floats(self._real, result.duals)
        if not proves_empty(self._real, box, multipliers):
            exact = basis_duals(self._matrix, self._cost, *self._lp.basis())
            multipliers = from_fractions(self._real, exact or {})
        return Multipliers(multipliers.by_row) if proves_empty(self._real, box, multipliers) else None


def _with_slack(matrix: Matrix) -> Matrix:
    names, lower, upper = list(matrix.names), list(matrix.box.lower), list(matrix.box.upper)
    rows: list[MatrixRow] = []
    for row in matrix.rows:
        weight = max((abs(a) for a in row.coefficients), default=1)
        least, greatest = row.reach(matrix.box)
        columns, coefficients = list(row.columns), list(row.coefficients)
        for sign, excess, wanted in (
            (-weight, greatest - row.rhs, row.sense is not Sense.AT_LEAST),
            (weight, row.rhs - least, row.sense is not Sense.AT_MOST),
        ):
            if wanted and excess > 0:
                columns.append(len(names))
                coefficients.append(sign)
                names.append(f"slack {len(names)}")
                lower.append(0)
                upper.append(-(-excess // weight))
        rows.append(MatrixRow(row.name, tuple(columns), tuple(coefficients), row.sense, row.rhs))
    index = {name: j for j, name in enumerate(names)}
    return Matrix(tuple(names), index, Box(tuple(lower), tuple(upper)), tuple(rows))


def farkas(
    matrix: Matrix, box: Box, *, ray: Sequence[float] = (), time_limit_s: float = 10.0, seed: int = 0
) -> Multipliers | None:
    """Any exact proof that the box is empty: one row alone, the given ray, or the elastic program."""
    return (
        farkas_from_ray(matrix, box, ray)
        or violated_row(matrix, box)
        or Elastic(matrix, seed=seed).farkas(box, time_limit_s=time_limit_s)
    )
