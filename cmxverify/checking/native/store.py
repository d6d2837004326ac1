"""The store of one thread: the states it has found, the table that finds them again, and its counters.

The states are an array that only grows. The table grows once it is 7/8 full: to twice its size while levels become
larger, for then at least as many states are to come as have been found, and by a quarter afterwards. So it ends with
4.6 to 5.7 bytes a state. A new table is filled from the states, the old one is gone by then: no more than one table is
ever held.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from cmxverify.checking.native.memory import Region, reserved

LANES = 16
ENTRY_BYTES = 4
BUCKET_BYTES = LANES * ENTRY_BYTES
MOST_STATES = (1 << 32) - 2
"""An entry holds index + 1 in 32 bits."""

_FIRST_BUCKETS = 1 << 12
_FAST_BUCKETS = 1 << 16
_WORD_BYTES = 8
_OUTBOX_STATES = 1 << 17
"""Successors a thread may put aside between two meetings with the others, about."""


class Shard(ctypes.Structure):
    """``struct Shard`` of core.c, which says what each field is."""

    _fields_ = [
        (name, ctypes.c_uint64)
        for name in (
            *("states", "count", "room", "table", "buckets", "index_bits", "next", "level_end"),
            *("fired", "changed", "flags", "successors", "hashes", "candidates"),
            *("number", "shards", "outboxes", "outbox_room", "sent", "marks", "marks_start", "marks_end"),
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
        number: Which of the stores this is.
        stores: How many there are: one a thread.
    """

    def __init__(
        self,
        *,
        words: int,
        instances: int,
        flags: int,
        batch: int,
        capacity: int,
        number: int = 0,
        stores: int = 1,
    ) -> None:
        self.words, self._margin = words, batch + instances
        self.states = reserved(min(capacity, MOST_STATES) * words * _WORD_BYTES)
        self.capacity = self.states.size // (words * _WORD_BYTES)
        self.buffer = Region(self._margin * words * _WORD_BYTES)
        self._scratch = Region(2 * self._margin * _WORD_BYTES)
        self._notes = Region(4 * instances * _WORD_BYTES + flags)
        self.fired, self.changed, *self._ignored = self._counters(instances)
        self.flags = (ctypes.c_uint8 * flags).from_address(self._notes.address + 4 * instances * _WORD_BYTES)
        outbox_room = _OUTBOX_STATES // stores + instances
        self._outboxes = Region(stores * outbox_room * words * _WORD_BYTES if stores > 1 else 0)
        self.sent = (ctypes.c_uint64 * stores)()
        self._marks: Region | None = None
        self.level_starts = [0]
        self.shard = Shard(
            states=self.states.address,
            fired=ctypes.addressof(self.fired),
            changed=ctypes.addressof(self.changed),
            flags=ctypes.addressof(self.flags),
            successors=self.buffer.address,
            hashes=self._scratch.address,
            candidates=self._scratch.address + self._margin * _WORD_BYTES,
            number=number,
            shards=stores,
            outboxes=self._outboxes.address,
            outbox_room=outbox_room,
            sent=ctypes.addressof(self.sent),
        )
        self._table = self._new_table(_FIRST_BUCKETS)

    def raised(self) -> Iterator[int]:
        """Numbers of the flags that are raised."""
        flags = bytes(self.flags)
        number = flags.find(1)
        while number >= 0:
            yield number
            number = flags.find(1, number + 1)

    @property
    def held_bytes(self) -> int:
        """Memory in use."""
        states: int = self.shard.count * self.words * _WORD_BYTES
        return states + sum(each.size for each in (self._table, self.buffer, self._scratch, self._outboxes))

    def growth_bytes(self, *, generous: bool) -> int:
        """What the next larger table takes beyond the present one."""
        return int((self._next_buckets(generous) - self.shard.buckets) * BUCKET_BYTES)

    def has_room(self) -> bool:
        """Whether another batch can be stored."""
        return self._fits(self.shard.room)

    def has_room_in_table(self) -> bool:
        """Whether the table has room for another batch, whatever the memory."""
        return self._fits(self._table_room)

    def allow(self, memory_bytes: int) -> None:
        """Let so much more memory be filled with states before room must be asked for again."""
        more = memory_bytes // (self.words * _WORD_BYTES)
        self.shard.room = min(self._table_room, self.capacity, self.shard.count + max(more, 0))

    def _fits(self, room: int) -> bool:
        return bool(self.shard.count + self._margin <= room)

    def enlarge_table(self, *, generous: bool) -> None:
        """A larger table, still empty."""
        buckets = self._next_buckets(generous)
        self._table.close()
        self._table = self._new_table(buckets)

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """States may be expanded once more inside, without being counted once more."""
        self.shard.fired, self.shard.changed = map(ctypes.addressof, self._ignored)
        yield
        self.shard.fired, self.shard.changed = ctypes.addressof(self.fired), ctypes.addressof(self.changed)

    def open_level(self) -> int:
        """Make the states found last the present level; how many they are."""
        self.level_starts.append(self.shard.count)
        self.shard.next, self.shard.level_end = self.level_starts[-2:]
        return self.level_starts[-1] - self.level_starts[-2]

    def level(self, number: int) -> tuple[int, int]:
        """Where a level starts and ends."""
        return self.level_starts[number], self.level_starts[number + 1]

    def outbox(self, to: int) -> int:
        """Address of what was found for another store; ``sent`` tells how many states."""
        address: int = self._outboxes.address + to * self.shard.outbox_room * self.words * _WORD_BYTES
        return address

    def mark(self, level: int, indices: Iterable[int]) -> None:
        """Mark states of a level, and no others."""
        start, end = self.level(level)
        if self._marks is not None:
            self._marks.close()
        self._marks = Region(end - start)
        for index in indices:
            self._marks.mark(index - start)
        self.shard.marks, self.shard.marks_start, self.shard.marks_end = self._marks.address, start, end

    def state_words(self, index: int) -> list[int]:
        """Words of one state."""
        return self.states.words(index * self.words, self.words)

    def _counters(self, instances: int) -> list[ctypes.Array[ctypes.c_uint64]]:
        """Four arrays with a counter for each instance; in pages of their own, far from other threads."""
        array, size = ctypes.c_uint64 * instances, instances * _WORD_BYTES
        return [array.from_address(self._notes.address + number * size) for number in range(4)]

    def _next_buckets(self, generous: bool) -> int:
        buckets: int = self.shard.buckets
        least: int = -(-8 * (self.shard.count + self._margin) // (7 * LANES)) + 1
        if buckets < _FAST_BUCKETS:
            return max(least, 4 * buckets)
        return max(least, 2 * buckets if generous and self._levels_grow() else buckets * 5 // 4)

    def _levels_grow(self) -> bool:
        """Whether the present level is larger than the one before: then about half of all states are yet to come."""
        starts = self.level_starts[-3:]
        return len(starts) == 3 and starts[2] - starts[1] > starts[1] - starts[0]

    def _new_table(self, buckets: int) -> Region:
        table = Region(buckets * BUCKET_BYTES)
        self._table_room = min(buckets * LANES * 7 // 8, MOST_STATES)
        self.shard.table, self.shard.buckets = table.address, buckets
        self.shard.index_bits = self._table_room.bit_length()
        return table
