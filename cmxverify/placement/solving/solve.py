"""Solve a program lexicographically and prove every level: ``solve_program``.

Engines only propose. Every plan is checked in whole numbers, and every bound is carried by a tree of
multipliers (``certificate``), so no solver needs to be trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from time import monotonic

from cmxverify.placement.proof.certificate import InfeasibleProof
from cmxverify.placement.proof.outcome import LevelResult, Outcome, Status
from cmxverify.placement.proof.program import Program
from cmxverify.placement.solving import dive
from cmxverify.placement.solving.component import Component, NamedProposer, Portfolio
from cmxverify.placement.solving.engines.proposal import Proposal, Task
from cmxverify.placement.solving.feasible import Undecided, find_feasible
from cmxverify.placement.solving.matrix import Matrix
from cmxverify.placement.solving.neighbourhood import near_relaxation
from cmxverify.placement.solving.prove import prove_infeasible

__all__ = ["Engine", "Progress", "Undecided", "find_feasible", "prove_infeasible", "solve_program"]

_Z3_SECONDS = 1.0
"""Wall clock that z3 may spend on proving one finished level a second time."""

_Z3_VARIABLES = 150
"""Largest number of columns, after exact tightening, for which z3 is asked at all."""


class Engine(Enum):
    """Who proposes plans. Proofs are always the certificate tree."""

    AUTO = "auto"
    Z3 = "z3"
    CPSAT = "cpsat"
    HIGHS = "highs"


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a solve stands: the level (whole program), its value and bound as far as known, and the phase."""

    level: str
    value: int | None
    bound: int | None
    elapsed_s: float
    phase: str


def solve_program(
    program: Program,
    *,
    engine: Engine = Engine.AUTO,
    time_limit_s: float = 60.0,
    gap: Fraction = Fraction(1, 1000),
    seed: int = 0,
    progress: Callable[[Progress], None] | None = None,
    second_opinion: bool = True,
) -> Outcome:
    """Best plan by all objectives in their order, with certificates.

    Args:
        program: What to solve; it is split into independent components first.
        engine: Who proposes plans; ``AUTO`` is a portfolio.
        time_limit_s: Wall clock. At the limit, and at Ctrl-C, the best plan known is returned with its
            certified bounds.
        gap: Once a level's certified gap is at most this, little more is spent on closing it entirely.
        seed: Of every engine. Runs in which no wall-clock limit strikes are repeatable; ``notes`` tell.
        progress: Called after every level of every component.
        second_opinion: Whether z3 is asked, too, if an optimum is one. No bound rests on it.
    """
    run = _Run(program, engine, time_limit_s, gap, seed, progress, second_opinion=second_opinion)
    try:
        run.solve()
    except KeyboardInterrupt:
        run.interrupted()
        return replace(run.outcome(), interrupted=True)
    return run.outcome()


