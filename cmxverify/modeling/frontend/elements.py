"""Elements of maps: by a constant or a computed key."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from cmxverify.modeling.declarations import Index
from cmxverify.modeling.domains import (
    Domain,
    MapDomain,
    OptionalDomain,
    RangeDomain,
)
from cmxverify.modeling.frontend.accesses import ANY, Access
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import SELF, Thing, evaluate, handles, kind_of, unwrapped, value
from cmxverify.modeling.frontend.fitting import outside
from cmxverify.modeling.frontend.joining import adapted, choose, equal
from cmxverify.modeling.frontend.symbols import Mapping, Maybe, Record, Scalar, Symbol, constant
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.system import ObligationKind


@handles(ast.Subscript)
def _subscript(context: Context, node: ast.Subscript) -> Symbol:
    key_node = node.slice
    if isinstance(key_node, ast.Slice):
        raise context.refusal(key_node, "a slice is not part of the language", "Index one element.")
    local = owned_element(context, node)
    if local is not None and isinstance(node.value, ast.Attribute):
        context.accessed("read", node.value.attr)
    base = local if local is not None else evaluate(context, node.value)
    whole = taken_back(context, node.value)
    if isinstance(base, Thing) and isinstance(base.object, Index):
        raise context.refusal(
            node,
            f"`{ast.unparse(node)}` names one element of a symmetric type",
            "Take it as a parameter (S6).",
        )
    if isinstance(base, Maybe):
        base = unwrapped(context, node.value, base)
    if not isinstance(base, Mapping):
        raise context.refusal(
            node, f"{kind_of(base)} has no elements", "Only maps are indexed; use .head or `in` otherwise."
        )
    key = value(context, key_node)
    if whole is not None:
        context.accessed("read", whole.root, (*whole.path, known_key(key)))
    return select(context, node, base, key)


def owned_element(context: Context, node: ast.Subscript) -> Symbol | None:
    """The owned map under ``self.holds[n]`` in an action local to ``n``, where reading it is allowed; else None."""
    base = node.value
    if context.at_node is None or not isinstance(base, ast.Attribute) or base.attr not in context.env.fields:
        return None
    if not isinstance(base.value, ast.Name):
        return None
    holder = evaluate(context, base.value)
    domain = context.schema.fields[base.attr].domain
    mine = (
        isinstance(holder, Thing) and holder.object is SELF and isinstance(domain, MapDomain) and domain.owned
    )
    if mine and isinstance(node.slice, ast.expr) and evaluate(context, node.slice) is context.at_node:
        return context.env.fields[base.attr]
    return None


def taken_back(context: Context, node: ast.expr) -> Access | None:
    """The read of a field or element just noted, to be noted again as that of an element of it."""
    root = node
    while isinstance(root, ast.Subscript):
        root = root.value
    if not context.accesses or not isinstance(root, ast.Attribute) or not isinstance(root.value, ast.Name):
        return None
    holder = context.env.names.get(root.value.id)
    if isinstance(holder, Thing) and holder.object is SELF and root.attr in context.env.fields:
        return context.accesses.pop()
    return None


def known_key(key: Symbol) -> object:
    """A key as the record of accesses has it."""
    if isinstance(key, Scalar) and key.expr.constant is not None:
        return key.expr.constant
    if isinstance(key, Record):
        parts = tuple(map(known_key, key.fields.values()))
        return ANY if ANY in parts else parts
    return ANY


def select(context: Context, node: ast.AST, base: Mapping, key: Symbol) -> Symbol:
    """Element of a map at a key; that a number is a key at all is an obligation (DEFINED)."""
    chosen: Symbol | None = None
    for plain, element, here in reversed(list(keyed(context, node, base, key))):
        del plain
        chosen = element if chosen is None else choose(here, element, chosen)
    assert chosen is not None
    return chosen


def keyed(context: Context, node: ast.AST, base: Mapping, key: Symbol) -> Iterator[tuple[Any, Symbol, Expr]]:
    """Every key of a map that may be meant, its element, and when it is meant."""
    domain = base.domain.key
    key = _as_key(context, node, key, domain)
    within = f"{domain.low} .. {domain.high}" if isinstance(domain, RangeDomain) else domain.name
    context.duty(ObligationKind.DEFINED, node, outside(key, domain), f"the key lies in {within}")
    matches = []
    for plain, element in zip(domain.listed, base.elements, strict=True):
        here = equal(key, constant(domain, plain))
        if here is ir.TRUE:
            yield plain, element, here
            return
        if here is not ir.FALSE:
            matches.append((plain, element, here))
    if not matches:
        matches = [(domain.listed[0], base.elements[0], ir.FALSE)]
    yield from matches


def _as_key(context: Context, node: ast.AST, key: Symbol, domain: Domain) -> Symbol:
    if isinstance(key, Maybe) and not isinstance(domain, OptionalDomain):
        inner = node.slice if isinstance(node, ast.Subscript) else node
        assert isinstance(inner, ast.expr)
        key = unwrapped(context, inner, key)
    return adapted(key, domain)
