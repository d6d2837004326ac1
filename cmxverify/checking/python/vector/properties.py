"""Properties over many states, or many transitions, at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat

import numpy as np
import numpy.typing as npt

from cmxverify.checking.exploration import Breach, BreachKind
from cmxverify.checking.python.vector.images import VectorSymmetry
from cmxverify.checking.python.vector.program import Program, Results, Words
from cmxverify.modeling.ir.expression import Expr, and_
from cmxverify.modeling.ir.layout import Layout
from cmxverify.modeling.ir.system import Property, PropertyKind

Part = tuple[int, int]
"""Property and part, or property and obligation."""
Positions = npt.NDArray[np.intp]


class Properties:
    """Some properties of one kind of place: states (invariants, reachables), or transitions (step properties)."""

    def __init__(
        self, chosen: Sequence[tuple[int, Property]], layout: Layout, symmetry: VectorSymmetry
    ) -> None:
        self.symmetry = symmetry
        self.kinds = {index: each.kind for index, each in chosen}
        self.formulas = {index: and_(*(part.holds for part in each.parts)) for index, each in chosen}
        self.duties: dict[Part, Expr] = {}
        self.premises: dict[Part, Expr] = {}
        for index, each in chosen:
            self.duties |= {(index, place): duty.breach for place, duty in enumerate(each.obligations)}
            parts = [(place, part.premise) for place, part in enumerate(each.parts)]
            self.premises |= {(index, place): premise for place, premise in parts if premise is not None}
        self.program = Program(self.formulas.values(), layout)
        self.on_duties = Program(self.duties.values(), layout)
        self.on_premises = Program(self.premises.values(), layout)

    def failing(
        self, words: Words, following: Words | None, steps: int
    ) -> Iterator[tuple[Breach, Positions]]:
        """Invariants or step properties that fail, and where."""
        kind = BreachKind.INVARIANT if following is None else BreachKind.STEP
        results = self.program.run(words, following)
        for index, formula in self.formulas.items():
            if self.kinds[index] is not PropertyKind.REACHABLE:
                yield Breach(kind, steps, property=index), np.flatnonzero(~results.vector(formula))

    def witnessed(self, words: Words) -> Iterator[int]:
        """Reachable properties that hold in some of the states."""
        results = self.program.run(words)
        for index, formula in self.formulas.items():
            if self.kinds[index] is PropertyKind.REACHABLE and results.vector(formula).any():
                yield index

    def breached(
        self, words: Words, following: Words | None, steps: int
    ) -> Iterator[tuple[Breach, Positions]]:
        """Obligations breached in these states or transitions, or in some that are alike, and where."""
        for results in self._on_images(self.on_duties, words, following):
            for (index, place), breach in self.duties.items():
                found = Breach(BreachKind.PROPERTY_OBLIGATION, steps, property=index, obligation=place)
                yield found, results.where(breach)

    def new_premises(self, words: Words, following: Words | None) -> set[Part]:
        """Premises that hold here, or somewhere alike, for the first time."""
        met: set[Part] = set()
        for results in self._on_images(self.on_premises, words, following):
            met |= {part for part, premise in self.premises.items() if results.vector(premise).any()}
        if met:
            self.premises = {part: premise for part, premise in self.premises.items() if part not in met}
            self.on_premises = Program(self.premises.values(), self.on_premises.layout)
        return met

    def _on_images(self, program: Program, words: Words, following: Words | None) -> Iterator[Results]:
        if program.order:
            nexts = repeat(None) if following is None else self.symmetry.images(following)
            for image, next_ in zip(self.symmetry.images(words), nexts, strict=False):
                yield program.run(image, next_)
