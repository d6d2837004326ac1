"""A model with its bounds, flattened: scalar cells, guarded updates, properties. The one input of every engine.

Meaning. A state gives each cell a value. An instance is enabled where ``guard`` holds; its step then sets the cells
of ``updates`` simultaneously, every expression read in the old state, and leaves the others. An obligation whose
``breach`` holds in a reachable state ends the run as violated (RANGE, DEFINED, ASSERT) or as incomplete (BOUND),
whether or not the guard holds there: ``breach`` already contains the condition of the path on which it is met.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from cmxverify.errors import Location
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.expression import cell as cell_expr
from cmxverify.modeling.ir.expression import next_cell as next_cell_expr


@dataclass(frozen=True, slots=True)
class Atom:
    """One step of a cell's place: a value of the symmetric type ``sort``, or (``sort`` empty) a fixed ``name``.

    ``leased[node1]`` has the atom ``Atom("node", 1, "node1")``; a field of a record ``Atom("", 0, "state")``.
    """

    sort: str
    ordinal: int
    name: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One scalar of the state. Its values are ``low`` .. ``low + codes - 1``; a bool has ``low`` 0 and 2 codes.

    Args:
        index: Position in ``System.cells``.
        field: Field of the model it belongs to.
        place: Where in the field: keys, elements, record fields, slots.
        name: As people write it: ``leased[node1]``.
        codes: How many values.
        low: Least value. An optional or dead index is -1: "none".
        is_bool: Whether expressions over it are boolean.
        sort: Name of the symmetric type its values belong to (ordinals from 0; -1 is "none"), or empty.
        labels: Text of each value in order, for people: ``("IDLE", "WAIT")``.
        ghost: Read by properties only.
    """

    index: int
    field: str
    place: tuple[Atom, ...]
    name: str
    codes: int
    low: int = 0
    is_bool: bool = False
    sort: str = ""
    labels: tuple[str, ...] = ()
    ghost: bool = False

    @property
    def high(self) -> int:
        """Greatest value."""
        return self.low + self.codes - 1

    def read(self) -> Expr:
        """Its value in the present state."""
        return cell_expr(self.index, is_bool=self.is_bool, low=self.low, high=self.high)

    def read_next(self) -> Expr:
        """Its value in the next state (step properties)."""
        return next_cell_expr(self.index, is_bool=self.is_bool, low=self.low, high=self.high)

    def label(self, value: int) -> str:
        """Text of a value."""
        return self.labels[value - self.low] if self.labels else str(value)


class ActionKind(Enum):
    """Who may take a step (rulings L14, L24, L25)."""

    ACTION = "action"
    ENVIRONMENT = "environment"
    FAULT = "fault"


class ObligationKind(Enum):
    """What must not happen at a place of the source (ruling L10)."""

    RANGE = "RANGE"
    DEFINED = "DEFINED"
    ASSERT = "ASSERT"
    BOUND = "BOUND"


@dataclass(frozen=True, slots=True)
class Obligation:
    """A duty of one place in the source; ``breach`` is true where it is not met (never a constant false)."""

    kind: ObligationKind
    at: Location
    text: str
    breach: Expr


@dataclass(frozen=True, slots=True)
class Argument:
    """One parameter of an instance: name, text of its value, and the symmetric sort of that value (or empty)."""

    name: str
    text: str
    sort: str = ""
    ordinal: int = 0


@dataclass(frozen=True, slots=True)
class Instance:
    """One action with its parameters filled in."""

    action: str
    kind: ActionKind
    arguments: tuple[Argument, ...]
    guard: Expr
    updates: tuple[tuple[int, Expr], ...]
    obligations: tuple[Obligation, ...] = ()

    @property
    def name(self) -> str:
        """As people write it: ``home_grants(n=node1)``."""
        return f"{self.action}({', '.join(f'{each.name}={each.text}' for each in self.arguments)})"


@dataclass(frozen=True, slots=True)
class Part:
    """One conjunct of a property, for one choice of its outer ``all`` variables.

    ``premise`` is the left side where the conjunct is an ``implies``: never true means vacuous (ruling L21).
    """

    text: str
    holds: Expr
    premise: Expr | None = None


class PropertyKind(Enum):
    """Over what a property speaks."""

    INVARIANT = "invariant"  # every reachable state
    STEP = "step"  # every transition and the stutter step
    REACHABLE = "reachable"  # some reachable state


@dataclass(frozen=True, slots=True)
class Property:
    """A named property; its formula is the conjunction of the parts."""

    name: str
    kind: PropertyKind
    parts: tuple[Part, ...]
    obligations: tuple[Obligation, ...] = ()
    symmetric: bool = True


@dataclass(frozen=True, slots=True)
class System:
    """Everything an engine needs.

    Args:
        name: Of the model.
        cells: The state, in a fixed order; a state is a tuple of their values (bools as 0 and 1).
        initial: All initial states, each once, in the order of their free choices; at least one.
        instances: In (action, parameter) order: ties between shortest traces are broken by it (S15).
        properties: In source order.
        quiescent: Where no step is due; deadlock elsewhere is a fault (L25). None: deadlock is not checked.
        sorts: Symmetric types and their sizes, certified (S6).
        asymmetric: Index types that are not symmetric, with the reason.
        bounds: As given.
        source_hash: Digest of the source that was parsed (S4).
        checked: Places with an obligation, per kind; ``discharged`` of them needed no check at run time.
    """

    name: str
    cells: tuple[Cell, ...]
    initial: tuple[tuple[int, ...], ...]
    instances: tuple[Instance, ...]
    properties: tuple[Property, ...]
    quiescent: Expr | None = None
    sorts: dict[str, int] = field(default_factory=dict)
    asymmetric: dict[str, str] = field(default_factory=dict)
    bounds: dict[str, int] = field(default_factory=dict)
    source_hash: str = ""
    checked: dict[str, int] = field(default_factory=dict)
    discharged: dict[str, int] = field(default_factory=dict)
