"""What names stand for where an expression is written, and what is known not to be none there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cmxverify.checking.export.murphi.lifting import Value
from cmxverify.modeling.ir.expression import Expr, Op


@dataclass(frozen=True, slots=True)
class Scope:
    """What names stand for.

    Args:
        bindings: Text that stands for a value of a symmetric type: a parameter, a quantified variable.
        lifted: Whether values without a name must be said by quantifiers; else they are written as numbers.
        present: Cells known not to be none here.
    """

    bindings: Mapping[Value, str] = field(default_factory=dict)
    lifted: bool = False
    present: frozenset[int] = frozenset()

    def binding(self, names: Mapping[Value, str]) -> Scope:
        """The scope with more names."""
        return Scope({**self.bindings, **names}, self.lifted, self.present)

    def knowing(self, condition: Expr) -> Scope:
        """The scope where a condition holds: what it says is not none needs no further question."""
        conjuncts = condition.args if condition.op is Op.AND else (condition,)
        present = {index for each in conjuncts if (index := present_cell(each)) is not None}
        return Scope(self.bindings, self.lifted, self.present | present)


def present_cell(condition: Expr) -> int | None:
    """The cell that a condition says is not none."""
    inner = condition.args[0] if condition.op is Op.NOT else condition
    if inner.op not in (Op.LT, Op.EQ):
        return None
    left, right = inner.args
    if condition.op is Op.NOT and left.op is Op.CELL:
        asked = (inner.op is Op.LT and right.constant == 0) or (inner.op is Op.EQ and right.constant == -1)
        return left.value if asked and left.low == -1 else None
    if condition.op is Op.LT and left.constant == -1 and right.op is Op.CELL:
        return right.value
    return None


def may_be_none(expr: Expr, scope: Scope) -> bool:
    """Whether an expression may be none, as far as the scope knows."""
    if expr.constant is not None or (expr.op is Op.CELL and expr.value in scope.present):
        return False
    return expr.low < 0
