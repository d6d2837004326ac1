"""The oracle: breadth-first search over tuples with the reference evaluator, one expression at a time.

Nothing here is fast, and nothing is clever: every other engine is measured against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from cmxverify.checking.exploration import Breach, BreachKind, Ending, Exploration, Request
from cmxverify.checking.findings import Findings, is_full_channel, layers_towards, obligation_of
from cmxverify.checking.python.limits import Stopped, Watch
from cmxverify.checking.symmetry import Symmetry, sorts_by_brute_force, symmetry_of
from cmxverify.modeling.ir.evaluate import State, enabled, evaluate, successor
from cmxverify.modeling.ir.fingerprint import GraphHash
from cmxverify.modeling.ir.layout import layout_of
from cmxverify.modeling.ir.system import ActionKind, Obligation, Property, PropertyKind, System

_CELL_BYTES = 8
_STATE_BYTES = 160
"""A tuple and its entries in a set and in a list; the integers of the cells are shared."""


class InterpretEngine:
    """Search by interpretation of the intermediate representation: the measure of every other engine."""

    name = "interpret"

    def explore(self, system: System, request: Request) -> Exploration:
        """Search until complete, breached or stopped; one thread, whatever is asked."""
        return _Search(system, request).run()


@dataclass(slots=True)
class _Search:
    system: System
    request: Request
    symmetry: Symmetry = field(init=False)
    watch: Watch = field(init=False)
    levels: list[list[State]] = field(default_factory=list)
    seen: set[State] = field(default_factory=set)
    fired: list[int] = field(init=False)
    changed: list[int] = field(init=False)
    premises: set[tuple[int, int]] = field(default_factory=set)
    witnesses: dict[int, int | None] = field(init=False)
    expanded: int = 0

    def __post_init__(self) -> None:
        self.symmetry = symmetry_of(self.system, sorts_by_brute_force(self.system, self.request))
        self.watch = Watch(self.request)
        self.fired = [0] * len(self.system.instances)
        self.changed = [0] * len(self.system.instances)
        self.witnesses = {index: None for index, _ in self.asked(PropertyKind.REACHABLE)}

    def run(self) -> Exploration:
        """Level by level: check it, expand it, until nothing is new."""
        try:
            self.store(self.system.initial, self.open_level())
            while self.levels[-1]:
                found = self.check_level(len(self.levels) - 1) or self.expand_level(len(self.levels) - 1)
                if found is not None:
                    return self.breached(*found)
                self.expanded += 1
        except (Stopped, KeyboardInterrupt) as stop:
            return self.result(Ending.STOPPED, reason=str(stop) or "interrupted")
        return replace(self.result(Ending.COMPLETE), graph_hash=self.graph_hash())

    def asked(self, *kinds: PropertyKind) -> Iterator[tuple[int, Property]]:
        """Properties of some kinds that are to be checked, with their indices."""
        for index, each in enumerate(self.system.properties):
            if each.kind in kinds and (self.request.properties is None or index in self.request.properties):
                yield index, each

    # Level k itself

    def check_level(self, depth: int) -> tuple[Breach, set[State]] | None:
        """Properties of the states of a level, and the obligations met in evaluating them."""
        findings: Findings[State] = Findings(self.system)
        for state in self.levels[depth]:
            self.look()
            for index, each in self.asked(PropertyKind.INVARIANT, PropertyKind.REACHABLE):
                self.find_property_obligations(findings, depth, index, state, state)
                self.note_premises(index, each, state, state)
                holds = all(evaluate(part.holds, state) for part in each.parts)
                if each.kind is PropertyKind.INVARIANT and not holds:
                    findings.add(Breach(BreachKind.INVARIANT, depth, property=index), state)
                if each.kind is PropertyKind.REACHABLE and holds and self.witnesses[index] is None:
                    self.witnesses[index] = depth
        return findings.first()

    def find_property_obligations(
        self, findings: Findings[State], steps: int, index: int, state: State, following: State
    ) -> None:
        """Note the breached obligations of a property, for every state of the orbit."""
        obligations = self.system.properties[index].obligations
        for place in self.breached_anywhere(obligations, state, following):
            breach = Breach(BreachKind.PROPERTY_OBLIGATION, steps, property=index, obligation=place)
            findings.add(breach, state)

    def breached_anywhere(
        self, obligations: Sequence[Obligation], state: State, following: State
    ) -> set[int]:
        """Which obligations are breached in some state of the orbit; what they say depends on the representative."""
        return {
            place
            for action in self.symmetry.actions
            for place, each in enumerate(obligations)
            if evaluate(each.breach, action.image(state), action.image(following))
        }

    def note_premises(self, index: int, each: Property, state: State, following: State) -> None:
        """Remember the premises that hold here, or in some state that is alike."""
        for place, part in enumerate(each.parts):
            if part.premise is not None and (index, place) not in self.premises:
                images = ((action.image(state), action.image(following)) for action in self.symmetry.actions)
                if any(evaluate(part.premise, *pair) for pair in images):
                    self.premises.add((index, place))

    # From level k to level k + 1

    def expand_level(self, depth: int) -> tuple[Breach, set[State]] | None:
        """Every step from the states of a level, and what the contract checks on the way."""
        findings: Findings[State] = Findings(self.system)
        fresh = self.open_level()
        for state in self.levels[depth]:
            self.look()
            self.check_step(findings, depth, state, state)
            progress = False
            for number, instance in enumerate(self.system.instances):
                faulty = self.find_obligations(findings, depth, number, state)
                if not faulty and enabled(instance, state):
                    following = successor(instance, state)
                    self.fired[number] += 1
                    self.changed[number] += following != state
                    self.check_step(findings, depth, state, following)
                    self.store([following], fresh)
                    faulty = following != state
                progress |= faulty and instance.kind is ActionKind.ACTION
            if not progress and self.deadlocks(state):
                findings.add(Breach(BreachKind.DEADLOCK, depth), state)
        return findings.first()

    def deadlocks(self, state: State) -> bool:
        """Whether a state from which no action makes progress should not be one (L25)."""
        quiescent = self.system.quiescent
        return self.request.deadlock and quiescent is not None and not evaluate(quiescent, state)

    def find_obligations(self, findings: Findings[State], depth: int, number: int, state: State) -> bool:
        """Note the breached obligations of an instance, for every state of the orbit; whether there are any here."""
        obligations = self.system.instances[number].obligations
        for place in self.breached_anywhere(obligations, state, state):
            breach = Breach(BreachKind.OBLIGATION, depth + 1, instance=number, obligation=place)
            findings.add(breach, state)
        return any(evaluate(each.breach, state) for each in obligations)

    def check_step(self, findings: Findings[State], depth: int, state: State, following: State) -> None:
        """Step properties on one transition, or on the stutter step."""
        for index, each in self.asked(PropertyKind.STEP):
            self.find_property_obligations(findings, depth + 1, index, state, following)
            self.note_premises(index, each, state, following)
            if not all(evaluate(part.holds, state, following) for part in each.parts):
                findings.add(Breach(BreachKind.STEP, depth + 1, property=index), state)

    def successors(self, state: State) -> Iterator[State]:
        """Representatives of the states one step further."""
        for instance in self.system.instances:
            faulty = any(evaluate(each.breach, state) for each in instance.obligations)
            if not faulty and enabled(instance, state):
                yield self.symmetry.canonical(successor(instance, state))

    # The store

    def open_level(self) -> list[State]:
        """An empty level behind the last one."""
        self.levels.append([])
        return self.levels[-1]

    def store(self, states: Sequence[State], level: list[State]) -> None:
        """Put what is new into a level, each orbit once."""
        for state in map(self.symmetry.canonical, states):
            if state not in self.seen:
                self.seen.add(state)
                level.append(state)

    def memory_bytes(self) -> int:
        """Estimate of what the store holds."""
        return len(self.seen) * (_STATE_BYTES + _CELL_BYTES * len(self.system.cells))

    def look(self) -> None:
        """Compare with the limits."""
        frontier = self.levels[self.expanded]
        self.watch.look(
            states=len(self.seen),
            frontier=len(frontier),
            level=self.expanded,
            memory_bytes=self.memory_bytes(),
        )

    # The answer

    def breached(self, breach: Breach, targets: set[State]) -> Exploration:
        """The result that ends in a breach, or before a full channel."""
        layers = layers_towards(targets, self.levels[: self.expanded + 1], self.successors)
        obligation = obligation_of(self.system, breach)
        full = is_full_channel(self.system, breach)
        ending, reason = (Ending.STOPPED, obligation.text) if full and obligation else (Ending.BREACHED, "")
        return replace(self.result(ending, reason=reason), breach=breach, layers=layers)

    def result(self, ending: Ending, *, reason: str = "") -> Exploration:
        """What was counted so far."""
        return Exploration(
            ending=ending,
            states=len(self.seen),
            transitions=sum(self.fired),
            levels=tuple(len(level) for level in self.levels if level),
            fired=tuple(self.fired),
            changed=tuple(self.changed),
            premises=frozenset(self.premises),
            witnesses=self.witnesses,
            reason=reason,
            expanded=self.expanded,
            reduced=self.symmetry.sorts,
            engine=InterpretEngine.name,
            seconds=self.watch.seconds,
            memory_bytes=self.memory_bytes(),
        )

    def graph_hash(self) -> str:
        """Hash of the whole graph, in a second pass over the states."""
        if not self.request.graph_hash or self.symmetry.sorts:
            return ""
        total, pack = GraphHash.empty(), layout_of(self.system.cells).pack
        for state in self.seen:
            total.add_state(pack(state))
            for number, instance in enumerate(self.system.instances):
                if enabled(instance, state):
                    total.add_edge(pack(state), number, pack(successor(instance, state)))
        return total.text()
