"""Storing a value where a type is declared: out of range is an obligation, never cut off (L4)."""

from __future__ import annotations

import ast

from cmxverify.modeling.domains import (
    Domain,
    OptionalDomain,
    RangeDomain,
    RecordDomain,
    SetDomain,
    UnionDomain,
)
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import unwrapped
from cmxverify.modeling.frontend.joining import adapted
from cmxverify.modeling.frontend.symbols import Fitted, Listed, Maybe, Record, Scalar, Symbol, Variant
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.system import ObligationKind


def fitted(context: Context, node: ast.AST, symbol: Symbol, domain: Domain) -> Symbol:
    """A value to be stored as a ``domain``: a number outside its range is an obligation (RANGE), never cut off (L4)."""
    if isinstance(symbol, Fitted):
        return _saturated_or_wrapped(context, node, symbol, domain)
    with context.reporting(node):
        if (
            isinstance(symbol, Maybe)
            and not isinstance(domain, OptionalDomain)
            and isinstance(node, ast.expr)
        ):
            symbol = unwrapped(context, node, symbol)
        symbol = (
            set_of(context, node, symbol, domain)
            if isinstance(domain, SetDomain)
            else adapted(symbol, domain)
        )
    in_range(context, node, symbol, domain)
    return _typed(symbol, domain)


def narrowed(context: Context, node: ast.AST, symbol: Symbol, domain: Domain) -> Symbol:
    """A value that is looked for among those of a ``domain``; an optional must be known not to be None (L1)."""
    if isinstance(symbol, Maybe) and not isinstance(domain, OptionalDomain) and isinstance(node, ast.expr):
        symbol = unwrapped(context, node, symbol)
    return adapted(symbol, domain)


def as_part(context: Context, node: ast.expr, symbol: Symbol, domain: Domain) -> Symbol:
    """A value as a part of a record that is being made; whether numbers fit is asked where the record is stored."""
    if isinstance(symbol, Fitted):
        raise context.refusal(
            node,
            f"{symbol.mode}(...) stands inside a record",
            f"Store it in a field of the model first, or write min and max instead of {symbol.mode}.",
        )
    with context.reporting(node):
        if isinstance(symbol, Maybe) and not isinstance(domain, OptionalDomain):
            symbol = unwrapped(context, node, symbol)
        return _typed(adapted(symbol, domain), domain)


def in_range(context: Context, node: ast.AST, symbol: Symbol, domain: Domain, when: Expr = ir.TRUE) -> None:
    """The duty (RANGE) that every number in a value lies in its range."""
    if _ranges(domain):
        inside = f"{domain.low} .. {domain.high}" if isinstance(domain, RangeDomain) else domain.name
        breach = ir.and_(when, outside(symbol, domain))
        context.duty(ObligationKind.RANGE, node, breach, f"{inside} holds what is stored")


def _ranges(domain: Domain) -> bool:
    match domain:
        case RangeDomain():
            return True
        case OptionalDomain():
            return _ranges(domain.inner)
        case RecordDomain():
            return any(map(_ranges, domain.fields.values()))
        case UnionDomain():
            return any(map(_ranges, domain.variants))
    return False


def outside(symbol: Symbol, domain: Domain) -> Expr:
    """Whether some number in a value lies outside its range."""
    match domain, symbol:
        case RangeDomain(), Scalar():
            low, high = ir.integer(domain.low), ir.integer(domain.high)
            return ir.or_(ir.lt(symbol.expr, low), ir.lt(high, symbol.expr))
        case OptionalDomain(), Maybe():
            return ir.and_(symbol.present, outside(symbol.value, domain.inner))
        case RecordDomain(), Record():
            return ir.or_(*(outside(symbol.fields[name], each) for name, each in domain.fields.items()))
        case UnionDomain(), Variant():
            return ir.or_(
                *(
                    ir.and_(ir.eq(symbol.tag, ir.integer(position)), outside(record, each))
                    for position, (each, record) in enumerate(
                        zip(domain.variants, symbol.variants, strict=True)
                    )
                )
            )
    return ir.FALSE


def _typed(symbol: Symbol, domain: Domain) -> Symbol:
    """The same value with the very domain it is stored as."""
    match domain, symbol:
        case RangeDomain(), Scalar():
            return Scalar(domain, symbol.expr)
        case OptionalDomain(), Maybe():
            return Maybe(domain, symbol.present, _typed(symbol.value, domain.inner))
        case RecordDomain(), Record():
            return _typed_record(symbol, domain)
        case UnionDomain(), Variant():
            records = zip(symbol.variants, domain.variants, strict=True)
            return Variant(domain, symbol.tag, tuple(_typed_record(a, b) for a, b in records))
    return symbol


def _typed_record(record: Record, domain: RecordDomain) -> Record:
    return Record(domain, {name: _typed(record.fields[name], each) for name, each in domain.fields.items()})


def set_of(context: Context, node: ast.AST, symbol: Symbol, domain: SetDomain) -> Symbol:
    """A set display as a set of that type; elements outside of it are an obligation (RANGE)."""
    if isinstance(symbol, Listed):
        for when, each in symbol.elements:
            in_range(context, node, adapted(each, domain.element), domain.element, when)
    return adapted(symbol, domain)


def _saturated_or_wrapped(context: Context, node: ast.AST, symbol: Fitted, domain: Domain) -> Symbol:
    if not isinstance(domain, RangeDomain):
        raise context.refusal(
            node, f"{symbol.mode}(...) is stored where a {domain.name} is declared", "It fits a Range only."
        )
    expr = symbol.value.expr
    low, high = ir.integer(domain.low), ir.integer(domain.high)
    if symbol.mode == "saturate":
        return Scalar(domain, ir.ite(ir.lt(expr, low), low, ir.ite(ir.lt(high, expr), high, expr)))
    return Scalar(domain, ir.add(ir.mod(ir.sub(expr, low), domain.size), low))
