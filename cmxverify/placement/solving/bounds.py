"""Exact bounds from multipliers: the whole-number arithmetic that every leaf of a certificate rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, lcm

from cmxverify.placement.proof.program import Sense
from cmxverify.placement.solving.matrix import Box, Matrix

_SCALE = 1 << 44
"""Denominator for float duals: fine enough that rounding them costs far less than one unit."""

_LARGEST_DENOMINATOR = 1 << 200
"""Exact duals with a larger common denominator are rounded to ``_SCALE`` instead."""


@dataclass(frozen=True, slots=True)
class Multipliers:
    """Whole numbers by row index over a common denominator, of the signs that the rows' senses allow."""

    by_row: Mapping[int, int]
    denominator: int = 1

    def named(self, matrix: Matrix) -> dict[str, int]:
        """By row name, as a certificate writes them."""
        return {matrix.rows[r].name: q for r, q in self.by_row.items()}


NOTHING = Multipliers({})
"""No row used: the bound that the box alone gives."""


def from_floats(matrix: Matrix, duals: Sequence[float]) -> Multipliers:
    """Float duals as multipliers: scaled, rounded, wrong signs and useless digits dropped."""
    usable = ((r, y) for r, y in enumerate(duals) if y and isfinite(y))
    return _signed(matrix, ((r, round(y * _SCALE)) for r, y in usable), _SCALE)


def from_fractions(matrix: Matrix, duals: Mapping[int, Fraction]) -> Multipliers:
    """Exact duals as multipliers over their common denominator (or a fixed one, where that is huge)."""
    denominator = 1
    for y in duals.values():
        denominator = lcm(denominator, y.denominator)
        if denominator > _LARGEST_DENOMINATOR:
            denominator = _SCALE * _SCALE
            break
    return _signed(matrix, ((r, round(y * denominator)) for r, y in duals.items()), denominator)


def _signed(matrix: Matrix, scaled: Iterable[tuple[int, int]], denominator: int) -> Multipliers:
    by_row: dict[int, int] = {}
    for r, q in scaled:
        sense = matrix.rows[r].sense
        if q and not (q > 0 and sense is Sense.AT_MOST) and not (q < 0 and sense is Sense.AT_LEAST):
            by_row[r] = q
    return Multipliers(by_row, denominator)


def reduced_costs(matrix: Matrix, cost: Sequence[int], multipliers: Multipliers) -> list[int]:
    """``D*c - sum(q_r * a_r)``, one a column."""
    reduced = [multipliers.denominator * c for c in cost]
    for r, q in multipliers.by_row.items():
        row = matrix.rows[r]
        for j, a in zip(row.columns, row.coefficients, strict=True):
            reduced[j] -= q * a
    return reduced


def least(matrix: Matrix, reduced: Sequence[int], box: Box, multipliers: Multipliers) -> int:
    """``sum(q_r * rhs_r)`` plus the least that the reduced costs allow in the box (times D)."""
    total = sum(q * matrix.rows[r].rhs for r, q in multipliers.by_row.items())
    for rc, low, high in zip(reduced, box.lower, box.upper, strict=True):
        if rc:
            total += rc * low if rc > 0 else rc * high
    return total


def proved_bound(matrix: Matrix, cost: Sequence[int], box: Box, multipliers: Multipliers) -> int:
    """Largest whole number that the multipliers prove ``cost @ x`` to reach everywhere in the box."""
    reduced = reduced_costs(matrix, cost, multipliers)
    return -(-least(matrix, reduced, box, multipliers) // multipliers.denominator)


def proves_empty(matrix: Matrix, box: Box, multipliers: Multipliers) -> bool:
    """Whether the multipliers show that no point of the box satisfies the rows (Farkas)."""
    reduced = reduced_costs(matrix, [0] * len(matrix.names), multipliers)
    return least(matrix, reduced, box, multipliers) > 0


def violated_row(matrix: Matrix, box: Box) -> Multipliers | None:
    """One row that no point of the box can satisfy, as a proof of emptiness; None if there is none."""
    for r, row in enumerate(matrix.rows):
        lowest, highest = row.reach(box)
        if lowest > row.rhs and row.sense is not Sense.AT_LEAST:
            return Multipliers({r: -1})
        if highest < row.rhs and row.sense is not Sense.AT_MOST:
            return Multipliers({r: 1})
    return None


def tightened(
    matrix: Matrix, cost: Sequence[int], box: Box, multipliers: Multipliers, target: int
) -> Box | None:
    """The part of the box where ``cost @ x <= target`` can still hold by these multipliers; None if empty.

    Reduced-cost tightening: every point with a cost of at most ``target`` lies in the returned box.
    """
    reduced = reduced_costs(matrix, cost, multipliers)
    room = target * multipliers.denominator - least(matrix, reduced, box, multipliers)
    if room < 0:
        return None
    lower, upper = list(box.lower), list(box.upper)
    for j, rc in enumerate(reduced):
        if rc > 0:
            upper[j] = min(upper[j], lower[j] + room // rc)
        elif rc < 0:
            lower[j] = max(lower[j], upper[j] - room // -rc)
    return Box(tuple(lower), tuple(upper))
