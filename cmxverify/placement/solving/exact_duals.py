"""Duals of a basis in exact fractions, for where floats fall short of a bound by a unit or so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from cmxverify.placement.solving.matrix import Matrix

Equation = dict[int, Fraction]
"""Coefficients by unknown (row index); the right-hand side is kept beside it."""


def basis_duals(
    matrix: Matrix, cost: Sequence[int], basic_columns: Iterable[int], tight_rows: Iterable[int]
) -> dict[int, Fraction] | None:
    """Solve ``sum over tight rows of y_r * a_rj = c_j`` for every basic column j; None if singular.

    ``tight_rows`` are the rows whose slack is not basic; all other duals are 0. Most bases of placement
    programs are nearly triangular, so elimination by the shortest equation hardly fills in.
    """
    wanted = {j: index for index, j in enumerate(basic_columns)}
    equations: list[Equation] = [{} for _ in wanted]
    sides = [Fraction(cost[j]) for j in wanted]
    for r in tight_rows:
        row = matrix.rows[r]
        for j, a in zip(row.columns, row.coefficients, strict=True):
            if j in wanted:
                equations[wanted[j]][r] = Fraction(a)
    return _solve_sparse(equations, sides)


def _solve_sparse(equations: list[Equation], sides: list[Fraction]) -> dict[int, Fraction] | None:
    """Gaussian elimination, shortest equation first, rarest unknown in it as the pivot."""
    users: dict[int, set[int]] = {}
    for e, equation in enumerate(equations):
        for unknown in equation:
            users.setdefault(unknown, set()).add(e)
    active = set(range(len(equations)))
    pivots: list[tuple[int, int]] = []
    while active:
        e = min(active, key=lambda i: (len(equations[i]), i))
        if not equations[e]:
            return None
        pivot = min(equations[e], key=lambda u: (len(users[u]), u))
        active.remove(e)
        pivots.append((e, pivot))
        for unknown in equations[e]:
            users[unknown].discard(e)
        for other in sorted(users[pivot]):
            sides[other] -= _eliminate(equations[other], equations[e], pivot, other, users) * sides[e]
        users[pivot].clear()
    return _back_substituted(equations, sides, pivots)


def _eliminate(
    target: Equation, source: Equation, pivot: int, name: int, users: dict[int, set[int]]
) -> Fraction:
    """Subtract the multiple of ``source`` that removes ``pivot`` from ``target``; return that multiple."""
    factor = target.pop(pivot) / source[pivot]
    for unknown, coefficient in source.items():
        if unknown == pivot:
            continue
        value = target.get(unknown, 0) - factor * coefficient
        if value:
            target[unknown] = value
            users[unknown].add(name)
        elif unknown in target:
            del target[unknown]
            users[unknown].discard(name)
    return factor


def _back_substituted(
    equations: list[Equation], sides: list[Fraction], pivots: list[tuple[int, int]]
) -> dict[int, Fraction]:
    solution: dict[int, Fraction] = {}
    for e, pivot in reversed(pivots):
        known = sum((a * solution.get(u, 0) for u, a in equations[e].items() if u != pivot), Fraction(0))
        solution[pivot] = (sides[e] - known) / equations[e][pivot]
    return solution
