"""The functions of core.c as Python calls them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from cmxverify.checking.native.compiler import Effort, Program
from cmxverify.checking.native.model_text import ModelText
from cmxverify.checking.native.store import Store

_NONE = (1 << 64) - 1
_U64, _POINTER = ctypes.c_uint64, ctypes.c_void_p


class SearchProgram:
    """One model compiled together with the search loop. Calls run without the interpreter lock."""

    def __init__(self, text: ModelText, effort: Effort) -> None:
        self._program = Program(text.text, text.libraries, effort)
        self._advance = self._function("advance", _U64, _POINTER, _U64)
        self._store_initial = self._function("store_initial", None, _POINTER, _U64)
        self._fill_table = self._function("fill_table", None, _POINTER)
        self._send = self._function("send", _U64, _POINTER)
        self._receive = self._function("receive", _U64, _POINTER, _POINTER, _U64)
        self._first_raising = self._function("first_raising", _U64, _POINTER, _U64, _U64, _U64, _U64)
        self._first_before = self._function("first_before", _U64, _POINTER, _U64, _U64, _POINTER)
        self._sum_graph = self._function("sum_graph", None, _POINTER, _U64, _U64, _POINTER)

    def store_initial(self, store: Store, states: Sequence[Sequence[int]]) -> None:
        """Store those of some states, given as words, that belong to a store: no more than a batch."""
        store.buffer.write_words([word for state in states for word in state])
        self._store_initial(ctypes.byref(store.shard), len(states))

    def advance(self, store: Store, limit: int) -> int:
        """Expand up to ``limit`` states of the level; how many remain. Stops early where room must be made."""
        remaining: int = self._advance(ctypes.byref(store.shard), limit)
        return remaining

    def fill_table(self, store: Store) -> None:
        """Enter every state held into a table that is empty."""
        self._fill_table(ctypes.byref(store.shard))

    def send(self, store: Store) -> int:
        """Expand states of the level, store or put aside what comes out; how many remain."""
        remaining: int = self._send(ctypes.byref(store.shard))
        return remaining

    def receive(self, store: Store, address: int, count: int) -> int:
        """Store states that another found; how many were taken before room must be made."""
        taken: int = self._receive(ctypes.byref(store.shard), address, count)
        return taken

    def first_raising(self, store: Store, start: int, end: int, flag: int, *, expanding: bool) -> int | None:
        """Index of the first state from ``start`` to before ``end`` that raises a flag."""
        with store.uncounted():
            return _index(self._first_raising(ctypes.byref(store.shard), start, end, flag, expanding))

    def first_before(self, store: Store, start: int, end: int, stores: Sequence[Store]) -> int | None:
        """Index of the first state from ``start`` to before ``end`` with a successor that is marked in its store."""
        shards = (_U64 * len(stores))(*(ctypes.addressof(each.shard) for each in stores))
        with store.uncounted():
            return _index(self._first_before(ctypes.byref(store.shard), start, end, ctypes.addressof(shards)))

    def sum_graph(self, store: Store, start: int, end: int) -> list[int]:
        """Sums over the hashes of some states and of the edges that leave them: two lanes each."""
        sums = (_U64 * 4)()
        self._sum_graph(ctypes.byref(store.shard), start, end, ctypes.addressof(sums))
        return list(sums)

    def _function(self, name: str, result: Any, *arguments: Any) -> Any:
        return self._program.function(name, result, *arguments)


def _index(found: int) -> int | None:
    return None if found == _NONE else found
