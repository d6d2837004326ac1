"""Branches and loops: executed apart, merged field by field; after a return only the other paths go on (L11)."""

from __future__ import annotations

import ast
from dataclasses import replace

from cmxverify.modeling.frontend.context import Context, Environment
from cmxverify.modeling.frontend.evaluation import condition
from cmxverify.modeling.frontend.loops import loop
from cmxverify.modeling.frontend.merging import merged
from cmxverify.modeling.frontend.patterns import Case, match_cases
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr


def branch(context: Context, statement: ast.If | ast.Match, rest: list[ast.stmt]) -> None:
    """Branches, then the rest of the body on the paths that have not returned."""
    if isinstance(statement, ast.Match):
        _branches(context, match_cases(context, statement), rest)
        return
    test = condition(context, statement.test)
    _branches(context, [(test, {}, statement.body), (ir.TRUE, {}, statement.orelse)], rest)


def _branches(context: Context, cases: list[Case], rest: list[ast.stmt]) -> None:
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
        context.env = merged(test, then, context.env)
    elif other.returned is ir.TRUE and then.returned is not ir.TRUE:
        context.env = then
        with context.under(test):
            _continue(context, rest)
        context.env = merged(test, context.env, other)
    else:
        context.env = merged(test, then, other)
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
    context.env = merged(returned, replace(before, returned=ir.TRUE), context.env)


def loop_then(context: Context, statement: ast.For, rest: list[ast.stmt]) -> None:
    """A loop, then the rest of the body on the paths that have not returned."""
    loop(context, statement)
    _continue(context, rest)


def _run(context: Context, body: list[ast.stmt]) -> None:
    assert context.run_body is not None
    context.run_body(context, body)
