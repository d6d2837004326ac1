"""Symmetric types at work: permutations of their values act on states; the slow, exact reference.

A permutation of the sort ``node`` moves every cell whose place names a node to the place that names its image, and
replaces every value of that sort by its image; "none" (-1) stays. Two states are alike if some permutation of all the
sorts takes one to the other. Everything here goes through every permutation: plain, and right for any system.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import factorial, prod

from cmxverify.checking.exploration import Request
from cmxverify.modeling.ir.evaluate import State
from cmxverify.modeling.ir.system import Cell, System

MOST_PERMUTATIONS = 5_040
"""So many a state are tried by engines that know no better; beyond, they search unreduced."""
PlaceKey = tuple[str, tuple[tuple[str, int | str], ...]]
Permutation = dict[str, tuple[int, ...]]
"""Of each sort the images of its ordinals."""


@dataclass(frozen=True, slots=True)
class Action:
    """A permutation as it acts on states: where each cell's new value comes from, and how that value changes.

    Args:
        permutation: Of the sorts.
        sources: For each cell the index of the cell that is moved onto it.
        renamed: For each cell the image of each ordinal, or empty if its values are of no sort.
    """

    permutation: Permutation
    sources: tuple[int, ...]
    renamed: tuple[tuple[int, ...], ...]

    def image(self, state: Sequence[int]) -> State:
        """The state that the permutation makes of a state."""
        return tuple(
            image[value] if image and (value := state[source]) >= 0 else state[source]
            for source, image in zip(self.sources, self.renamed, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Symmetry:
    """All permutations of some sorts of a system; the first action is the identity."""

    sorts: tuple[str, ...]
    actions: tuple[Action, ...]

    def images(self, state: State) -> Iterator[State]:
        """Its image under each permutation, itself first; images may repeat."""
        return (action.image(state) for action in self.actions)

    def canonical(self, state: State) -> State:
        """Least state of the orbit."""
        return min(self.images(state))

    def orbit(self, state: State) -> frozenset[State]:
        """Every state that is alike; their number is the size of the orbit."""
        return frozenset(self.images(state))


def symmetry_of(system: System, sorts: Iterable[str] | None = None) -> Symmetry:
    """Permutations of the given sorts of a system; by default of all that have two values or more."""
    chosen = tuple(name for name, size in system.sorts.items() if size > 1) if sorts is None else tuple(sorts)
    places = {_key(cell, {}): cell.index for cell in system.cells}
    groups = [list(permutations(range(system.sorts[name]))) for name in chosen]
    actions = [
        _action(system.cells, places, dict(zip(chosen, combination, strict=True)))
        for combination in product(*groups)
    ]
    return Symmetry(chosen, tuple(actions))


def canonical(system: System, state: State) -> State:
    """Least state of an orbit, by brute force; keep a ``Symmetry`` where many are asked for."""
    return symmetry_of(system).canonical(state)


def sorts_used(system: System, request: Request) -> tuple[str, ...]:
    """Sorts by which a search may be reduced: none if it is not asked, or if a property tells their values apart."""
    asked = range(len(system.properties)) if request.properties is None else request.properties
    if not request.symmetry or not all(system.properties[index].symmetric for index in asked):
        return ()
    return tuple(name for name, size in system.sorts.items() if size > 1)


def sorts_by_brute_force(system: System, request: Request) -> tuple[str, ...]:
    """The sorts used, or none where going through all permutations would cost more than the reduction saves."""
    sorts = sorts_used(system, request)
    return sorts if prod(factorial(system.sorts[name]) for name in sorts) <= MOST_PERMUTATIONS else ()


def _key(cell: Cell, permutation: Permutation) -> PlaceKey:
    """Place of a cell after a permutation; symmetric atoms are known by their ordinal, others by their name."""
    return cell.field, tuple(
        (atom.sort, permutation[atom.sort][atom.ordinal] if atom.sort in permutation else atom.ordinal)
        if atom.sort
        else ("", atom.name)
        for atom in cell.place
    )


def _action(cells: Sequence[Cell], places: dict[PlaceKey, int], permutation: Permutation) -> Action:
    sources = [0] * len(cells)
    for cell in cells:
        sources[places[_key(cell, permutation)]] = cell.index
    return Action(permutation, tuple(sources), tuple(permutation.get(cell.sort, ()) for cell in cells))
