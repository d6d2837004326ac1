"""Memory for native code: address space is reserved at once and filled by the system as it is touched."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import sys
from pathlib import Path

_NO_RESERVE = 0x4000 if sys.platform == "linux" else 0
_HUGE_FROM_BYTES = 1 << 22
_UNKNOWN_MACHINE_BYTES = 4 << 30
"""Where nobody tells how much memory there is: it is reserved as a whole."""

_CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


class Region:
    """Zeroed memory at a fixed address; large regions ask for huge pages. Freed by ``close`` or with the object."""

    def __init__(self, size: int) -> None:
        self.size = max(size, mmap.PAGESIZE)
        self._map = _mapped(self.size)
        if self.size >= _HUGE_FROM_BYTES and hasattr(mmap, "MADV_HUGEPAGE"):
            with contextlib.suppress(OSError):
                self._map.madvise(mmap.MADV_HUGEPAGE)
        self._view = (ctypes.c_char * self.size).from_buffer(self._map)
        self.address = ctypes.addressof(self._view)

    def close(self) -> None:
        """Give the memory back."""
        del self._view
        self._map.close()

    def mark(self, index: int) -> None:
        """Set one byte."""
        self._view[index] = b"\x01"

    def words(self, start: int, count: int) -> list[int]:
        """Some 64-bit words, from the given one on."""
        return list((ctypes.c_uint64 * count).from_address(self.address + 8 * start))

    def write_words(self, words: list[int]) -> None:
        """Put 64-bit words at the beginning."""
        array = (ctypes.c_uint64 * len(words))(*words)
        ctypes.memmove(self.address, array, ctypes.sizeof(array))


def _mapped(size: int) -> mmap.mmap:
    if sys.platform == "win32":
        return mmap.mmap(-1, size)
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE)


def reserved(size: int) -> Region:
    """A region of the given size, or, where the system does not hand out so much address space, as large as it does."""
    while True:
        try:
            return Region(size)
        except OSError:
            if size < _HUGE_FROM_BYTES:
                raise
            size //= 2


def machine_bytes() -> int:
    """Memory that this process may fill: nine tenths of the computer's, or of the container's where that is less."""
    if sys.platform == "win32":
        return _UNKNOWN_MACHINE_BYTES
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for path in _CGROUP_LIMITS:
        with contextlib.suppress(OSError, ValueError):
            found.append(int(Path(path).read_text(encoding="ascii")))
    return min(found) * 9 // 10
