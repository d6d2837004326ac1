"""Names and attributes: values, fields, enum members, types and functions; locality (L14) and ghosts (L15)."""

from __future__ import annotations

import ast
from enum import Enum
from types import ModuleType
from typing import Any

from cmxverify.errors import did_you_mean
from cmxverify.modeling.class_body import RESERVED
from cmxverify.modeling.declarations import Index, Range
from cmxverify.modeling.domains import (
    BagDomain,
    Domain,
    MapDomain,
    QueueDomain,
    SetDomain,
)
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import (
    OLD,
    SELF,
    Method,
    Thing,
    evaluate,
    handles,
    kind_of,
    python_constant,
    unwrapped,
)
from cmxverify.modeling.frontend.joining import choose
from cmxverify.modeling.frontend.symbols import (
    Counts,
    Line,
    Listed,
    Mapping,
    Members,
    Record,
    Symbol,
    Variant,
)
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.system import ObligationKind

_BUILTINS: dict[str, Any] = {
    each.__name__: each
    for each in (
        any,
        all,
        sum,
        min,
        max,
        len,
        isinstance,
        frozenset,
        set,
        range,
        bool,
        int,
        abs,
        sorted,
        print,
    )
}


@handles(ast.Name)
def _name(context: Context, node: ast.Name) -> Symbol:
    if node.id in context.env.names:
        if context.accesses is not None:
            context.accessed("read", context.local(node.id))
        return context.env.names[node.id]
    if node.id not in context.function.local:
        names = context.function.names
        if node.id in names:
            return thing(context, node, names[node.id])
        builtin = _BUILTINS.get(node.id)
        if builtin is not None:
            return Thing(builtin)
    raise context.refusal(
        node,
        f"the name '{node.id}' is not known here, or not on every path",
        "Assign it before, on each path; local names are forgotten after a loop that assigns them.",
    )


def thing(context: Context, node: ast.AST, found: Any) -> Symbol:
    """A global name: a constant, a type or a function."""
    declaration = getattr(found, "declaration", found)
    if isinstance(declaration, Index | Range) or callable(found) or isinstance(found, type | ModuleType):
        return Thing(declaration)
    context.ledger.constants[ast.unparse(node)] = repr(found)
    return python_constant(context, node, found)


@handles(ast.Attribute)
def _attribute(context: Context, node: ast.Attribute) -> Symbol:
    base = evaluate(context, node.value)
    if isinstance(base, Thing):
        return _attribute_of_thing(context, node, base.object)
    base = unwrapped(context, node.value, base)
    if isinstance(base, Record):
        return _attribute_of_record(context, node, base)
    if isinstance(base, Variant):
        return _attribute_of_variant(context, node, base)
    if isinstance(base, Line) and node.attr == "head":
        return _head(context, node, base)
    if isinstance(base, Mapping | Members | Counts | Line | Listed):
        return Method(node.value, base, node.attr)
    raise context.refusal(
        node, f"{kind_of(base)} has no attribute '{node.attr}'", "Only records have fields."
    )


def _head(context: Context, node: ast.AST, line: Line) -> Symbol:
    first = line.slots[0]
    context.duty(ObligationKind.DEFINED, node, ir.not_(first.present), "the queue is not empty")
    return first.value


def _attribute_of_thing(context: Context, node: ast.Attribute, found: Any) -> Symbol:
    if found is SELF:
        return _of_model(context, node, context.env.fields)
    if found is OLD:
        assert context.old_fields is not None
        return _of_model(context, node, context.old_fields)
    if isinstance(found, type) and issubclass(found, Enum) and node.attr in found.__members__:
        return python_constant(context, node, found[node.attr])
    inner = getattr(found, node.attr, None)
    if inner is not None and isinstance(found, ModuleType):
        return thing(context, node, inner)
    known = list(found.__members__) if isinstance(found, type) and issubclass(found, Enum) else []
    raise context.refusal(
        node,
        f"`{ast.unparse(node)}` is not part of the language",
        did_you_mean(node.attr, known) if known else "Use the values, types and functions of the language.",
    )


