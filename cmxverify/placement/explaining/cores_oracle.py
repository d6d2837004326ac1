"""What explanations ask of a solver: do these facts leave a placement?

An oracle may be wrong or silent without harm to what is claimed in the end: points are checked exactly where
they arrive, and the explanation that is returned has a certificate of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

from cmxverify.placement.explaining.cores_hitting import Facts
from cmxverify.placement.proof.certificate import Tree
from cmxverify.placement.proof.program import Program

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
        """Whether ``program.keeping(facts)`` has a point; None when it cannot tell within the time."""
        ...


OracleMaker = Callable[[Program], Oracle]
"""Makes the oracle of one program (one independent part of the caller's)."""

Prover = Callable[[Program, float], Tree | None]
"""Proves within so many seconds that a program has no point: a tree of empty leaves, or None."""


@dataclass(frozen=True)
class FirstAnswer:
    """Asks one oracle after another; the first verdict counts. All but the last should give up early."""

    oracles: Sequence[Oracle]

    def judge(self, facts: Facts, *, time_limit_s: float) -> Verdict | None:
        """The first verdict of an oracle that has one, each with the time that is left."""
        until = monotonic() + time_limit_s
        for oracle in self.oracles:
            verdict = oracle.judge(facts, time_limit_s=max(until - monotonic(), 0.001))
            if verdict is not None:
                return verdict
        return None
