"""Is there any point at all? Quick enough to be asked hundreds of times for one explanation."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from time import monotonic

from cmxverify.placement.proof.program import Program
from cmxverify.placement.solving.dive import Diver
from cmxverify.placement.solving.emptiness import farkas
from cmxverify.placement.solving.engines import highs
from cmxverify.placement.solving.engines.proposal import Task
from cmxverify.placement.solving.engines.relaxation import LpKind, Relaxation
from cmxverify.placement.solving.matrix import Matrix, Point, matrix_of
from cmxverify.placement.solving.prove import ProofTree, TreeLimits

Values = Mapping[str, int]

_MIXED_INTEGER_SHARE = 0.25
"""Part of the time that the mixed-integer solver may use before the proof tree takes over."""


class Undecided(Enum):
    """Neither a point nor a proof that there is none within the time limit; never read it as infeasible."""

    TIME_LIMIT = "time limit"


def find_feasible(
    program: Program, *, time_limit_s: float = 10.0, seed: int = 0
) -> Values | Undecided | None:
    """A point that satisfies all rows (checked exactly), None if it is proved that there is none, or undecided.

    Objectives are ignored. Most questions are settled by one linear relaxation.
    """
    until = monotonic() + time_limit_s
    matrix = matrix_of(program)
    relaxation = Relaxation(matrix, [0] * len(matrix.names), seed=seed)
    first = relaxation.solve(matrix.box, time_limit_s=time_limit_s)
    if first.kind is LpKind.EMPTY and farkas(matrix, matrix.box, ray=first.duals, seed=seed) is not None:
        return None
    point = Diver(matrix, relaxation).dive(matrix.box, until=until, start=first)
    if point is None:
        answer = _search(matrix, until, seed)
        if answer is None or isinstance(answer, Undecided):
            return answer
        point = answer
    return matrix.values(point)


def _search(matrix: Matrix, until: float, seed: int) -> Point | Undecided | None:
    cost = [0] * len(matrix.names)
    left = until - monotonic()
    proposal = highs.propose(Task(matrix, cost, None, left * _MIXED_INTEGER_SHARE, seed))
    if proposal.point is not None:
        return proposal.point
    tree = ProofTree(matrix, cost, seed=seed)
    tree.root(time_limit_s=max(until - monotonic(), 0.0))
    tree.grow(TreeLimits(until))
    if tree.incumbent is not None:
        return tree.incumbent
    return None if tree.is_empty else Undecided.TIME_LIMIT
