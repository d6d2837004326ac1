"""``match``: each case as a condition on the subject, with the names it binds."""

from __future__ import annotations

import ast
from contextlib import ExitStack
from dataclasses import is_dataclass

from cmxverify.errors import did_you_mean
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import (
    Thing,
    condition,
    evaluate,
    python_constant,
    unwrapped,
    value,
)
from cmxverify.modeling.frontend.joining import choose, equal
from cmxverify.modeling.frontend.records import is_of
from cmxverify.modeling.frontend.symbols import Maybe, NoneSymbol, Record, Symbol, Variant, type_name
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr

Case = tuple[Expr, dict[str, Symbol], list[ast.stmt]]


def match_cases(context: Context, statement: ast.Match) -> list[Case]:
    """Cases in order; where none fits nothing is done."""
    subject = value(context, statement.subject)
    cases: list[Case] = []
    with ExitStack() as earlier:
        for each in statement.cases:
            bound: dict[str, Symbol] = {}
            test = _pattern(context, statement.subject, subject, each.pattern, bound)
            if each.guard is not None:
                test = ir.and_(test, _guard(context, each.guard, test, bound))
            cases.append((test, bound, each.body))
            earlier.enter_context(context.under(ir.not_(test)))
    cases.append((ir.TRUE, {}, []))
    return cases


def _guard(context: Context, guard: ast.expr, test: Expr, bound: dict[str, Symbol]) -> Expr:
    kept = dict(context.env.names)
    with context.under(test):
        context.env.names.update(bound)
        holds = condition(context, guard)
    context.env.names = kept
    return holds


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
                raise context.refusal(pattern, f"{type_name(subject)} is never None", "Leave the case out.")
            return equal(subject, wanted)
        case ast.MatchValue():
            return equal(subject, value(context, pattern.value))
        case ast.MatchOr():
            return _alternatives(context, node, subject, pattern, bound)
        case ast.MatchClass():
            return _record(context, node, subject, pattern, bound)
    raise context.refusal(
        pattern, "this pattern is not part of the language", "case Grant(n): / case Color.RED: / case _:"
    )


def _alternatives(
    context: Context, node: ast.expr, subject: Symbol, pattern: ast.MatchOr, bound: dict[str, Symbol]
) -> Expr:
    """The first alternative that fits binds the names."""
    found: list[tuple[Expr, dict[str, Symbol]]] = []
    for each in pattern.patterns:
        names: dict[str, Symbol] = {}
        found.append((_pattern(context, node, subject, each, names), names))
    for test, names in reversed([each for each in found if each[0] is not ir.FALSE]):
        with context.reporting(pattern):
            for name, symbol in names.items():
                bound[name] = choose(test, symbol, bound[name]) if name in bound else symbol
    return ir.or_(*(test for test, _ in found))


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
    if len(pattern.patterns) > len(record.fields):
        raise context.refusal(
            pattern,
            f"{record.domain.name} has {len(record.fields)} fields",
            "Give a pattern for each at most.",
        )
    names = [*list(record.fields)[: len(pattern.patterns)], *pattern.kwd_attrs]
    for name, each in zip(names, [*pattern.patterns, *pattern.kwd_patterns], strict=True):
        if name not in record.fields:
            raise context.refusal(
                pattern, f"{record.domain.name} has no field '{name}'", did_you_mean(name, record.fields)
            )
        test = ir.and_(test, _pattern(context, node, record.fields[name], each, bound))
    return test


def _variant(subject: Symbol, record: object) -> Record | None:
    if isinstance(subject, Record):
        return subject if subject.domain.record is record else None
    if isinstance(subject, Variant):
        return next((each for each in subject.variants if each.domain.record is record), None)
    return None
