"""One node of the proof tree: what a linear relaxation says of a box, made exact before it is believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from cmxverify.placement.solving.bounds import (
    NOTHING,
    Multipliers,
    from_floats,
    from_fractions,
    proved_bound,
    violated_row,
)
from cmxverify.placement.solving.emptiness import Elastic, farkas_from_ray
from cmxverify.placement.solving.engines.relaxation import LpKind, LpResult, Relaxation
from cmxverify.placement.solving.exact_duals import basis_duals
from cmxverify.placement.solving.matrix import Box, Matrix

_CLOSE = 1e-6
"""Floats this near to a whole number, relative to their size, count as that number when guessing a bound."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What is proved of a box: ``cost @ x >= bound`` by ``multipliers``, or that it is empty.

    ``point`` is the relaxation's float optimum; it guides the search and proves nothing.
    """

    bound: int
    multipliers: Multipliers
    empty: bool = False
    point: Sequence[float] = ()


class Evaluator:
    """Evaluates boxes of one matrix under one cost; keeps the solver's basis between calls."""

    def __init__(self, matrix: Matrix, cost: Sequence[int], *, seed: int = 0) -> None:
        self.matrix, self.cost = matrix, cost
        self.relaxation = Relaxation(matrix, cost, seed=seed)
        self._seed = seed
        self._elastic: Elastic | None = None

    def evaluate(
        self,
        box: Box,
        *,
        inherited: Evaluation | None = None,
        cutoff: int | None = None,
        time_limit_s: float = 60.0,
        compact: bool = False,
    ) -> Evaluation:
        """Solve the relaxation over a box and prove what it says.

        What is ``inherited`` (of a larger box) is kept where the relaxation gives nothing better. Exact duals
        are computed where floats stay below what the relaxation promises, up to ``cutoff``, and always if
        ``compact`` (their figures are shorter).
        """
        if box.is_point():
            return self._point_evaluation(box)
        result = self.relaxation.solve(box, time_limit_s=time_limit_s)
        if result.kind is LpKind.EMPTY:
            proof = self._farkas(box, result, time_limit_s)
            if proof is not None:
                return Evaluation(0, proof, empty=True)
        if result.kind is not LpKind.OPTIMAL:
            return self._inherited(box, inherited, result)
        found = self._by(box, from_floats(self.matrix, result.duals), result.point)
        promised = ceil(result.value - _CLOSE * max(1.0, abs(result.value) * _CLOSE))
        if compact or found.bound < (promised if cutoff is None else min(promised, cutoff)):
            exact = basis_duals(self.matrix, self.cost, *self.relaxation.basis())
            sharper = self._by(box, from_fractions(self.matrix, exact or {}), result.point)
            found = sharper if sharper.bound >= found.bound else found
        if inherited is None or found.bound >= inherited.bound:
            return found
        return self._inherited(box, inherited, result)

    def _inherited(self, box: Box, inherited: Evaluation | None, result: LpResult) -> Evaluation:
        return self._by(box, inherited.multipliers if inherited else NOTHING, result.point)

    def _by(self, box: Box, multipliers: Multipliers, point: Sequence[float]) -> Evaluation:
        return Evaluation(proved_bound(self.matrix, self.cost, box, multipliers), multipliers, point=point)

    def _point_evaluation(self, box: Box) -> Evaluation:
        """A box of one point, decided without the solver."""
        broken = violated_row(self.matrix, box)
        if broken is not None:
            return Evaluation(0, broken, empty=True)
        return self._by(box, NOTHING, [float(x) for x in box.lower])

    def _farkas(self, box: Box, result: LpResult, time_limit_s: float) -> Multipliers | None:
        proof = farkas_from_ray(self.matrix, box, result.duals) or violated_row(self.matrix, box)
        if proof is not None:
            return proof
        if self._elastic is None:
            self._elastic = Elastic(self.matrix, seed=self._seed)
        return self._elastic.farkas(box, time_limit_s=time_limit_s)
