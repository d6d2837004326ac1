"""A program by index: whole-number rows over numbered columns, as solvers and exact bounds want it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cmxverify.placement.proof.program import Objective, Program, Row, Sense

Point = list[int]
"""One whole number a column."""


@dataclass(frozen=True, slots=True)
class Box:
    """Bounds of every column, both included. Never changed in place: ``with_lower``/``with_upper`` copy."""

    lower: tuple[int, ...]
    upper: tuple[int, ...]

    def with_lower(self, column: int, value: int) -> Box:
        """The part of the box at or above ``value``."""
        return Box((*self.lower[:column], value, *self.lower[column + 1 :]), self.upper)

    def with_upper(self, column: int, value: int) -> Box:
        """The part of the box at or below ``value``."""
        return Box(self.lower, (*self.upper[:column], value, *self.upper[column + 1 :]))

    def is_point(self) -> bool:
        """Whether one point is left."""
        return self.lower == self.upper


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One row: ``sum(coefficients[i] * x[columns[i]])  sense  rhs``."""

    name: str
    columns: tuple[int, ...]
    coefficients: tuple[int, ...]
    sense: Sense
    rhs: int

    def activity(self, point: Sequence[int]) -> int:
        """Left-hand side at a point."""
        return sum(a * point[j] for j, a in zip(self.columns, self.coefficients, strict=True))

    def holds(self, point: Sequence[int]) -> bool:
        """Whether the point satisfies the row."""
        left = self.activity(point)
        if self.sense is Sense.AT_MOST:
            return left <= self.rhs
        return left >= self.rhs if self.sense is Sense.AT_LEAST else left == self.rhs

    def reach(self, box: Box) -> tuple[int, int]:
        """Least and greatest left-hand side in a box."""
        least = greatest = 0
        for j, a in zip(self.columns, self.coefficients, strict=True):
            low, high = a * box.lower[j], a * box.upper[j]
            least += min(low, high)
            greatest += max(low, high)
        return least, greatest


@dataclass(frozen=True, slots=True)
class Matrix:
    """Columns (names and box) and rows of a program; zero coefficients are left out."""

    names: tuple[str, ...]
    index: Mapping[str, int]
    box: Box
    rows: tuple[MatrixRow, ...]

    def with_row(self, row: Row) -> Matrix:
        """The same matrix with one more row."""
        return Matrix(self.names, self.index, self.box, (*self.rows, _indexed(row, self.index)))

    def within(self, box: Box) -> Matrix:
        """The same rows over another box."""
        return Matrix(self.names, self.index, box, self.rows)

    def cost(self, objective: Objective) -> list[int]:
        """Objective coefficients, one a column; the constant is left out."""
        dense = [0] * len(self.names)
        for name, coefficient in objective.terms.items():
            dense[self.index[name]] = coefficient
        return dense

    def point(self, values: Mapping[str, int]) -> Point:
        """Values by name as values by index."""
        return [values[name] for name in self.names]

    def values(self, point: Sequence[int]) -> dict[str, int]:
        """Values by index as values by name."""
        return dict(zip(self.names, point, strict=True))

    def admits(self, point: Sequence[int]) -> bool:
        """Whether a point lies in the box and satisfies every row, exactly."""
        box = zip(self.box.lower, point, self.box.upper, strict=True)
        return all(low <= x <= high for low, x, high in box) and all(row.holds(point) for row in self.rows)


def matrix_of(program: Program) -> Matrix:
    """Index a program's variables and rows.

    Raises:
        AssertionError: If a bound pair is crossed or a name occurs twice; the program's builder is at fault.
    """
    names = tuple(v.name for v in program.variables)
    index = {name: j for j, name in enumerate(names)}
    row_names = {row.name for row in program.rows}
    assert len(index) == len(names), "a variable name occurs twice"
    assert len(row_names) == len(program.rows), "a row name occurs twice"
    crossed = [v.name for v in program.variables if v.lower > v.upper]
    assert not crossed, f"lower bound above upper bound: {crossed}"
    box = Box(tuple(v.lower for v in program.variables), tuple(v.upper for v in program.variables))
    return Matrix(names, index, box, tuple(_indexed(row, index) for row in program.rows))


def _indexed(row: Row, index: Mapping[str, int]) -> MatrixRow:
    terms = [(index[name], a) for name, a in row.terms.items() if a]
    columns = tuple(j for j, _ in terms)
    return MatrixRow(row.name, columns, tuple(a for _, a in terms), row.sense, row.rhs)
