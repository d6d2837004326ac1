"""Reference evaluator of the intermediate representation: slow, plain, and the measure for every other engine."""

from __future__ import annotations

from collections.abc import Sequence

from cmxverify.modeling.ir.expression import Expr, Op, walk
from cmxverify.modeling.ir.system import Instance

State = tuple[int, ...]


def evaluate(root: Expr, state: Sequence[int], following: Sequence[int] = ()) -> int:
    """Value of an expression in a state (bools as 0 and 1); ``following`` is the next state for step properties."""
    values: dict[Expr, int] = {}
    for node in walk((root,)):
        values[node] = _apply(node, [values[arg] for arg in node.args], state, following)
    return values[root]


def _apply(node: Expr, args: list[int], state: Sequence[int], following: Sequence[int]) -> int:
    match node.op:
        case Op.CONST:
            return node.value
        case Op.CELL:
            return state[node.value]
        case Op.NEXT:
            return following[node.value]
        case Op.NOT:
            return 1 - args[0]
        case Op.AND:
            return int(all(args))
        case Op.OR:
            return int(any(args))
        case Op.EQ:
            return int(args[0] == args[1])
        case Op.LT:
            return int(args[0] < args[1])
        case Op.ITE:
            return args[1] if args[0] else args[2]
        case Op.ADD:
            return args[0] + args[1]
        case Op.MUL:
            return args[0] * args[1]
        case Op.FLOORDIV:
            return args[0] // args[1]
        case Op.MOD:
            return args[0] % args[1]


def enabled(instance: Instance, state: Sequence[int]) -> bool:
    """Whether the guard holds."""
    return bool(evaluate(instance.guard, state))


def successor(instance: Instance, state: State) -> State:
    """State after the step; the caller has made sure that it is enabled and that no obligation is breached."""
    after = list(state)
    for index, expr in instance.updates:
        after[index] = evaluate(expr, state)
    return tuple(after)
