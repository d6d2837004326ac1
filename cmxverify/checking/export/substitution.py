"""Expressions with other expressions in the place of cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.expression import Expr, Op, walk


def after_step(formula: Expr, updates: Mapping[int, Expr]) -> Expr:
    """A formula over two states as one over the first: what follows is given by the updates of a step."""
    rebuilt: dict[Expr, Expr] = {}
    for node in walk((formula,)):
        rebuilt[node] = _rebuilt(node, [rebuilt[arg] for arg in node.args], updates)
    return rebuilt[formula]


def _rebuilt(node: Expr, args: list[Expr], updates: Mapping[int, Expr]) -> Expr:
    match node.op:
        case Op.CONST | Op.CELL:
            return node
        case Op.NEXT:
            kept = ex.cell(node.value, is_bool=node.is_bool, low=node.low, high=node.high)
            return updates.get(node.value, kept)
        case Op.FLOORDIV | Op.MOD:
            build = ex.floordiv if node.op is Op.FLOORDIV else ex.mod
            return build(args[0], node.args[1].value)
    return _BUILDERS[node.op](*args)


_BUILDERS: dict[Op, Callable[..., Expr]] = {
    Op.NOT: ex.not_,
    Op.AND: ex.and_,
    Op.OR: ex.or_,
    Op.EQ: ex.eq,
    Op.LT: ex.lt,
    Op.ITE: ex.ite,
    Op.ADD: ex.add,
    Op.MUL: ex.mul,
}
