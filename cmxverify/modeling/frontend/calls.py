"""Calls: the functions of the language, records, and methods and helpers executed in place (L11b)."""

from __future__ import annotations

import ast
import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any

from cmxverify.errors import InputError, did_you_mean
from cmxverify.modeling import functions as language
from cmxverify.modeling.declarations import Index, Range
from cmxverify.modeling.declared import Role, declared
from cmxverify.modeling.domains import Domain, RangeDomain, RecordDomain
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import (
    SELF,
    Method,
    Thing,
    condition,
    evaluate,
    handles,
    integer,
    unwrapped,
    value,
)
from cmxverify.modeling.frontend.fitting import fitted
from cmxverify.modeling.frontend.iteration import each_binding
from cmxverify.modeling.frontend.joining import adapted, choose, equal
from cmxverify.modeling.frontend.names import domain_of
from cmxverify.modeling.frontend.symbols import (
    Counts,
    Fitted,
    Line,
    Listed,
    Mapping,
    Members,
    NoneSymbol,
    Record,
    Scalar,
    Symbol,
    Variant,
    constant,
    number,
    truth,
    type_name,
)
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.system import ObligationKind
from cmxverify.modeling.resolve import Resolver
from cmxverify.modeling.source import Function, function_of

MUTATORS = ("send", "receive", "pop", "add", "discard", "remove", "clear")


@handles(ast.Call)
def call(context: Context, node: ast.Call) -> Symbol:
    """Value of a call."""
    target = evaluate(context, node.func)
    if isinstance(target, Method):
        return _method(context, node, target)
    if not isinstance(target, Thing):
        raise context.refusal(node, f"`{ast.unparse(node.func)}` is not a function")
    known = _FUNCTIONS.get(target.object) if callable(target.object) else None
    if known is not None:
        return known(context, node)
    if isinstance(target.object, type):
        return _construct(context, node, target.object)
    if inspect.isfunction(target.object):
        return inline(context, node, target.object, None)
    raise context.refusal(
        node,
        f"`{ast.unparse(node.func)}` is not part of the language",
        "Write a plain function with def in the subset.",
    )


def _only_argument(context: Context, node: ast.Call) -> ast.expr:
    if len(node.args) != 1 or node.keywords:
        raise context.refusal(node, f"`{ast.unparse(node.func)}` takes one argument")
    return node.args[0]


def _generated(context: Context, node: ast.Call, body: Callable[[ast.expr, Expr], Any]) -> list[Any]:
    argument = _only_argument(context, node)
    if not isinstance(argument, ast.GeneratorExp):
        raise context.refusal(
            node, f"`{ast.unparse(node.func)}` needs a generator", "any(self.holds[n] for n in Node)"
        )
    return each_binding(context, argument.generators, lambda when: body(argument.elt, when))


def _any(context: Context, node: ast.Call) -> Symbol:
    return truth(ir.or_(*_generated(context, node, lambda elt, when: ir.and_(when, condition(context, elt)))))


def _all(context: Context, node: ast.Call) -> Symbol:
    return truth(
        ir.and_(*_generated(context, node, lambda elt, when: ir.implies(when, condition(context, elt))))
    )


def _count(context: Context, node: ast.Call) -> Symbol:
    ones = _generated(context, node, lambda elt, when: ir.as_int(ir.and_(when, condition(context, elt))))
    return number(_sum_of(ones))


def _sum(context: Context, node: ast.Call) -> Symbol:
    zero = ir.integer(0)
    return number(
        _sum_of(_generated(context, node, lambda elt, when: ir.ite(when, integer(context, elt), zero)))
    )


def _sum_of(terms: list[Expr]) -> Expr:
    total = ir.integer(0)
    for each in terms:
        total = ir.add(total, each)
    return total


def _extreme(context: Context, node: ast.Call) -> Symbol:
    assert isinstance(node.func, ast.Name)
    smallest = node.func.id == "min"
    if len(node.args) > 1 and not node.keywords:
        candidates = [(ir.TRUE, integer(context, each)) for each in node.args]
    else:
        candidates = _generated(context, node, lambda elt, when: (when, integer(context, elt)))
    some, best = ir.FALSE, ir.integer(0)
    for when, each in candidates:
        better = ir.lt(each, best) if smallest else ir.lt(best, each)
        best = each if some is ir.FALSE else ir.ite(ir.and_(when, ir.or_(ir.not_(some), better)), each, best)
        some = ir.or_(some, when)
    context.duty(ObligationKind.DEFINED, node, ir.not_(some), f"{node.func.id} of at least one value")
    return number(best)


