"""Expressions with other expressions in the place of cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.expression import Expr, Op, walk


def substituted(formula: Expr, cells: Mapping[int, Expr]) -> Expr:
    """A formula over one state, each of its cells replaced; every cell that occurs must be given."""
    assert all(node.op is not Op.NEXT for node in walk((formula,))), formula
    return _with_leaves(formula, lambda leaf: cells[leaf.value])


def after_step(formula: Expr, updates: Mapping[int, Expr]) -> Expr:
    """A formula over two states as one over the first: what follows is given by the updates of a step."""

    def leaf_after(leaf: Expr) -> Expr:
        kept = ex.cell(leaf.value, is_bool=leaf.is_bool, low=leaf.low, high=leaf.high)
        return updates.get(leaf.value, kept) if leaf.op is Op.NEXT else leaf

    return _with_leaves(formula, leaf_after)


def _with_leaves(formula: Expr, replaced: Callable[[Expr], Expr]) -> Expr:
    """The formula with every cell, present or next, replaced."""
    rebuilt: dict[Expr, Expr] = {}
    for node in walk((formula,)):
        is_leaf = node.op in (Op.CELL, Op.NEXT)
        rebuilt[node] = replaced(node) if is_leaf else _rebuilt(node, [rebuilt[arg] for arg in node.args])
    return rebuilt[formula]


def _rebuilt(node: Expr, args: list[Expr]) -> Expr:
    match node.op:
        case Op.CONST:
            return node
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
