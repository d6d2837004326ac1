"""Explanations of a workload with many sets: the sets count as one line, then those that it can do without go.

In the program in which all sets are one fact (``SETS``), a smallest core is found as ever. An explanation over single
sets is one over the group, so none has fewer lines than that core, if all its sets count as one. What is left of
the group after narrowing is impossible with the other facts, and without all of them there is a plan; that it
needs each single set is not claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from cmxverify.placement.explaining.cores import Explanation, default_oracle, smallest_core
from cmxverify.placement.explaining.cores_hitting import Facts
from cmxverify.placement.explaining.cores_oracle import Impossible
from cmxverify.placement.proof.program import Fact, Program

SETS = "sets"
"""Fact that stands for a group of sets."""

_MOST_SINGLE = 8
"""Sets of a workload that are told singly."""
_COARSE_SHARE, _NARROW_SHARE = 0.5, 0.3
_PATIENCE_SHARE = 0.05
_MOST_QUESTIONS = 24
"""Which sets are left should depend on the time as little as can be."""


@dataclass(frozen=True)
class FoundCore:
    """An explanation, and the lines that it is about.

    Attributes:
        explanation: Its facts may hold ``SETS``, which then stands for ``group``.
        facts: The same with the sets themselves, sorted.
        group: Sets that count as one fact; empty where each set is a fact of its own.
    """

    explanation: Explanation
    facts: tuple[str, ...]
    group: tuple[str, ...] = ()


def find_core(
    program: Program, *, time_limit_s: float, prefer: Callable[[Facts], tuple[int, ...]] | None = None
) -> FoundCore | None:
    """The smallest explanation; of more than eight sets, those that matter count as one line.

    Args:
        prefer: Among the shortest, the explanation with the least value is told.

    Returns:
        None as ``smallest_core`` does.
    """
    sets = _smallest_first(program)
    if len(sets) <= _MOST_SINGLE:
        core = smallest_core(program, time_limit_s=time_limit_s, prefer=prefer)
        return FoundCore(core, core.facts) if core else None
    start = monotonic()
    core = smallest_core(as_one(program, sets), time_limit_s=time_limit_s * _COARSE_SHARE, prefer=prefer)
    if core is None or SETS not in core.facts:
        return FoundCore(_uncounted(core, core), core.facts) if core else None
    others = frozenset(core.facts) - {SETS}
    until = start + time_limit_s * (_COARSE_SHARE + _NARROW_SHARE)
    group = narrowed(program, others, sets, patience_s=time_limit_s * _PATIENCE_SHARE, until=until)
    return _narrow(program, core, group, time_limit_s=max(start + time_limit_s - monotonic(), 0.0))


def as_one(program: Program, sets: Iterable[str]) -> Program:
    """The program in which some facts are one."""
    merged = frozenset(sets)

    def facts(old: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(SETS if fact in merged else fact for fact in old))

    rows = tuple(replace(row, facts=facts(row.facts)) for row in program.rows)
    known = {key: fact for key, fact in program.facts.items() if key not in merged}
    return Program(program.variables, rows, program.objectives, known | {SETS: Fact(SETS, "the working sets", None)})


def narrowed(
    program: Program, others: Facts, sets: Sequence[str], *, patience_s: float, until: float
) -> tuple[str, ...]:
    """Sets that are impossible with the other facts, after what could go in some questions, while time lasts."""
    oracle = default_oracle(program.keeping([*others, *sets]))
    kept, waiting = list(sets), [list(sets)]
    for _ in range(_MOST_QUESTIONS):
        if not waiting or monotonic() >= until:
            break
        batch = waiting.pop()
        rest = [each for each in kept if each not in batch]
        verdict = oracle.judge(others.union(rest), time_limit_s=min(patience_s, max(until - monotonic(), 0.01)))
        if isinstance(verdict, Impossible):
            kept = rest
        elif len(batch) > 1:
            waiting += [batch[len(batch) // 2 :], batch[: len(batch) // 2]]
    return tuple(kept)


def _narrow(program: Program, core: Explanation, group: Collection[str], *, time_limit_s: float) -> FoundCore:
    """The core of fewer sets, proved anew; the coarse one where that takes too long."""
    others = [fact for fact in core.facts if fact != SETS]
    again = smallest_core(as_one(program.keeping([*others, *group]), group), time_limit_s=time_limit_s, count=False)
    if again is None or again.facts != core.facts:
        group, again = [fact for fact in program.facts if fact.startswith("set:")], core
    again = _uncounted(again, core)
    facts = tuple(sorted([*others, *group]))
    if len(group) > 1:
        return FoundCore(again, facts, tuple(sorted(group)))
    (alone,) = group
    necessity = {alone if fact == SETS else fact: point for fact, point in again.necessity.items()}
    proof = replace(again.proof, facts=tuple(sorted(alone if f == SETS else f for f in again.proof.facts or ())))
    return FoundCore(replace(again, facts=facts, necessity=necessity, proof=proof), facts)


def _uncounted(shown: Explanation, core: Explanation) -> Explanation:
    """That nothing is shorter is known of the coarse core; how many others there are over single sets is not."""
    return replace(
        shown,
        smallest_proved=core.smallest_proved,
        corrections=core.corrections,
        others=0,
        others_complete=False,
    )


def _smallest_first(program: Program) -> list[str]:
    """Facts of sets by the chunks that they ask for, so that the largest are kept."""
    chunks: dict[str, int] = {}
    for row in program.rows:
        for fact in row.facts:
            if fact.startswith("set:"):
                chunks[fact] = chunks.get(fact, 0) + row.rhs
    return sorted(chunks, key=lambda fact: (chunks[fact], fact))
