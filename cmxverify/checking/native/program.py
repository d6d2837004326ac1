"""The functions of core.c as Python calls them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from cmxverify.checking.native.compiler import Effort, Program
from cmxverify.checking.native.memory import Region
from cmxverify.checking.native.model_text import ModelText
from cmxverify.checking.native.store import Store

_NONE = (1 << 64) - 1
_U64, _POINTER = ctypes.c_uint64, ctypes.c_void_p


class SearchProgram:
    """One model compiled together with the search loop. Calls run without the interpreter lock."""

    def __init__(self, text: ModelText, effort: Effort) -> None:
        self._program = Program(text.text, text.libraries, effort)
        self._advance = self._program.function("advance", _U64, _POINTER, _U64)
        self._store_buffer = self._program.function("store_buffer", None, _POINTER, _U64)
        self.fill_table = self._program.function("fill_table", None, _POINTER)

    def advance(self, store: Store, limit: int) -> int:
        """Expand up to ``limit`` states of the level; how many remain. Stops early where room must be made."""
        remaining: int = self._advance(ctypes.byref(store.shard), limit)
        return remaining

    def store_states(self, store: Store, states: Sequence[Sequence[int]]) -> None:
        """Store some states, given as words: no more than a batch."""
        store.buffer.write_words([word for state in states for word in state])
        self._store_buffer(ctypes.byref(store.shard), len(states))

    def first_raising(self, store: Store, start: int, end: int, flag: int, *, expanding: bool) -> int | None:
        """Index of the first state from ``start`` to before ``end`` that raises a flag."""
        function = self._function("first_raising", _U64, _POINTER, _U64, _U64, _U64, _U64)
        return _index(function(ctypes.byref(store.shard), start, end, flag, expanding))

    def first_before(self, store: Store, start: int, end: int, marks: Region, base: int, top: int) -> int | None:
        """Index of the first state from ``start`` to before ``end`` with a marked successor in ``base`` .. ``top``."""
        function = self._function("first_before", _U64, _POINTER, _U64, _U64, _POINTER, _U64, _U64)
        return _index(function(ctypes.byref(store.shard), start, end, marks.address, base, top))

    def sum_graph(self, store: Store, start: int, end: int, sums: Any) -> None:
        """Add the hashes of some states and of the edges that leave them to four sums."""
        function = self._function("sum_graph", None, _POINTER, _U64, _U64, _POINTER)
        function(ctypes.byref(store.shard), start, end, ctypes.addressof(sums))

    def _function(self, name: str, result: Any, *arguments: Any) -> Any:
        return self._program.function(name, result, *arguments)


def _index(found: int) -> int | None:
    return None if found == _NONE else found
