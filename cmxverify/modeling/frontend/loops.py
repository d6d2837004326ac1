"""Loops: executed round by round over the values of a finite type (L6), and whether their order can matter (S6).

Of a loop over a symmetric type everything is noted that a round reads and writes. Where rounds do not commute the type
is asymmetric, with the reason; the model is still checked, without that reduction.
"""

from __future__ import annotations

import ast
from contextlib import nullcontext
from dataclasses import replace

from cmxverify.modeling.frontend.accesses import Access, conflict
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.iteration import iterated
from cmxverify.modeling.frontend.merging import merged
from cmxverify.modeling.frontend.symbols import Symbol
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr


def loop(context: Context, statement: ast.For) -> None:
    """A for over a finite domain, round by round."""
    if not isinstance(statement.target, ast.Name):
        raise context.refusal(statement.target, "a for binds one name", "for n in Node:")
    if statement.orelse:
        raise context.refusal(
            statement.orelse[0], "`else` after a loop is not part of the language", "Write it after the loop."
        )
    rounds = iterated(context, statement.iter)
    outer = context.accesses
    noted: list[list[Access]] = []
    known = set(context.env.names) - {statement.target.id}
    for inside, symbol in rounds.values:
        if rounds.sorts:
            context.accesses = []
        _round(context, statement, inside, symbol, known)
        if rounds.sorts and context.accesses is not None:
            noted.append(_lasting(context, context.accesses, known))
        if context.env.returned is ir.TRUE:
            break
    context.accesses = outer
    context.env.names.pop(statement.target.id, None)
    if rounds.sorts:
        _certify(context, statement, rounds.sorts, noted)
        if outer is not None:
            outer += [each for accesses in noted for each in accesses]


def _round(context: Context, statement: ast.For, inside: Expr, symbol: Symbol, known: set[str]) -> None:
    """One round, where the value is in and nothing has returned; names that it makes are its own."""
    assert context.run_body is not None
    assert isinstance(statement.target, ast.Name)
    start = context.env
    runs = ir.and_(inside, ir.not_(start.returned))
    if runs is ir.FALSE:
        return
    context.env = start.fork()
    context.env.returned, context.env.result = ir.FALSE, None
    context.env.names[statement.target.id] = symbol
    with nullcontext() if runs is ir.TRUE else context.under(runs):
        context.run_body(context, statement.body)
    after = context.env
    if start.returned is not ir.FALSE:
        start = replace(start, returned=ir.TRUE) if inside is ir.TRUE else start
    context.env = merged(runs, after, start)
    context.env.names = {name: each for name, each in context.env.names.items() if name in known}


def _lasting(context: Context, accesses: list[Access], known: set[str]) -> list[Access]:
    """What is read and written beyond the round: fields, and names that were there before the loop."""
    locals_ = {context.local(name) for name in known}
    return [each for each in accesses if "/" not in each.root or each.root in locals_]


def _certify(context: Context, statement: ast.For, sorts: frozenset[str], noted: list[list[Access]]) -> None:
    reason = conflict(noted)
    if any(isinstance(each, ast.Return) for part in statement.body for each in ast.walk(part)):
        reason = "a return in the loop depends on which element comes first"
    if reason is not None:
        for each in sorts:
            context.ledger.asymmetric.setdefault(each, f"{context.function.at(statement)}: {reason}")
