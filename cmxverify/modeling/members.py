"""What a model is made of, once its types are resolved: fields, steps and properties."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cmxverify.errors import Location
from cmxverify.modeling.abstraction import Abstraction
from cmxverify.modeling.declared import Declared
from cmxverify.modeling.domains import (
    Domain,
)
from cmxverify.modeling.ir.system import ActionKind
from cmxverify.modeling.resolve import Resolver

MISSING = object()


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the state. ``default`` is ``MISSING`` where the initial value is a free choice."""

    name: str
    domain: Domain
    default: Any
    ghost: bool
    at: Location


@dataclass(frozen=True, slots=True)
class Step:
    """One action, environment step or fault.

    Args:
        name: Of the method; of a channel's own faults ``wire.lose`` and ``wire.duplicate``.
        kind: Who takes it.
        at: The parameter or place it is local to, or empty.
        parameters: Their finite types.
        budget: Most occurrences, counted by the field ``budget_field``; None: any number.
        method: The function; None for a channel's own faults.
        channel: Field of such a fault.
    """

    name: str
    kind: ActionKind
    at: str
    parameters: dict[str, Domain]
    budget: int | None
    method: Any
    channel: str = ""

    @property
    def budget_field(self) -> str:
        """Hidden field that counts occurrences."""
        return f"{self.name}.count"


@dataclass(frozen=True, slots=True)
class NamedProperty:
    """A property and its method; of a refinement also what it maps to."""

    declared: Declared
    method: Any
    abstraction: Abstraction | None = None


@dataclass(frozen=True, slots=True)
class Schema:
    """Everything declared, in source order (base classes first)."""

    model: type[Any]
    bounds: dict[str, int]
    fields: dict[str, Field]
    steps: tuple[Step, ...]
    properties: tuple[NamedProperty, ...]
    initial: Any = None
    initial_parameters: dict[str, Domain] = field(default_factory=dict)
    normalize: Any = None
    quiescent: Any = None
    file: str = ""
    sorts: dict[str, int] = field(default_factory=dict)
    methods: dict[str, Any] = field(default_factory=dict)
    resolver: Resolver = field(default_factory=lambda: Resolver({}))
