"""What an engine finds at the end of a level, put into the order of the contract; and the way back to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from cmxverify.checking.exploration import Breach, BreachKind
from cmxverify.modeling.ir.system import Obligation, ObligationKind, System

State = TypeVar("State")
"""As the engine holds it: a tuple, or packed."""

_ORDER = (
    BreachKind.DEADLOCK,
    BreachKind.OBLIGATION,
    BreachKind.PROPERTY_OBLIGATION,
    BreachKind.STEP,
    BreachKind.INVARIANT,
)


def obligation_of(system: System, breach: Breach) -> Obligation | None:
    """The obligation that a breach is about, if it is about one."""
    match breach.kind:
        case BreachKind.OBLIGATION:
            return system.instances[breach.instance].obligations[breach.obligation]
        case BreachKind.PROPERTY_OBLIGATION:
            return system.properties[breach.property].obligations[breach.obligation]
    return None


def is_full_channel(system: System, breach: Breach) -> bool:
    """Whether it only stops the search (BOUND, rulings L17 and L18) and violates nothing."""
    obligation = obligation_of(system, breach)
    return obligation is not None and obligation.kind is ObligationKind.BOUND


@dataclass(slots=True)
class Findings(Generic[State]):
    """Breaches met in one level with the states they were met in."""

    system: System
    states: dict[Breach, set[State]] = field(default_factory=dict)

    def add(self, breach: Breach, state: State) -> None:
        """Note a breach and the state of the level in which, or on a step from which, it was met."""
        self.states.setdefault(breach, set()).add(state)

    def add_all(self, breach: Breach, states: Iterable[State]) -> None:
        """Note a breach met in several states; in none, and it is not noted."""
        if found := set(states):
            self.states.setdefault(breach, set()).update(found)

    def first(self) -> tuple[Breach, set[State]] | None:
        """The breach that ends the search, if any: the least in the order of the contract, full channels last."""
        return min(self.states.items(), key=lambda item: self._rank(item[0]), default=None)

    def _rank(self, breach: Breach) -> tuple[int, ...]:
        full = is_full_channel(self.system, breach)
        return full, _ORDER.index(breach.kind), breach.instance, breach.property, breach.obligation


def layers_towards(
    targets: Iterable[State],
    levels: Sequence[Iterable[State]],
    successors: Callable[[State], Iterable[State]],
) -> tuple[frozenset[State], ...]:
    """States on shortest traces to the targets, level by level, the targets (states of the last level) last."""
    layers = [frozenset(targets)]
    for level in reversed(levels[:-1]):
        layers.append(
            frozenset(state for state in level if any(next_ in layers[-1] for next_ in successors(state)))
        )
    return tuple(reversed(layers))
