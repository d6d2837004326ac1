"""Functions and methods executed in place: their arguments are values, their local names their own (L11b)."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from cmxverify.errors import InputError
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import value
from cmxverify.modeling.frontend.symbols import NoneSymbol, Symbol
from cmxverify.modeling.frontend.vocabulary import check_function
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.source import Function, function_of


def inline(
    context: Context,
    node: ast.Call,
    callee: Any,
    receiver: Symbol | None,
    *,
    pure: bool = True,
    valued: bool = True,
) -> Symbol:
    """Execute a function's body in place.

    Args:
        context: Where the call stands.
        node: The call.
        callee: The function.
        receiver: First argument of a method.
        pure: Nothing may change, for the call is part of an expression.
        valued: The value is used, so there must be one on every path.
    """
    function = parsed(context, node, callee)
    names = _bind(context, node, function, receiver)
    assert context.run_body is not None
    with context.inside(function, names, id(inspect.unwrap(callee)), node, pure=pure):
        context.run_body(context, function.tree.body)
        returned, result = context.env.returned, context.env.result
    if result is None or not valued:
        return NoneSymbol()
    if returned is not ir.TRUE and not _always(context, returned):
        raise context.refusal(
            node, f"{function.name} returns a value on some paths only", "Return a value on every path."
        )
    return result


def _always(context: Context, returned: Expr) -> bool:
    return ir.and_(*context.path, ir.not_(returned)) is ir.FALSE


def parsed(context: Context, node: ast.AST, callee: Any) -> Function:
    """Tree of a function that is called; its source joins the digest."""
    plain = inspect.unwrap(callee)
    if id(plain) not in context.ledger.functions:
        try:
            context.ledger.functions[id(plain)] = checked(callee)
        except InputError as error:
            if error.at is not None:
                raise
            raise context.refusal(node, error.what, error.fix) from None
    return context.ledger.functions[id(plain)]


def checked(callee: Any) -> Function:
    """Tree of a function all of whose parts the language knows."""
    function = function_of(callee)
    check_function(function)
    return function


def _bind(context: Context, node: ast.Call, function: Function, receiver: Symbol | None) -> dict[str, Symbol]:
    arguments = function.tree.args
    wanted = [each.arg for each in arguments.args]
    given: list[Symbol] = [] if receiver is None else [receiver]
    given += [value(context, each) for each in node.args]
    if len(given) > len(wanted):
        raise context.refusal(node, f"{function.name} takes {len(wanted)} arguments, {len(given)} are given")
    names = dict(zip(wanted, given, strict=False))
    for keyword in node.keywords:
        if keyword.arg is None or keyword.arg not in wanted or keyword.arg in names:
            raise context.refusal(node, f"{function.name} cannot take the keyword '{keyword.arg}'")
        names[keyword.arg] = value(context, keyword.value)
    missing = [each for each in wanted if each not in names]
    if missing:
        raise context.refusal(node, f"{function.name} needs a value for '{missing[0]}'")
    return names