class _Run:
    def __init__(
        self,
        program: Program,
        engine: Engine,
        time_limit_s: float,
        gap: Fraction,
        seed: int,
        progress: Callable[[Progress], None] | None,
        *,
        second_opinion: bool,
    ) -> None:
        self._program, self._progress = program, progress
        self._start = monotonic()
        self._until = self._start + time_limit_s
        self._seed = seed
        self._notes: list[str] = []
        portfolio = portfolio_of(engine)
        second = self._z3_agrees if second_opinion else None
        self._parts = [
            Component(part, portfolio=portfolio, second_prover=second, gap=gap, seed=seed)
            for part in program.components()
        ]

    def solve(self) -> None:
        """Level by level over all components, so that a plan for all is known early."""
        for part in self._parts:
            part.start(self._until)
            if part.infeasible is not None:
                return
        for level in range(max(len(self._program.objectives), 1)):
            for index, part in enumerate(self._parts):
                until = self._share(level, self._parts[index:])
                if self._program.objectives:
                    part.solve_level(level, until)
                else:
                    part.solve_feasibility(until)
                if part.infeasible is not None:
                    return
            self._report(level)

    def _share(self, level: int, waiting: Sequence[Component]) -> float:
        """Until when the first of the waiting components may work at a level; unused time goes on."""
        levels_left = max(len(self._program.objectives), 1) - level
        now = monotonic()
        weight = Fraction(waiting[0].size, max(sum(part.size for part in waiting), 1))
        return now + max(self._until - now, 0.0) / levels_left * float(weight)

    def _report(self, level: int) -> None:
        if self._progress is None or not self._program.objectives:
            return
        known = all(part.incumbent is not None for part in self._parts)
        result = self._level(level) if known else None
        key = self._program.objectives[level].key
        value, bound = (result.value, result.bound) if result else (None, None)
        self._progress(Progress(key, value, bound, monotonic() - self._start, "level done"))

    def _z3_agrees(self, matrix: Matrix, cost: Sequence[int], value: int) -> bool:
        """Ask z3 whether anything in an exactly tightened box is below a value; not if the box is large."""
        from cmxverify.placement.solving.engines.z3engine import nothing_below

        free = sum(low < high for low, high in zip(matrix.box.lower, matrix.box.upper, strict=True))
        limit = min(_Z3_SECONDS, self._until - monotonic())
        if free > _Z3_VARIABLES or limit <= 0:
            return False
        return nothing_below(matrix, cost, value, time_limit_s=limit, seed=self._seed)

    def interrupted(self) -> None:
        """Keep what was known when Ctrl-C arrived."""
        for part in self._parts:
            part.settle()
        known = all(part.incumbent is not None for part in self._parts)
        found = "the best plan so far, with the bounds proved so far" if known else "no plan was found yet"
        self._notes.append(f"interrupted: {found}")

    def _level(self, level: int) -> LevelResult:
        objective = self._program.objectives[level]
        agreed = [set(part.also_proved_by(level)) for part in self._parts]
        return LevelResult(
            objective.key,
            sum(part.value(level) for part in self._parts),
            sum(part.bound(level) for part in self._parts),
            objective.unit,
            tuple(sorted(set.intersection(*agreed))),
        )

    def outcome(self) -> Outcome:
        """What is known, never more."""
        notes = tuple(dict.fromkeys([*self._notes, *(note for part in self._parts for note in part.notes)]))
        for part in self._parts:
            if part.infeasible is not None:
                names = tuple(v.name for v in part.program.variables)
                proof = InfeasibleProof(names, None, part.infeasible)
                return Outcome(Status.INFEASIBLE, infeasible=proof, notes=notes)
        values: dict[str, int] = {}
        for part in self._parts:
            if part.incumbent is None:
                return Outcome(Status.UNKNOWN, notes=notes)
            values |= zip((v.name for v in part.program.variables), part.incumbent, strict=True)
        broken = self._program.violations(values)
        assert not broken, f"a plan that was checked breaks {broken}"
        levels = tuple(self._level(k) for k in range(len(self._program.objectives)))
        closed = all(level.value == level.bound for level in levels)
        proofs = tuple(part.proof() for part in self._parts)
        return Outcome(Status.OPTIMAL if closed else Status.FEASIBLE, values, levels, proofs, notes=notes)


def portfolio_of(engine: Engine) -> Portfolio:
    """The engines that propose, in order, each with its share of a level's time.

    An engine that the caller names is asked at every level. AUTO asks nobody where the proof tree closes at once;
    else HiGHS comes first: where plans are easy it has them at once. Where it stalls, diving and narrow searches
    near the relaxation find what whole-program searches do not.
    """
    match engine:
        case Engine.HIGHS:
            return Portfolio((NamedProposer("HiGHS", _highs, 0.4),), insists=True)
        case Engine.CPSAT:
            return Portfolio((NamedProposer("CP-SAT", _cpsat, 0.4),), insists=True)
        case Engine.Z3:
            return Portfolio((NamedProposer("z3", _z3, 0.5),), insists=True)
        case Engine.AUTO:
            near = near_relaxation(_cpsat)
            steps = (
                NamedProposer("HiGHS", _highs, 0.1),
                NamedProposer("diving", dive.propose, 0.1),
                NamedProposer("search near the relaxation", near, 0.25),
                NamedProposer("CP-SAT", _cpsat, 0.1, whole_program=True),
                NamedProposer("HiGHS", _highs, 0.1, whole_program=True),
            )
            return Portfolio(steps, polisher=_cpsat)


# engines load slowly and small programs close without most of them, so each is imported when it is first asked


def _highs(task: Task) -> Proposal:
    from cmxverify.placement.solving.engines import highs

    return highs.propose(task)


def _cpsat(task: Task) -> Proposal:
    from cmxverify.placement.solving.engines import cpsat

    return cpsat.propose(task)


def _z3(task: Task) -> Proposal:
    from cmxverify.placement.solving.engines import z3engine

    return z3engine.propose(task)
