"""CP-SAT as a proposer: whole-number search on one worker, under a deterministic limit."""

from __future__ import annotations

from ortools.sat.python import cp_model

from cmxverify.placement.proof.program import Sense
from cmxverify.placement.solving.engines.interrupt import interruptible
from cmxverify.placement.solving.engines.proposal import Claim, Proposal, Task
from cmxverify.placement.solving.matrix import Matrix

_DETERMINISTIC_PER_SECOND = 0.4
"""Deterministic time granted for a second of wall clock: low enough that it ends the search first."""


def propose(task: Task) -> Proposal:
    """Best point that CP-SAT finds; nothing where the program's figures overflow its 64 bits."""
    if _overflows(task):
        return Proposal(None)
    model, columns = _model(task)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = task.seed % (1 << 31)
    solver.parameters.max_time_in_seconds = max(task.time_limit_s, 0.01)
    solver.parameters.max_deterministic_time = max(task.time_limit_s * _DETERMINISTIC_PER_SECOND, 0.01)
    solver.parameters.catch_sigint_signal = False
    status = interruptible(lambda: solver.solve(model), solver.stop_search)
    late = solver.wall_time >= task.time_limit_s and status != cp_model.OPTIMAL
    if status == cp_model.INFEASIBLE:
        return Proposal(None, Claim.EMPTY)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Proposal(None, hit_wall_clock=late)
    point = [solver.value(x) for x in columns]
    if not task.matrix.admits(point):
        return Proposal(None, hit_wall_clock=late)
    return Proposal(point, Claim.OPTIMAL if status == cp_model.OPTIMAL else Claim.NOTHING, late)


def _overflows(task: Task) -> bool:
    """Whether a figure does not fit CP-SAT's 64 bits (sums that do not fit, it refuses by itself)."""
    figures = [*task.cost, *task.matrix.box.lower, *task.matrix.box.upper]
    for row in task.matrix.rows:
        figures += [row.rhs, *row.coefficients]
    return max((abs(figure) for figure in figures), default=0) >= 1 << 62


def _model(task: Task) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    model = cp_model.CpModel()
    box = zip(task.matrix.box.lower, task.matrix.box.upper, strict=True)
    columns = [model.new_int_var(low, high, f"x{j}") for j, (low, high) in enumerate(box)]
    _add_rows(model, columns, task.matrix)
    model.minimize(cp_model.LinearExpr.weighted_sum(columns, list(task.cost)))
    for column, value in zip(columns, task.hint or (), strict=False):
        model.add_hint(column, value)
    return model, columns


def _add_rows(model: cp_model.CpModel, columns: list[cp_model.IntVar], matrix: Matrix) -> None:
    for row in matrix.rows:
        left = cp_model.LinearExpr.weighted_sum([columns[j] for j in row.columns], list(row.coefficients))
        match row.sense:
            case Sense.AT_MOST:
                model.add(left <= row.rhs)
            case Sense.AT_LEAST:
                model.add(left >= row.rhs)
            case Sense.EQUAL:
                model.add(left == row.rhs)
