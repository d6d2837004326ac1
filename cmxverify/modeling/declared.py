"""Decorators that say what a method of a model is: a step, a property, an initial choice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar, cast

from cmxverify.modeling.declarations import Bound
from cmxverify.modeling.ir.system import ActionKind, PropertyKind

Method = TypeVar("Method", bound=Callable[..., Any])
ROLE = "__cmxverify_role__"


class Role(Enum):
    """What a method is for."""

    STEP = "step of the model"
    PROPERTY = "property"
    INITIAL = "initial choice"
    NORMALIZE = "normalisation"
    REFINES = "mapping to a simpler model"


@dataclass(frozen=True, slots=True)
class Declared:
    """What a decorator says of its method.

    Args:
        role: What it is for.
        kind: Of a step.
        at: Of a step: the parameter or place it is local to (L14), or empty.
        budget: Of a fault: how often it may happen in all; None means without limit.
        property: Kind of a property.
        name: Of a property, as reports print it.
        abstract: Of a mapping: the model that is refined.
    """

    role: Role
    kind: ActionKind = ActionKind.ACTION
    at: str = ""
    budget: int | str | Bound | None = None
    property: PropertyKind = PropertyKind.INVARIANT
    name: str = ""
    abstract: type[Any] | None = None


def declared(method: Any) -> Declared | None:
    """What a decorator of this module said of a method, or None."""
    found = getattr(method, ROLE, None)
    return found if isinstance(found, Declared) else None


def _mark(what: Declared) -> Callable[[Method], Method]:
    def mark(method: Method) -> Method:
        if not callable(method):
            raise TypeError(f"a decorator of the language got {method!r} instead of a method")
        if declared(method) is not None:
            raise TypeError(f"{method.__name__} has two decorators; a method has one role")
        setattr(method, ROLE, what)
        return method

    return mark


def action(method: Method | None = None, *, at: str = "") -> Any:
    """A step of the protocol. ``at="n"``: it touches only what node ``n`` owns, and messages (L14)."""
    mark = _mark(Declared(Role.STEP, at=at))
    return mark if method is None else mark(cast(Any, method))


def environment(method: Method | None = None) -> Any:
    """A step of the surroundings: may see everything, is never owed (L24, L25)."""
    mark = _mark(Declared(Role.STEP, ActionKind.ENVIRONMENT))
    return mark if method is None else mark(cast(Any, method))


def fault(method: Method | None = None, *, budget: int | str | Bound | None = None) -> Any:
    """Something that goes wrong, at most ``budget`` times in all: a number, or the name of a bound."""
    mark = _mark(Declared(Role.STEP, ActionKind.FAULT, budget=budget))
    return mark if method is None else mark(cast(Any, method))


def initial(method: Method) -> Method:
    """How the model may start: its parameters are free choices, filtered by ``require`` (L11a)."""
    return _mark(Declared(Role.INITIAL))(method)


def normalize(method: Method) -> Method:
    """Run after each step; removes what nobody can ever tell apart (L20). At most one a model."""
    return _mark(Declared(Role.NORMALIZE))(method)


def invariant(name: str) -> Callable[[Method], Method]:
    """True in every reachable state."""
    return _property(PropertyKind.INVARIANT, name)


def step(name: str) -> Callable[[Method], Method]:
    """True of every transition: ``self`` is the new state, the parameter the old one (L21)."""
    return _property(PropertyKind.STEP, name)


def reachable(name: str) -> Callable[[Method], Method]:
    """True in some reachable state: guards against models that cannot do what they should."""
    return _property(PropertyKind.REACHABLE, name)


def refines(abstract: type[Any]) -> Callable[[Method], Method]:
    """Every step is a step of ``abstract`` or changes nothing there (L26): the method assigns the abstract fields.

    ``def as_cache(self, spec: AtomicCache) -> None: spec.avail = {k for k in Key if self.stored[k]}``
    """
    if not isinstance(abstract, type):
        raise TypeError("refines needs the class of a model: @refines(AtomicCache)")
    return _mark(Declared(Role.REFINES, abstract=abstract))


def _property(kind: PropertyKind, name: str) -> Callable[[Method], Method]:
    if not isinstance(name, str) or not name:
        raise TypeError(f'a property needs a name: @{kind.value}("NAME")')
    return _mark(Declared(Role.PROPERTY, property=kind, name=name))


DECORATORS: tuple[Any, ...] = (
    action,
    environment,
    fault,
    initial,
    normalize,
    invariant,
    step,
    reachable,
    refines,
)
"""All of them: what else decorates a method of a model is refused (S4)."""
