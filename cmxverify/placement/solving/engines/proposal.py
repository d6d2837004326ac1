"""What every proposer is asked and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from cmxverify.placement.solving.matrix import Matrix, Point


class Claim(Enum):
    """What an engine says beside its point; a hint for the search order, never a proof."""

    OPTIMAL = "optimal"
    EMPTY = "empty"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Task:
    """Minimise ``cost @ x`` over a matrix, from a feasible ``hint`` if there is one.

    ``settled`` columns were minimised by earlier levels; keeping them at the hint is a good first guess.
    """

    matrix: Matrix
    cost: Sequence[int]
    hint: Point | None
    time_limit_s: float
    seed: int = 0
    settled: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """The best point found, already checked exactly against the task's matrix; None if there is none.

    ``hit_wall_clock`` says that a wall-clock limit ended the search, so another run may answer differently.
    """

    point: Point | None
    claim: Claim = Claim.NOTHING
    hit_wall_clock: bool = False


class Proposer(Protocol):
    """An engine that proposes points."""

    def __call__(self, task: Task) -> Proposal:
        """Best point within the task's limits."""
