"""The exact solver as oracle, prover and guide of explanations."""

from __future__ import annotations

from cmxverify.placement.explaining.cores_hitting import Facts
from cmxverify.placement.explaining.cores_oracle import Impossible, Possible, Verdict
from cmxverify.placement.proof.certificate import Tree
from cmxverify.placement.proof.program import Program
from cmxverify.placement.solving.emptiness import farkas
from cmxverify.placement.solving.feasible import Undecided, find_feasible
from cmxverify.placement.solving.matrix import matrix_of
from cmxverify.placement.solving.prove import prove_infeasible


class SolverOracle:
    """Judges by a point checked exactly or by an exact proof, so that no verdict needs trust."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def judge(self, facts: Facts, *, time_limit_s: float) -> Verdict | None:
        """Whether ``program.keeping(facts)`` has a point; "impossible" comes back with all facts asked for."""
        found = find_feasible(self._program.keeping(facts), time_limit_s=time_limit_s)
        if isinstance(found, Undecided):
            return None
        return Impossible(facts) if found is None else Possible(found)


def prove_empty(program: Program, time_limit_s: float) -> Tree | None:
    """``prove_infeasible`` as a ``Prover``."""
    return prove_infeasible(program, time_limit_s=time_limit_s)


def contributions(program: Program, *, time_limit_s: float) -> dict[str, int]:
    """How much each fact adds to one linear proof that nothing is possible; empty if there is no such proof.

    A fact adds the multiplier times the right-hand side of each of its rows. Explanations from the facts that
    add most are short; this is a hint for the order of questions and proves nothing.
    """
    matrix = matrix_of(program)
    multipliers = farkas(matrix, matrix.box, time_limit_s=time_limit_s)
    shares: dict[str, int] = {}
    for index, multiplier in multipliers.by_row.items() if multipliers else ():
        for fact in program.rows[index].facts:
            shares[fact] = shares.get(fact, 0) + abs(multiplier * program.rows[index].rhs)
    return shares
