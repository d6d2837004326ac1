"""One measurement in a process of its own: ``python _job.py JOB.json RESULT.json``.

Clocks start before anything of the solver is imported. ``cpu`` and ``wall`` cover import, build and search; what
comes before them (Python itself, reading the program) is not counted. Whole commands are timed from outside.
"""

from __future__ import annotations

import json
import pickle
import resource
import sys
import time
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Job:
    """What to measure: ``compile``, ``ours``, ``ours without z3``, or a name of ``_raw.SOLVERS``."""

    what: str
    topology: str
    reduced: bool
    program: str
    limit_s: float = 60.0
    threads: int = 1
    gap: str = "0"
    chunk: str = ""


@dataclass
class Level:
    """One level as the run left it; ``bound`` is certified for ours and a mere claim for others."""

    key: str
    value: float | None = None
    bound: float | None = None
    optimal: bool = False
    exact: bool = False
    cpu: float = 0.0
    wall: float = 0.0
    note: str = "not reached"
    also_proved_by: tuple[str, ...] = ()


@dataclass
class Result:
    """Seconds of CPU and wall by stage, levels, and peak memory in MB (at the start, and at the end)."""

    cpu: float = 0.0
    wall: float = 0.0
    import_cpu: float = 0.0
    import_wall: float = 0.0
    build_cpu: float = 0.0
    build_wall: float = 0.0
    levels: list[Level] = field(default_factory=list)
    status: str = ""
    start_mb: float = 0.0
    peak_mb: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)


class Clock:
    """CPU and wall since it was made or last split."""

    def __init__(self) -> None:
        self.start = self.last = (time.process_time(), time.perf_counter())

    def split(self) -> tuple[float, float]:
        """Seconds since the last split."""
        now = (time.process_time(), time.perf_counter())
        cpu, wall = now[0] - self.last[0], now[1] - self.last[1]
        self.last = now
        return cpu, wall

    def total(self) -> tuple[float, float]:
        """Seconds since the start."""
        return time.process_time() - self.start[0], time.perf_counter() - self.start[1]


def peak_mb() -> float:
    """Largest resident size so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run_compile(job: Job) -> Result:
    """Load and compile a topology; the program is pickled for the runs that follow."""
    result, clock = Result(start_mb=peak_mb()), Clock()
    from cmxverify.placement.model.compile import compile_placement
    from cmxverify.topology.load import load_topology

    result.import_cpu, result.import_wall = clock.split()
    overrides = [f"chunk={job.chunk}"] if job.chunk else []
    program = compile_placement(
        load_topology(job.topology, overrides=overrides), aggregate=job.reduced
    ).program
    result.build_cpu, result.build_wall = clock.split()
    result.cpu, result.wall = clock.total()
    result.facts = {
        "columns": len(program.variables),
        "rows": len(program.rows),
        "entries": sum(len(row.terms) for row in program.rows),
        "parts": len(program.components()),
        "digest": program.digest(),
    }
    with Path(job.program).open("wb") as out:
        pickle.dump(program, out)
    return result


def run_ours(job: Job) -> Result:
    """``solve_program``, with or without z3 as second prover."""
    program = _program(job)
    result, clock = Result(start_mb=peak_mb()), Clock()
    from cmxverify.placement.solving import solve

    if job.what != "ours":
        assert hasattr(solve._Run, "_z3_agrees"), "solve.py names its second prover otherwise now"
        setattr(solve._Run, "_z3_agrees", lambda *_: False)  # noqa: B010
    solve.portfolio_of(solve.Engine.AUTO)  # imports the engines
    result.import_cpu, result.import_wall = clock.split()
    outcome = solve.solve_program(program, time_limit_s=job.limit_s, gap=Fraction(job.gap))
    result.cpu, result.wall = clock.total()
    result.status = outcome.status.value
    result.levels = [
        Level(
            each.key,
            each.value,
            each.bound,
            each.value == each.bound,
            exact=True,
            note="certified",
            also_proved_by=each.also_proved_by,
        )
        for each in outcome.levels
    ]
    result.facts = {"notes": outcome.notes}
    return result


def run_raw(job: Job) -> Result:
    """A raw solver, level after level; each level may use all the time that is left."""
    program = _program(job)
    result, clock = Result(start_mb=peak_mb()), Clock()
    until = time.perf_counter() + job.limit_s
    from _raw import IMPORTS, SOLVERS, keep

    IMPORTS[job.what]()
    result.import_cpu, result.import_wall = clock.split()
    solver = SOLVERS[job.what](program, threads=job.threads, gap=Fraction(job.gap))
    result.build_cpu, result.build_wall = clock.split()
    result.levels = [Level(objective.key) for objective in program.objectives]
    for level, objective in zip(result.levels, program.objectives, strict=True):
        left = until - time.perf_counter()
        if left <= 0:
            break
        answer = solver.minimise(objective, left)
        level.cpu, level.wall = clock.split()
        level.value, level.bound, level.exact = answer.value, answer.bound, answer.exact
        level.optimal, level.note = answer.claims_optimum, answer.note
        if answer.value is None or not answer.claims_optimum:
            break
        solver.hold(keep(objective, answer.value))
    result.cpu, result.wall = clock.total()
    claims = {"unsat", "INFEASIBLE", "Infeasible"}.intersection(level.note for level in result.levels[:1])
    result.status = "infeasible" if claims else "open"
    return result


def _program(job: Job) -> Any:
    with Path(job.program).open("rb") as source:
        return pickle.load(source)


def main() -> None:
    """Run the job of the first file and write the result to the second."""
    job = Job(**json.loads(Path(sys.argv[1]).read_text()))
    runs = {"compile": run_compile, "ours": run_ours, "ours without z3": run_ours}
    result = runs.get(job.what, run_raw)(job)
    result.peak_mb = peak_mb()
    Path(sys.argv[2]).write_text(json.dumps(asdict(result)))


if __name__ == "__main__":
    main()
