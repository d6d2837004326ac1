"""How a state is packed into 64-bit words: the same for every engine, so that their graph hashes agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cmxverify.modeling.ir.system import Cell

WORD_BITS = 64


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a cell lies: word, shift, width in bits. The stored code is the value minus the cell's ``low``."""

    word: int
    shift: int
    bits: int
    low: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Place of every cell; no cell straddles a word and bit 63 of the first word stays free ("occupied")."""

    slots: tuple[Slot, ...]
    words: int

    def pack(self, state: Sequence[int]) -> tuple[int, ...]:
        """Words of a state."""
        words = [0] * self.words
        for value, slot in zip(state, self.slots, strict=True):
            words[slot.word] |= (value - slot.low) << slot.shift
        return tuple(words)

    def unpack(self, words: Sequence[int]) -> tuple[int, ...]:
        """State of the words."""
        return tuple(
            ((words[slot.word] >> slot.shift) & ((1 << slot.bits) - 1)) + slot.low for slot in self.slots
        )


def layout_of(cells: Sequence[Cell]) -> Layout:
    """Cells in their order, first fit from the first word on: few words, neighbours mostly side by side.

    A cell with a single value takes no bits.
    """
    room = [WORD_BITS - 1]
    slots = []
    for cell in cells:
        bits = (cell.codes - 1).bit_length()
        word = next((each for each, left in enumerate(room) if left >= bits), None)
        if word is None:
            word = len(room)
            room.append(WORD_BITS)
        used = (WORD_BITS - 1 if word == 0 else WORD_BITS) - room[word]
        slots.append(Slot(word, used, bits, cell.low))
        room[word] -= bits
    return Layout(tuple(slots), len(room))
