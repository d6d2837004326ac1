"""Symbolic values: what a Python expression stands for while a method is executed over all states at once.

Every scalar is one IR expression: a bool as it is, a number as it is, enum members and index values as their ordinal.
Containers are made of the values of their parts, so assigning never aliases (L2).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cmxverify.modeling.domains import (
    BagDomain,
    BoolDomain,
    Domain,
    EnumDomain,
    IndexDomain,
    MapDomain,
    OptionalDomain,
    QueueDomain,
    RangeDomain,
    RecordDomain,
    SetDomain,
    UnionDomain,
)
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr


@dataclass(frozen=True)
class IntDomain(Domain):
    """Any whole number: the type of arithmetic, never of a field."""

    name = "int"
    size = 0

    def values(self) -> Iterator[Any]:
        """None that could be listed."""
        return iter(())

    def default(self) -> int:
        """What stands where no number is meant."""
        return 0


INT = IntDomain()
BOOL = BoolDomain()
_SOME_OPTIONAL = OptionalDomain(BoolDomain())
_SOME_SET = SetDomain(BoolDomain())


class Symbol:
    """A value of the language."""

    domain: Domain


@dataclass(frozen=True, slots=True, eq=False)
class Scalar(Symbol):
    """A bool, number, enum member or index value."""

    domain: Domain
    expr: Expr


@dataclass(frozen=True, slots=True, eq=False)
class NoneSymbol(Symbol):
    """The literal None."""

    domain: Domain = _SOME_OPTIONAL


@dataclass(frozen=True, slots=True, eq=False)
class Maybe(Symbol):
    """A ``T | None``; ``value`` means nothing where ``present`` is false."""

    domain: OptionalDomain
    present: Expr
    value: Symbol


@dataclass(frozen=True, slots=True, eq=False)
class Record(Symbol):
    """A record."""

    domain: RecordDomain
    fields: dict[str, Symbol]


@dataclass(frozen=True, slots=True, eq=False)
class Variant(Symbol):
    """One of several records: ``tag`` is the position of its class; the other variants mean nothing."""

    domain: UnionDomain
    tag: Expr
    variants: tuple[Record, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Mapping(Symbol):
    """A map: the element of each key, in key order."""

    domain: MapDomain
    elements: tuple[Symbol, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Members(Symbol):
    """A set: for each possible element whether it is in."""

    domain: SetDomain
    members: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Listed(Symbol):
    """A set display or comprehension whose type is not known yet: each element with its condition."""

    elements: tuple[tuple[Expr, Symbol], ...]
    domain: Domain = _SOME_SET


@dataclass(frozen=True, slots=True, eq=False)
class Counts(Symbol):
    """A bag: how often each message is under way."""

    domain: BagDomain
    counts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Line(Symbol):
    """A queue: its slots, the oldest message first; occupied slots come before empty ones."""

    domain: QueueDomain
    slots: tuple[Maybe, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Fitted(Symbol):
    """``saturate(x)`` or ``wrap(x)``: only to be stored."""

    mode: str
    value: Scalar
    domain: Domain = INT


class MismatchError(Exception):
    """Two values are of different types; the text says which."""


def truth(expr: Expr) -> Scalar:
    """A bool."""
    return Scalar(BOOL, expr)


def number(expr: Expr) -> Scalar:
    """A whole number."""
    return Scalar(INT, expr)


def is_number(symbol: Symbol) -> bool:
    """Whether it is a number, bounded or not."""
    return isinstance(symbol, Scalar) and isinstance(symbol.domain, IntDomain | RangeDomain)


def type_name(symbol: Symbol) -> str:
    """Type of a value, for messages."""
    if isinstance(symbol, NoneSymbol):
        return "None"
    if is_number(symbol):
        return "int"
    if isinstance(symbol, Listed):
        return f"a set of {type_name(symbol.elements[0][1])}" if symbol.elements else "an empty set"
    return symbol.domain.name


def constant(domain: Domain, plain: Any) -> Symbol:
    """The symbol of a plain value."""
    match domain:
        case BoolDomain():
            return truth(ir.boolean(plain))
        case RangeDomain() | IntDomain():
            return Scalar(domain, ir.integer(plain))
        case EnumDomain() | IndexDomain():
            return Scalar(domain, ir.integer(domain.ordinals[plain]))
        case OptionalDomain():
            if plain is None:
                return absent(domain)
            return Maybe(domain, ir.TRUE, constant(domain.inner, plain))
        case RecordDomain():
            return Record(
                domain, {name: constant(each, getattr(plain, name)) for name, each in domain.fields.items()}
            )
        case UnionDomain():
            at = domain.variant_of(type(plain))
            assert at is not None, plain
            return widened(Record(domain.variants[at], _fields(domain.variants[at], plain)), domain)
        case MapDomain():
            return Mapping(domain, tuple(constant(domain.value, each) for each in plain))
        case SetDomain():
            return Members(domain, tuple(ir.boolean(each in plain) for each in domain.element.listed))
        case BagDomain():
            return Counts(domain, tuple(map(ir.integer, plain)))
        case QueueDomain():
            slot = OptionalDomain(domain.message)
            filled = [constant(slot, each) for each in plain] + [absent(slot)] * (domain.cap - len(plain))
            return Line(domain, tuple(each for each in filled if isinstance(each, Maybe)))
    raise AssertionError(domain)


def _fields(domain: RecordDomain, plain: Any) -> dict[str, Symbol]:
    return {name: constant(each, getattr(plain, name)) for name, each in domain.fields.items()}


def absent(domain: OptionalDomain) -> Maybe:
    """None, of an optional type."""
    return Maybe(domain, ir.FALSE, dead(domain.inner))


def dead(domain: Domain) -> Symbol:
    """What stands where a value means nothing: index values become "none" (-1), so that no element is singled out."""
    match domain:
        case IndexDomain():
            return Scalar(domain, ir.integer(-1))
        case RecordDomain():
            return Record(domain, {name: dead(each) for name, each in domain.fields.items()})
        case UnionDomain():
            return Variant(domain, ir.integer(0), tuple(_dead_record(each) for each in domain.variants))
        case OptionalDomain():
            return absent(domain)
    return constant(domain, domain.default())


def _dead_record(domain: RecordDomain) -> Record:
    return Record(domain, {name: dead(each) for name, each in domain.fields.items()})


def widened(record: Record, domain: UnionDomain) -> Variant:
    """A record as a value of a union it belongs to."""
    at = domain.variant_of(record.domain.record)
    if at is None:
        raise MismatchError(f"{record.domain.name} is not one of {domain.name}")
    others = tuple(
        record if position == at else _dead_record(each) for position, each in enumerate(domain.variants)
    )
    return Variant(domain, ir.integer(at), others)
