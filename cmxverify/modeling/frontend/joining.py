"""Equality of two values, and the choice between them: both need one type (L3)."""

from __future__ import annotations

from dataclasses import replace

from cmxverify.modeling.domains import (
    Domain,
    OptionalDomain,
    RangeDomain,
    SetDomain,
    UnionDomain,
)
from cmxverify.modeling.frontend.symbols import (
    INT,
    Counts,
    Fitted,
    IntDomain,
    Line,
    Listed,
    Mapping,
    Maybe,
    Members,
    MismatchError,
    NoneSymbol,
    Record,
    Scalar,
    Symbol,
    Variant,
    absent,
    constant,
    is_number,
    type_name,
    widened,
)
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr


def equal(left: Symbol, right: Symbol) -> Expr:
    """Equality (L3).

    Raises:
        MismatchError: If the types differ.
    """
    if isinstance(left, NoneSymbol) and isinstance(right, NoneSymbol):
        return ir.TRUE
    left, right = _common(left, right)
    match left, right:
        case Scalar(), Scalar():
            return ir.eq(left.expr, right.expr)
        case Maybe(), Maybe():
            return _equal_maybe(left, right)
        case Record(), Record():
            return ir.and_(*(equal(left.fields[name], right.fields[name]) for name in left.fields))
        case Variant(), Variant():
            return _equal_variant(left, right)
        case Mapping(), Mapping():
            return ir.and_(*(equal(a, b) for a, b in zip(left.elements, right.elements, strict=True)))
        case Members(), Members():
            return ir.and_(*(ir.eq(a, b) for a, b in zip(left.members, right.members, strict=True)))
        case Counts(), Counts():
            return ir.and_(*(ir.eq(a, b) for a, b in zip(left.counts, right.counts, strict=True)))
        case Line(), Line():
            return ir.and_(*(equal(a, b) for a, b in zip(left.slots, right.slots, strict=True)))
    raise MismatchError(f"{type_name(left)} and {type_name(right)} cannot be compared")


def _equal_maybe(left: Maybe, right: Maybe) -> Expr:
    same = ir.eq(left.present, right.present)
    if left.present is ir.FALSE or right.present is ir.FALSE:
        return same
    return ir.and_(same, ir.or_(ir.not_(left.present), equal(left.value, right.value)))


def _equal_variant(left: Variant, right: Variant) -> Expr:
    same = [ir.eq(left.tag, right.tag)]
    for position, (a, b) in enumerate(zip(left.variants, right.variants, strict=True)):
        here = ir.eq(left.tag, ir.integer(position))
        if here is not ir.FALSE and ir.eq(right.tag, ir.integer(position)) is not ir.FALSE:
            same.append(ir.or_(ir.not_(here), equal(a, b)))
    return ir.and_(*same)


def _common(left: Symbol, right: Symbol) -> tuple[Symbol, Symbol]:
    """Both as values of the wider of their types.

    Raises:
        MismatchError: If neither is wider.
    """
    try:
        return left, adapted(right, left.domain if not isinstance(left, Listed) else right.domain)
    except MismatchError:
        if isinstance(right, Listed | NoneSymbol):
            raise MismatchError(f"{type_name(left)} and {type_name(right)} are different types") from None
    try:
        return adapted(left, right.domain), right
    except MismatchError:
        raise MismatchError(f"{type_name(left)} and {type_name(right)} are different types") from None


def choose(condition: Expr, then: Symbol, other: Symbol) -> Symbol:
    """``then`` where the condition holds, else ``other``.

    Raises:
        MismatchError: If the types differ.
    """
    if (
        condition is ir.TRUE
        or then is other
        or (isinstance(then, NoneSymbol) and isinstance(other, NoneSymbol))
    ):
        return then
    if condition is ir.FALSE:
        return other
    if isinstance(then, NoneSymbol) and not isinstance(other, Maybe | NoneSymbol):
        then = absent(OptionalDomain(other.domain))
    if isinstance(other, NoneSymbol) and not isinstance(then, Maybe | NoneSymbol):
        other = absent(OptionalDomain(then.domain))
    if isinstance(then, Listed) and isinstance(other, Listed):
        return _choose_listed(condition, then, other)
    then, other = _common(then, other)
    return _choose_same(condition, then, other)


