"""How symmetric searches pack states: what belongs to one value of a symmetric type lies side by side, as a block.

A canonical form moves blocks as a whole. The packing of ir/layout.py, on which graph hashes rest, need not do so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cmxverify.modeling.ir.layout import WORD_BITS, Layout, Slot
from cmxverify.modeling.ir.system import Cell, System

Element = tuple[str, int]
"""A value of a symmetric type: name of the type and ordinal."""

_MOST_BITS = WORD_BITS - 1


@dataclass(frozen=True, slots=True)
class Mention:
    """The values of symmetric types that a cell speaks of.

    Args:
        cell: Which.
        keys: Those in its place, in order.
        sort: Symmetric type of its value, or empty.
        row: What is left of its place without them: cells of one row are permuted among each other.
    """

    cell: Cell
    keys: tuple[Element, ...]
    sort: str
    row: tuple[object, ...]

    @property
    def sorts(self) -> tuple[str, ...]:
        """Types it mentions, each as often as it does."""
        return (*(sort for sort, _ in self.keys), *((self.sort,) if self.sort else ()))

    @property
    def in_block(self) -> bool:
        """Whether it belongs to one value and says nothing about another."""
        return len(self.keys) == 1 and not self.sort


@dataclass(frozen=True, slots=True)
class Block:
    """Bits that belong to one value of a type, or as many of them as one word can hold.

    Args:
        element: The value.
        part: Number of the part, where they need more than a word.
        slot: Where the bits lie.
    """

    element: Element
    part: int
    slot: Slot


@dataclass(slots=True)
class Packing:
    """Places of cells and blocks, for some symmetric types of a system."""

    layout: Layout
    mentions: tuple[Mention, ...]
    blocks: tuple[Block, ...]

    def blocks_of(self, element: Element) -> list[Block]:
        """Parts of one value's block, in order."""
        return [block for block in self.blocks if block.element == element]

    def pointers_of(self, sort: str) -> list[Mention]:
        """Cells outside all blocks whose value is of a type and whose place mentions none."""
        return [each for each in self.mentions if each.sort == sort and not each.keys]


def mention_of(cell: Cell, sorts: Sequence[str]) -> Mention:
    """What a cell mentions of some symmetric types."""
    keys = tuple((atom.sort, atom.ordinal) for atom in cell.place if atom.sort in sorts)
    rest = tuple(
        atom.sort if atom.sort in sorts else (atom.sort, atom.ordinal, atom.name) for atom in cell.place
    )
    return Mention(cell, keys, cell.sort if cell.sort in sorts else "", (cell.field, *rest))


@dataclass(slots=True)
class _Words:
    """Bits handed out first fit; bit 63 of the first word stays free."""

    room: list[int] = field(default_factory=lambda: [_MOST_BITS])

    def take(self, bits: int) -> tuple[int, int]:
        """Word and shift of so many adjacent bits."""
        word = next((each for each, left in enumerate(self.room) if left >= bits), len(self.room))
        if word == len(self.room):
            self.room.append(WORD_BITS)
        used = (WORD_BITS if word else _MOST_BITS) - self.room[word]
        self.room[word] -= bits
        return word, used


def packing_of(system: System, sorts: Sequence[str]) -> Packing:
    """Blocks first, then every other cell."""
    mentions = tuple(mention_of(cell, sorts) for cell in system.cells)
    words, slots, blocks = _Words(), dict[int, Slot](), []
    for sort in sorts:
        for part, rows in enumerate(_parts(mentions, sort)):
            for ordinal in range(system.sorts[sort]):
                members = [row[ordinal] for row in rows]
                word, shift = words.take(sum(map(_bits, members)))
                blocks.append(Block((sort, ordinal), part, Slot(word, shift, sum(map(_bits, members)), 0)))
                for cell in members:
                    slots[cell.index] = Slot(word, shift, _bits(cell), cell.low)
                    shift += _bits(cell)
    for cell in system.cells:
        if cell.index not in slots:
            slots[cell.index] = Slot(*words.take(_bits(cell)), _bits(cell), cell.low)
    layout = Layout(tuple(slots[cell.index] for cell in system.cells), len(words.room))
    return Packing(layout, mentions, tuple(blocks))


def _bits(cell: Cell) -> int:
    return (cell.codes - 1).bit_length()


def _parts(mentions: Sequence[Mention], sort: str) -> Iterator[list[dict[int, Cell]]]:
    """Rows of a type's blocks, as many together as a word can hold; of each row its cells by ordinal."""
    rows: dict[tuple[object, ...], dict[int, Cell]] = {}
    for each in mentions:
        if each.in_block and each.keys[0][0] == sort:
            rows.setdefault(each.row, {})[each.keys[0][1]] = each.cell
    part: list[dict[int, Cell]] = []
    for row in rows.values():
        if part and sum(_bits(each[0]) for each in (*part, row)) > _MOST_BITS:
            yield part
            part = []
        part.append(row)
    if part:
        yield part
