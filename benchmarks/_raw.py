"""Raw solvers on a program, nothing of ours in the way: ``z3.Optimize``, CP-SAT and HiGHS as users call them.

Each solver is built once; ``minimise`` searches one level, ``hold`` adds the row that keeps it. Bounds are the solver's
own words (floats for CP-SAT and HiGHS): nobody certifies them. Points are rounded and checked exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from cmxverify.placement.proof.program import Objective, Program, Row, Sense, level_row

BELOW_ONE = 0.999
"""An absolute gap below 1 is no gap: every objective counts whole units."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a solver says of one level: claimed optimum or not, value, bound, and the point if it is exact."""

    claims_optimum: bool
    value: float | None
    bound: float | None
    exact: bool
    note: str = ""


class RawSolver(Protocol):
    """One solver that holds one program."""

    def __init__(self, program: Program, *, threads: int, gap: Fraction) -> None: ...

    def minimise(self, objective: Objective, limit_s: float) -> Answer:
        """Search one level; ``limit_s`` seconds of wall clock."""

    def hold(self, row: Row) -> None:
        """Keep an earlier level at its value."""


def judged(
    program: Program, objective: Objective, point: Mapping[str, int] | None, claimed: float | None
) -> tuple[float | None, bool]:
    """Value of a point and whether it satisfies everything exactly; else the solver's own value."""
    if point is not None and not program.violations(point):
        return objective.value(point), True
    return claimed, False


class RawZ3:
    """``z3.Optimize`` over ``z3.Int``; one thread, and no option to stop at a gap."""

    def __init__(self, program: Program, *, threads: int, gap: Fraction) -> None:
        import z3

        self.z3, self.program = z3, program
        self.x = {v.name: z3.Int(v.name) for v in program.variables}
        self.optimize = z3.Optimize()
        for variable in program.variables:
            column = self.x[variable.name]
            self.optimize.add(column >= variable.lower, column <= variable.upper)
        for row in program.rows:
            self.hold(row)

    def hold(self, row: Row) -> None:
        left = self.sum(row.terms)
        sides = {
            Sense.AT_MOST: left <= row.rhs,
            Sense.AT_LEAST: left >= row.rhs,
            Sense.EQUAL: left == row.rhs,
        }
        self.optimize.add(sides[row.sense])

    def sum(self, terms: Mapping[str, int]) -> Any:
        return self.z3.Sum([a * self.x[name] for name, a in terms.items()]) if terms else self.z3.IntVal(0)

    def minimise(self, objective: Objective, limit_s: float) -> Answer:
        self.optimize.push()
        handle = self.optimize.minimize(self.sum(objective.terms) + objective.constant)
        self.optimize.set("timeout", max(int(limit_s * 1000), 1))
        verdict = self.optimize.check()
        bound = _whole(self.optimize.lower(handle))
        value, exact = judged(self.program, objective, self.point(), _whole(self.optimize.upper(handle)))
        self.optimize.pop()
        return Answer(
            verdict == self.z3.sat, value, bound, exact, "" if verdict == self.z3.sat else str(verdict)
        )

    def point(self) -> dict[str, int] | None:
        try:
            model = self.optimize.model()
        except self.z3.Z3Exception:
            return None
        return {name: model.eval(x, model_completion=True).as_long() for name, x in self.x.items()}


def _whole(value: Any) -> int | None:
    """An exact bound of z3; None where it is infinite or symbolic."""
    return value.as_long() if hasattr(value, "as_long") else None


class RawCpSat:
    """CP-SAT over whole-number variables."""

    def __init__(self, program: Program, *, threads: int, gap: Fraction) -> None:
        from ortools.sat.python import cp_model

        self.cp, self.program = cp_model, program
        self.model = cp_model.CpModel()
        self.x = {v.name: self.model.new_int_var(v.lower, v.upper, v.name) for v in program.variables}
        self.solver = cp_model.CpSolver()
        self.solver.parameters.num_workers = threads
        self.solver.parameters.relative_gap_limit = float(gap)
        for row in program.rows:
            self.hold(row)

    def hold(self, row: Row) -> None:
        left = self.sum(row.terms)
        sides = {
            Sense.AT_MOST: left <= row.rhs,
            Sense.AT_LEAST: left >= row.rhs,
            Sense.EQUAL: left == row.rhs,
        }
        self.model.add(sides[row.sense])

    def sum(self, terms: Mapping[str, int]) -> Any:
        columns: Sequence[Any] = [self.x[name] for name in terms]
        return self.cp.LinearExpr.weighted_sum(columns, list(terms.values()))

    def minimise(self, objective: Objective, limit_s: float) -> Answer:
        self.model.minimize(self.sum(objective.terms) + objective.constant)
        refused = self.model.validate()
        if refused:
            return Answer(False, None, None, False, refused.splitlines()[0][:120])
        self.solver.parameters.max_time_in_seconds = max(limit_s, 0.001)
        status = self.solver.solve(self.model)
        found = status in (self.cp.OPTIMAL, self.cp.FEASIBLE)
        point = {name: self.solver.value(x) for name, x in self.x.items()} if found else None
        claimed = self.solver.objective_value if found else None
        value, exact = judged(self.program, objective, point, claimed)
        bound = self.solver.best_objective_bound if status != self.cp.MODEL_INVALID else None
        return Answer(status == self.cp.OPTIMAL, value, bound, exact, self.solver.status_name(status))


