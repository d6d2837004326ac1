"""Why a program has no solution: the smallest set of users' own lines (facts) that cannot hold together.

What an explanation claims can be re-checked with whole numbers alone. That its facts are impossible together
is shown by a tree of empty leaves; that each of them is needed, by a point that satisfies all the others; that
no lighter explanation exists, by points (``corrections``) that satisfy every lighter choice of facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from time import monotonic

from cmxverify.placement.explaining.cores_hitting import Facts, OutOfTime
from cmxverify.placement.explaining.cores_oracle import (
    FirstAnswer,
    Impossible,
    Oracle,
    OracleMaker,
    Possible,
    Prover,
    Values,
)
from cmxverify.placement.explaining.cores_search import Correction, PartSearch
from cmxverify.placement.proof.certificate import InfeasibleProof, Tree
from cmxverify.placement.proof.program import Program

SEARCH_SHARE, COUNT_SHARE, PATIENCE_SHARE = 0.5, 0.2, 0.2
"""Of the time: to find the smallest core, to count others, at most for one verdict. The rest is for the proof."""

Z3_EFFORT = 20_000
"""z3 resource units a question, a few milliseconds: what z3 sees at once it sees faster than a relaxation."""


@dataclass(frozen=True)
class Explanation:
    """Facts that cannot hold together, with what shows it.

    Attributes:
        facts: Ids of the core, sorted; hard facts are not among them. Empty if structure alone is impossible.
        proof: Empty-leaf tree of the part that has no point; its ``facts`` are the core and the hard ones.
        necessity: For each fact a point of all variables that satisfies ``program.keeping`` of the others (and
            of the hard facts). A fact without one was not shown to be necessary in time.
        smallest_proved: No other explanation weighs less (is shorter, without weights).
        corrections: What proves that: each point satisfies its part (the part with the same variables) but for
            the facts it drops. Per part, no choice lighter than the core meets all ``dropped``.
        others: Further irreducible explanations found. Each rests on a checked point per fact, but that it is
            impossible rests on the oracle.
        others_complete: There are no more than these.
    """

    facts: tuple[str, ...]
    proof: InfeasibleProof
    necessity: Mapping[str, Values]
    smallest_proved: bool
    corrections: tuple[Correction, ...]
    others: int
    others_complete: bool

    @property
    def irreducible(self) -> bool:
        """Whether every fact was shown to be necessary."""
        return len(self.necessity) == len(self.facts)


def smallest_core(
    program: Program,
    *,
    time_limit_s: float,
    hard: frozenset[str] = frozenset(),
    weights: Mapping[str, int] | None = None,
    oracle: OracleMaker | None = None,
    prove: Prover | None = None,
    prefer: Callable[[Facts], tuple[int, ...]] | None = None,
    count: bool = True,
) -> Explanation | None:
    """The lightest explanation of a program without a solution; among the lightest, first by sorted ids.

    The search ends with the same facts in every run and with every oracle. If time runs out before, the core
    found by then is returned; it may still be proved to be as light as any.

    Args:
        program: Rows with facts are what may be explained; its objectives play no part.
        time_limit_s: For everything together, in seconds.
        hard: Facts that are taken for granted, and never part of the explanation.
        weights: Weight of a fact, 1 or more, 1 if absent: light facts are preferred. Cost grows with them.
        oracle: Judges sub-programs; by default z3, then the certifying solver.
        prove: Makes the certificate; by default the exact solver.
        prefer: Where all explanations are found, the lightest one of least value is returned; no other claim changes.
        count: Whether to look for further explanations; without, ``others`` says little and ``prefer`` nothing.

    Returns:
        None if the program has a solution, or if no explanation could be proved in time.
    """
    start = monotonic()
    hard &= {fact for row in program.rows for fact in row.facts}
    loose = _granted(program, hard)
    parts = _parts(loose, weights or {}, oracle or default_oracle, patience_s=time_limit_s * PATIENCE_SHARE)
    _search(parts, deadline=start + time_limit_s * SEARCH_SHARE)
    complete = count and _count(parts, deadline=monotonic() + time_limit_s * COUNT_SHARE)
    by_facts = {tuple(sorted(core)): part for part in parts for core in part.cores}
    order = _order(by_facts, prefer if complete else None)
    for facts in order:
        part = by_facts[facts]
        weight = part.weight(frozenset(facts))
        proof = _proof(part, facts, hard, prove or _default_prover, deadline=start + time_limit_s)
        if proof is not None:
            return Explanation(
                facts=facts,
                proof=proof,
                necessity=_necessity(parts, frozenset(facts), deadline=start + time_limit_s),
                smallest_proved=weight <= min(p.bound for p in parts if not p.satisfiable),
                corrections=tuple(c for p in parts for c in _strongest(p.corrections)),
                others=len(_irreducible(parts) - {frozenset(facts)}),
                others_complete=complete,
            )
    return None


def _order(
    found: Mapping[tuple[str, ...], PartSearch], prefer: Callable[[Facts], tuple[int, ...]] | None
) -> list[tuple[str, ...]]:
    """Cores by weight, then by preference, then by their ids."""
    values = {facts: prefer(frozenset(facts)) if prefer else () for facts in found}
    return sorted(found, key=lambda facts: (found[facts].weight(frozenset(facts)), values[facts], facts))


def _granted(program: Program, hard: frozenset[str]) -> Program:
    """The program in which hard facts are structure."""
    rows = tuple(replace(row, facts=tuple(f for f in row.facts if f not in hard)) for row in program.rows)
    return replace(program, rows=rows)


def _parts(
    program: Program, weights: Mapping[str, int], oracle: OracleMaker, *, patience_s: float
) -> list[PartSearch]:
    """One search for each independent part: a core never needs two of them."""
    given = {fact: weights.get(fact, 1) for row in program.rows for fact in row.facts}
    light = sorted(fact for fact, weight in given.items() if weight < 1)
    if light:
        raise ValueError(f"weights must be 1 or more, not {given[light[0]]} for {light[0]!r}")
    return [PartSearch(part, oracle, given, patience_s=patience_s) for part in program.components()]


def _search(parts: Sequence[PartSearch], *, deadline: float) -> None:
    """Some core of each part without a solution, then its smallest one; an equal share of the time for each."""
    left = list(parts)
    while left:
        part = left.pop(0)
        until = monotonic() + max(0.0, deadline - monotonic()) / (len(left) + 1)
        with suppress(OutOfTime):
            match part.judge(part.facts, deadline=until):
                case Impossible():
                    part.shares = _shares(part.part, time_limit_s=(until - monotonic()) / 4)
                    part.find_irreducible(part.facts, deadline=until)
            part.find_smallest(deadline=until)


def _count(parts: Sequence[PartSearch], *, deadline: float) -> bool:
    """Find the further explanations; whether all have been found."""
    try:
        for part in parts:
            if not part.satisfiable:
                part.find_all(deadline=deadline)
    except OutOfTime:
        return False
    return True


def _irreducible(parts: Iterable[PartSearch]) -> set[Facts]:
    """Cores shown to be irreducible; parts may share facts, so one part's core may lie inside another's."""
    shown = {core for part in parts for core in part.cores if part.shown_irreducible(core)}
    return {core for core in shown if not any(smaller < core for smaller in shown)}


def _proof(
    part: PartSearch, facts: Sequence[str], hard: frozenset[str], prove: Prover, *, deadline: float
) -> InfeasibleProof | None:
    """Certificate that these and the hard facts leave no point, sought where most of them meet.

    Dropping the other facts often takes a part into pieces, of which one bears the contradiction: if no fact
    can be dropped, that piece has rows of all of them. Half of the time is kept for a further core or piece.
    """
    pieces = part.part.keeping(facts).components()
    pieces.sort(key=lambda piece: -len({fact for row in piece.rows for fact in row.facts}))
    for piece in pieces:
        left = deadline - monotonic()
        tree = prove(piece, left / 2) if left > 0 else None
        if tree is not None:
            return InfeasibleProof(
                tuple(v.name for v in part.part.variables), tuple(sorted({*facts, *hard})), tree
            )
    return None


def _necessity(parts: Sequence[PartSearch], core: Facts, *, deadline: float) -> dict[str, Values]:
    """For each fact a point that satisfies the others in every part, where one is found in time."""
    points = ((fact, _point(parts, core - {fact}, deadline=deadline)) for fact in sorted(core))
    return {fact: values for fact, values in points if values is not None}


def _point(parts: Sequence[PartSearch], facts: Facts, *, deadline: float) -> Values | None:
    values: dict[str, int] = {}
    for part in parts:
        try:
            verdict = part.judge(facts & part.facts, deadline=deadline)
        except OutOfTime:
            return None
        if not isinstance(verdict, Possible):
            return None
        values |= verdict.values
    return values


def _strongest(corrections: Sequence[Correction]) -> list[Correction]:
    """Without those that drop all that another one drops."""
    kept: list[Correction] = []
    for correction in sorted(corrections, key=lambda c: (len(c.dropped), sorted(c.dropped))):
        if not any(other.dropped <= correction.dropped for other in kept):
            kept.append(correction)
    return kept


def default_oracle(part: Program) -> Oracle:
    """z3 for what it sees at once, then the certifying solver."""
    from cmxverify.placement.explaining.cores_solver import (
        SolverOracle,
    )  # solvers load slowly; most programs need neither
    from cmxverify.placement.explaining.cores_z3 import Z3Oracle

    return FirstAnswer([Z3Oracle(part, effort=Z3_EFFORT), SolverOracle(part)])


def _default_prover(program: Program, time_limit_s: float) -> Tree | None:
    from cmxverify.placement.explaining.cores_solver import prove_empty

    return prove_empty(program, time_limit_s)


def _shares(program: Program, *, time_limit_s: float) -> Mapping[str, int]:
    from cmxverify.placement.explaining.cores_solver import contributions

    return contributions(program, time_limit_s=time_limit_s)
