"""What solving a program returns: a status that never says more than was proved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from cmxverify.placement.proof.certificate import ComponentProof, InfeasibleProof


class Status(Enum):
    """``optimal`` and ``infeasible`` are proved with a certificate; ``feasible`` has a certified gap."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class LevelResult:
    """One level of the whole program: value of the plan and certified lower bound, in whole units."""

    key: str
    value: int
    bound: int
    unit: Fraction
    also_proved_by: tuple[str, ...] = ()

    @property
    def gap(self) -> Fraction:
        """(value - bound) / |value|, 0 when they meet."""
        if self.value <= self.bound:
            return Fraction(0)
        return Fraction(self.value - self.bound, abs(self.value)) if self.value else Fraction(1)


@dataclass(frozen=True)
class Outcome:
    """Result of ``solve_program``: values of all variables where a plan is known, and the proofs."""

    status: Status
    values: Mapping[str, int] | None = None
    levels: tuple[LevelResult, ...] = ()
    proofs: tuple[ComponentProof, ...] = ()
    infeasible: InfeasibleProof | None = None
    notes: tuple[str, ...] = field(default=())
    """Plain sentences: which engine proposed, what ran out of time."""
    interrupted: bool = False
    """Whether Ctrl-C cut it short; what it says is proved all the same."""
