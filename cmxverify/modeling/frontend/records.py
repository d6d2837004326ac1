"""Records: made, copied with changes, told apart."""

from __future__ import annotations

import ast
import dataclasses
from dataclasses import is_dataclass
from typing import Any

from cmxverify.errors import did_you_mean
from cmxverify.modeling.domains import Domain, RecordDomain
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import unwrapped, value
from cmxverify.modeling.frontend.fitting import as_part
from cmxverify.modeling.frontend.names import domain_of
from cmxverify.modeling.frontend.symbols import Record, Symbol, Variant, constant, type_name
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr


def construct(context: Context, node: ast.Call, record: type[Any]) -> Symbol:
    """A record made of its fields, by position or by name."""
    if not is_dataclass(record):
        raise context.refusal(
            node, f"`{record.__name__}` cannot be made here", "Records are frozen dataclasses."
        )
    domain = domain_of(context, node, record)
    assert isinstance(domain, RecordDomain)
    names = list(domain.fields)
    if len(node.args) > len(names):
        raise context.refusal(
            node,
            f"{record.__name__} has {len(names)} fields, {len(node.args)} values are given",
            f"{record.__name__}({', '.join(names)})",
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
            symbols[name] = as_part(context, given[name], value(context, given[name]), each)
        else:
            symbols[name] = _declared_default(context, node, record, name, each)
    return Record(domain, symbols)


def _declared_default(
    context: Context, node: ast.Call, record: type[Any], name: str, domain: Domain
) -> Symbol:
    default = next(each.default for each in dataclasses.fields(record) if each.name == name)
    if default is dataclasses.MISSING:
        raise context.refusal(node, f"{record.__name__} needs a value for '{name}'", f"{name}=...")
    return constant(domain, default)


def replaced(context: Context, node: ast.Call) -> Symbol:
    """``replace(r, f=v)``: a copy with other values of some fields."""
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
        changed[keyword.arg] = as_part(
            context, keyword.value, value(context, keyword.value), base.domain.fields[keyword.arg]
        )
    return Record(base.domain, changed)


def is_of(message: Symbol, record: Any) -> Expr:
    """Whether a record is of a class, or of one that derives from it."""
    if isinstance(message, Record):
        return ir.boolean(issubclass(message.domain.record, record))
    if isinstance(message, Variant):
        places = (at for at, each in enumerate(message.variants) if issubclass(each.domain.record, record))
        return ir.or_(*(ir.eq(message.tag, ir.integer(at)) for at in places))
    return ir.FALSE
