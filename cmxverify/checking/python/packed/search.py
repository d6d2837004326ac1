"""Breadth-first search over packed states in plain Python, a batch of states at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from cmxverify.checking.exploration import Breach, BreachKind, Ending, Exploration, Request
from cmxverify.checking.findings import Findings, is_full_channel, layers_towards, obligation_of
from cmxverify.checking.python.limits import Stopped, Watch
from cmxverify.checking.python.packed.code import condition_of
from cmxverify.checking.python.packed.images import PackedSymmetry
from cmxverify.checking.python.packed.places import Places, places_of
from cmxverify.checking.python.packed.properties import StateProperties, StepProperties, asked
from cmxverify.checking.python.packed.reckoning import graph_hash
from cmxverify.checking.python.packed.tables import Loop, Table, movers_of
from cmxverify.checking.symmetry import Symmetry, sorts_by_brute_force, symmetry_of
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.system import PropertyKind, System

_BATCH = 16_384

Found = tuple[Breach, set[int]]


class PackedEngine:
    """Search in plain Python, a hundred times faster than interpretation; needs nothing but Python."""

    name = "packed"

    def explore(self, system: System, request: Request) -> Exploration:
        """Search until complete, breached or stopped; one thread, whatever is asked."""
        return _Search(system, request).run()


@dataclass(slots=True)
class _Search:
    system: System
    request: Request
    places: Places = field(init=False)
    symmetry: Symmetry = field(init=False)
    images: PackedSymmetry = field(init=False)
    movers: list[Table | Loop] = field(init=False)
    states: StateProperties = field(init=False)
    steps: StepProperties = field(init=False)
    watch: Watch = field(init=False)
    levels: list[list[int]] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)
    premises: set[tuple[int, int]] = field(default_factory=set)
    witnesses: dict[int, int | None] = field(init=False)
    conditions: dict[Expr, Callable[[int], object]] = field(default_factory=dict)
    expanded: int = 0

    def __post_init__(self) -> None:
        system, request = self.system, self.request
        self.watch = Watch(request)
        self.places = places = places_of(system.cells)
        self.symmetry = symmetry_of(system, sorts_by_brute_force(system, request))
        self.images = PackedSymmetry(self.symmetry, places)
        self.movers = movers_of(system, places)
        self.states = StateProperties(system, request, places, self.images)
        self.steps = StepProperties(system, request, places, self.images)
        self.witnesses = {index: None for index, _ in asked(system, request, PropertyKind.REACHABLE)}

    def run(self) -> Exploration:
        """Level by level: check it, expand it, until nothing is new."""
        try:
            self.levels.append([])
            self.store(map(self.places.pack, self.system.initial))
            while self.levels[-1]:
                found = self.check_level() or self.expand_level()
                if found is not None:
                    return self.breached(*found)
                self.expanded += 1
        except (Stopped, KeyboardInterrupt) as stop:
            return self.result(Ending.STOPPED, reason=str(stop) or "interrupted")
        return self.result(Ending.COMPLETE)

    def batches(self) -> Iterator[list[int]]:
        """The level being worked on, batch by batch; limits are looked at before each."""
        level = self.levels[self.expanded]
        for start in range(0, len(level), _BATCH):
            self.watch.look(
                states=len(self.seen),
                frontier=len(level),
                level=self.expanded,
                memory_bytes=self.memory_bytes(),
            )
            yield level[start : start + _BATCH]

    def check_level(self) -> Found | None:
        """Properties of the states of the last level."""
        findings: Findings[int] = Findings(self.system)
        for batch in self.batches():
            for index in self.states.new_witnesses(batch):
                self.witnesses[index] = self.expanded
            self.premises.update(self.states.new_premises(batch))
            for state in self.states.suspects(batch):
                for breach in self.states.breaches(state, self.expanded):
                    findings.add(breach, state)
        return findings.first()

    def expand_level(self) -> Found | None:
        """Every step from the states of the last level, which becomes the last but one."""
        findings: Findings[int] = Findings(self.system)
        batches = self.batches()
        self.levels.append([])
        for batch in batches:
            successors: set[int] = set()
            for mover in self.movers:
                successors.update(mover.successors(batch))
            self.store(successors)
            self.find_faults(findings, batch)
            self.find_deadlocks(findings, batch)
            if not self.steps.idle:
                self.find_bad_steps(findings, batch)
        return findings.first()

    def store(self, states: Iterable[int]) -> None:
        """Put what is new into the last level, each orbit once."""
        canonical = self.images.canonical
        fresh = (
            set(states)
            if self.images.trivial
            else {canonical(state) for state in states if state not in self.seen}
        )
        fresh = fresh - self.seen  # with -=, Python would walk through all that was ever seen
        self.seen |= fresh
        self.levels[-1] += fresh

    # What may be wrong on the way

    def find_faults(self, findings: Findings[int], batch: Sequence[int]) -> None:
        """Obligations of instances, for every state of an orbit that breaches one."""
        for state in set[int]().union(*(mover.faulty_among(batch) for mover in self.movers)):
            for image in set(self.images.images(state)):
                for number, instance in enumerate(self.system.instances):
                    for place, each in enumerate(instance.obligations):
                        if self.condition(each.breach)(image):
                            kind, steps = BreachKind.OBLIGATION, self.expanded + 1
                            findings.add(Breach(kind, steps, instance=number, obligation=place), state)

    def find_deadlocks(self, findings: Findings[int], batch: Sequence[int]) -> None:
        """States that should have an action that makes progress, and have none (L25)."""
        if not self.request.deadlock or self.system.quiescent is None:
            return
        idle = batch
        for mover in self.movers:
            idle = mover.idle_among(idle)
        quiescent = self.condition(self.system.quiescent)
        for state in idle:
            if not quiescent(state):
                findings.add(Breach(BreachKind.DEADLOCK, self.expanded), state)

    def find_bad_steps(self, findings: Findings[int], batch: Sequence[int]) -> None:
        """Step properties on every transition; self-loops are the stutter step."""
        pairs = [(state, state) for state in batch]
        pairs += (pair for mover in self.movers for pair in mover.pairs(batch))
        self.premises.update(self.steps.new_premises(pairs))
        suspects = self.steps.suspects(pairs)
        for state, following in pairs if suspects else ():
            if state in suspects:
                for breach in self.steps.breaches(state, following, self.expanded + 1):
                    findings.add(breach, state)

    def condition(self, expr: Expr) -> Callable[[int], object]:
        """Compiled condition, kept."""
        if expr not in self.conditions:
            self.conditions[expr] = condition_of(expr, self.places)
        return self.conditions[expr]

    # The answer

    def breached(self, breach: Breach, targets: set[int]) -> Exploration:
        """The result that ends in a breach, or before a full channel."""
        layers = layers_towards(targets, self.levels[: self.expanded + 1], self.successors)
        states = tuple(frozenset(map(self.places.unpack, layer)) for layer in layers)
        obligation = obligation_of(self.system, breach)
        full = is_full_channel(self.system, breach)
        ending, reason = (Ending.STOPPED, obligation.text) if full and obligation else (Ending.BREACHED, "")
        return replace(self.result(ending, reason=reason), breach=breach, layers=states)

    def successors(self, state: int) -> Iterator[int]:
        """Representatives of the states one step further, self-loops left out."""
        return (self.images.canonical(after) for mover in self.movers for _, after in mover.pairs([state]))

    def memory_bytes(self) -> int:
        """Estimate of what the store holds: integers, their entries in the set and in the levels."""
        widest = sys.getsizeof(1 << 64 * self.places.words - 1)
        return sys.getsizeof(self.seen) + len(self.seen) * (widest + 8)

    def result(self, ending: Ending, *, reason: str = "") -> Exploration:
        """What was counted so far."""
        fired, changed = [0] * len(self.system.instances), [0] * len(self.system.instances)
        for mover in self.movers:
            mover.add_to(fired, changed)
        wanted = self.request.graph_hash and ending is Ending.COMPLETE and not self.symmetry.sorts
        return Exploration(
            ending=ending,
            states=len(self.seen),
            transitions=sum(fired),
            levels=tuple(len(level) for level in self.levels if level),
            fired=tuple(fired),
            changed=tuple(changed),
            premises=frozenset(self.premises),
            witnesses=self.witnesses,
            reason=reason,
            expanded=self.expanded,
            graph_hash=graph_hash(self.system, self.places, self.seen) if wanted else "",
            reduced=self.symmetry.sorts,
            engine=PackedEngine.name,
            seconds=self.watch.seconds,
            memory_bytes=self.memory_bytes(),
        )
