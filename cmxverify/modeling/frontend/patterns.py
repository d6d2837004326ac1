"""``match``: each case as a condition on the subject, with the names it binds."""

from __future__ import annotations

import ast
from contextlib import ExitStack
from dataclasses import fields, is_dataclass
from typing import Any

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
                _refuse_taken(context, each.pattern, bound)
                test = ir.and_(test, _guard(context, each.guard, test, bound))
            cases.append((test, bound, each.body))
            earlier.enter_context(context.under(ir.not_(test)))
    cases.append((ir.TRUE, {}, []))
    return cases


def _refuse_taken(context: Context, pattern: ast.pattern, bound: dict[str, Symbol]) -> None:
    """Python binds the names of a case before it asks its guard, and leaves them so where the guard is false."""
    for name in bound:
        if name in context.env.names:
            raise context.refusal(
                pattern,
                f"'{name}' has a value already, which a false guard would not give back",
                "Use another name.",
            )


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
    if (
        not isinstance(wanted, Thing)
        or not isinstance(wanted.object, type)
        or not is_dataclass(wanted.object)
    ):
        raise context.refusal(pattern, "a class pattern names a record", "case Grant(n):")
    present = ir.TRUE
    if isinstance(subject, Maybe):
        present = subject.present
        subject = unwrapped(context, node, subject) if context.known(present) else subject.value
    test = ir.and_(present, is_of(subject, wanted.object))
    variants = _variants(context, subject, wanted.object)
    names = [*_positional(context, pattern, wanted.object), *pattern.kwd_attrs]
    if not variants or not names:
        return test if variants else ir.FALSE
    if len(variants) > 1:
        listed = ", ".join(each.domain.name for each in variants)
        raise context.refusal(
            pattern,
            f"{wanted.object.__name__} is the base of {listed}",
            "Write the case of the derived record first.",
        )
    record = variants[0]
    for name, each in zip(names, [*pattern.patterns, *pattern.kwd_patterns], strict=True):
        if name not in record.fields:
            raise context.refusal(
                pattern, f"{record.domain.name} has no field '{name}'", did_you_mean(name, record.fields)
            )
        test = ir.and_(test, _pattern(context, node, record.fields[name], each, bound))
    return test


def _positional(context: Context, pattern: ast.MatchClass, record: type[Any]) -> list[str]:
    """Fields that the patterns without a name stand for."""
    names = [each.name for each in fields(record)]
    if len(pattern.patterns) > len(names):
        raise context.refusal(
            pattern, f"{record.__name__} has {len(names)} fields", "Give a pattern for each at most."
        )
    return names[: len(pattern.patterns)]


def _variants(context: Context, subject: Symbol, record: type[Any]) -> list[Record]:
    """What the subject may be on this path that is of a class, or of one that derives from it."""
    possible = [subject] if isinstance(subject, Record) else []
    if isinstance(subject, Variant):
        tags = [ir.eq(subject.tag, ir.integer(at)) for at in range(len(subject.variants))]
        pairs = zip(tags, subject.variants, strict=True)
        possible = [each for tag, each in pairs if not context.known(ir.not_(tag))]
    return [each for each in possible if issubclass(each.domain.record, record)]