class RawHighs:
    """HiGHS's mixed-integer solver with its own scaling; stops at an absolute gap below one whole unit."""

    def __init__(self, program: Program, *, threads: int, gap: Fraction) -> None:
        import highspy

        self.hs, self.program = highspy, program
        self.index = {v.name: j for j, v in enumerate(program.variables)}
        self.highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]  # the binding's stubs miss methods
        for option, value in {
            "output_flag": False,
            "threads": threads,
            "mip_rel_gap": float(gap),
            "mip_abs_gap": BELOW_ONE,
        }.items():
            self.highs.setOptionValue(option, value)
        self.highs.passModel(self.lp())

    def lp(self) -> Any:
        import numpy as np

        program, lp = self.program, self.hs.HighsLp()
        lp.num_col_, lp.num_row_ = len(program.variables), len(program.rows)
        lp.col_cost_ = np.zeros(lp.num_col_)
        lp.col_lower_ = np.array([v.lower for v in program.variables], dtype=float)
        lp.col_upper_ = np.array([v.upper for v in program.variables], dtype=float)
        sides = [self.sides(row) for row in program.rows]
        lp.row_lower_, lp.row_upper_ = np.array([s[0] for s in sides]), np.array([s[1] for s in sides])
        lp.integrality_ = [self.hs.HighsVarType.kInteger] * lp.num_col_
        lp.a_matrix_.format_ = self.hs.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.cumsum([0, *(len(row.terms) for row in program.rows)], dtype=np.int32)
        lp.a_matrix_.index_ = np.array(
            [self.index[n] for row in program.rows for n in row.terms], dtype=np.int32
        )
        lp.a_matrix_.value_ = np.array([a for row in program.rows for a in row.terms.values()], dtype=float)
        return lp

    def sides(self, row: Row) -> tuple[float, float]:
        infinite = self.hs.kHighsInf
        low = -infinite if row.sense is Sense.AT_MOST else float(row.rhs)
        return low, infinite if row.sense is Sense.AT_LEAST else float(row.rhs)

    def hold(self, row: Row) -> None:
        columns = [self.index[name] for name in row.terms]
        self.highs.addRow(*self.sides(row), len(columns), columns, [float(a) for a in row.terms.values()])

    def minimise(self, objective: Objective, limit_s: float) -> Answer:
        highs, count = self.highs, len(self.index)
        costs = [float(objective.terms.get(name, 0)) for name in self.index]
        highs.changeColsCost(count, list(range(count)), costs)
        highs.changeObjectiveOffset(float(objective.constant))
        highs.setOptionValue("time_limit", highs.getRunTime() + max(limit_s, 0.001))
        highs.run()
        status, info = highs.getModelStatus(), highs.getInfo()
        found = info.primal_solution_status == self.hs.SolutionStatus.kSolutionStatusFeasible
        point = None
        if found:
            rounded = [round(x) for x in highs.getSolution().col_value]
            point = dict(zip(self.index, rounded, strict=True))
        value, exact = judged(
            self.program, objective, point, info.objective_function_value if found else None
        )
        done = status == self.hs.HighsModelStatus.kOptimal
        bound = info.mip_dual_bound if math.isfinite(info.mip_dual_bound) else None
        return Answer(done, value, bound, exact, highs.modelStatusToString(status))


SOLVERS: Mapping[str, type[RawSolver]] = {"z3": RawZ3, "CP-SAT": RawCpSat, "HiGHS": RawHighs}
"""Raw solvers by the name that tables use."""


def keep(objective: Objective, value: float) -> Row:
    """The row that keeps a level at what was reached there (rounded up where the solver says a float)."""
    return level_row(objective, math.ceil(value - 1e-6))


def _import_cpsat() -> None:
    from ortools.sat.python import cp_model  # noqa: F401


def _import_highs() -> None:
    import highspy  # noqa: F401
    import numpy  # noqa: F401


def _import_z3() -> None:
    import z3  # noqa: F401


IMPORTS: Mapping[str, Callable[[], None]] = {
    "z3": _import_z3,
    "CP-SAT": _import_cpsat,
    "HiGHS": _import_highs,
}
"""What each solver loads before it can be built, so that loading is timed apart."""