def _len(context: Context, node: ast.Call) -> Symbol:
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


def _isinstance(context: Context, node: ast.Call) -> Symbol:
    if len(node.args) != 2 or node.keywords:
        raise context.refusal(node, "isinstance takes a message and a record class")
    message = unwrapped(context, node.args[0], value(context, node.args[0]))
    wanted = evaluate(context, node.args[1])
    if not isinstance(wanted, Thing) or not is_dataclass(wanted.object):
        raise context.refusal(node.args[1], "isinstance asks for a record class", "isinstance(m, Grant)")
    return truth(is_of(message, wanted.object))


def is_of(message: Symbol, record: Any) -> Expr:
    """Whether a record is of a class."""
    if isinstance(message, Record):
        return ir.boolean(message.domain.record is record)
    if isinstance(message, Variant):
        at = message.domain.variant_of(record)
        return ir.FALSE if at is None else ir.eq(message.tag, ir.integer(at))
    return ir.FALSE


def _empty_set(context: Context, node: ast.Call) -> Symbol:
    if node.args:
        argument = _only_argument(context, node)
        if isinstance(argument, ast.GeneratorExp):
            found = each_binding(
                context, argument.generators, lambda when: (when, value(context, argument.elt))
            )
            return Listed(tuple(found))
        symbol = evaluate(context, argument)
        if isinstance(symbol, Members | Listed):
            return symbol
        if isinstance(symbol, Thing):
            domain = domain_of(context, node, symbol.object)
            return Listed(tuple((ir.TRUE, constant(domain, each)) for each in domain.listed))
        raise context.refusal(argument, "a set is made from a generator, a set or a finite type")
    return Listed(())


def _implies(context: Context, node: ast.Call) -> Symbol:
    if len(node.args) != 2 or node.keywords:
        raise context.refusal(node, "implies takes a premise and a conclusion")
    premise, conclusion = (condition(context, each) for each in node.args)
    return truth(ir.implies(premise, conclusion))


def _fitted(context: Context, node: ast.Call) -> Symbol:
    assert isinstance(node.func, ast.Name)
    return Fitted(node.func.id, Scalar(RangeDomain(0, 0), integer(context, _only_argument(context, node))))


def _replace(context: Context, node: ast.Call) -> Symbol:
    if len(node.args) != 1:
        raise context.refusal(node, "replace takes a record and keywords", "replace(r, state=FREE)")
    base = unwrapped(context, node.args[0], value(context, node.args[0]))
    if not isinstance(base, Record):
        raise context.refusal(node.args[0], f"{type_name(base)} is not a record")
    changed = dict(base.fields)
    for keyword in node.keywords:
        if keyword.arg is None or keyword.arg not in base.fields:
            raise context.refusal(
                node,
                f"{base.domain.name} has no field '{keyword.arg}'",
                did_you_mean(keyword.arg or "", base.fields),
            )
        changed[keyword.arg] = fitted(
            context, keyword.value, value(context, keyword.value), base.domain.fields[keyword.arg]
        )
    return Record(base.domain, changed)


def _require_in_expression(context: Context, node: ast.Call) -> Symbol:
    raise context.refusal(node, "require is a statement", "Write it on a line of its own.")


def _construct(context: Context, node: ast.Call, record: type[Any]) -> Symbol:
    if not is_dataclass(record):
        raise context.refusal(
            node, f"`{record.__name__}` cannot be made here", "Records are frozen dataclasses."
        )
    domain = Resolver(context.schema.bounds).domain(record, context.function.at(node))
    assert isinstance(domain, RecordDomain)
    names = list(domain.fields)
    if len(node.args) > len(names):
        raise context.refusal(
            node, f"{record.__name__} has {len(names)} fields, {len(node.args)} values are given"
        )
    given = dict(zip(names, node.args, strict=False))
    for keyword in node.keywords:
        if keyword.arg is None or keyword.arg not in domain.fields:
            hint = did_you_mean(keyword.arg or "", names)
            raise context.refusal(node, f"{record.__name__} has no field '{keyword.arg}'", hint)
        given[keyword.arg] = keyword.value
    symbols = {}
    for name, each in domain.fields.items():
        if name in given:
            symbols[name] = fitted(context, given[name], value(context, given[name]), each)
        else:
            symbols[name] = _declared_default(context, node, record, name, each)
    return Record(domain, symbols)


