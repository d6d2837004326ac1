"""Permutations on packed states: the image of a state is put together from the images of its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import or_

from cmxverify.checking.python.packed.places import Places
from cmxverify.checking.symmetry import Action, Symmetry

_REMEMBERED = 1 << 19
"""Images of one part that are kept at most; a state is cut so that even all values of a part stay below."""


class _Part(dict[int, tuple[int, ...]]):
    """From the value of some bits to what they contribute to each image, worked out when first needed."""

    def __init__(self, moves: list[list[Callable[[int], int]]]) -> None:
        super().__init__()
        self.moves = moves

    def __missing__(self, bits: int) -> tuple[int, ...]:
        found = self[bits] = tuple(sum(move(bits) for move in moves) for moves in self.moves)
        return found


class PackedSymmetry:
    """All images of a packed state, and the least of them."""

    def __init__(self, symmetry: Symmetry, places: Places) -> None:
        self.trivial = len(symmetry.actions) == 1
        moves = [_moves(action, places) for action in symmetry.actions]
        self.parts = []
        for cells in _portions(places, (_REMEMBERED // len(moves)).bit_length() - 1):
            mask = places.mask_of(cells)
            self.parts.append((mask, _Part([[each[cell] for cell in cells] for each in moves])))

    def images(self, state: int) -> Sequence[int]:
        """Its image under each permutation, itself first."""
        mask, part = self.parts[0]
        made: Iterable[int] = part[state & mask]
        for mask, part in self.parts[1:]:
            made = map(or_, made, part[state & mask])
        return tuple(made)

    def canonical(self, state: int) -> int:
        """Least integer of the orbit."""
        return state if self.trivial else min(self.images(state))


def _portions(places: Places, bits: int) -> list[list[int]]:
    """Cells in turn, cut so that a portion has no more than some bits, or is a single cell."""
    portions: list[list[int]] = [[]]
    for cell in range(len(places.each)):
        if portions[-1] and places.mask_of([*portions[-1], cell]).bit_count() > bits:
            portions.append([])
        portions[-1].append(cell)
    return portions


def _moves(action: Action, places: Places) -> dict[int, Callable[[int], int]]:
    """For each cell the function that takes its bits to where the permutation puts them."""
    return {
        source: _move(places, source, target, renamed)
        for target, (source, renamed) in enumerate(zip(action.sources, action.renamed, strict=True))
    }


def _move(places: Places, source: int, target: int, renamed: tuple[int, ...]) -> Callable[[int], int]:
    origin, goal = places.each[source], places.each[target]

    def move(state: int) -> int:
        value = (state >> origin.shift & origin.field) + origin.low
        return goal.coded(renamed[value] if renamed and value >= 0 else value)

    return move
