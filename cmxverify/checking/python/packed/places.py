"""A state as one integer: the words of ``Layout`` one above the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cmxverify.modeling.ir.evaluate import State
from cmxverify.modeling.ir.expression import Expr, Op, walk
from cmxverify.modeling.ir.layout import WORD_BITS, layout_of
from cmxverify.modeling.ir.system import Cell, Instance

WORD_MASK = (1 << WORD_BITS) - 1


@dataclass(frozen=True, slots=True)
class Place:
    """Where a cell lies in the integer: its value is ``(state >> shift & field) + low``."""

    shift: int
    field: int
    low: int

    @property
    def mask(self) -> int:
        """The cell's bits, set."""
        return self.field << self.shift

    def coded(self, value: int) -> int:
        """A value at its place, all else zero."""
        return (value - self.low) << self.shift


@dataclass(frozen=True, slots=True)
class Places:
    """Place of every cell, and how many words they fill."""

    each: tuple[Place, ...]
    words: int

    def pack(self, state: Sequence[int]) -> int:
        """The integer of a state."""
        return sum(place.coded(value) for place, value in zip(self.each, state, strict=True))

    def unpack(self, packed: int) -> State:
        """The state of an integer."""
        return tuple((packed >> place.shift & place.field) + place.low for place in self.each)

    def split(self, packed: int) -> list[int]:
        """Words as ``Layout.pack`` gives them."""
        return [packed >> WORD_BITS * word & WORD_MASK for word in range(self.words)]

    def read_by(self, roots: Iterable[Expr], op: Op = Op.CELL) -> int:
        """Bits of the cells that some expressions read in the present state (or with ``Op.NEXT`` in the next)."""
        return self.mask_of({node.value for node in walk(roots) if node.op is op})

    def mask_of(self, cells: Iterable[int]) -> int:
        """Bits of some cells."""
        mask = 0
        for cell in cells:
            mask |= self.each[cell].mask
        return mask

    def touched_by(self, instance: Instance) -> int:
        """Bits that decide what an instance does, and how its step changes the integer."""
        roots = [instance.guard, *(expr for _, expr in instance.updates)]
        roots += [each.breach for each in instance.obligations]
        return self.read_by(roots) | self.mask_of(index for index, _ in instance.updates)


def places_of(cells: Sequence[Cell]) -> Places:
    """Places in the layout that all engines share."""
    layout = layout_of(cells)
    each = [
        Place(WORD_BITS * slot.word + slot.shift, (1 << slot.bits) - 1, slot.low) for slot in layout.slots
    ]
    return Places(tuple(each), layout.words)
