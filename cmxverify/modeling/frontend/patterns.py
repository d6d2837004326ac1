"""``match``: each case as a condition on the subject, with the names it binds."""

from __future__ import annotations

import ast
from dataclasses import is_dataclass

from cmxverify.modeling.frontend.calls import is_of
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import (
    Thing,
    condition,
    evaluate,
    python_constant,
    unwrapped,
    value,
)
from cmxverify.modeling.frontend.joining import equal
from cmxverify.modeling.frontend.symbols import Maybe, NoneSymbol, Record, Symbol, Variant, type_name
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr

Case = tuple[Expr, dict[str, Symbol], list[ast.stmt]]


def match_cases(context: Context, statement: ast.Match) -> list[Case]:
    """Cases in order; where none fits nothing is done."""
    subject = value(context, statement.subject)
    cases: list[Case] = []
    for each in statement.cases:
        bound: dict[str, Symbol] = {}
        test = _pattern(context, statement.subject, subject, each.pattern, bound)
        if each.guard is not None:
            with context.under(test):
                kept = dict(context.env.names)
                context.env.names.update(bound)
                test = ir.and_(test, condition(context, each.guard))
                context.env.names = kept
        cases.append((test, bound, each.body))
    cases.append((ir.TRUE, {}, []))
    return cases


def _pattern(
    context: Context, node: ast.expr, subject: Symbol, pattern: ast.pattern, bound: dict[str, Symbol]
) -> Expr:
    match pattern:
        case ast.MatchAs(pattern=None, name=None):
            return ir.TRUE
        case ast.MatchAs(pattern=None, name=str() as name):
            bound[name] = subject
            return ir.TRUE
        case ast.MatchSingleton():
            wanted = python_constant(context, pattern, pattern.value)
            if isinstance(wanted, NoneSymbol) and not isinstance(subject, Maybe):
                raise context.refusal(pattern, f"{type_name(subject)} is never None")
            return equal(subject, wanted)
        case ast.MatchValue():
            return equal(subject, value(context, pattern.value))
        case ast.MatchOr():
            return ir.or_(*(_pattern(context, node, subject, each, bound) for each in pattern.patterns))
        case ast.MatchClass():
            return _record(context, node, subject, pattern, bound)
    raise context.refusal(
        pattern, "this pattern is not part of the language", "case Grant(n): / case Color.RED: / case _:"
    )


def _record(
    context: Context, node: ast.expr, subject: Symbol, pattern: ast.MatchClass, bound: dict[str, Symbol]
) -> Expr:
    wanted = evaluate(context, pattern.cls)
    if not isinstance(wanted, Thing) or not is_dataclass(wanted.object):
        raise context.refusal(pattern, "a class pattern names a record", "case Grant(n):")
    present = ir.TRUE
    if isinstance(subject, Maybe):
        present = subject.present
        subject = unwrapped(context, node, subject) if context.known(present) else subject.value
    test = ir.and_(present, is_of(subject, wanted.object))
    record = _variant(subject, wanted.object)
    if record is None:
        return ir.FALSE
    names = [*list(record.fields)[: len(pattern.patterns)], *pattern.kwd_attrs]
    for name, each in zip(names, [*pattern.patterns, *pattern.kwd_patterns], strict=True):
        if name not in record.fields:
            raise context.refusal(pattern, f"{record.domain.name} has no field '{name}'")
        test = ir.and_(test, _pattern(context, node, record.fields[name], each, bound))
    return test


def _variant(subject: Symbol, record: object) -> Record | None:
    if isinstance(subject, Record):
        return subject if subject.domain.record is record else None
    if isinstance(subject, Variant):
        return next((each for each in subject.variants if each.domain.record is record), None)
    return None
