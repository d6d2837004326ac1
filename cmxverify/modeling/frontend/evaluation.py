"""How an expression is evaluated: by the handler of its kind of node; and what each place demands of a value."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from cmxverify.modeling.domains import (
    BoolDomain,
    Domain,
)
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.symbols import (
    INT,
    Fitted,
    Maybe,
    NoneSymbol,
    Scalar,
    Symbol,
    is_number,
    number,
    truth,
    type_name,
)
from cmxverify.modeling.frontend.vocabulary import refused
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr


@dataclass(frozen=True, slots=True, eq=False)
class Thing(Symbol):
    """A name that stands for a Python object and not for a value: a type, a function, the model itself."""

    object: Any
    domain: Domain = INT


@dataclass(frozen=True, slots=True, eq=False)
class Method(Symbol):
    """A method with what it is called on: the syntax tree of the receiver and its value."""

    receiver: ast.expr
    value: Symbol
    name: str
    domain: Domain = INT


SELF = "self of the model"


OLD = "the state before the step"


Handler = Callable[[Context, Any], Symbol]


_HANDLERS: dict[type[ast.expr], Handler] = {}


def handles(node: type[ast.expr]) -> Callable[[Handler], Handler]:
    """Register what evaluates a kind of node; the rooms of the front end do, so that none imports in a circle."""

    def register(handler: Handler) -> Handler:
        _HANDLERS[node] = handler
        return handler

    return register


def evaluate(context: Context, node: ast.expr) -> Symbol:
    """Value of an expression; refuses what the language does not have."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        raise context.refusal(node, *refused(node))
    with context.reporting(node):
        return handler(context, node)


def condition(context: Context, node: ast.expr) -> Expr:
    """A bool expression; numbers and containers have no truth value (L3)."""
    symbol = evaluate(context, node)
    if isinstance(symbol, Scalar) and isinstance(symbol.domain, BoolDomain):
        return symbol.expr
    raise context.refusal(
        node, f"a condition must be a bool; this is {kind_of(symbol)}", _condition_hint(symbol)
    )


def _condition_hint(symbol: Symbol) -> str:
    if isinstance(symbol, Maybe | NoneSymbol):
        return "Write `x is not None`."
    if is_number(symbol):
        return "Write `x != 0`."
    if isinstance(symbol, Scalar):
        return "Compare it with a value: `x == Color.RED`."
    return "Write `len(x) != 0`, or compare it."


def kind_of(symbol: Symbol) -> str:
    """Type of a value, for messages; a type or function is not a value."""
    if isinstance(symbol, Thing | Method):
        return "not a value"
    return type_name(symbol)


def value(context: Context, node: ast.expr) -> Symbol:
    """A value, not a type or function."""
    symbol = evaluate(context, node)
    text = ast.unparse(node)
    if isinstance(symbol, Thing) and symbol.object in (SELF, OLD):
        raise context.refusal(
            node,
            f"`{text}` is a whole state, which is not a value",
            f"Name a field, {text}.x, or call a helper of the model on it, {text}.helper(n).",
        )
    if isinstance(symbol, Thing | Method):
        raise context.refusal(node, f"`{text}` is not a value", "Call it, or name one of its values.")
    return symbol


def integer(context: Context, node: ast.expr) -> Expr:
    """A number."""
    return as_integer(context, node, value(context, node))


def as_integer(context: Context, node: ast.expr, symbol: Symbol) -> Expr:
    """The number that a value of an expression is."""
    symbol = unwrapped(context, node, symbol)
    if isinstance(symbol, Fitted):
        raise context.refusal(
            node, f"{symbol.mode}(...) is only to be stored", f"Write self.x = {symbol.mode}(...)."
        )
    if not is_number(symbol) or not isinstance(symbol, Scalar):
        raise context.refusal(
            node, f"a number is needed; this is {type_name(symbol)}", "Bools and enums are not numbers (L3)."
        )
    return symbol.expr


def unwrapped(context: Context, node: ast.expr, symbol: Symbol) -> Symbol:
    """The T of a T | None, where the path excludes None (L1)."""
    if isinstance(symbol, Maybe):
        if not context.known(symbol.present):
            raise context.refusal(
                node,
                f"`{ast.unparse(node)}` may be None here",
                f"Test `{ast.unparse(node)} is not None` on the same path first, by require, if or and.",
            )
        return symbol.value
    return symbol


@handles(ast.Constant)
def _constant(context: Context, node: ast.Constant) -> Symbol:
    return python_constant(context, node, node.value)


def python_constant(context: Context, node: ast.AST, found: Any) -> Symbol:
    """A literal, or a module constant, as a symbol."""
    if found is None:
        return NoneSymbol()
    if isinstance(found, Enum):
        domain = context.schema.resolver.domain(type(found), context.function.at(node))
        return Scalar(domain, ir.integer(domain.ordinals[found]))
    if isinstance(found, bool):
        return truth(ir.boolean(found))
    if isinstance(found, int):
        return number(ir.integer(found))
    raise context.refusal(
        node,
        f"{found!r} is a {type(found).__name__}, which is not a value of the language",
        "Values are bools, whole numbers, enum members, index values, records and None.",
    )