def _declared_default(
    context: Context, node: ast.Call, record: type[Any], name: str, domain: Domain
) -> Symbol:
    default = next(each.default for each in dataclasses.fields(record) if each.name == name)
    if default is dataclasses.MISSING:
        raise context.refusal(node, f"{record.__name__} needs a value for '{name}'")
    return constant(domain, default)


def _method(context: Context, node: ast.Call, target: Method) -> Symbol:
    if isinstance(target.value, Thing) and target.value.object is SELF:
        return _own_method(context, node, target.name)
    if isinstance(target.value, Record):
        return inline(context, node, getattr(target.value.domain.record, target.name), target.value)
    if isinstance(target.value, Counts) and target.name == "count":
        return _times(context, node, target.value)
    if target.name in MUTATORS:
        raise context.refusal(
            node, f".{target.name}(...) changes state, so it is a statement", "Write it on a line of its own."
        )
    raise context.refusal(
        node, f"`.{target.name}` is not part of the language", f"Known: {', '.join(MUTATORS)}, head, count."
    )


def _times(context: Context, node: ast.Call, bag: Counts) -> Symbol:
    argument = _only_argument(context, node)
    message = adapted(value(context, argument), bag.domain.message)
    zero = ir.integer(0)
    total = zero
    for plain, times in zip(bag.domain.message.listed, bag.counts, strict=True):
        total = ir.add(total, ir.ite(equal(message, constant(bag.domain.message, plain)), times, zero))
    return number(total)


def _own_method(context: Context, node: ast.Call, name: str) -> Symbol:
    method = getattr(context.schema.model, name)
    what = declared(method)
    if what is not None and what.role is not Role.PROPERTY and what.role is not Role.STEP:
        raise context.refusal(node, f"{name} runs by itself; it cannot be called")
    return inline(context, node, method, Thing(SELF))


def inline(context: Context, node: ast.Call, callee: Any, receiver: Symbol | None) -> Symbol:
    """Execute a function's body in place; its arguments are values, its locals its own."""
    function = parsed(context, node, callee)
    names = _bind(context, node, function, receiver)
    assert context.run_body is not None
    with context.inside(function, names, id(inspect.unwrap(callee)), node):
        context.run_body(context, function.tree.body)
        returned, result = context.env.returned, context.env.result
    if result is None:
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
            context.ledger.functions[id(plain)] = function_of(plain)
        except InputError as error:
            raise context.refusal(node, error.what, error.fix) from None
    return context.ledger.functions[id(plain)]


def _bind(context: Context, node: ast.Call, function: Function, receiver: Symbol | None) -> dict[str, Symbol]:
    arguments = function.tree.args
    if (
        arguments.vararg
        or arguments.kwarg
        or arguments.posonlyargs
        or arguments.kwonlyargs
        or arguments.defaults
    ):
        raise context.refusal(node, f"{function.name} has parameters that are not plain ones")
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


def chosen(condition_: Expr, then: Symbol | None, other: Symbol | None) -> Symbol | None:
    """Value returned on one path or another."""
    if then is None or other is None:
        return then if other is None else other
    return choose(condition_, then, other)


_FUNCTIONS: dict[Any, Callable[[Context, ast.Call], Symbol]] = {
    any: _any,
    all: _all,
    sum: _sum,
    min: _extreme,
    max: _extreme,
    len: _len,
    isinstance: _isinstance,
    frozenset: _empty_set,
    set: _empty_set,
    dataclasses.replace: _replace,
    language.count: _count,
    language.implies: _implies,
    language.saturate: _fitted,
    language.wrap: _fitted,
    language.require: _require_in_expression,
}
