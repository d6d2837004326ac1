"""Instances over many states at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from cmxverify.checking.python.vector.program import Program, Results, Vector, Words
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.layout import Layout
from cmxverify.modeling.ir.system import Instance, System


@dataclass(slots=True)
class Steps:
    """Steps of one instance from a batch of states.

    Args:
        number: Of the instance.
        sources: Positions of the states in which it is enabled.
        targets: The successors, in the same order.
        changing: Which of them differ from their sources.
        faulty: In which states of the batch an obligation is breached.
    """

    number: int
    sources: npt.NDArray[np.intp]
    targets: Words
    changing: Vector
    faulty: Vector

    @property
    def makes_progress(self) -> Vector:
        """In which states of the batch it changes the state, or its fault must be mended first."""
        progress = self.faulty.copy()
        progress[self.sources[self.changing]] = True
        return progress


@dataclass(slots=True)
class _Move:
    """An instance made ready: constants of its updates are merged into one mask and one value a word."""

    instance: Instance
    kept: list[int]
    fixed: list[int]
    moving: list[tuple[int, int, int, Expr]] = field(default_factory=list)

    @classmethod
    def of(cls, instance: Instance, layout: Layout) -> _Move:
        """Sort the updates."""
        made = cls(instance, [(1 << 64) - 1] * layout.words, [0] * layout.words)
        for index, expr in instance.updates:
            slot = layout.slots[index]
            field_ = (1 << slot.bits) - 1
            made.kept[slot.word] &= ~(field_ << slot.shift)
            if expr.constant is not None:
                # Cut, for a constant out of range stands only where its obligation keeps the step from being taken.
                made.fixed[slot.word] |= (expr.constant - slot.low & field_) << slot.shift
            elif slot.bits:
                made.moving.append((slot.word, slot.shift, slot.low, expr))
        return made

    def targets(self, words: Words, sources: npt.NDArray[np.intp], results: Results) -> Words:
        """Successors of the states at some positions."""
        made = words[:, sources]
        for row, kept, fixed in zip(made, self.kept, self.fixed, strict=True):
            row &= np.uint64(kept)
            row |= np.uint64(fixed)
        for word, shift, low, expr in self.moving:
            codes = results.vector(expr)[sources].astype(np.int64) - low
            made[word] |= codes.view(np.uint64) << np.uint64(shift)
        return made


class Moves:
    """All instances of a system."""

    def __init__(self, system: System, layout: Layout) -> None:
        self.moves = [_Move.of(instance, layout) for instance in system.instances]
        self.program = Program(_roots(system.instances), layout)

    def steps(self, words: Words) -> Iterator[Steps]:
        """What each instance does in some states."""
        results = self.program.run(words)
        for number, move in enumerate(self.moves):
            faulty = np.zeros(words.shape[1], np.bool_)
            for each in move.instance.obligations:
                faulty |= results.vector(each.breach)
            sources = np.flatnonzero(results.vector(move.instance.guard) & ~faulty)
            targets = move.targets(words, sources, results)
            changing = (targets != words[:, sources]).any(axis=0)
            yield Steps(number, sources, targets, changing, faulty)


def _roots(instances: Sequence[Instance]) -> list[Expr]:
    roots = []
    for each in instances:
        roots += [
            each.guard,
            *(expr for _, expr in each.updates),
            *(duty.breach for duty in each.obligations),
        ]
    return roots
