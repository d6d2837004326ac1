"""Whether the Python source and its intermediate representation agree, step by step (rulings S2 and S3).

The front end is common to all engines, so agreement among engines does not test it. Here the model class itself is
run by CPython, from arbitrary well-typed states, reachable or not, and each instance is compared: enabled or not,
successor, and obligation.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from cmxverify.modeling.compile import Compiled
from cmxverify.modeling.domains import (
    BagDomain,
    Domain,
    MapDomain,
    OptionalDomain,
    QueueDomain,
    RecordDomain,
    SetDomain,
    UnionDomain,
)
from cmxverify.modeling.functions import BreachError, NotEnabled
from cmxverify.modeling.ir.evaluate import State, enabled, evaluate, successor
from cmxverify.modeling.ir.system import Instance, ObligationKind, Property, PropertyKind
from cmxverify.modeling.members import NamedProperty, Step
from cmxverify.modeling.model import Plain


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one instance does in a state: a successor, nothing (not enabled), or a breach of that kind."""

    successor: State | None = None
    breach: ObligationKind | None = None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A state in which source and representation differ: a bug of cmxverify, never a verdict."""

    state: Plain
    what: str
    source: object
    representation: object

    def __str__(self) -> str:
        return f"{self.what} in {self.state}: source {self.source}, representation {self.representation}"


def random_value(domain: Domain, source: random.Random) -> Any:
    """A plain value of a type, chosen at random part by part."""
    match domain:
        case OptionalDomain():
            return None if source.random() < 0.4 else random_value(domain.inner, source)
        case RecordDomain():
            return domain.record(**{name: random_value(each, source) for name, each in domain.fields.items()})
        case UnionDomain():
            return random_value(source.choice(domain.variants), source)
        case MapDomain():
            return tuple(random_value(domain.value, source) for _ in range(domain.key.size))
        case SetDomain():
            share = source.random()
            return frozenset(each for each in domain.element.listed if source.random() < share)
        case BagDomain():
            counts = [0] * domain.message.size
            for _ in range(source.randint(0, domain.cap)):
                counts[source.randrange(domain.message.size)] += 1
            return tuple(counts)
        case QueueDomain():
            return tuple(random_value(domain.message, source) for _ in range(source.randint(0, domain.cap)))
    return source.choice(domain.listed)


def random_states(compiled: Compiled, count: int, seed: int) -> Iterator[Plain]:
    """Well-typed states, reachable or not."""
    source = random.Random(seed)
    fields = compiled.model.schema.fields.values()
    for _ in range(count):
        yield tuple(random_value(field.domain, source) for field in fields)


def outcome_of_source(compiled: Compiled, state: Plain, step: Step, arguments: tuple[Any, ...]) -> Outcome:
    """What CPython does."""
    model = compiled.model
    model.state = state
    try:
        model.take(step, arguments)
    except NotEnabled:
        return Outcome()
    except BreachError as error:
        return Outcome(breach=error.kind)
    return Outcome(successor=compiled.encode(model.state))


def outcome_of_representation(instance: Instance, cells: State) -> Outcome:
    """What the representation says."""
    for obligation in instance.obligations:
        if evaluate(obligation.breach, cells):
            return Outcome(breach=obligation.kind)
    return Outcome(successor=successor(instance, cells)) if enabled(instance, cells) else Outcome()


def step_disagreements(compiled: Compiled, states: Iterable[Plain]) -> Iterator[Disagreement]:
    """Every instance in every state where source and representation differ."""
    steps = list(compiled.model.instances())
    for state in states:
        cells = compiled.encode(state)
        if compiled.decode(cells) != state:
            yield Disagreement(state, "encoding", state, compiled.decode(cells))
        for (step, arguments), instance in zip(steps, compiled.system.instances, strict=True):
            by_source = outcome_of_source(compiled, state, step, arguments)
            by_representation = outcome_of_representation(instance, cells)
            if by_source != by_representation:
                yield Disagreement(state, instance.name, by_source, by_representation)


def property_disagreements(compiled: Compiled, states: Iterable[Plain]) -> Iterator[Disagreement]:
    """Every property that source and representation judge differently; step properties on pairs of states."""
    before: Plain | None = None
    for state in states:
        pairs = zip(compiled.model.schema.properties, compiled.system.properties, strict=True)
        for named, each in pairs:
            if each.kind is PropertyKind.STEP and before is None:
                continue
            by_source = _judged_by_source(compiled, named, before, state)
            by_representation = _judged_by_representation(compiled, each, before, state)
            if by_source != by_representation:
                yield Disagreement(state, each.name, by_source, by_representation)
        before = state


def _judged_by_source(compiled: Compiled, named: NamedProperty, before: Plain | None, state: Plain) -> object:
    model = compiled.model
    arguments = []
    if named.declared.property is PropertyKind.STEP and before is not None:
        old = model.copy()
        old.state = before
        arguments = [old]
    model.state = state
    try:
        return bool(model.look(named.method, *arguments))
    except BreachError as error:
        return error.kind


def _judged_by_representation(compiled: Compiled, each: Property, before: Plain | None, state: Plain) -> object:
    cells = compiled.encode(state)
    old = compiled.encode(before) if each.kind is PropertyKind.STEP and before is not None else cells
    for obligation in each.obligations:
        if evaluate(obligation.breach, old, cells):
            return obligation.kind
    return all(evaluate(part.holds, old, cells) for part in each.parts)
