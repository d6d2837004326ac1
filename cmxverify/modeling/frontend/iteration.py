"""Iteration: comprehensions and the domains that loops run over, unrolled in their order (L6)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from enum import Enum
from typing import Any

from cmxverify.modeling.declarations import Index, Range
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import (
    Thing,
    condition,
    evaluate,
    handles,
    integer,
    kind_of,
    value,
)
from cmxverify.modeling.frontend.names import domain_of
from cmxverify.modeling.frontend.symbols import Counts, Line, Listed, Members, Symbol, constant, number
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr


@handles(ast.Set)
def _set_display(context: Context, node: ast.Set) -> Symbol:
    return Listed(tuple((ir.TRUE, value(context, each)) for each in node.elts))


@handles(ast.SetComp)
def _set_comprehension(context: Context, node: ast.SetComp) -> Symbol:
    found = each_binding(context, node.generators, lambda when: (when, value(context, node.elt)))
    return Listed(tuple(found))


def each_binding(
    context: Context, generators: list[ast.comprehension], body: Callable[[Expr], Any]
) -> list[Any]:
    """Run ``body`` for every choice of the variables of a comprehension, under its conditions; domains are unrolled."""
    if not generators:
        return [body(ir.TRUE)]
    return list(_bindings(context, generators, [], body))


def _bindings(
    context: Context, generators: list[ast.comprehension], conditions: list[Expr], body: Callable[[Expr], Any]
) -> Iterator[Any]:
    if not generators:
        yield body(ir.and_(*conditions))
        return
    first, *rest = generators
    if not isinstance(first.target, ast.Name) or first.is_async:
        raise context.refusal(first.target, "a comprehension binds one name at a time", "for n in Node")
    name = first.target.id
    before = context.env.names.get(name)
    for inside, symbol in iterated(context, first.iter):
        context.env.names[name] = symbol
        with ExitStack() as stack:
            here = [*conditions, inside]
            stack.enter_context(context.under(inside))
            for test in first.ifs:
                part = condition(context, test)
                here.append(part)
                stack.enter_context(context.under(part))
            yield from _bindings(context, rest, here, body)
    if before is None:
        context.env.names.pop(name, None)
    else:
        context.env.names[name] = before


def iterated(context: Context, node: ast.expr) -> list[tuple[Expr, Symbol]]:
    """What a ``for`` runs over: each value of a finite type with the condition that it is in (L6)."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        return [(ir.TRUE, number(ir.integer(each))) for each in _constant_range(context, node)]
    if isinstance(node, ast.Tuple):
        return [(ir.TRUE, value(context, each)) for each in node.elts]
    found = evaluate(context, node)
    match found:
        case Thing() if isinstance(found.object, Index | Range) or _is_enum(found.object):
            domain = domain_of(context, node, found.object)
            return [(ir.TRUE, constant(domain, each)) for each in domain.listed]
        case Members():
            element = found.domain.element
            pairs = zip(found.members, element.listed, strict=True)
            return [(here, constant(element, each)) for here, each in pairs if here is not ir.FALSE]
        case Counts():
            message = found.domain.message
            pairs = zip(found.counts, message.listed, strict=True)
            return [(ir.lt(ir.integer(0), many), constant(message, each)) for many, each in pairs]
        case Line():
            return [(slot.present, slot.value) for slot in found.slots]
        case Listed():
            return list(found.elements)
    raise context.refusal(
        node,
        f"cannot iterate over {kind_of(found)}",
        "Iterate over a finite type, a set, a channel or range(k).",
    )


def _is_enum(found: Any) -> bool:
    return isinstance(found, type) and issubclass(found, Enum)


def _constant_range(context: Context, node: ast.Call) -> range:
    ends = [integer(context, each).constant for each in node.args]
    if node.keywords or not 1 <= len(ends) <= 3 or any(each is None for each in ends):
        raise context.refusal(
            node, "range(...) needs constants", "Iterate over a Range type, with a condition inside."
        )
    return range(*(each for each in ends if each is not None))


@handles(ast.Tuple)
def _tuple(context: Context, node: ast.Tuple) -> Symbol:
    raise context.refusal(
        node, "a tuple stands only after `in`, in a for, or in a tuple assignment", "Use a record."
    )
