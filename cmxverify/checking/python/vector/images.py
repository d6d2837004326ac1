"""Permutations on columns of words; cells that move together are moved together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from cmxverify.checking.python.vector.program import Words
from cmxverify.checking.symmetry import Action, Symmetry
from cmxverify.modeling.ir.layout import Layout


class VectorSymmetry:
    """Images of many states at once, and the least of each orbit."""

    def __init__(self, symmetry: Symmetry, layout: Layout) -> None:
        self.trivial = len(symmetry.actions) == 1
        self.moves = [_Moves(action, layout) for action in symmetry.actions]

    def images(self, states: Words) -> Iterator[Words]:
        """The image of all states under each permutation, themselves first."""
        return (each.image(states) for each in self.moves)

    def canonical(self, states: Words) -> Words:
        """For each state the least of its orbit, first words first."""
        if self.trivial:
            return states
        least = states.copy()
        for image in self.images(states):
            less, same = np.zeros(states.shape[1], np.bool_), np.ones(states.shape[1], np.bool_)
            for mine, other in zip(image, least, strict=True):
                less |= same & (mine < other)
                same &= mine == other
            least[:, less] = image[:, less]
        return least


class _Moves:
    """One permutation: which bits go where unchanged, and which cells are renamed on the way."""

    def __init__(self, action: Action, layout: Layout) -> None:
        masks: dict[tuple[int, int, int], int] = defaultdict(int)
        self.renamed = []
        for target, (source, image) in enumerate(zip(action.sources, action.renamed, strict=True)):
            origin, goal = layout.slots[source], layout.slots[target]
            if image:
                codes = [value if value < 0 else image[value] for value in range(goal.low, len(image))]
                self.renamed.append((origin, goal, np.array(codes, np.int64) - goal.low))
            else:
                masks[origin.word, goal.word, goal.shift - origin.shift] |= (
                    (1 << origin.bits) - 1
                ) << origin.shift
        self.together = [(*ends, mask) for ends, mask in masks.items()]

    def image(self, states: Words) -> Words:
        """The images of all states."""
        made = np.zeros_like(states)
        for source, target, distance, mask in self.together:
            bits = states[source] & np.uint64(mask)
            made[target] |= bits << np.uint64(distance) if distance >= 0 else bits >> np.uint64(-distance)
        for origin, goal, codes in self.renamed:
            old = (states[origin.word] >> np.uint64(origin.shift)) & np.uint64((1 << origin.bits) - 1)
            made[goal.word] |= codes[old.view(np.int64)].view(np.uint64) << np.uint64(goal.shift)
        return made
