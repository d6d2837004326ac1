"""Expressions of the intermediate representation: booleans and bounded mathematical integers over scalar cells.

Nodes are shared (hash-consed): equal expressions are the same object, so emitters visit each once. Every integer
node bears an interval; nothing may leave 62 bits (ruling L4), so that engines can compute in signed 64-bit words.
The constructors below fold constants; they are the only way to make a node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from weakref import WeakValueDictionary

LARGEST = (1 << 62) - 1


class Op(Enum):
    """What a node computes; the comment gives its arguments."""

    CONST = "const"  # value
    CELL = "cell"  # value of the cell in the (old) state; ``value`` is its index
    NEXT = "next"  # value of the cell in the next state, for step properties only
    NOT = "not"  # bool
    AND = "and"  # two or more bools
    OR = "or"  # two or more bools
    EQ = "eq"  # two bools or two ints
    LT = "lt"  # two ints
    ITE = "ite"  # bool, then two bools or two ints
    ADD = "add"  # two ints
    MUL = "mul"  # two ints
    FLOORDIV = "floordiv"  # int, positive constant; floors, as Python does (L5)
    MOD = "mod"  # int, positive constant; result in 0 .. divisor - 1 (L5)


class IntervalError(Exception):
    """An integer expression may exceed 62 bits; the front end turns it into a message with its place."""


class Expr:
    """One node: operation, arguments, and for integers the interval ``low`` .. ``high``."""

    __slots__ = ("__weakref__", "args", "high", "is_bool", "low", "op", "value")

    def __init__(
        self, op: Op, args: tuple[Expr, ...], value: int, *, is_bool: bool, low: int = 0, high: int = 1
    ) -> None:
        self.op, self.args, self.value = op, args, value
        self.is_bool, self.low, self.high = is_bool, low, high

    @property
    def constant(self) -> int | None:
        """Value of a constant node (0 or 1 for a bool), else None."""
        return self.value if self.op is Op.CONST else None

    def __repr__(self) -> str:
        if self.op in (Op.CONST, Op.CELL, Op.NEXT):
            return f"{self.op.value}({self.value})"
        return f"{self.op.value}({', '.join(map(repr, self.args))})"


_interned: WeakValueDictionary[tuple[object, ...], Expr] = WeakValueDictionary()


def _node(
    op: Op, args: tuple[Expr, ...] = (), value: int = 0, *, is_bool: bool, low: int = 0, high: int = 1
) -> Expr:
    key = (op, is_bool, value, low, high, *map(id, args))
    found = _interned.get(key)
    if found is None:
        if max(abs(low), abs(high)) > LARGEST:
            raise IntervalError(f"the value may lie anywhere in {low} .. {high}, which exceeds 62 bits")
        found = _interned[key] = Expr(op, args, value, is_bool=is_bool, low=low, high=high)
    return found


TRUE = _node(Op.CONST, value=1, is_bool=True)
FALSE = _node(Op.CONST, value=0, is_bool=True)


def boolean(value: bool) -> Expr:
    """Constant bool."""
    return TRUE if value else FALSE


def integer(value: int) -> Expr:
    """Constant integer."""
    return _node(Op.CONST, value=value, is_bool=False, low=value, high=value)


def cell(index: int, *, is_bool: bool, low: int = 0, high: int = 1) -> Expr:
    """Value of a cell in the present state (in step properties: in the old one)."""
    return _node(Op.CELL, value=index, is_bool=is_bool, low=low, high=high)


def next_cell(index: int, *, is_bool: bool, low: int = 0, high: int = 1) -> Expr:
    """Value of a cell in the next state; only step properties use it."""
    return _node(Op.NEXT, value=index, is_bool=is_bool, low=low, high=high)


def not_(arg: Expr) -> Expr:
    """Negation."""
    if arg.op is Op.CONST:
        return boolean(not arg.value)
    if arg.op is Op.NOT:
        return arg.args[0]
    return _node(Op.NOT, (arg,), is_bool=True)


def and_(*args: Expr) -> Expr:
    """Conjunction of any number of bools, flattened, in the order given."""
    return _gather(Op.AND, args, unit=TRUE, zero=FALSE)


def or_(*args: Expr) -> Expr:
    """Disjunction of any number of bools, flattened, in the order given."""
    return _gather(Op.OR, args, unit=FALSE, zero=TRUE)


def _gather(op: Op, args: Iterable[Expr], *, unit: Expr, zero: Expr) -> Expr:
    kept: dict[Expr, None] = {}
    for arg in args:
        for part in arg.args if arg.op is op else (arg,):
            if part is zero or not_(part) in kept:
                return zero
            if part is not unit:
                kept[part] = None
    match len(kept):
        case 0:
            return unit
        case 1:
            return next(iter(kept))
    return _node(op, tuple(kept), is_bool=True)


def implies(premise: Expr, conclusion: Expr) -> Expr:
    """Material implication."""
    return or_(not_(premise), conclusion)


def eq(left: Expr, right: Expr) -> Expr:
    """Equality of two bools or of two integers."""
    if left is right:
        return TRUE
    if left.op is Op.CONST:
        left, right = right, left
    if left.is_bool:
        return _bool_eq(left, right)
    if left.high < right.low or right.high < left.low:
        return FALSE
    if right.op is Op.CONST:
        return _eq_constant(left, right)
    return _node(Op.EQ, (left, right), is_bool=True)


def _bool_eq(left: Expr, right: Expr) -> Expr:
    if right.op is Op.CONST:
        return (
            boolean(left.value == right.value) if left.op is Op.CONST else left if right.value else not_(left)
        )
    if not_(left) is right:
        return FALSE
    return _node(Op.EQ, (left, right), is_bool=True)


def _eq_constant(left: Expr, right: Expr) -> Expr:
    if left.op is Op.CONST:
        return boolean(left.value == right.value)
    if left.op is Op.ADD and left.args[1].op is Op.CONST:
        return eq(left.args[0], integer(right.value - left.args[1].value))
    if left.op is Op.ITE:
        then, other = eq(left.args[1], right), eq(left.args[2], right)
        if then.op is Op.CONST or other.op is Op.CONST:
            return ite(left.args[0], then, other)
    return _node(Op.EQ, (left, right), is_bool=True)


def lt(left: Expr, right: Expr) -> Expr:
    """Strictly less, on integers."""
    if left is right or left.low >= right.high:
        return FALSE
    if left.high < right.low:
        return TRUE
    return _node(Op.LT, (left, right), is_bool=True)


def le(left: Expr, right: Expr) -> Expr:
    """Less or equal, on integers."""
    return not_(lt(right, left))


def ite(condition: Expr, then: Expr, other: Expr) -> Expr:
    """``then`` where ``condition`` holds, else ``other``; both bools or both integers."""
    if condition.op is Op.CONST:
        return then if condition.value else other
    if then is other:
        return then
    if condition.op is Op.NOT:
        return ite(condition.args[0], other, then)
    if then.op is Op.ITE and then.args[0] is condition:
        return ite(condition, then.args[1], other)
    if other.op is Op.ITE and other.args[0] is condition:
        return ite(condition, then, other.args[2])
    if then.is_bool:
        return _bool_ite(condition, then, other)
    low, high = min(then.low, other.low), max(then.high, other.high)
    return _node(Op.ITE, (condition, then, other), is_bool=False, low=low, high=high)


def _bool_ite(condition: Expr, then: Expr, other: Expr) -> Expr:
    if then.op is Op.CONST:
        return or_(condition, other) if then.value else and_(not_(condition), other)
    if other.op is Op.CONST:
        return or_(not_(condition), then) if other.value else and_(condition, then)
    return _node(Op.ITE, (condition, then, other), is_bool=True)


def add(left: Expr, right: Expr) -> Expr:
    """Sum of two integers; constants move to the right."""
    if left.op is Op.CONST:
        left, right = right, left
    if right.op is Op.CONST:
        if left.op is Op.CONST:
            return integer(left.value + right.value)
        if right.value == 0:
            return left
        if left.op is Op.ADD and left.args[1].op is Op.CONST:
            return add(left.args[0], integer(left.args[1].value + right.value))
    return _node(Op.ADD, (left, right), is_bool=False, low=left.low + right.low, high=left.high + right.high)


def mul(left: Expr, right: Expr) -> Expr:
    """Product of two integers; constants move to the right."""
    if left.op is Op.CONST:
        left, right = right, left
    if right.op is Op.CONST:
        if left.op is Op.CONST:
            return integer(left.value * right.value)
        if right.value in (0, 1):
            return left if right.value else right
    corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return _node(Op.MUL, (left, right), is_bool=False, low=min(corners), high=max(corners))


def neg(arg: Expr) -> Expr:
    """Unary minus."""
    return mul(arg, integer(-1))


def sub(left: Expr, right: Expr) -> Expr:
    """Difference of two integers."""
    return add(left, neg(right))


def floordiv(left: Expr, divisor: int) -> Expr:
    """Python's ``//`` by a positive constant: rounds towards minus infinity."""
    low, high = left.low // divisor, left.high // divisor
    if low == high:
        return integer(low)
    if divisor == 1:
        return left
    return _node(Op.FLOORDIV, (left, integer(divisor)), is_bool=False, low=low, high=high)


def mod(left: Expr, divisor: int) -> Expr:
    """Python's ``%`` by a positive constant: the result lies in 0 .. divisor - 1."""
    if left.low // divisor == left.high // divisor:
        return add(left, integer(-(left.low // divisor) * divisor))
    return _node(Op.MOD, (left, integer(divisor)), is_bool=False, low=0, high=divisor - 1)


def as_int(arg: Expr) -> Expr:
    """1 for true, 0 for false: what ``count`` adds up."""
    return ite(arg, integer(1), integer(0))


def walk(roots: Iterable[Expr]) -> Iterator[Expr]:
    """Every node under ``roots`` once, arguments before the nodes that use them; no recursion."""
    seen: set[Expr] = set()
    pending: list[tuple[Expr, bool]] = [(root, False) for root in reversed(list(roots))]
    while pending:
        node, ready = pending.pop()
        if ready:
            yield node
        elif node not in seen:
            seen.add(node)
            pending.append((node, True))
            pending.extend((arg, False) for arg in reversed(node.args) if arg not in seen)
