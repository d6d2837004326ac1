"""All states seen, in the order found, and a table to find them: the states not yet expanded are the queue."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cmxverify.checking.python.vector.mixing import hash_words
from cmxverify.checking.python.vector.program import Words

_FREE = -1
Indices = npt.NDArray[np.int64]


class Store:
    """States as columns of words; an open-addressing table of their indices, filled many at a time."""

    def __init__(self, words: int) -> None:
        self.words: Words = np.empty((words, 1 << 12), np.uint64)
        self.table = np.full(1 << 13, _FREE, np.int32)
        self.size = 0

    @property
    def memory_bytes(self) -> int:
        """Bytes of states and table in use."""
        return int(self.size * self.words.shape[0] * 8 + self.table.nbytes)

    def add(self, found: Words) -> None:
        """Append the states that are new, each once."""
        count = found.shape[1]
        self._make_room(count)
        self.words[:, self.size : self.size + count] = found
        slots = self._slots(found)
        won = np.zeros(count, np.bool_)
        pending = np.arange(count)
        while pending.size:
            entries = self.table[slots[pending]]
            claims = pending[entries == _FREE]
            self.table[slots[claims]] = self.size + claims
            entries = self.table[slots[pending]]  # of rivals for one slot a single one is in it now
            won[pending[entries == self.size + pending]] = True
            pending = self._go_on(slots, pending, self._same(entries, found[:, pending]))
        kept = np.flatnonzero(won)
        self.table[slots[kept]] = self.size + np.arange(kept.size)
        self.words[:, self.size : self.size + kept.size] = found[:, kept]
        self.size += kept.size

    def find(self, states: Words) -> Indices:
        """Indices of states that are all in the store."""
        slots = self._slots(states)
        found = np.empty(states.shape[1], np.int64)
        pending = np.arange(states.shape[1])
        while pending.size:
            entries = self.table[slots[pending]]
            same = self._same(entries, states[:, pending])
            found[pending[same]] = entries[same]
            pending = self._go_on(slots, pending, same)
        return found

    def _slots(self, states: Words) -> Indices:
        return (hash_words(states, 0) & np.uint64(self.table.size - 1)).view(np.int64)

    def _same(self, entries: npt.NDArray[np.int32], states: Words) -> npt.NDArray[np.bool_]:
        same = np.ones(entries.size, np.bool_)
        for row, wanted in zip(self.words, states, strict=True):
            same &= row[entries] == wanted
        return same

    def _go_on(self, slots: Indices, pending: Indices, done: npt.NDArray[np.bool_]) -> Indices:
        """Who is not done tries the next slot."""
        pending = pending[~done]
        slots[pending] = (slots[pending] + 1) & (self.table.size - 1)
        return pending

    def _make_room(self, count: int) -> None:
        needed = self.size + count
        if needed > self.words.shape[1]:
            grown: Words = np.empty((self.words.shape[0], max(needed, 2 * self.words.shape[1])), np.uint64)
            grown[:, : self.size] = self.words[:, : self.size]
            self.words = grown
        if 2 * needed > self.table.size:
            assert needed < 1 << 30, "indices have 32 bits"
            self.table = np.full(1 << (4 * needed - 1).bit_length(), _FREE, np.int32)
            self._fill()

    def _fill(self) -> None:
        """Enter all states into an empty table; they differ, so nothing is compared."""
        slots, pending = self._slots(self.words[:, : self.size]), np.arange(self.size)
        while pending.size:
            claims = pending[self.table[slots[pending]] == _FREE]
            self.table[slots[claims]] = claims
            pending = self._go_on(slots, pending, self.table[slots[pending]] == pending)