def _choose_listed(condition: Expr, then: Listed, other: Listed) -> Listed:
    return Listed(
        (
            *((ir.and_(condition, each), element) for each, element in then.elements),
            *((ir.and_(ir.not_(condition), each), element) for each, element in other.elements),
        )
    )


def _choose_same(condition: Expr, then: Symbol, other: Symbol) -> Symbol:
    def pick(a: Expr, b: Expr) -> Expr:
        return ir.ite(condition, a, b)

    match then, other:
        case Scalar(), Scalar():
            domain = then.domain if then.domain == other.domain else INT
            return Scalar(domain, pick(then.expr, other.expr))
        case Maybe(), Maybe():
            present = pick(then.present, other.present)
            if other.present is ir.FALSE:
                return replace(then, present=present)
            if then.present is ir.FALSE:
                return replace(other, present=present)
            return Maybe(then.domain, present, choose(condition, then.value, other.value))
        case Record(), Record():
            chosen = {name: choose(condition, each, other.fields[name]) for name, each in then.fields.items()}
            return Record(then.domain, chosen)
        case Variant(), Variant():
            records = [choose(condition, a, b) for a, b in zip(then.variants, other.variants, strict=True)]
            kept = tuple(each for each in records if isinstance(each, Record))
            return Variant(then.domain, pick(then.tag, other.tag), kept)
        case Mapping(), Mapping():
            pairs = zip(then.elements, other.elements, strict=True)
            return Mapping(then.domain, tuple(choose(condition, a, b) for a, b in pairs))
        case Members(), Members():
            return Members(then.domain, tuple(map(pick, then.members, other.members)))
        case Counts(), Counts():
            return Counts(then.domain, tuple(map(pick, then.counts, other.counts)))
        case Line(), Line():
            slots = [choose(condition, a, b) for a, b in zip(then.slots, other.slots, strict=True)]
            return Line(then.domain, tuple(each for each in slots if isinstance(each, Maybe)))
    raise MismatchError(f"{type_name(then)} and {type_name(other)} are different types")


def adapted(symbol: Symbol, domain: Domain) -> Symbol:
    """A value as one of a wider type: T as T | None, a record as a union, a set display as a set.

    Numbers are left as they are: whether they fit a range is an obligation of the caller.

    Raises:
        MismatchError: If the types differ otherwise (L3).
    """
    match domain, symbol:
        case OptionalDomain(), NoneSymbol():
            return absent(domain)
        case OptionalDomain(), Maybe():
            return Maybe(domain, symbol.present, adapted(symbol.value, domain.inner))
        case OptionalDomain(), _:
            return Maybe(domain, ir.TRUE, adapted(symbol, domain.inner))
        case UnionDomain(), Record():
            return widened(symbol, domain)
        case SetDomain(), Listed():
            return _members(symbol, domain)
        case RangeDomain() | IntDomain(), Scalar() if is_number(symbol):
            return symbol
    if not same_type(symbol.domain, domain) or isinstance(symbol, NoneSymbol | Listed | Fitted):
        raise MismatchError(f"{type_name(symbol)} is not {domain.name}")
    return symbol


def same_type(left: Domain, right: Domain) -> bool:
    """Whether two domains are the same type; ranges count as one, whatever their ends."""
    if isinstance(left, RangeDomain | IntDomain):
        return isinstance(right, RangeDomain | IntDomain)
    match left, right:
        case OptionalDomain(), OptionalDomain():
            return same_type(left.inner, right.inner)
        case SetDomain(), SetDomain():
            return left.element == right.element
    return left == right


def _members(symbol: Listed, domain: SetDomain) -> Members:
    fitting = [(condition, adapted(each, domain.element)) for condition, each in symbol.elements]
    members = []
    for value in domain.element.listed:
        wanted = constant(domain.element, value)
        members.append(ir.or_(*(ir.and_(condition, equal(each, wanted)) for condition, each in fitting)))
    return Members(domain, tuple(members))