def _of_model(context: Context, node: ast.Attribute, fields: dict[str, Symbol]) -> Symbol:
    name = node.attr
    if name in fields:
        allow_read(context, node, name)
        if fields is context.env.fields:
            context.accessed("read", name)
        return fields[name]
    found = getattr(context.schema.model, name, None)
    if found is None or name in RESERVED:
        known = [*context.schema.fields, *context.schema.methods]
        raise context.refusal(
            node, f"{context.schema.model.__name__} has no '{name}'", did_you_mean(name, known)
        )
    if callable(found) and not isinstance(found, Index | Range | type):
        return Method(node.value, Thing(SELF if fields is context.env.fields else OLD), name)
    return thing(context, node, found)


def allow_read(context: Context, node: ast.AST, name: str) -> None:
    """Locality (L14) and ghosts (L15): what this method may look at."""
    field = context.schema.fields[name]
    if field.ghost and not (context.in_property or context.in_ghost):
        raise context.refusal(
            node,
            f"'{name}' is a ghost: behaviour cannot depend on it",
            "Read it in properties and ghost updates only (L15).",
        )
    if is_channel(field.domain) or field.ghost:
        return
    owned = isinstance(field.domain, MapDomain) and field.domain.owned
    if context.at_node is not None:
        raise context.refusal(
            node,
            f"'{name}' is {'owned by each node' if owned else 'not owned by the node'}; this action is local to one",
            f"Read self.{name}[{_at_name(context)}] only."
            if owned
            else "Declare it Owned[Node, T], or send a message (L14).",
        )
    if context.at_home and owned:
        raise context.refusal(
            node, f"'{name}' lives at the nodes, and this action is local to home", "Send a message (L14)."
        )


def _at_name(context: Context) -> str:
    return next((name for name, symbol in context.env.names.items() if symbol is context.at_node), "n")


def is_channel(domain: Domain) -> bool:
    """Whether a field carries messages, which every node may touch."""
    if isinstance(domain, MapDomain) and not domain.owned:
        return is_channel(domain.value)
    return isinstance(domain, BagDomain | QueueDomain) or (isinstance(domain, SetDomain) and domain.net)


def _attribute_of_record(context: Context, node: ast.Attribute, base: Record) -> Symbol:
    if node.attr in base.fields:
        return base.fields[node.attr]
    if callable(getattr(base.domain.record, node.attr, None)):
        return Method(node.value, base, node.attr)
    raise context.refusal(
        node, f"{base.domain.name} has no field '{node.attr}'", did_you_mean(node.attr, base.fields)
    )


def _attribute_of_variant(context: Context, node: ast.Attribute, base: Variant) -> Symbol:
    """A field that every record of the union has, or that the only record still possible has."""
    possible = [
        (position, record)
        for position, record in enumerate(base.variants)
        if not context.known(ir.not_(ir.eq(base.tag, ir.integer(position))))
        and ir.eq(base.tag, ir.integer(position)) is not ir.FALSE
    ]
    known = [each for each in possible if context.known(ir.eq(base.tag, ir.integer(each[0])))]
    symbols = [(position, record.fields.get(node.attr)) for position, record in known or possible]
    lacking = [base.variants[position].domain.name for position, symbol in symbols if symbol is None]
    if lacking:
        raise context.refusal(
            node, f"{lacking[0]} has no field '{node.attr}'", "Use match or isinstance on the message first."
        )
    result: Symbol | None = None
    for position, symbol in symbols:
        assert symbol is not None
        result = symbol if result is None else choose(ir.eq(base.tag, ir.integer(position)), symbol, result)
    assert result is not None
    return result


def domain_of(context: Context, node: ast.AST, declaration: Any) -> Domain:
    """Finite type of a declaration under the model's bounds."""
    return context.schema.resolver.domain(declaration, context.function.at(node))
