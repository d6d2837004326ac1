"""Canonical form by sorting: exact for symmetric types whose values are never related to one another.

Such a type has blocks, and cells that hold one of its values ("pointers"). A pointer becomes one more bit of each
block: whether it points there. Two values with equal blocks are then interchangeable, so the sorted blocks are the same
for all states of an orbit. Sorting is a network of compare-exchange steps without jumps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cmxverify.checking.native.emitter import ALL_ONES, Emitter, constant
from cmxverify.checking.native.packing import Mention, Packing
from cmxverify.modeling.ir.layout import WORD_BITS, Slot

Key = list[str]
"""Operands of the words by which one value's block is compared, most significant first."""


def network(size: int) -> Iterator[tuple[int, int]]:
    """Pairs to compare and exchange, in order, that sort so many values (Batcher's odd-even merge exchange).

    Source: D. E. Knuth, The Art of Computer Programming 3, algorithm 5.2.2M.
    """
    top = 1 << max(size - 1, 0).bit_length() >> 1
    stride = top
    while stride:
        other, residue, distance = top, 0, stride
        while True:
            yield from ((i, i + distance) for i in range(size - distance) if i & stride == residue)
            if other == stride:
                break
            distance, other, residue = other - stride, other >> 1, stride
        stride >>= 1


class BlockSorter:
    """Writes the instructions that sort the blocks of one type.

    Args:
        packing: Where everything lies.
        sort: The type.
        size: How many values it has.
    """

    def __init__(self, packing: Packing, sort: str, size: int) -> None:
        self.packing, self.sort, self.size = packing, sort, size
        self.pointers = packing.pointers_of(sort)
        self.blocks = [packing.blocks_of((sort, ordinal)) for ordinal in range(size)]
        self._flag_shift = self._room_for_flags()

    def write(self, emitter: Emitter, words: Sequence[str]) -> list[str]:
        """Operands of the words with the blocks sorted and the pointers moved along."""
        keys = [self._key(emitter, words, ordinal) for ordinal in range(self.size)]
        for left, right in network(self.size):
            keys[left], keys[right] = exchanged(emitter, keys[left], keys[right])
        sorted_words = self._without(emitter, words)
        for ordinal, key in enumerate(keys):
            for block, operand in zip(self.blocks[ordinal], self._parts(emitter, key), strict=True):
                put(emitter, sorted_words, block.slot, operand)
        for number, pointer in enumerate(self.pointers):
            slot = self.packing.layout.slots[pointer.cell.index]
            put(emitter, sorted_words, slot, self._pointed(emitter, keys, number, slot))
        return sorted_words

    def _room_for_flags(self) -> int | None:
        """Where the pointers' bits begin in the first part of the key; None if they need a word of their own."""
        bits = self.blocks[0][0].slot.bits if self.blocks[0] else 0
        return bits if self.blocks[0] and bits + len(self.pointers) <= WORD_BITS else None

    def _key(self, emitter: Emitter, words: Sequence[str], ordinal: int) -> Key:
        key = [take(emitter, words, block.slot) for block in self.blocks[ordinal]]
        flags = "0"
        for number, pointer in enumerate(self.pointers):
            flag = self._points_to(emitter, words, pointer, ordinal)
            shift = number + (self._flag_shift or 0)
            shifted = emitter.let(f"select i1 {flag}, i64 {constant(1 << shift)}, i64 0")
            flags = shifted if flags == "0" else emitter.let(f"or i64 {flags}, {shifted}")
        if not self.pointers:
            return key
        if self._flag_shift is None:
            return [flags, *key]
        return [emitter.let(f"or i64 {key[0]}, {flags}"), *key[1:]]

    def _points_to(self, emitter: Emitter, words: Sequence[str], pointer: Mention, ordinal: int) -> str:
        slot = self.packing.layout.slots[pointer.cell.index]
        mask = (1 << slot.bits) - 1 << slot.shift
        return emitter.bits(words[slot.word], mask, ordinal - slot.low << slot.shift)

    def _parts(self, emitter: Emitter, key: Key) -> Key:
        """Parts of the block alone."""
        if not self.pointers:
            return key
        if self._flag_shift is None:
            return key[1:]
        return [emitter.let(f"and i64 {key[0]}, {constant((1 << self._flag_shift) - 1)}"), *key[1:]]

    def _pointed(self, emitter: Emitter, keys: Sequence[Key], number: int, slot: Slot) -> str:
        """Code of a pointer: the position of the one block that bears its bit; 0, "none", if none does."""
        code = "0"
        bit = constant(1 << number + (self._flag_shift or 0))
        for position, key in enumerate(keys):
            if position - slot.low == 0:
                continue
            flag = emitter.let(f"icmp ne i64 {emitter.let(f'and i64 {key[0]}, {bit}')}, 0")
            code = emitter.let(f"select i1 {flag}, i64 {position - slot.low}, i64 {code}")
        return code

    def _without(self, emitter: Emitter, words: Sequence[str]) -> list[str]:
        """The words with everything that is about to be written cleared."""
        slots = [block.slot for blocks in self.blocks for block in blocks]
        slots += [self.packing.layout.slots[pointer.cell.index] for pointer in self.pointers]
        return cleared(emitter, words, slots)


def exchanged(emitter: Emitter, left: Key, right: Key) -> tuple[Key, Key]:
    """Two keys in order."""
    if len(left) == 1:
        low = emitter.let(f"call i64 @llvm.umin.i64(i64 {left[0]}, i64 {right[0]})")
        return [low], [emitter.let(f"call i64 @llvm.umax.i64(i64 {left[0]}, i64 {right[0]})")]
    greater = emitter.let(f"icmp ugt i64 {left[-1]}, {right[-1]}")
    for above, below in zip(reversed(left[:-1]), reversed(right[:-1]), strict=True):
        same = emitter.let(f"icmp eq i64 {above}, {below}")
        larger = emitter.let(f"icmp ugt i64 {above}, {below}")
        greater = emitter.let(f"select i1 {same}, i1 {greater}, i1 {larger}")
    first = [emitter.let(f"select i1 {greater}, i64 {b}, i64 {a}") for a, b in zip(left, right, strict=True)]
    return first, [
        emitter.let(f"select i1 {greater}, i64 {a}, i64 {b}") for a, b in zip(left, right, strict=True)
    ]


def take(emitter: Emitter, words: Sequence[str], slot: Slot) -> str:
    """The bits of a slot."""
    shifted = emitter.let(f"lshr i64 {words[slot.word]}, {slot.shift}") if slot.shift else words[slot.word]
    return emitter.let(f"and i64 {shifted}, {constant((1 << slot.bits) - 1)}")


def put(emitter: Emitter, words: list[str], slot: Slot, bits: str) -> None:
    """Write bits into a slot that is clear."""
    shifted = emitter.let(f"shl i64 {bits}, {slot.shift}") if slot.shift else bits
    words[slot.word] = emitter.let(f"or i64 {words[slot.word]}, {shifted}")


def cleared(emitter: Emitter, words: Sequence[str], slots: Sequence[Slot]) -> list[str]:
    """The words with some slots cleared."""
    masks = [ALL_ONES] * len(words)
    for slot in slots:
        masks[slot.word] &= ~((1 << slot.bits) - 1 << slot.shift)
    return [
        word if mask == ALL_ONES else emitter.let(f"and i64 {word}, {constant(mask)}")
        for word, mask in zip(words, masks, strict=True)
    ]
