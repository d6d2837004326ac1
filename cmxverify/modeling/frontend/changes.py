"""Changes of the model's fields: whole, or one element; who may make them (L14, L15)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.elements import keyed, known_key, owned_element
from cmxverify.modeling.frontend.evaluation import SELF, Thing, evaluate, value
from cmxverify.modeling.frontend.joining import choose
from cmxverify.modeling.frontend.names import allow_read
from cmxverify.modeling.frontend.symbols import Mapping, Symbol
from cmxverify.modeling.ir import expression as ir

Change = Callable[[Symbol], Symbol]


def loaded_first(context: Context, target: ast.expr) -> None:
    """Meet the duties of reading an element where Python meets them: before those of what comes after it (L8)."""
    if not isinstance(target, ast.Subscript):
        return
    noted = len(context.accesses or ())
    with ghost_update(context, [target]):
        evaluate(context, target)
    if context.accesses is not None:
        del context.accesses[noted:]


@contextmanager
def ghost_update(context: Context, targets: list[ast.expr]) -> Iterator[None]:
    """Within, ghosts may be read if the value goes into ghosts (L15)."""
    before = context.in_ghost
    context.in_ghost = before or all(_target_field(each) in _ghosts(context) for each in targets)
    context.pure, pure = context.pure or context.in_ghost, context.pure
    try:
        yield
    finally:
        context.in_ghost, context.pure = before, pure


def _ghosts(context: Context) -> set[str | None]:
    return {name for name, field in context.schema.fields.items() if field.ghost}


def _target_field(node: ast.expr) -> str | None:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.attr if isinstance(node, ast.Attribute) else None


def change(
    context: Context,
    target: ast.expr,
    by: Change,
    kind: str = "write",
    path: tuple[object, ...] = (),
) -> None:
    """Replace a field, or one element of it, by what ``by`` makes of its value.

    ``kind`` and ``path`` say how the change commutes with others, and on which element within the target.
    """
    if isinstance(target, ast.Attribute):
        _change_field(context, target, by, kind, path)
    elif isinstance(target, ast.Subscript):
        with ghost_update(context, [target]):
            key = value(context, target.slice)
        path = (known_key(key), *path)
        if owned_element(context, target) is not None and isinstance(target.value, ast.Attribute):
            fields, name = context.env.fields, target.value.attr
            allow_write(context, target, name)
            context.accessed(kind, name, path)
            fields[name] = _with_element(context, target, fields[name], key, by)
            return
        change(context, target.value, lambda old: _with_element(context, target, old, key, by), kind, path)
    elif isinstance(target, ast.Name):
        raise context.refusal(
            target,
            f"`{target.id}` is a copy; changing it changes nothing in the model",
            "Change the field itself, through self (L2).",
        )
    else:
        raise context.refusal(target, "this cannot be assigned", "Assign a field of self, or a local name.")


def _change_field(
    context: Context, target: ast.Attribute, by: Change, kind: str, path: tuple[object, ...]
) -> None:
    holder = evaluate(context, target.value)
    if not isinstance(holder, Thing) or holder.object is not SELF:
        raise context.refusal(
            target,
            f"`{ast.unparse(target)}` is part of a value, which does not change",
            "Assign the whole: self.slots[s] = replace(self.slots[s], state=FREE) (L2).",
        )
    if target.attr not in context.env.fields:
        evaluate(context, target)
        raise context.refusal(
            target, f"'{target.attr}' is not a field", "Declare it with a type in the class."
        )
    allow_write(context, target, target.attr)
    if not context.schema.fields[target.attr].ghost:
        allow_read(context, target, target.attr)
    context.accessed(kind, target.attr, path)
    context.env.fields[target.attr] = by(context.env.fields[target.attr])


def allow_write(context: Context, target: ast.AST, name: str) -> None:
    """Properties, and calls inside expressions, change nothing (L7)."""
    if not context.may_write:
        raise context.refusal(target, "a property changes nothing", "Move the change into an action.")
    if context.pure:
        raise context.refusal(
            target,
            f"'{name}' is changed by a call inside an expression (L7)",
            "Call it on a line of its own: x = self.helper(n).",
        )


def _with_element(context: Context, node: ast.Subscript, old: Symbol, key: Symbol, by: Change) -> Symbol:
    if not isinstance(old, Mapping):
        raise context.refusal(
            node,
            f"only an element of a map of the model can be assigned, not of `{ast.unparse(node.value)}`",
            "Only maps have elements.",
        )
    elements = list(old.elements)
    for plain, element, here in keyed(context, node, old, key):
        at = old.domain.key.ordinals[plain]
        if here is ir.TRUE:
            elements[at] = by(element)
            continue
        with context.under(here):
            elements[at] = choose(here, by(element), element)
    return replace(old, elements=tuple(elements))
