"""The search itself: levels one after the other in native code, limits and findings between slices in Python."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from cmxverify.checking.exploration import Breach, BreachKind, Ending, Exploration, Request
from cmxverify.checking.findings import Findings, is_full_channel, obligation_of
from cmxverify.checking.native.alike import Orbits, has_orbits
from cmxverify.checking.native.flags import FlagKind, FlagTable
from cmxverify.checking.native.fleet import Fleet, Place
from cmxverify.checking.native.functions import certainly_changes
from cmxverify.checking.native.model_text import model_text
from cmxverify.checking.python.limits import Stopped, Watch
from cmxverify.checking.symmetry import sorts_used
from cmxverify.modeling.ir.evaluate import State
from cmxverify.modeling.ir.fingerprint import GraphHash
from cmxverify.modeling.ir.system import PropertyKind, System

NAME = "explore"

_PATIENCE = 12
"""Better code is made once the search has taken so many times as long as quick code took to make. Making it takes about
four times as long, and saves about a third of the time from then on: as much again repays it."""


class Search:
    """One search of one system."""

    def __init__(self, system: System, request: Request) -> None:
        self.system, self.request = system, request
        self.watch = Watch(request)
        self.flags = FlagTable(system, request)
        self.sorts = sorts_used(system, request)
        text = model_text(system, self.flags, sorts=self.sorts, edges=request.graph_hash and not self.sorts)
        self.layout = text.layout
        self.fleet = Fleet(
            text,
            instances=len(system.instances),
            flags=len(self.flags.flags),
            threads=max(1, request.threads),
            memory_bytes=request.memory_bytes,
        )
        self.optimise_after = _PATIENCE * self.watch.seconds
        self.levels: list[int] = []
        self.expanded = 0
        self.premises: set[tuple[int, int]] = set()
        self.witnesses: dict[int, int | None] = {
            index: None for index, _ in self.flags.asked(PropertyKind.REACHABLE)
        }
        self.known: set[int] = set()
        self.orbits = Orbits(self.flags, self.sorts)

    def run(self) -> Exploration:
        """Level by level: check it, expand it, until nothing is new."""
        try:
            with self.fleet.threads():
                found = self.find_breach()
        except (Stopped, KeyboardInterrupt) as stop:
            return self.result(Ending.STOPPED, reason=str(stop) or "interrupted")
        if found is not None:
            return self.breached(found)
        return replace(self.result(Ending.COMPLETE), graph_hash=self.graph_hash())

    def find_breach(self) -> Breach | None:
        """Search until something is breached or nothing is new."""
        self.fleet.store_initial([self.layout.pack(state) for state in self.system.initial])
        while size := self.fleet.open_level():
            self.levels.append(size)
            found = self.look_at(expanding=False)
            if found is None:
                self.expand_level()
                found = self.look_at(expanding=True)
            if found is not None:
                return found
            self.expanded += 1
        return None

    def expand_level(self) -> None:
        """Expand the present level; between slices look at limits, and go on with better code if it takes long."""
        self.look_at_limits()
        while self.fleet.expand():
            self.look_at_limits()
            if self.watch.seconds > self.optimise_after:
                self.fleet.optimise()
                self.optimise_after = inf

    def look_at_limits(self) -> None:
        """Report progress; stop where a limit is met."""
        self.watch.look(
            states=self.fleet.states,
            frontier=self.levels[-1],
            level=self.expanded,
            memory_bytes=self.fleet.held_bytes,
        )

    # Findings

    def look_at(self, *, expanding: bool) -> Breach | None:
        """Take note of what checking, or expanding, the level has met; the breach that ends the search, if any."""
        findings: Findings[None] = Findings(self.system)
        for number in self.raised(expanding=expanding):
            flag = self.flags.flags[number]
            if flag.kind is FlagKind.PREMISE:
                self.premises.add((flag.property, flag.part))
            elif flag.kind is FlagKind.WITNESS and self.witnesses[flag.property] is None:
                self.witnesses[flag.property] = self.expanded
            elif flag.breach is not None:
                beyond = expanding and flag.breach.kind is not BreachKind.DEADLOCK
                findings.add(replace(flag.breach, steps=self.expanded + beyond), None)
        found = findings.first()
        return found and found[0]

    def raised(self, *, expanding: bool) -> set[int]:
        """Numbers of the flags raised, in representatives or, by other names, anywhere in their orbits."""
        raised = {number for number in self.fleet.raised() if self.flags.flags[number].expanding is expanding}
        if not self.sorts:
            return raised
        named = {number for number in raised - self.known if has_orbits(self.flags.flags[number])}
        self.known |= named
        return raised | self.orbits.completed({number: self.example(number) for number in named})

    def example(self, number: int) -> State:
        """A state of the present level that raises a flag."""
        expanding = self.flags.flags[number].expanding
        return self.state_at(next(self.fleet.raising(number, self.expanded, expanding=expanding)))

    def state_at(self, place: Place) -> State:
        """A state as values of cells."""
        return self.layout.unpack(self.fleet.words_at(place))

    # The answer

    def breached(self, breach: Breach) -> Exploration:
        """The result that ends in a breach, or before a full channel."""
        obligation, full = obligation_of(self.system, breach), is_full_channel(self.system, breach)
        ending, reason = (Ending.STOPPED, obligation.text) if full and obligation else (Ending.BREACHED, "")
        return replace(self.result(ending, reason=reason), breach=breach, layers=self.layers_towards(breach))

    def layers_towards(self, breach: Breach) -> tuple[frozenset[State], ...]:
        """For each level the states on a shortest trace to a breach, those of the last level last.

        No parents are stored: the levels before are expanded once more.
        """
        places = list(self.targets(breach))
        layers = [frozenset(map(self.state_at, places))]
        for level in range(self.expanded, 0, -1):
            places = list(self.fleet.predecessors(places, level))
            layers.append(frozenset(map(self.state_at, places)))
        return tuple(reversed(layers))

    def targets(self, breach: Breach) -> list[Place]:
        """States of the last level in which, or on a step from which, a breach is met, maybe under other names."""
        number = self.flags.number_of_breach(breach)
        flag = self.flags.flags[number]
        if not self.sorts or not has_orbits(flag):
            return list(self.fleet.raising(number, self.expanded, expanding=flag.expanding))
        candidates = {
            place
            for each in self.orbits.alike(number)
            for place in self.fleet.raising(each, self.expanded, expanding=flag.expanding)
        }
        return [place for place in candidates if self.orbits.raises_somewhere(number, self.state_at(place))]

    def result(self, ending: Ending, *, reason: str = "") -> Exploration:
        """What was counted so far."""
        fired, states = self.fleet.fired, self.fleet.states
        beyond = states - sum(self.levels)
        return Exploration(
            ending=ending,
            states=states,
            transitions=sum(fired),
            levels=(*self.levels, beyond) if beyond else tuple(self.levels),
            fired=fired,
            changed=self.changed(),
            premises=frozenset(self.premises),
            witnesses=self.witnesses,
            reason=reason,
            expanded=self.expanded,
            reduced=self.sorts,
            engine=NAME,
            seconds=self.watch.seconds,
            memory_bytes=self.fleet.held_bytes,
        )

    def changed(self) -> tuple[int, ...]:
        """Per instance, in how many states its step changed something; native code counts only where it may not."""
        counts = zip(self.system.instances, self.fleet.fired, self.fleet.changed, strict=True)
        return tuple(fired if certainly_changes(instance) else changed for instance, fired, changed in counts)

    def graph_hash(self) -> str:
        """Hash of the whole graph, in a second pass over the states."""
        if not self.request.graph_hash or self.sorts:
            return ""
        sums = self.fleet.graph_sums()
        return GraphHash(sums[:2], sums[2:]).text()
