"""Expressions with other expressions in the place of cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.expression import Expr, Op, walk


def substituted(formula: Expr, cells: Mapping[int, Expr]) -> Expr:
    """A formula over one state, each of its cells replaced; every cell that occurs must be given."""
    rebuilt: dict[Expr, Expr] = {}
    for node in walk((formula,)):
        rebuilt[node] = _rebuilt(node, [rebuilt[arg] for arg in node.args], cells)
    return rebuilt[formula]


def _rebuilt(node: Expr, args: list[Expr], cells: Mapping[int, Expr]) -> Expr:
    match node.op:
        case Op.CONST:
            return node
        case Op.CELL:
            return cells[node.value]
        case Op.NEXT:
            raise AssertionError("a formula over one state has no next state")
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
