"""What a search is asked and what it answers: the contract that every explicit engine keeps.

The search is level-synchronous. Level 0 holds the initial states; level k + 1 the states first reached from level k.
An engine checks, level by level and in this order:

1. every state of level k, when the level is complete: obligations of the properties, then the properties;
2. while it expands level k: obligations of the instances, step properties on each transition and (once, on the
   state itself) the stutter step, and whether some ACTION instance changes the state (deadlock, L25).

A level is always finished before the search stops, so results do not depend on the order within it, nor on threads.
What is found in a complete level k comes in this order: obligations of INVARIANT and REACHABLE properties, then
invariants, each in source order. What is found while level k is expanded comes in this order, and level k + 1 is then
not checked: deadlock of a state of level k (a trace of k steps), then what takes one step more: obligations of
instances, in instance order, obligations of step properties, step properties, in source order; full channels (BOUND)
only where nothing else was found, in the same order. Transitions are pairs (expanded state, enabled instance),
self-loops included (L13). An instance whose obligation is breached has no successor there and does not count as a
transition; a state from which such an ACTION starts is no deadlock, for it is the obligation that says what is wrong.

Under symmetry a result speaks of orbits, and must not depend on which state stands for one: instance and obligation
of a breach are the least over all states of the orbits concerned, a premise counts if it holds in any of them.
Only ``fired`` and ``changed`` depend on the representatives; summed over the instances of an action they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from cmxverify.modeling.ir.evaluate import State
from cmxverify.modeling.ir.system import System


class Ending(Enum):
    """How a search ended."""

    COMPLETE = "complete"  # every reachable state within the bounds was seen, nothing was breached
    BREACHED = "breached"  # something was breached: see ``Exploration.breach``
    STOPPED = "stopped"  # time, memory, interrupt or a full channel (BOUND): see ``Exploration.reason``


class BreachKind(Enum):
    """What a breach is about."""

    INVARIANT = "invariant"
    STEP = "step"
    DEADLOCK = "deadlock"
    OBLIGATION = "obligation"  # of an instance, at the last step
    PROPERTY_OBLIGATION = "property obligation"  # met while a property was evaluated


@dataclass(frozen=True, slots=True)
class Breach:
    """The first breach in the order above.

    Args:
        kind: What is breached.
        property: Index in ``System.properties`` (INVARIANT, STEP, PROPERTY_OBLIGATION), else -1.
        instance: Index of the instance (OBLIGATION), else -1. Of a STEP the last step of the trace tells.
        obligation: Index within the instance's or the property's obligations, else -1.
        steps: Length of the shortest trace, the breaching (or attempted) step included.
    """

    kind: BreachKind
    steps: int
    property: int = -1
    instance: int = -1
    obligation: int = -1


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a running search is: states seen, states in the level being expanded, level, seconds, bytes held."""

    states: int
    frontier: int
    level: int
    seconds: float
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Request:
    """Limits and choices of one search.

    Args:
        properties: Indices into ``System.properties`` to check; None: all.
        symmetry: Use ``System.sorts`` where the engine can; results are then counts of orbits. A search for a property
            that is not symmetric is never reduced (``symmetry.sorts_used``).
        deadlock: Check L25 (needs ``System.quiescent``).
        threads: Worker threads; results are the same for any number.
        memory_bytes: Stop before holding more than this; None: no limit but the machine's.
        seconds: Stop after this long; None: no limit.
        graph_hash: Compute ``Exploration.graph_hash``.
        progress: Called now and then, from the calling thread; raising KeyboardInterrupt in it stops the search.
    """

    properties: tuple[int, ...] | None = None
    symmetry: bool = False
    deadlock: bool = True
    threads: int = 1
    memory_bytes: int | None = None
    seconds: float | None = None
    graph_hash: bool = False
    progress: Callable[[Progress], None] | None = None


@dataclass(frozen=True, slots=True)
class Exploration:
    """What a search found; equal for every engine but for ``engine``, ``seconds`` and ``memory_bytes``.

    Args:
        ending: COMPLETE, BREACHED or STOPPED.
        states: Distinct states stored (of orbits, where reduced).
        transitions: (expanded state, enabled instance) pairs.
        levels: States first reached at each depth; their sum is ``states``. After a breach found in expanding level k
            they include level k + 1.
        fired: Per instance, in how many expanded states it was enabled.
        changed: Per instance, in how many of those its step changed the state.
        premises: (property, part) pairs, of parts with a premise, whose premise held in some state.
        witnesses: Property index of each REACHABLE checked: depth of its first witness, or None.
        breach: What was breached; of a search STOPPED by a full channel, the obligation that says so.
        layers: Where there is a ``breach``: for each level 0 .. k the states on a shortest trace to it, those of
            level k last in which, or on a step from which, it was met. Else empty.
        reason: Why it STOPPED, in words; for a full channel, the obligation's text.
        expanded: Levels 0, 1, ... fully checked and expanded, with nothing found: no violation within one step less.
        graph_hash: ``GraphHash.text()``; empty unless asked for, COMPLETE and unreduced.
        reduced: Names of the symmetric types used; those of a single value are not.
        engine: Name of the engine.
    """

    ending: Ending
    states: int
    transitions: int
    levels: tuple[int, ...]
    fired: tuple[int, ...]
    changed: tuple[int, ...]
    premises: frozenset[tuple[int, int]] = frozenset()
    witnesses: Mapping[int, int | None] = field(default_factory=dict)
    breach: Breach | None = None
    layers: tuple[frozenset[State], ...] = ()
    reason: str = ""
    expanded: int = 0
    graph_hash: str = ""
    reduced: tuple[str, ...] = ()
    engine: str = ""
    seconds: float = 0.0
    memory_bytes: int = 0


class Engine(Protocol):
    """An explicit search over a system."""

    name: str

    def explore(self, system: System, request: Request) -> Exploration:
        """Search until complete, breached or stopped."""
        ...
