"""z3 as a proposer of plans for small programs, and as a second prover of finished levels."""

from __future__ import annotations

from collections.abc import Sequence

import z3

from cmxverify.placement.proof.program import Sense
from cmxverify.placement.solving.engines.interrupt import interruptible
from cmxverify.placement.solving.engines.proposal import Claim, Proposal, Task
from cmxverify.placement.solving.matrix import Matrix, Point


class ProversDisagreeError(AssertionError):
    """A point contradicts a bound that was taken as proved: a fault in this package, never to be hidden."""

    def __init__(self, value: int, cost: int, values: dict[str, int]) -> None:
        super().__init__(
            f"z3 found a plan with cost {cost}, but {value} was proved to be the least: {values}"
        )


def propose(task: Task) -> Proposal:
    """Best point by ``z3.Optimize``; usable for up to about 150 variables."""
    context = z3.Context()
    optimize = z3.Optimize(ctx=context)
    columns = _columns(task.matrix, context)
    optimize.add(*_constraints(task.matrix, columns, context))
    optimize.minimize(_sum(range(len(columns)), task.cost, columns, context))
    _configure(optimize, task.time_limit_s, task.seed)
    verdict = interruptible(optimize.check, context.interrupt)
    if verdict == z3.unsat:
        return Proposal(None, Claim.EMPTY)
    late = verdict == z3.unknown
    point = _point(optimize, columns)
    if point is None or not task.matrix.admits(point):
        return Proposal(None, hit_wall_clock=late)
    return Proposal(point, Claim.NOTHING if late else Claim.OPTIMAL, late)


def nothing_below(
    matrix: Matrix, cost: Sequence[int], value: int, *, time_limit_s: float, seed: int = 0
) -> bool:
    """Whether z3 proves within the limit that no point of the matrix costs less than ``value``.

    Raises:
        ProversDisagreeError: If z3 finds a cheaper point and exact arithmetic confirms it.
    """
    context = z3.Context()
    solver = z3.SolverFor("QF_LIA", ctx=context)
    columns = _columns(matrix, context)
    solver.add(*_constraints(matrix, columns, context))
    solver.add(_sum(range(len(columns)), cost, columns, context) <= value - 1)
    _configure(solver, time_limit_s, seed)
    verdict = interruptible(solver.check, context.interrupt)
    if verdict == z3.sat:
        point = _point(solver, columns)
        assert point is not None, "sat without a model"
        found = sum(c * x for c, x in zip(cost, point, strict=True))
        if matrix.admits(point) and found < value:
            raise ProversDisagreeError(value, found, matrix.values(point))
    return bool(verdict == z3.unsat)


def _configure(solver: z3.Solver | z3.Optimize, time_limit_s: float, seed: int) -> None:
    solver.set("timeout", max(int(time_limit_s * 1000), 10))
    solver.set("ctrl_c", False)
    if isinstance(solver, z3.Solver):
        solver.set("random_seed", seed % (1 << 31))


def _columns(matrix: Matrix, context: z3.Context) -> list[z3.ArithRef]:
    return [z3.Int(f"x{j}", context) for j in range(len(matrix.names))]


def _sum(
    indices: Sequence[int], coefficients: Sequence[int], columns: list[z3.ArithRef], context: z3.Context
) -> z3.ArithRef:
    terms = [z3.IntVal(a, context) * columns[j] for j, a in zip(indices, coefficients, strict=True) if a]
    return z3.Sum(*terms) if terms else z3.IntVal(0, context)


def _constraints(matrix: Matrix, columns: list[z3.ArithRef], context: z3.Context) -> list[z3.BoolRef]:
    made: list[z3.BoolRef] = []
    for column, low, high in zip(columns, matrix.box.lower, matrix.box.upper, strict=True):
        made += [column >= low, column <= high]
    for row in matrix.rows:
        left = _sum(row.columns, row.coefficients, columns, context)
        if row.sense is Sense.AT_MOST:
            made.append(left <= row.rhs)
        else:
            made.append(left >= row.rhs if row.sense is Sense.AT_LEAST else left == row.rhs)
    return made


def _point(solver: z3.Solver | z3.Optimize, columns: list[z3.ArithRef]) -> Point | None:
    try:
        model = solver.model()
    except z3.Z3Exception:
        return None
    return [model.eval(column, model_completion=True).as_long() for column in columns]
