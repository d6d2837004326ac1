"""Calls: the functions of the language, records, and methods and helpers executed in place (L11b)."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from cmxverify.errors import did_you_mean
from cmxverify.modeling.declared import Role, declared
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import SELF, Method, Thing, evaluate, handles
from cmxverify.modeling.frontend.functions import FUNCTIONS, times_under_way
from cmxverify.modeling.frontend.inlining import inline
from cmxverify.modeling.frontend.records import construct
from cmxverify.modeling.frontend.symbols import Counts, Record, Symbol

MUTATORS = ("send", "receive", "pop", "add", "discard", "remove", "clear")


@handles(ast.Call)
def call(context: Context, node: ast.Call) -> Symbol:
    """Value of a call inside an expression: it changes nothing (L7)."""
    target = evaluate(context, node.func)
    if isinstance(target, Method):
        return _method(context, node, target)
    if not isinstance(target, Thing):
        raise context.refusal(
            node, f"`{ast.unparse(node.func)}` is not a function", "Leave the parentheses out."
        )
    if (
        inspect.isfunction(target.object)
        or inspect.isbuiltin(target.object)
        or target.object in (set, frozenset)
    ):
        known = FUNCTIONS.get(target.object)
        if known is not None:
            return known(context, node, target.object)
    if isinstance(target.object, type):
        return construct(context, node, target.object)
    if inspect.isfunction(target.object):
        return inline(context, node, target.object, None)
    raise context.refusal(
        node,
        f"`{ast.unparse(node.func)}` is not part of the language",
        "Write a plain function with def in the subset.",
    )


def calls_own_method(context: Context, node: ast.expr) -> str | None:
    """Name of the model's own method that an expression calls as a whole; such a call may change state."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if not isinstance(node.func.value, ast.Name):
        return None
    target = evaluate(context, node.func)
    own = isinstance(target, Method) and isinstance(target.value, Thing) and target.value.object is SELF
    return node.func.attr if own else None


def own_method(
    context: Context, node: ast.Call, name: str, *, pure: bool, valued: bool = True, of: str = SELF
) -> Symbol:
    """A method of the model, executed in place; of the state before the step if ``of`` says so."""
    method = getattr(context.schema.model, name)
    what = declared(method)
    if what is not None and what.role is not Role.PROPERTY and what.role is not Role.STEP:
        raise context.refusal(
            node,
            f"{name} runs by itself; it cannot be called",
            "Move what both need into a method of its own.",
        )
    if name not in context.schema.methods:
        raise context.refusal(
            node,
            f"`self.{name}` is not one of the model's methods",
            did_you_mean(name, context.schema.methods),
        )
    return inline(context, node, method, Thing(of), pure=pure, valued=valued)


def _method(context: Context, node: ast.Call, target: Method) -> Symbol:
    if isinstance(target.value, Thing):
        return own_method(context, node, target.name, pure=True, of=target.value.object)
    if isinstance(target.value, Record):
        return inline(context, node, _record_method(target.value, target.name), target.value)
    if isinstance(target.value, Counts) and target.name == "count":
        return times_under_way(context, node, target.value)
    if target.name in MUTATORS:
        raise context.refusal(
            node, f".{target.name}(...) changes state, so it is a statement", "Write it on a line of its own."
        )
    raise context.refusal(
        node, f"`.{target.name}` is not part of the language", f"Known: {', '.join(MUTATORS)}, head, count."
    )


def _record_method(record: Record, name: str) -> Any:
    return inspect.getattr_static(record.domain.record, name)
