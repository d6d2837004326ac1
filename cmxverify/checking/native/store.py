"""The store of one thread: the states it has found, the table that finds them again, and its counters.

The states are an array that only grows. The table grows by a quarter once it is 7/8 full, so that it takes 4.6 to
5.7 bytes a state; while it is small it grows faster. A new table is filled from the states, the old one is gone by
then: no more than one table is ever held.
"""

from __future__ import annotations

import ctypes
from typing import Any

from cmxverify.checking.native.memory import Region

LANES = 16
ENTRY_BYTES = 4
BUCKET_BYTES = LANES * ENTRY_BYTES
MOST_STATES = (1 << 32) - 2
"""An entry holds index + 1 in 32 bits."""

_FIRST_BUCKETS = 1 << 12
_FAST_BUCKETS = 1 << 16
_WORD_BYTES = 8


class Shard(ctypes.Structure):
    """``struct Shard`` of core.c, which says what each field is."""

    _fields_ = [
        (name, ctypes.c_uint64)
        for name in (
            *("states", "count", "room", "table", "buckets", "index_bits", "next", "level_end"),
            *("fired", "changed", "flags", "successors", "hashes", "candidates"),
        )
    ]


class Store:
    """States and table of one thread, for systems of a given size.

    Args:
        words: Of a state.
        instances: Of the system.
        flags: How many.
        batch: States in a batch, as the native code was compiled.
        capacity: States there may ever be; only what is used takes memory.
    """

    def __init__(self, *, words: int, instances: int, flags: int, batch: int, capacity: int) -> None:
        self.words, self._margin = words, batch + instances
        self.capacity = min(capacity, MOST_STATES)
        self.states = Region(self.capacity * words * _WORD_BYTES)
        self.buffer = Region(self._margin * words * _WORD_BYTES)
        self._scratch = Region(2 * self._margin * _WORD_BYTES)
        self.fired = (ctypes.c_uint64 * instances)()
        self.changed = (ctypes.c_uint64 * instances)()
        self.flags = (ctypes.c_uint8 * flags)()
        self.shard = Shard(
            states=self.states.address,
            fired=ctypes.addressof(self.fired),
            changed=ctypes.addressof(self.changed),
            flags=ctypes.addressof(self.flags),
            successors=self.buffer.address,
            hashes=self._scratch.address,
            candidates=self._scratch.address + self._margin * _WORD_BYTES,
        )
        self._table = self._new_table(_FIRST_BUCKETS)

    @property
    def held_bytes(self) -> int:
        """Memory in use."""
        states: int = self.shard.count * self.words * _WORD_BYTES
        return states + self._table.size + self.buffer.size + self._scratch.size

    @property
    def is_full(self) -> bool:
        """Whether no further batch can be stored, however large the table."""
        return bool(self.shard.count + self._margin > self.capacity)

    def bytes_after_growth(self) -> int:
        """What would be held with the next larger table."""
        return self.held_bytes + (self._next_buckets() - self.shard.buckets) * BUCKET_BYTES

    def has_room(self) -> bool:
        """Whether another batch can be stored."""
        return bool(self.shard.count + self._margin <= self.shard.room)

    def grow(self, fill_table: Any) -> None:
        """A larger table, filled with the states held."""
        buckets = self._next_buckets()
        self._table.close()
        self._table = self._new_table(buckets)
        fill_table(ctypes.byref(self.shard))

    def state_words(self, index: int) -> list[int]:
        """Words of one state."""
        return self.states.words(index * self.words, self.words)

    def _next_buckets(self) -> int:
        buckets: int = self.shard.buckets
        least = -(-8 * (self.shard.count + self._margin) // (7 * LANES)) + 1
        return max(least, 4 * buckets if buckets < _FAST_BUCKETS else buckets * 5 // 4)

    def _new_table(self, buckets: int) -> Region:
        room = min(buckets * LANES * 7 // 8, self.capacity)
        table = Region(buckets * BUCKET_BYTES)
        self.shard.table, self.shard.buckets, self.shard.room = table.address, buckets, room
        self.shard.index_bits = room.bit_length()
        return table
