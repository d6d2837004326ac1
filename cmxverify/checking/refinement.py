"""Canonical states of large symmetric types: elements are told apart by what they are in, and only ties are tried.

Each value of a symmetric type gets a colour, refined by the cells that mention it until nothing changes. Colours do
not depend on names, so only permutations that order the elements by colour are candidates; within a colour elements
that may be exchanged without any effect (*twins*) count once. The least image over the candidates is canonical: equal
for two states if and only if some permutation takes one to the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from cmxverify.modeling.ir.evaluate import State
from cmxverify.modeling.ir.system import Cell, System

Element = tuple[str, int]
"""Sort and ordinal."""
Colours = dict[Element, int]


@dataclass(frozen=True, slots=True)
class _Mention:
    """A cell whose place or value is about elements: field and fixed names of the place, and its elements in order."""

    index: int
    pattern: tuple[object, ...]
    elements: tuple[Element, ...]
    sort: str


class Canonizer:
    """Canonical states of a system under some of its sorts."""

    def __init__(self, system: System, sorts: Sequence[str]) -> None:
        self.sizes = {sort: system.sorts[sort] for sort in sorts}
        self.mentions = [each for cell in system.cells if (each := _mention(cell, self.sizes)) is not None]
        self.places = {(each.pattern, each.elements): each.index for each in self.mentions}

    def key(self, state: State) -> State:
        """The state that stands for the orbit."""
        return min(self._image(state, order) for order in self._orders(state)) if self.sizes else state

    def _orders(self, state: State) -> Iterator[dict[Element, int]]:
        """New ordinal of every element, for each candidate."""
        colours = self._colours(state)
        per_sort = []
        for sort, size in self.sizes.items():
            groups: dict[int, list[Element]] = {}
            for ordinal in range(size):
                groups.setdefault(colours[sort, ordinal], []).append((sort, ordinal))
            per_sort += [list(_arrangements(self._twins(state, groups[each]))) for each in sorted(groups)]
        for chosen in product(*per_sort):
            order: dict[Element, int] = {}
            used = dict.fromkeys(self.sizes, 0)
            for element in (each for group in chosen for each in group):
                order[element] = used[element[0]]
                used[element[0]] += 1
            yield order

    def _colours(self, state: State) -> Colours:
        colours: Colours = {(sort, ordinal): 0 for sort, size in self.sizes.items() for ordinal in range(size)}
        classes = 0
        while True:
            signatures = self._signatures(state, colours)
            ranks = {found: rank for rank, found in enumerate(sorted(set(signatures.values()), key=repr))}
            colours = {element: ranks[found] for element, found in signatures.items()}
            if len(ranks) == classes:
                return colours
            classes = len(ranks)

    def _signatures(self, state: State, colours: Colours) -> dict[Element, tuple[object, ...]]:
        """Of each element its colour and, sorted, the cells that mention it, as it sees them."""
        seen: dict[Element, list[object]] = {element: [] for element in colours}
        for each in self.mentions:
            value = state[each.index]
            target = (each.sort, value) if each.sort and value >= 0 else None
            for element in {*each.elements, *([target] if target else [])}:
                place = tuple(-1 if other == element else colours[other] for other in each.elements)
                held = value if target is None else (-2 if target == element else -3 - colours[target])
                seen[element].append((each.pattern, place, held, target is None))
        return {element: (element[0], colours[element], *sorted(map(repr, seen[element]))) for element in colours}

    def _twins(self, state: State, group: list[Element]) -> list[list[Element]]:
        """A group cut into sets of elements that may be exchanged without any effect."""
        twins: list[list[Element]] = []
        for element in group:
            home = next((each for each in twins if self._exchange(state, each[0], element) == state), None)
            if home is None:
                twins.append([element])
            else:
                home.append(element)
        return twins

    def _exchange(self, state: State, one: Element, other: Element) -> State:
        order = {(sort, at): at for sort, size in self.sizes.items() for at in range(size)}
        order[one], order[other] = other[1], one[1]
        return self._image(state, order)

    def _image(self, state: State, order: dict[Element, int]) -> State:
        after = list(state)
        for each in self.mentions:
            value = state[each.index]
            if each.sort and value >= 0:
                value = order[each.sort, value]
            moved = tuple((sort, order[sort, ordinal]) for sort, ordinal in each.elements)
            after[self.places[each.pattern, moved]] = value
        return tuple(after)


def _mention(cell: Cell, sizes: dict[str, int]) -> _Mention | None:
    elements = tuple((atom.sort, atom.ordinal) for atom in cell.place if atom.sort in sizes)
    sort = cell.sort if cell.sort in sizes else ""
    if not elements and not sort:
        return None
    fixed = tuple(atom.sort if atom.sort in sizes else ("", atom.name) for atom in cell.place)
    return _Mention(cell.index, (cell.field, *fixed), elements, sort)


def _arrangements(twins: list[list[Element]]) -> Iterator[list[Element]]:
    """Orders of the elements that differ by more than an exchange of twins."""
    if not twins:
        yield []
    for at, (first, *rest) in enumerate(twins):
        left = [*twins[:at], *([rest] if rest else []), *twins[at + 1 :]]
        for tail in _arrangements(left):
            yield [first, *tail]
