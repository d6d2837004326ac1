"""Iteration: comprehensions and the domains that loops run over, unrolled in their order (L6)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from enum import Enum
from typing import Any

from cmxverify.modeling.declarations import Index, Range
from cmxverify.modeling.domains import mentions_index
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
from cmxverify.modeling.ir.system import Part


@handles(ast.Set)
def _set_display(context: Context, node: ast.Set) -> Symbol:
    return Listed(tuple((ir.TRUE, value(context, each)) for each in node.elts))


@handles(ast.SetComp)
def _set_comprehension(context: Context, node: ast.SetComp) -> Symbol:
    found = each_binding(context, node.generators, lambda when: (when, value(context, node.elt)))
    return Listed(tuple(found))


GoesOn = Callable[[Expr], Expr]


@dataclass(frozen=True, slots=True)
class Rounds:
    """What something is iterated over.

    Args:
        values: Each value with the condition that it is in, in order.
        sorts: Index types whose order decides that of the rounds.
    """

    values: list[tuple[Expr, Symbol]]
    sorts: frozenset[str] = frozenset()


def each_binding(
    context: Context,
    generators: list[ast.comprehension],
    body: Callable[[Expr], Any],
    *,
    goes_on: GoesOn | None = None,
) -> list[Any]:
    """Run ``body`` for every choice of the variables of a comprehension, under its conditions; domains are unrolled.

    ``goes_on`` says for what values of the body the next round is evaluated at all (L7: ``any`` and ``all`` stop
    early). That matters only where a round has a duty; then the order of the rounds matters, too, and the types
    that are iterated over are not symmetric.
    """
    before, sorts = len(context.obligations), set[str]()
    found = list(_bindings(context, generators, [], body, sorts))
    if goes_on is None or len(context.obligations) == before:
        return found
    del context.obligations[before:]
    for each in sorts:
        reason = (
            f"{context.function.at(generators[0].target)}: a duty inside depends on which element comes first"
        )
        context.ledger.asymmetric.setdefault(each, reason)
    return list(_bindings(context, generators, [], _short_circuit(context, body, goes_on), sorts))


def _short_circuit(context: Context, body: Callable[[Expr], Any], goes_on: GoesOn) -> Callable[[Expr], Any]:
    """The body, run under the condition that no earlier round has settled the value."""
    unsettled: list[Expr] = []

    def in_turn(when: Expr) -> Any:
        with context.under(ir.and_(*unsettled)):
            result = body(when)
        parts = result if isinstance(result, list) else [result]
        unsettled.extend(goes_on(each.holds if isinstance(each, Part) else each) for each in parts)
        return result

    return in_turn


def _bindings(
    context: Context,
    generators: list[ast.comprehension],
    conditions: list[Expr],
    body: Callable[[Expr], Any],
    sorts: set[str],
) -> Iterator[Any]:
    if not generators:
        yield body(ir.and_(*conditions))
        return
    first, *rest = generators
    if not isinstance(first.target, ast.Name) or first.is_async:
        raise context.refusal(first.target, "a comprehension binds one name at a time", "for n in Node")
    name = first.target.id
    before = context.env.names.get(name)
    rounds = iterated(context, first.iter)
    sorts |= rounds.sorts
    for inside, symbol in rounds.values:
        context.env.names[name] = symbol
        with ExitStack() as stack:
            here = [*conditions, inside]
            stack.enter_context(context.under(inside))
            for test in first.ifs:
                part = condition(context, test)
                here.append(part)
                stack.enter_context(context.under(part))
            yield from _bindings(context, rest, here, body, sorts)
    if before is None:
        context.env.names.pop(name, None)
    else:
        context.env.names[name] = before


def iterated(context: Context, node: ast.expr) -> Rounds:
    """What a ``for`` runs over: each value of a finite type with the condition that it is in (L6)."""
    if isinstance(node, ast.Call) and _is_range(context, node.func):
        return Rounds([(ir.TRUE, number(ir.integer(each))) for each in _constant_range(context, node)])
    if isinstance(node, ast.Tuple):
        return Rounds([(ir.TRUE, value(context, each)) for each in node.elts])
    found = evaluate(context, node)
    match found:
        case Thing() if isinstance(found.object, Index | Range) or _is_enum(found.object):
            domain = domain_of(context, node, found.object)
            sorts = frozenset({found.object.name}) if isinstance(found.object, Index) else frozenset()
            return Rounds([(ir.TRUE, constant(domain, each)) for each in domain.listed], sorts)
        case Members():
            element = found.domain.element
            pairs = zip(found.members, element.listed, strict=True)
            inside = [(here, constant(element, each)) for here, each in pairs if here is not ir.FALSE]
            return Rounds(inside, frozenset(mentions_index(element)))
        case Counts():
            message = found.domain.message
            counted = zip(found.counts, message.listed, strict=True)
            under_way = [(ir.lt(ir.integer(0), many), constant(message, each)) for many, each in counted]
            return Rounds(under_way, frozenset(mentions_index(message)))
        case Line():
            return Rounds([(slot.present, slot.value) for slot in found.slots])
        case Listed():
            raise context.refusal(
                node,
                "the order of this set is not known",
                "Iterate over a finite type with a condition: for n in Node: if c: ...",
            )
    raise context.refusal(
        node,
        f"cannot iterate over {kind_of(found)}",
        "Iterate over a finite type, a set, a channel or range(k).",
    )


def _is_range(context: Context, node: ast.expr) -> bool:
    found = evaluate(context, node) if isinstance(node, ast.Name) else None
    return isinstance(found, Thing) and found.object is range


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
