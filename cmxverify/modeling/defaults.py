"""Initial values as a model declares them: of the field's type, and without naming an element of a symmetric one."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from cmxverify.errors import InputError, Location
from cmxverify.modeling.containers import stored
from cmxverify.modeling.declarations import ChannelDeclaration, IndexValue, MapDeclaration
from cmxverify.modeling.domains import (
    Domain,
    IndexDomain,
    MapDomain,
    OptionalDomain,
    RecordDomain,
    UnionDomain,
)
from cmxverify.modeling.functions import BreachError


def default_of(domain: Domain, given: Any, at: Location) -> Any:
    """Plain value of a declared default.

    Raises:
        InputError: If it is not of the type.
    """
    try:
        if isinstance(domain, MapDomain):
            return _map_default(domain, given, at)
        return stored(domain, given)
    except BreachError as error:
        raise InputError(
            f"the default {given!r} does not fit: {error}",
            at=at,
            fix="Give one that does, or leave it out.",
        ) from None
    except TypeError:
        raise InputError(
            f"the default {given!r} is not of type {domain.name}",
            at=at,
            fix=f"Write a {domain.name}, or leave it out.",
        ) from None


def _map_default(domain: MapDomain, given: Any, at: Location) -> tuple[Any, ...]:
    if not isinstance(given, dict):
        return (default_of(domain.value, given, at),) * domain.key.size
    unknown = [key for key in given if key not in domain.key.ordinals]
    if unknown:
        raise InputError(
            f"the default has the key {unknown[0]!r}, which is not in {domain.key.name}",
            at=at,
            fix="Give keys of that type.",
        )
    first = domain.value.default()
    return tuple(
        default_of(domain.value, given[key], at) if key in given else first for key in domain.key.listed
    )


def refuse_hidden_channel(annotation: Any, at: Location, *, ghost: bool) -> None:
    """Channels in maps have no faults of their own, and channels of ghosts would be seen by who sends (L15)."""
    if ghost and isinstance(annotation, ChannelDeclaration):
        raise InputError("a channel cannot be a ghost", at=at, fix="Use Ghost[Set[T]] or Ghost[Map[K, V]].")
    inner = annotation
    while isinstance(inner, MapDeclaration):
        inner = inner.value
    if not isinstance(inner, ChannelDeclaration) or inner is annotation:
        return
    if ghost:
        raise InputError("a channel cannot be a ghost", at=at, fix="Use Ghost[Set[T]] or Ghost[Map[K, V]].")
    if inner.loss or inner.dup:
        raise InputError(
            "a channel inside a map has no budgets of loss and duplication",
            at=at,
            fix="Write the fault as a method with @fault(budget=...).",
        )


def mentions_index_value(given: Any) -> bool:
    """Whether a declared default singles out one value of an Index type."""
    if isinstance(given, dict):
        return any(map(mentions_index_value, [*given.keys(), *given.values()]))
    if isinstance(given, set | frozenset):
        return any(map(mentions_index_value, given))
    if is_dataclass(given) and not isinstance(given, IndexValue | type):
        return any(mentions_index_value(getattr(given, each.name)) for each in fields(given))
    return isinstance(given, IndexValue)


def names_an_index(domain: Domain) -> bool:
    """Whether the default of a type would single out one value of an Index type."""
    match domain:
        case IndexDomain():
            return True
        case RecordDomain():
            return any(map(names_an_index, domain.fields.values()))
        case UnionDomain():
            return names_an_index(domain.variants[0])
        case MapDomain():
            return names_an_index(domain.value)
        case OptionalDomain():
            return False
    return False
