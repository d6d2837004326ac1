"""Expressions evaluated over many packed states at once: integers in 64 bits, which no expression leaves (L4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from cmxverify.modeling.ir.expression import Expr, Op, walk
from cmxverify.modeling.ir.layout import Layout

Words = npt.NDArray[np.uint64]
"""Shape (words of a state, states)."""
Vector = npt.NDArray[Any]
"""Shape (states,): bool or int64."""

_MOST_BYTES = 48 << 20
_LARGEST_BATCH = 16_384
_SMALLEST_BATCH = 256

_APPLY: dict[Op, Callable[..., Any]] = {
    Op.NOT: np.logical_not,
    Op.EQ: np.equal,
    Op.LT: np.less,
    Op.ITE: np.where,
    Op.ADD: np.add,
    Op.MUL: np.multiply,
    Op.FLOORDIV: np.floor_divide,  # floors, as Python does
    Op.MOD: np.remainder,  # has the sign of the divisor, as in Python
}


class Program:
    """Expressions that are always evaluated together, each shared node once."""

    def __init__(self, roots: Iterable[Expr], layout: Layout) -> None:
        self.order = tuple(walk(roots))
        self.layout = layout

    @property
    def batch(self) -> int:
        """How many states to evaluate at once: results of all nodes should stay near the processor."""
        return max(_SMALLEST_BATCH, min(_LARGEST_BATCH, _MOST_BYTES // (8 * len(self.order) + 1)))

    def run(self, words: Words, following: Words | None = None) -> Results:
        """Value of every node in some states, and for step properties in the states that follow them."""
        results: dict[Expr, Any] = {}
        for node in self.order:
            results[node] = self._apply(node, results, words, following)
        return Results(results, words.shape[1])

    def _apply(self, node: Expr, results: dict[Expr, Any], words: Words, following: Words | None) -> Any:
        match node.op:
            case Op.CONST:
                return np.bool_(node.value) if node.is_bool else np.int64(node.value)
            case Op.CELL:
                return self.cell(node, words)
            case Op.NEXT:
                assert following is not None, "only step properties speak of the next state"
                return self.cell(node, following)
            case Op.AND:
                return reduce(np.logical_and, [results[arg] for arg in node.args])
            case Op.OR:
                return reduce(np.logical_or, [results[arg] for arg in node.args])
        return _APPLY[node.op](*(results[arg] for arg in node.args))

    def cell(self, node: Expr, words: Words) -> Vector:
        """Values of a cell."""
        slot = self.layout.slots[node.value]
        code = (words[slot.word] >> np.uint64(slot.shift)) & np.uint64((1 << slot.bits) - 1)
        value: Vector = code != 0 if node.is_bool else code.view(np.int64) + slot.low
        return value


class Results:
    """Values that a program worked out."""

    def __init__(self, values: dict[Expr, Any], states: int) -> None:
        self.values, self.states = values, states

    def vector(self, expr: Expr) -> Vector:
        """Value of an expression in each state."""
        return np.broadcast_to(self.values[expr], (self.states,))

    def where(self, expr: Expr) -> npt.NDArray[np.intp]:
        """Positions of the states in which a condition holds."""
        return np.flatnonzero(self.vector(expr))
