"""The functions of the language: any, all, sum, count, min, max, len, isinstance, sets, replace, implies, saturate."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any

from cmxverify.modeling import functions as language
from cmxverify.modeling.declarations import Index, Range
from cmxverify.modeling.domains import RangeDomain
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import Thing, condition, evaluate, integer, unwrapped, value
from cmxverify.modeling.frontend.fitting import narrowed
from cmxverify.modeling.frontend.iteration import each_binding
from cmxverify.modeling.frontend.joining import equal
from cmxverify.modeling.frontend.names import domain_of
from cmxverify.modeling.frontend.records import is_of, replaced
from cmxverify.modeling.frontend.symbols import (
    Counts,
    Fitted,
    Line,
    Listed,
    Mapping,
    Members,
    Scalar,
    Symbol,
    constant,
    number,
    truth,
)
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.system import ObligationKind

Function = Callable[[Context, ast.Call, Any], Symbol]
Body = Callable[[ast.expr, Expr], Any]


def _only_argument(context: Context, node: ast.Call) -> ast.expr:
    if len(node.args) != 1 or node.keywords:
        raise context.refusal(node, f"`{ast.unparse(node.func)}` takes one argument", "Leave the others out.")
    return node.args[0]


def _generator(context: Context, node: ast.Call) -> ast.GeneratorExp:
    argument = _only_argument(context, node)
    if not isinstance(argument, ast.GeneratorExp):
        raise context.refusal(
            node, f"`{ast.unparse(node.func)}` needs a generator", "any(self.holds[n] for n in Node)"
        )
    return argument


def _generated(context: Context, node: ast.Call, body: Body) -> list[Any]:
    generator = _generator(context, node)
    return each_binding(context, generator.generators, lambda when: body(generator.elt, when))


def _any(context: Context, node: ast.Call, _: Any) -> Symbol:
    generator = _generator(context, node)
    found = each_binding(
        context,
        generator.generators,
        lambda when: ir.and_(when, condition(context, generator.elt)),
        goes_on=ir.not_,
    )
    return truth(ir.or_(*found))


def _all(context: Context, node: ast.Call, _: Any) -> Symbol:
    generator = _generator(context, node)
    found = each_binding(
        context,
        generator.generators,
        lambda when: ir.implies(when, condition(context, generator.elt)),
        goes_on=lambda holds: holds,
    )
    return truth(ir.and_(*found))


def _count(context: Context, node: ast.Call, _: Any) -> Symbol:
    ones = _generated(context, node, lambda elt, when: ir.as_int(ir.and_(when, condition(context, elt))))
    return number(_sum_of(ones))


def _sum(context: Context, node: ast.Call, _: Any) -> Symbol:
    zero = ir.integer(0)
    return number(
        _sum_of(_generated(context, node, lambda elt, when: ir.ite(when, integer(context, elt), zero)))
    )


def _sum_of(terms: list[Expr]) -> Expr:
    total = ir.integer(0)
    for each in terms:
        total = ir.add(total, each)
    return total


def _extreme(context: Context, node: ast.Call, which: Any) -> Symbol:
    if len(node.args) > 1 and not node.keywords:
        candidates = [(ir.TRUE, integer(context, each)) for each in node.args]
    else:
        candidates = _generated(context, node, lambda elt, when: (when, integer(context, elt)))
    some, best = ir.FALSE, ir.integer(0)
    for when, each in candidates:
        better = ir.lt(each, best) if which is min else ir.lt(best, each)
        best = each if some is ir.FALSE else ir.ite(ir.and_(when, ir.or_(ir.not_(some), better)), each, best)
        some = ir.or_(some, when)
    context.duty(ObligationKind.DEFINED, node, ir.not_(some), f"{which.__name__} of at least one value")
    return number(best)


def _len(context: Context, node: ast.Call, _: Any) -> Symbol:
    argument = _only_argument(context, node)
    found = evaluate(context, argument)
    match found:
        case Members():
            return number(_sum_of([ir.as_int(each) for each in found.members]))
        case Counts():
            return number(_sum_of(list(found.counts)))
        case Line():
            return number(_sum_of([ir.as_int(each.present) for each in found.slots]))
        case Mapping():
            return number(ir.integer(len(found.elements)))
        case Thing() if isinstance(found.object, Index | Range | type):
            return number(ir.integer(domain_of(context, node, found.object).size))
    raise context.refusal(argument, "this has no length", "len of a set, a channel, a map or a finite type")


def _isinstance(context: Context, node: ast.Call, _: Any) -> Symbol:
    if len(node.args) != 2 or node.keywords:
        raise context.refusal(node, "isinstance takes a message and a record class", "isinstance(m, Grant)")
    message = unwrapped(context, node.args[0], value(context, node.args[0]))
    wanted = evaluate(context, node.args[1])
    if not isinstance(wanted, Thing) or not is_dataclass(wanted.object):
        raise context.refusal(node.args[1], "isinstance asks for a record class", "isinstance(m, Grant)")
    return truth(is_of(message, wanted.object))


def _set(context: Context, node: ast.Call, _: Any) -> Symbol:
    if not node.args and not node.keywords:
        return Listed(())
    argument = _only_argument(context, node)
    if isinstance(argument, ast.GeneratorExp):
        found = each_binding(context, argument.generators, lambda when: (when, value(context, argument.elt)))
        return Listed(tuple(found))
    symbol = evaluate(context, argument)
    if isinstance(symbol, Members | Listed):
        return symbol
    if isinstance(symbol, Thing):
        domain = domain_of(context, node, symbol.object)
        return Listed(tuple((ir.TRUE, constant(domain, each)) for each in domain.listed))
    raise context.refusal(
        argument, "a set is made from a generator, a set or a finite type", "frozenset(n for n in Node if c)"
    )


def _implies(context: Context, node: ast.Call, _: Any) -> Symbol:
    if len(node.args) != 2 or node.keywords:
        raise context.refusal(node, "implies takes a premise and a conclusion", "implies(a, b)")
    premise, conclusion = (condition(context, each) for each in node.args)
    return truth(ir.implies(premise, conclusion))


def _fitted(context: Context, node: ast.Call, which: Any) -> Symbol:
    expr = integer(context, _only_argument(context, node))
    return Fitted(which.__name__, Scalar(RangeDomain(0, 0), expr))


def _replace(context: Context, node: ast.Call, _: Any) -> Symbol:
    return replaced(context, node)


def _require(context: Context, node: ast.Call, _: Any) -> Symbol:
    raise context.refusal(node, "require is a statement", "Write it on a line of its own.")


def times_under_way(context: Context, node: ast.Call, bag: Counts) -> Symbol:
    """``bag.count(m)``."""
    argument = _only_argument(context, node)
    message = narrowed(context, argument, value(context, argument), bag.domain.message)
    zero = ir.integer(0)
    total = zero
    for plain, times in zip(bag.domain.message.listed, bag.counts, strict=True):
        total = ir.add(total, ir.ite(equal(message, constant(bag.domain.message, plain)), times, zero))
    return number(total)


FUNCTIONS: dict[Any, Function] = {
    any: _any,
    all: _all,
    sum: _sum,
    min: _extreme,
    max: _extreme,
    len: _len,
    isinstance: _isinstance,
    frozenset: _set,
    set: _set,
    dataclasses.replace: _replace,
    language.count: _count,
    language.implies: _implies,
    language.saturate: _fitted,
    language.wrap: _fitted,
    language.require: _require,
}
"""By identity: a name of the user's that hides a built-in is the user's function (L8)."""
