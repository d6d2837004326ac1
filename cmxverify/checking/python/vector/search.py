"""Breadth-first search in numpy, a batch of states at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from cmxverify.checking.exploration import Breach, BreachKind, Ending, Exploration, Request
from cmxverify.checking.findings import Findings, is_full_channel, obligation_of
from cmxverify.checking.python.limits import Stopped, Watch
from cmxverify.checking.python.vector.images import VectorSymmetry
from cmxverify.checking.python.vector.mixing import GraphSums
from cmxverify.checking.python.vector.moves import Moves, Steps
from cmxverify.checking.python.vector.program import Program, Vector, Words
from cmxverify.checking.python.vector.properties import Part, Positions, Properties
from cmxverify.checking.python.vector.store import Store
from cmxverify.checking.symmetry import Symmetry, sorts_by_brute_force, symmetry_of
from cmxverify.modeling.ir.evaluate import State
from cmxverify.modeling.ir.expression import FALSE
from cmxverify.modeling.ir.fingerprint import MASK, GraphHash
from cmxverify.modeling.ir.layout import Layout, layout_of
from cmxverify.modeling.ir.system import ActionKind, Property, PropertyKind, System

Found = tuple[Breach, set[int]]
"""A breach, and the indices in the store of the states it was met in."""


class NumpyEngine:
    """Search with numpy; one thread, whatever is asked."""

    name = "numpy"

    def explore(self, system: System, request: Request) -> Exploration:
        """Search until complete, breached or stopped."""
        return _Search(system, request).run()


@dataclass(slots=True)
class _Search:
    system: System
    request: Request
    layout: Layout = field(init=False)
    symmetry: Symmetry = field(init=False)
    images: VectorSymmetry = field(init=False)
    moves: Moves = field(init=False)
    on_states: Properties = field(init=False)
    on_steps: Properties = field(init=False)
    quiescent: Program = field(init=False)
    watch: Watch = field(init=False)
    store: Store = field(init=False)
    starts: list[int] = field(default_factory=lambda: [0])
    fired: list[int] = field(init=False)
    changed: list[int] = field(init=False)
    premises: set[Part] = field(default_factory=set)
    witnesses: dict[int, int | None] = field(init=False)
    expanded: int = 0

    def __post_init__(self) -> None:
        system = self.system
        self.watch = Watch(self.request)
        self.layout = layout = layout_of(system.cells)
        self.symmetry = symmetry_of(system, sorts_by_brute_force(system, self.request))
        self.images = VectorSymmetry(self.symmetry, layout)
        self.moves = Moves(system, layout)
        asked = self.asked()
        steps = [(index, each) for index, each in asked if each.kind is PropertyKind.STEP]
        self.on_steps = Properties(steps, layout, self.images)
        self.on_states = Properties([pair for pair in asked if pair not in steps], layout, self.images)
        self.quiescent = Program([system.quiescent or FALSE], layout)
        self.store = Store(layout.words)
        self.fired, self.changed = [0] * len(system.instances), [0] * len(system.instances)
        self.witnesses = {index: None for index, each in asked if each.kind is PropertyKind.REACHABLE}

    def asked(self) -> list[tuple[int, Property]]:
        """Properties to check, with their indices."""
        chosen = self.request.properties
        return [
            (index, each)
            for index, each in enumerate(self.system.properties)
            if chosen is None or index in chosen
        ]

    def run(self) -> Exploration:
        """Level by level: check it, expand it, until nothing is new."""
        try:
            packed = [self.layout.pack(state) for state in self.system.initial]
            self.store.add(self.images.canonical(np.array(packed, np.uint64).T))
            while self.starts[-1] < self.store.size:
                found = self.check_level() or self.expand_level()
                if found is not None:
                    return self.breached(*found)
                self.expanded += 1
        except (Stopped, KeyboardInterrupt) as stop:
            return self.result(Ending.STOPPED, reason=str(stop) or "interrupted")
        return self.result(Ending.COMPLETE)

    def batches(self, begin: int, end: int) -> Iterator[tuple[int, Words]]:
        """States of the store batch by batch, each with the index of its first."""
        for start in range(begin, end, self.moves.program.batch):
            yield start, self.store.words[:, start : min(end, start + self.moves.program.batch)]

    def watched(self, begin: int, end: int) -> Iterator[tuple[int, Words]]:
        """The same, with a look at the limits before each batch."""
        for batch in self.batches(begin, end):
            self.watch.look(
                states=self.store.size,
                frontier=end - begin,
                level=self.expanded,
                memory_bytes=self.store.memory_bytes,
            )
            yield batch

    # Level k itself

    def check_level(self) -> Found | None:
        """Properties of the states of the last level."""
        findings: Findings[int] = Findings(self.system)
        for start, words in self.watched(self.starts[-1], self.store.size):
            for index in self.on_states.witnessed(words):
                if self.witnesses[index] is None:
                    self.witnesses[index] = self.expanded
            self.premises |= self.on_states.new_premises(words, None)
            for look in (self.on_states.breached, self.on_states.failing):
                for breach, positions in look(words, None, self.expanded):
                    findings.add_all(breach, (start + positions).tolist())
        return findings.first()

    # From level k to level k + 1

    def expand_level(self) -> Found | None:
        """Every step from the states of the last level, which becomes the last but one."""
        findings: Findings[int] = Findings(self.system)
        begin, end = self.starts[-1], self.store.size
        self.starts.append(end)
        for start, words in self.watched(begin, end):
            progress = np.zeros(words.shape[1], np.bool_)
            taken = []
            for steps in self.moves.steps(words):
                self.count(findings, steps, start, words)
                if self.system.instances[steps.number].kind is ActionKind.ACTION:
                    progress |= steps.makes_progress
                taken.append(steps)
            self.find_deadlocks(findings, start, words, progress)
            sources, targets = self.transitions(taken, words)
            if self.on_steps.formulas:
                self.find_bad_steps(findings, start, words, sources, targets)
            self.store.add(self.images.canonical(targets))
        return findings.first()

    def count(self, findings: Findings[int], steps: Steps, start: int, words: Words) -> None:
        """Count what one instance does, and note its breached obligations."""
        self.fired[steps.number] += steps.sources.size
        self.changed[steps.number] += int(steps.changing.sum())
        if steps.faulty.any():
            positions = np.flatnonzero(steps.faulty)
            for image in self.images.images(words[:, positions]):
                results = self.moves.program.run(image)
                for number, instance in enumerate(self.system.instances):
                    for place, duty in enumerate(instance.obligations):
                        breach = Breach(
                            BreachKind.OBLIGATION, self.expanded + 1, instance=number, obligation=place
                        )
                        findings.add_all(breach, (start + positions[results.where(duty.breach)]).tolist())

    def find_deadlocks(self, findings: Findings[int], start: int, words: Words, progress: Vector) -> None:
        """States that should have an action that makes progress, and have none (L25)."""
        quiescent = self.system.quiescent
        if self.request.deadlock and quiescent is not None:
            idle = np.flatnonzero(~progress)
            results = self.quiescent.run(words[:, idle])
            stuck = idle[np.flatnonzero(~results.vector(quiescent))]
            findings.add_all(Breach(BreachKind.DEADLOCK, self.expanded), (start + stuck).tolist())

    def transitions(self, taken: list[Steps], words: Words) -> tuple[Positions, Words]:
        """Positions of the sources, and targets, of all steps that change the state."""
        sources = [steps.sources[steps.changing] for steps in taken]
        targets = [steps.targets[:, steps.changing] for steps in taken]
        if not taken:
            return np.empty(0, np.intp), np.empty((self.layout.words, 0), np.uint64)
        return np.concatenate(sources), np.concatenate(targets, axis=1)

    def find_bad_steps(
        self, findings: Findings[int], start: int, words: Words, sources: Positions, targets: Words
    ) -> None:
        """Step properties on every transition; self-loops are the stutter step."""
        sources = np.concatenate((np.arange(words.shape[1]), sources))
        before, after = words[:, sources], np.concatenate((words, targets), axis=1)
        self.premises |= self.on_steps.new_premises(before, after)
        for look in (self.on_steps.breached, self.on_steps.failing):
            for breach, positions in look(before, after, self.expanded + 1):
                findings.add_all(breach, (start + sources[positions]).tolist())

    # The answer

    def breached(self, breach: Breach, targets: set[int]) -> Exploration:
        """The result that ends in a breach, or before a full channel."""
        obligation = obligation_of(self.system, breach)
        full = is_full_channel(self.system, breach)
        ending, reason = (Ending.STOPPED, obligation.text) if full and obligation else (Ending.BREACHED, "")
        return replace(self.result(ending, reason=reason), breach=breach, layers=self.layers(targets))

    def layers(self, targets: set[int]) -> tuple[frozenset[State], ...]:
        """States on shortest traces to the targets, level by level."""
        wanted = np.zeros(self.store.size, np.bool_)
        wanted[list(targets)] = True
        for level in range(self.expanded - 1, -1, -1):  # a step leads no further than to the next level
            for start, words in self.batches(self.starts[level], self.starts[level + 1]):
                sources, after = self.transitions(list(self.moves.steps(words)), words)
                leads_on = wanted[self.store.find(self.images.canonical(after))]
                wanted[start + sources[leads_on]] = True
        ends = [*self.starts, self.store.size]
        return tuple(
            frozenset(self.states_at(begin + np.flatnonzero(wanted[begin:end])))
            for begin, end in pairwise(ends[: self.expanded + 2])
        )

    def states_at(self, indices: Positions) -> Iterator[State]:
        """States as tuples."""
        return map(self.layout.unpack, self.store.words[:, indices].T.tolist())

    def graph_hash(self) -> str:
        """Hash of the whole graph, in a pass of its own over the states."""
        total = GraphSums()
        for _, words in self.watched(0, self.store.size):
            total.add_states(words)
            for steps in self.moves.steps(words):
                total.add_edges(words[:, steps.sources], steps.number, steps.targets)
        return GraphHash([each & MASK for each in total.states], [each & MASK for each in total.edges]).text()

    def result(self, ending: Ending, *, reason: str = "") -> Exploration:
        """What was counted so far."""
        wanted = self.request.graph_hash and ending is Ending.COMPLETE and not self.symmetry.sorts
        return Exploration(
            ending=ending,
            states=self.store.size,
            transitions=sum(self.fired),
            levels=tuple(
                end - begin for begin, end in pairwise([*self.starts, self.store.size]) if end > begin
            ),
            fired=tuple(self.fired),
            changed=tuple(self.changed),
            premises=frozenset(self.premises),
            witnesses=self.witnesses,
            reason=reason,
            expanded=self.expanded,
            graph_hash=self.graph_hash() if wanted else "",
            reduced=self.symmetry.sorts,
            engine=NumpyEngine.name,
            seconds=self.watch.seconds,
            memory_bytes=self.store.memory_bytes,
        )
