"""Branches and loops: executed apart, merged field by field; after a return only the other paths go on (L11)."""

from __future__ import annotations

import ast
from dataclasses import replace

from cmxverify.modeling.frontend.calls import chosen
from cmxverify.modeling.frontend.context import Context, Environment
from cmxverify.modeling.frontend.evaluation import Thing, condition
from cmxverify.modeling.frontend.iteration import iterated
from cmxverify.modeling.frontend.joining import choose
from cmxverify.modeling.frontend.loops import certify_loop
from cmxverify.modeling.frontend.symbols import Listed, MismatchError, Symbol
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr


def branch(
    context: Context,
    statement: ast.If | list[tuple[Expr, dict[str, Symbol], list[ast.stmt]]],
    rest: list[ast.stmt],
) -> None:
    """Branches, then the rest of the body on the paths that have not returned."""
    if isinstance(statement, list):
        _branches(context, statement, rest)
        return
    test = condition(context, statement.test)
    _branches(context, [(test, {}, statement.body), (ir.TRUE, {}, statement.orelse)], rest)


def _branches(
    context: Context, cases: list[tuple[Expr, dict[str, Symbol], list[ast.stmt]]], rest: list[ast.stmt]
) -> None:
    (test, bound, body), *others = cases
    start = context.env
    if test is ir.TRUE:
        context.env.names.update(bound)
        _run(context, body)
        _continue(context, rest)
        return
    if test is ir.FALSE:
        _branches(context, others, rest) if others else _run(context, rest)
        return
    context.env = then = start.fork()
    with context.under(test):
        then.names.update(bound)
        _run(context, body)
        then = context.env
    context.env = other = start.fork()
    with context.under(ir.not_(test)):
        if others:
            _branches(context, others, [])
            other = context.env
    _join(context, test, then, other, rest)


def _join(context: Context, test: Expr, then: Environment, other: Environment, rest: list[ast.stmt]) -> None:
    """Merge two branches; where one has returned for good, only the other goes on with the rest."""
    if then.returned is ir.TRUE and other.returned is not ir.TRUE:
        context.env = other
        with context.under(ir.not_(test)):
            _continue(context, rest)
        context.env = _merged(test, then, context.env)
    elif other.returned is ir.TRUE and then.returned is not ir.TRUE:
        context.env = then
        with context.under(test):
            _continue(context, rest)
        context.env = _merged(test, context.env, other)
    else:
        context.env = _merged(test, then, other)
        _continue(context, rest)


def _continue(context: Context, rest: list[ast.stmt]) -> None:
    """The rest of a body, on the paths that have not returned yet."""
    returned = context.env.returned
    if returned is ir.TRUE or not rest:
        return
    if returned is ir.FALSE:
        _run(context, rest)
        return
    before = context.env
    context.env = before.fork()
    context.env.returned, context.env.result = ir.FALSE, None
    with context.under(ir.not_(returned)):
        _run(context, rest)
    context.env = _merged(returned, replace(before, returned=ir.TRUE), context.env)


def _merged(test: Expr, then: Environment, other: Environment) -> Environment:
    fields = {name: choose(test, each, other.fields[name]) for name, each in then.fields.items()}
    if then.returned is ir.TRUE:
        names = dict(other.names)
    elif other.returned is ir.TRUE:
        names = dict(then.names)
    else:
        names = _merged_names(test, then.names, other.names)
    returned = ir.ite(test, then.returned, other.returned)
    return Environment(fields, names, returned, chosen(test, then.result, other.result))


def _merged_names(test: Expr, then: dict[str, Symbol], other: dict[str, Symbol]) -> dict[str, Symbol]:
    """Names that both branches know; one whose types differ is forgotten, and refused if it is used."""
    names: dict[str, Symbol] = {}
    for name in then.keys() & other.keys():
        if then[name] is other[name]:
            names[name] = then[name]
        elif not isinstance(then[name], Thing | Listed):
            try:
                names[name] = choose(test, then[name], other[name])
            except MismatchError:
                continue
    return names


def loop(context: Context, statement: ast.For, rest: list[ast.stmt]) -> None:
    """A for over a finite domain, round by round, then the rest of the body."""
    if not isinstance(statement.target, ast.Name):
        raise context.refusal(statement.target, "a for binds one name", "for n in Node:")
    if statement.orelse:
        raise context.refusal(statement, "`else` after a loop is not part of the language")
    name = statement.target.id
    certify_loop(context, statement)
    rounds = iterated(context, statement.iter)
    before = set(context.env.names)
    _rounds(context, statement, name, rounds)
    for each in set(context.env.names) - before:
        del context.env.names[each]
    _continue(context, rest)


def _rounds(context: Context, statement: ast.For, name: str, rounds: list[tuple[Expr, Symbol]]) -> None:
    if not rounds:
        return
    (inside, symbol), *others = rounds
    start = context.env
    start.names[name] = symbol
    if inside is ir.TRUE:
        _run(context, statement.body)
    else:
        context.env = start.fork()
        with context.under(inside):
            _run(context, statement.body)
        context.env = _merged(inside, context.env, start)
    if context.env.returned is ir.FALSE:
        _rounds(context, statement, name, others)
    elif context.env.returned is not ir.TRUE:
        before = context.env
        context.env = before.fork()
        context.env.returned, context.env.result = ir.FALSE, None
        with context.under(ir.not_(before.returned)):
            _rounds(context, statement, name, others)
        context.env = _merged(before.returned, replace(before, returned=ir.TRUE), context.env)


def _run(context: Context, body: list[ast.stmt]) -> None:
    assert context.run_body is not None
    context.run_body(context, body)
