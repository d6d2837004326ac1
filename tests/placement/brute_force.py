"""The slow reference: every whole-number point of a small program, and random programs small enough for it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from cmxverify.placement.proof.program import Objective, Program, Row, Sense, Variable


def points(program: Program) -> Iterator[dict[str, int]]:
    """Every point of the box that satisfies all rows."""
    names = [v.name for v in program.variables]
    for point in product(*(range(v.lower, v.upper + 1) for v in program.variables)):
        values = dict(zip(names, point, strict=True))
        if all(row.holds(values) for row in program.rows):
            yield values


def lexicographic_optimum(program: Program) -> tuple[int, ...] | None:
    """Least values of the objectives in their order, or None if no point is feasible."""
    return min((tuple(o.value(v) for o in program.objectives) for v in points(program)), default=None)


def random_program(seed: int, *, size: int = 0) -> Program:
    """2 to 5 columns with a few values each, 1 to 5 rows of every sense, 1 to 3 levels; some are infeasible.

    ``size`` multiplies coefficients, so that float tolerances begin to matter.
    """
    random = Random(seed)
    factor = 10**size
    variables = tuple(_variable(random, j) for j in range(random.randint(2, 5)))
    rows = tuple(_row(random, r, variables, factor) for r in range(random.randint(1, 5)))
    objectives = tuple(
        Objective(
            key,
            {v.name: random.randint(-9, 9) * factor + random.randint(-3, 3) for v in variables},
            constant=random.randint(-5, 5),
        )
        for key in ("late", "restore", "power")[: random.randint(1, 3)]
    )
    return Program(variables, rows, objectives)


def _variable(random: Random, index: int) -> Variable:
    lower = random.randint(-3, 2)
    return Variable(f"x{index}", lower, lower + random.randint(0, 6))


def _row(random: Random, index: int, variables: tuple[Variable, ...], factor: int) -> Row:
    terms = {v.name: random.randint(-5, 5) * factor for v in variables if random.random() < 0.8}
    middle = sum(a * random.randint(v.lower, v.upper) for v in variables if (a := terms.get(v.name, 0)))
    sense = random.choice([Sense.AT_MOST, Sense.AT_MOST, Sense.AT_LEAST, Sense.EQUAL])
    return Row(f"r{index}", terms, sense, middle + random.randint(-2, 2) * factor, (f"fact {index}",))
