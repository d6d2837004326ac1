"""What explanations ask of a solver: do these facts leave a placement?

An oracle may be wrong or silent without harm to what is claimed in the end: points are checked exactly where
they arrive, and the explanation that is returned has a certificate of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from cmxverify.placement.certificate import BoundLeaf, EmptyLeaf, Split, Tree
from cmxverify.placement.cores_hitting import Facts
from cmxverify.placement.program import Program

Values = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Possible:
    """A point that satisfies every row of the facts asked for."""

    values: Values


@dataclass(frozen=True, slots=True)
class Impossible:
    """No point does; ``facts``, some of those asked for, are already too many."""

    facts: Facts


Verdict = Possible | Impossible


class Oracle(Protocol):
    """Judges sub-programs of one program, which it may hold in any form of its own."""

    def judge(self, facts: Facts, *, time_limit_s: float) -> Verdict | None:
        """Whether ``program.keeping(facts)`` has a point; None when the time was too short."""
        ...


OracleMaker = Callable[[Program], Oracle]
"""Makes the oracle of one program (one independent part of the caller's)."""

Prover = Callable[[Program, float], Tree | None]
"""Proves within so many seconds that a program has no point: a tree of empty leaves, or None."""

Finder = Callable[[Program, float], Values | None]
"""Looks for a point of a program for so many seconds."""


@dataclass(frozen=True)
class CertifyingOracle:
    """Judges by a point or by a certificate, so that no verdict needs trust: a finder and a prover."""

    program: Program
    find: Finder
    prove: Prover
    find_share: float = 0.3

    def judge(self, facts: Facts, *, time_limit_s: float) -> Verdict | None:
        """Look for a point first; the facts that a proof cites are those whose rows have a multiplier."""
        kept = self.program.keeping(facts)
        values = self.find(kept, time_limit_s * self.find_share)
        if values is not None:
            return Possible(values)
        tree = self.prove(kept, time_limit_s * (1 - self.find_share))
        return None if tree is None else Impossible(cited_facts(kept, tree))


@dataclass(frozen=True)
class FirstAnswer:
    """Asks one oracle after another, each for its share of the time; the first verdict counts."""

    oracles: Sequence[Oracle]
    shares: Sequence[float]

    def judge(self, facts: Facts, *, time_limit_s: float) -> Verdict | None:
        """The first verdict of an oracle that has one."""
        for oracle, share in zip(self.oracles, self.shares, strict=True):
            verdict = oracle.judge(facts, time_limit_s=time_limit_s * share)
            if verdict is not None:
                return verdict
        return None


def cited_facts(program: Program, tree: Tree) -> Facts:
    """Facts of the rows that a tree gives a multiplier to; the other rows play no part in the proof."""
    names = _cited_rows(tree)
    return frozenset(fact for row in program.rows if row.name in names for fact in row.facts)


def _cited_rows(tree: Tree) -> set[str]:
    match tree:
        case Split(low=low, high=high):
            return _cited_rows(low) | _cited_rows(high)
        case BoundLeaf(multipliers=multipliers) | EmptyLeaf(multipliers=multipliers):
            return {name for name, multiplier in multipliers.items() if multiplier}
