"""Storing a value where a type is declared: out of range is an obligation, never cut off (L4)."""

from __future__ import annotations

import ast

from cmxverify.modeling.domains import Domain, OptionalDomain, RangeDomain, RecordDomain
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import unwrapped
from cmxverify.modeling.frontend.joining import adapted
from cmxverify.modeling.frontend.symbols import Fitted, Maybe, Record, Scalar, Symbol
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
        symbol = adapted(symbol, domain)
    _in_range(context, node, symbol, domain, ir.TRUE)
    return _typed(symbol, domain)


def _in_range(context: Context, node: ast.AST, symbol: Symbol, domain: Domain, live: Expr) -> None:
    match domain, symbol:
        case RangeDomain(), Scalar():
            outside = ir.or_(
                ir.lt(symbol.expr, ir.integer(domain.low)), ir.lt(ir.integer(domain.high), symbol.expr)
            )
            text = f"{domain.low} .. {domain.high} holds what is stored"
            context.duty(ObligationKind.RANGE, node, ir.and_(live, outside), text)
        case OptionalDomain(), Maybe():
            _in_range(context, node, symbol.value, domain.inner, ir.and_(live, symbol.present))
        case RecordDomain(), Record():
            for name, each in domain.fields.items():
                _in_range(context, node, symbol.fields[name], each, live)


def _typed(symbol: Symbol, domain: Domain) -> Symbol:
    """The same value with the very domain it is stored as."""
    match domain, symbol:
        case RangeDomain(), Scalar():
            return Scalar(domain, symbol.expr)
        case OptionalDomain(), Maybe():
            return Maybe(domain, symbol.present, _typed(symbol.value, domain.inner))
    return symbol


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
