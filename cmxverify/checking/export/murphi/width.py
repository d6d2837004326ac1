"""The C type that rumur shall compute with."""

from __future__ import annotations

from cmxverify.checking.export.murphi.natures import expressions_of
from cmxverify.modeling.ir.expression import Expr, Op, walk
from cmxverify.modeling.ir.system import System


def value_type(system: System) -> str:
    """Narrowest type for every value that is met, also in the middle of an expression.

    rumur takes 64-bit types by its own choice only ("auto"); it then reports an overflow as an error.
    """
    largest = max((abs(end) for cell in system.cells for end in (cell.low, cell.high)), default=1)
    for node in walk(expressions_of(system)):
        largest = max(largest, _largest(node))
    for bits in (8, 16, 32):
        if largest < (1 << (bits - 2)):  # rumur stores 0 for "undefined" and shifts values by one
            return f"int{bits}_t"
    return "auto"


def _largest(node: Expr) -> int:
    found = max(abs(node.low), abs(node.high))
    if node.op in (Op.FLOORDIV, Op.MOD):
        dividend, divisor = node.args[0], node.args[1].value
        turns = -(min(dividend.low, 0) // divisor)
        found = max(found, abs(dividend.high) + turns * divisor, abs(dividend.low))
    return found
