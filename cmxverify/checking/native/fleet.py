"""All stores of a search, one a thread, and the native code that works on them, a level at a time.

With one thread a level is expanded in slices of a moment's length. With several, rounds of two phases: each thread
expands states of its own, stores what belongs to it and puts aside what does not; then each stores what the others have
for it. Nothing is shared within a phase, and what comes out does not depend on who was first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from cmxverify.checking.native.compiler import Effort
from cmxverify.checking.native.memory import machine_bytes
from cmxverify.checking.native.model_text import BATCH, ModelText
from cmxverify.checking.native.program import SearchProgram
from cmxverify.checking.native.store import Store
from cmxverify.checking.python.limits import Stopped
from cmxverify.checking.sizes import sized

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

_Result = TypeVar("_Result")
Place = tuple[int, int]
"""Of a state: number of the store and index in it."""

_SLICE_S = 0.05
_WINDOW = 1 << 17
_FIRST_SLICE = 1024
"""States; later slices take about ``_SLICE_S``, so that a person's Ctrl-C is heard at once."""


class Fleet:
    """Stores and the program that fills them.

    Args:
        text: What is compiled.
        instances: Of the system.
        flags: How many.
        threads: At least 1.
        memory_bytes: Limit on what is held; None: the machine's.
    """

    def __init__(
        self, text: ModelText, *, instances: int, flags: int, threads: int, memory_bytes: int | None
    ) -> None:
        self._text = text
        self.program = SearchProgram(text, Effort.QUICK)
        machine = machine_bytes()
        self.memory_limit = machine if memory_bytes is None else min(memory_bytes, machine)
        self.limit_is_given = memory_bytes is not None and memory_bytes <= machine
        self.stores = [
            Store(
                words=text.layout.words,
                instances=instances,
                flags=flags,
                batch=BATCH,
                capacity=self.memory_limit // (8 * text.layout.words),
                number=number,
                stores=threads,
            )
            for number in range(threads)
        ]
        self._slice = _FIRST_SLICE
        self._pool: ThreadPoolExecutor | None = None
        self._better: Future[SearchProgram] | None = None

    @property
    def states(self) -> int:
        """States held."""
        return sum(store.shard.count for store in self.stores)

    @property
    def held_bytes(self) -> int:
        """Memory in use."""
        return sum(store.held_bytes for store in self.stores)

    @property
    def fired(self) -> tuple[int, ...]:
        """Per instance, in how many states it was enabled."""
        return tuple(map(sum, zip(*(store.fired for store in self.stores), strict=True)))

    @property
    def changed(self) -> tuple[int, ...]:
        """Per instance, in how many states it was found to change something."""
        return tuple(map(sum, zip(*(store.changed for store in self.stores), strict=True)))

    def raised(self) -> set[int]:
        """Numbers of the flags that are raised."""
        return {number for store in self.stores for number in store.raised()}

    def optimise(self) -> None:
        """Go on with better code; where there are threads, one more makes it meanwhile."""
        if self._pool is None:
            self.program = SearchProgram(self._text, Effort.FULL)
        else:
            self._better = self._pool.submit(SearchProgram, self._text, Effort.FULL)

    @contextmanager
    def threads(self) -> Iterator[None]:
        """Threads, where there is more than one store, live inside."""
        if len(self.stores) == 1:
            yield
            return
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(len(self.stores) + 1) as self._pool:
            yield

    # Levels

    def store_initial(self, states: Sequence[Sequence[int]]) -> None:
        """Level 0, as words."""
        for start in range(0, len(states), BATCH):
            for store in self.stores:
                self._make_room(store)
                self.program.store_initial(store, states[start : start + BATCH])

    def open_level(self) -> int:
        """Make the states found last the present level; how many they are."""
        return sum([store.open_level() for store in self.stores])

    def expand(self) -> bool:
        """Expand some states of the level; whether any remain."""
        if len(self.stores) == 1:
            return self._expand_slice(self.stores[0])
        if self._better is not None and self._better.done():
            self.program, self._better = self._better.result(), None
        remaining = self._together(self._send)
        self._together(self._receive)
        return any(remaining)

    def _expand_slice(self, store: Store) -> bool:
        self._make_room(store)
        began, before = monotonic(), store.shard.next
        remaining = self.program.advance(store, self._slice)
        if store.shard.next - before == self._slice:
            fitting = int(self._slice * _SLICE_S / max(monotonic() - began, 1e-6))
            self._slice = max(_FIRST_SLICE, min(4 * self._slice, fitting))
        return remaining > 0

    def _together(self, work: Callable[[Store], _Result]) -> list[_Result]:
        assert self._pool is not None, "several stores need threads"
        return list(self._pool.map(work, self.stores))

    def _send(self, store: Store) -> int:
        """Expand some states of the level; keep what belongs here, put aside the rest; how many remain."""
        self._make_room(store)
        return self.program.send(store)

    def _receive(self, store: Store) -> None:
        """Store what the others have found for this one."""
        for sender in self.stores:
            address, waiting = sender.outbox(store.shard.number), sender.sent[store.shard.number]
            while waiting:
                self._make_room(store)
                taken = self.program.receive(store, address, waiting)
                address, waiting = address + taken * 8 * store.words, waiting - taken

    def _make_room(self, store: Store) -> None:
        """Let a table grow where the next batch may not fit.

        Raises:
            Stopped: If that takes more memory than is allowed.
        """
        if store.has_room():
            return
        if not store.has_room_in_table():
            self._enlarge(store)
        store.allow((self.memory_limit - self.held_bytes) // len(self.stores))
        if not store.has_room():
            raise self._no_memory()

    def _enlarge(self, store: Store) -> None:
        """A larger table, filled with what is held; not so large a one where memory is short."""
        left = self.memory_limit - self.held_bytes
        generous = store.growth_bytes(generous=True) <= left
        if store.growth_bytes(generous=generous) > left:
            raise self._no_memory()
        try:
            store.enlarge_table(generous=generous)
        except OSError:
            raise Stopped("the system gave no more memory") from None
        self.program.fill_table(store)

    def _no_memory(self) -> Stopped:
        if self.limit_is_given:
            return Stopped(f"the memory limit of {sized(self.memory_limit)} was reached")
        return Stopped(f"the machine's memory is full: {sized(self.memory_limit)} were left for the search")

    # Looking back

    def words_at(self, place: Place) -> list[int]:
        """Words of a state."""
        return self.stores[place[0]].state_words(place[1])

    def raising(self, flag: int, level: int, *, expanding: bool) -> Iterator[Place]:
        """States of a level that raise a flag."""
        for number, store in enumerate(self.stores):
            for start, end in _windows(*store.level(level)):
                search = partial(self.program.first_raising, store, flag=flag, expanding=expanding)
                yield from ((number, index) for index in _all_found(search, start, end))

    def predecessors(self, places: Iterable[Place], level: int) -> Iterator[Place]:
        """States of the level before with a successor among some states of a level."""
        marked = list(places)
        for number, store in enumerate(self.stores):
            store.mark(level, (index for owner, index in marked if owner == number))
        for number, store in enumerate(self.stores):
            for start, end in _windows(*store.level(level - 1)):
                search = partial(self.program.first_before, store, stores=self.stores)
                yield from ((number, index) for index in _all_found(search, start, end))

    def graph_sums(self) -> list[int]:
        """Sums of the graph's hash: two lanes of states, two of edges."""
        lanes = [self.program.sum_graph(store, 0, store.shard.count) for store in self.stores]
        return [sum(lane) & ((1 << 64) - 1) for lane in zip(*lanes, strict=True)]


def _windows(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Ranges that native code goes through in a moment, so that Ctrl-C is heard."""
    for begin in range(start, end, _WINDOW):
        yield begin, min(begin + _WINDOW, end)


def _all_found(search: Callable[[int, int], int | None], start: int, end: int) -> Iterator[int]:
    """Everything that a search for the first finds in a range, one after the other."""
    while (found := search(start, end)) is not None:
        yield found
        start = found + 1
