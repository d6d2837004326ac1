"""What changes a set or a channel in place, as a function from its old value to its new one (L16, L17)."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from cmxverify.modeling.domains import BagDomain, QueueDomain
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.fitting import fitted, narrowed
from cmxverify.modeling.frontend.joining import choose, equal
from cmxverify.modeling.frontend.symbols import Counts, Line, Maybe, Members, Symbol, absent, constant
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.system import ObligationKind


def _room(context: Context, node: ast.AST, domain: BagDomain | QueueDomain, full: Expr) -> Expr:
    """Where a message is put in: a full channel ends the run, blocks or drops, as declared (L17)."""
    if domain.overflow == "block":
        context.require(ir.not_(full))
    elif domain.overflow == "bound":
        context.duty(ObligationKind.BOUND, node, full, f"the channel is full, capacity {domain.cap}")
    return ir.not_(full)


def _bag_send(context: Context, node: ast.Call, old: Any, message: Symbol) -> Any:
    message = fitted(context, node.args[0], message, old.domain.message)
    total = ir.integer(0)
    for each in old.counts:
        total = ir.add(total, each)
    room = _room(context, node, old.domain, ir.le(ir.integer(old.domain.cap), total))
    return _counted(old, message, room, 1)


def _counted(old: Counts, message: Symbol, when: Expr, by: int) -> Counts:
    counts = []
    for plain, times in zip(old.domain.message.listed, old.counts, strict=True):
        here = ir.and_(when, equal(message, constant(old.domain.message, plain)))
        counts.append(ir.ite(here, ir.add(times, ir.integer(by)), times))
    return replace(old, counts=tuple(counts))


def _bag_receive(context: Context, node: ast.Call, old: Any, message: Symbol) -> Any:
    message = narrowed(context, node.args[0], message, old.domain.message)
    pairs = zip(old.domain.message.listed, old.counts, strict=True)
    there = ir.or_(
        *(
            ir.and_(equal(message, constant(old.domain.message, plain)), ir.lt(ir.integer(0), times))
            for plain, times in pairs
        )
    )
    context.duty(ObligationKind.DEFINED, node, ir.not_(there), "such a message is under way")
    return _counted(old, message, ir.TRUE, -1)


def _queue_send(context: Context, node: ast.Call, old: Any, message: Symbol) -> Any:
    message = fitted(context, node.args[0], message, old.domain.message)
    room = _room(context, node, old.domain, old.slots[-1].present)
    slots = []
    before = ir.TRUE
    for slot in old.slots:
        here = ir.and_(room, before, ir.not_(slot.present))
        slots.append(choose(here, Maybe(slot.domain, ir.TRUE, message), slot))
        before = slot.present
    return replace(old, slots=tuple(slots))


def _queue_pop(context: Context, node: ast.Call, old: Any) -> Any:
    context.duty(ObligationKind.DEFINED, node, ir.not_(old.slots[0].present), "the queue is not empty")
    return replace(old, slots=(*old.slots[1:], absent(old.slots[0].domain)))


def _set_add(context: Context, node: ast.Call, old: Any, element: Symbol) -> Any:
    element = fitted(context, node.args[0], element, old.domain.element)
    return _with_member(old, element, inside=True)


def _set_discard(context: Context, node: ast.Call, old: Any, element: Symbol) -> Any:
    return _with_member(old, narrowed(context, node.args[0], element, old.domain.element), inside=False)


def _set_remove(context: Context, node: ast.Call, old: Any, element: Symbol) -> Any:
    element = narrowed(context, node.args[0], element, old.domain.element)
    pairs = zip(old.domain.element.listed, old.members, strict=True)
    there = ir.or_(
        *(ir.and_(equal(element, constant(old.domain.element, plain)), here) for plain, here in pairs)
    )
    context.duty(ObligationKind.DEFINED, node, ir.not_(there), "the element is in the set")
    return _with_member(old, element, inside=False)


def _set_clear(context: Context, node: ast.Call, old: Any) -> Any:
    return replace(old, members=(ir.FALSE,) * len(old.members))


def _with_member(old: Members, element: Symbol, *, inside: bool) -> Members:
    members = []
    for plain, here in zip(old.domain.element.listed, old.members, strict=True):
        meant = equal(element, constant(old.domain.element, plain))
        members.append(ir.or_(here, meant) if inside else ir.and_(here, ir.not_(meant)))
    return replace(old, members=tuple(members))


MUTATORS: dict[tuple[type[Symbol], str], Callable[..., Symbol]] = {
    (Counts, "send"): _bag_send,
    (Counts, "receive"): _bag_receive,
    (Line, "send"): _queue_send,
    (Line, "pop"): _queue_pop,
    (Members, "send"): _set_add,
    (Members, "add"): _set_add,
    (Members, "discard"): _set_discard,
    (Members, "remove"): _set_remove,
    (Members, "clear"): _set_clear,
}
