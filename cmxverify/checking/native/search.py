"""The search itself: levels one after the other in native code, limits and findings between slices in Python."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from math import inf

from cmxverify.checking.exploration import Breach, BreachKind, Ending, Exploration, Request
from cmxverify.checking.findings import Findings, is_full_channel, obligation_of
from cmxverify.checking.native.compiler import Effort
from cmxverify.checking.native.flags import FlagKind, FlagTable
from cmxverify.checking.native.functions import certainly_changes
from cmxverify.checking.native.memory import machine_bytes
from cmxverify.checking.native.model_text import BATCH, model_text
from cmxverify.checking.native.program import SearchProgram
from cmxverify.checking.native.store import Store
from cmxverify.checking.native.tracing import layers_towards
from cmxverify.checking.python.limits import Stopped, Watch
from cmxverify.checking.symmetry import sorts_used
from cmxverify.modeling.ir.fingerprint import GraphHash
from cmxverify.modeling.ir.system import PropertyKind, System

NAME = "explore"
_SLICE_S = 0.05
_PATIENCE = 5
"""Optimised code is made once the whole search has taken so many times as long as quick code took to make."""

_FIRST_SLICE = 1024
"""States; later slices take about ``_SLICE_S``, so that a person's Ctrl-C is heard at once."""


class Search:
    """One search of one system."""

    def __init__(self, system: System, request: Request) -> None:
        self.system, self.request = system, request
        self.watch = Watch(request)
        self.flags = FlagTable(system, request)
        self.sorts = sorts_used(system, request)
        edges = request.graph_hash and not self.sorts
        self.text = model_text(system, self.flags, sorts=self.sorts, edges=edges)
        self.layout = self.text.layout
        self.program = SearchProgram(self.text, Effort.QUICK)
        self.optimise_after = _PATIENCE * self.watch.seconds
        self.memory_limit = min(request.memory_bytes or machine_bytes(), machine_bytes())
        self.store = Store(
            words=self.layout.words,
            instances=len(system.instances),
            flags=len(self.flags.flags),
            batch=BATCH,
            capacity=self.memory_limit // (8 * self.layout.words),
        )
        self.starts = [0]
        self.expanded = 0
        self.premises: set[tuple[int, int]] = set()
        self.witnesses: dict[int, int | None] = {
            index: None for index, _ in self.flags.asked(PropertyKind.REACHABLE)
        }
        self.slice = _FIRST_SLICE

    def run(self) -> Exploration:
        """Level by level: check it, expand it, until nothing is new."""
        try:
            self.store_initial()
            while self.open_level():
                found = self.look_at(expanding=False)
                if found is None:
                    self.expand_level()
                    found = self.look_at(expanding=True)
                if found is not None:
                    return self.breached(found)
                self.expanded += 1
            return replace(self.result(Ending.COMPLETE), graph_hash=self.graph_hash())
        except (Stopped, KeyboardInterrupt) as stop:
            return self.result(Ending.STOPPED, reason=str(stop) or "interrupted")

    # Levels

    def store_initial(self) -> None:
        """Level 0."""
        initial = [self.layout.pack(state) for state in self.system.initial]
        for start in range(0, len(initial), BATCH):
            self.make_room()
            self.program.store_states(self.store, initial[start : start + BATCH])

    def open_level(self) -> bool:
        """Make the states found last the present level; whether there are any."""
        shard = self.store.shard
        self.starts.append(shard.count)
        shard.next, shard.level_end = self.starts[-2:]
        return self.starts[-2] < self.starts[-1]

    def expand_level(self) -> None:
        """Expand the present level in slices."""
        while True:
            self.look_at_limits()
            self.make_room()
            began, before = self.watch.seconds, self.store.shard.next
            remaining = self.program.advance(self.store, self.slice)
            if not remaining:
                return
            self.adapt_slice(self.store.shard.next - before, self.watch.seconds - began)
            self.optimise_if_long()

    def optimise_if_long(self) -> None:
        """Go on with better code once the search has taken about as long as it takes to make it."""
        if self.watch.seconds > self.optimise_after:
            self.program = SearchProgram(self.text, Effort.FULL)
            self.optimise_after = inf

    def adapt_slice(self, states: int, seconds: float) -> None:
        """Next time as many states as take a moment."""
        if states == self.slice:
            self.slice = max(_FIRST_SLICE, min(4 * self.slice, int(states * _SLICE_S / max(seconds, 1e-6))))

    # Limits

    def look_at_limits(self) -> None:
        """Report progress; stop where a limit is met."""
        shard = self.store.shard
        frontier, held = shard.level_end - self.starts[-2], self.store.held_bytes
        self.watch.look(states=shard.count, frontier=frontier, level=self.expanded, memory_bytes=held)

    def make_room(self) -> None:
        """Let the table grow where the next batch may not fit."""
        if self.store.has_room():
            return
        if self.store.is_full or self.store.bytes_after_growth() > self.memory_limit:
            raise Stopped(f"the memory limit of {self.memory_limit} bytes was reached")
        self.store.grow(self.program.fill_table)

    # Findings

    def look_at(self, *, expanding: bool) -> Breach | None:
        """Take note of what checking, or expanding, the level has met; the breach that ends the search, if any."""
        findings = Findings(self.system)
        for number, flag in enumerate(self.flags.flags):
            if flag.expanding is not expanding or not self.store.flags[number]:
                continue
            if flag.kind is FlagKind.PREMISE:
                self.premises.add((flag.property, flag.part))
            elif flag.kind is FlagKind.WITNESS and self.witnesses[flag.property] is None:
                self.witnesses[flag.property] = self.expanded
            elif flag.breach is not None:
                beyond = expanding and flag.breach.kind is not BreachKind.DEADLOCK
                findings.add(replace(flag.breach, steps=self.expanded + beyond), ())
        found = findings.first()
        return found and found[0]

    # The answer

    def breached(self, breach: Breach) -> Exploration:
        """The result that ends in a breach, or before a full channel."""
        obligation, full = obligation_of(self.system, breach), is_full_channel(self.system, breach)
        ending, reason = (Ending.STOPPED, obligation.text) if full and obligation else (Ending.BREACHED, "")
        result = self.result(ending, reason=reason)
        return replace(result, breach=breach, layers=layers_towards(self, breach))

    def result(self, ending: Ending, *, reason: str = "") -> Exploration:
        """What was counted so far."""
        count = self.store.shard.count
        starts = [start for start in self.starts if start < count]
        return Exploration(
            ending=ending,
            states=count,
            transitions=sum(self.store.fired),
            levels=tuple(end - start for start, end in zip(starts, [*starts[1:], count], strict=True)),
            fired=tuple(self.store.fired),
            changed=self.changed(),
            premises=frozenset(self.premises),
            witnesses=self.witnesses,
            reason=reason,
            expanded=self.expanded,
            reduced=self.sorts,
            engine=NAME,
            seconds=self.watch.seconds,
            memory_bytes=self.store.held_bytes,
        )

    def changed(self) -> tuple[int, ...]:
        """Per instance, in how many states its step changed something; native code counts only where it may not."""
        return tuple(
            fired if certainly_changes(instance) else changed
            for instance, fired, changed in zip(
                self.system.instances, self.store.fired, self.store.changed, strict=True
            )
        )

    def graph_hash(self) -> str:
        """Hash of the whole graph, in a second pass over the states."""
        if not self.request.graph_hash or self.sorts:
            return ""
        sums = (ctypes.c_uint64 * 4)()
        self.program.sum_graph(self.store, 0, self.store.shard.count, sums)
        return GraphHash(list(sums[:2]), list(sums[2:])).text()
