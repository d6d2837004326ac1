"""Expressions in native code have the values that the reference evaluator gives them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from random import Random

import pytest
from random_systems import random_bool, random_int, random_system

from cmxverify.checking.native.compiler import Effort, Program
from cmxverify.checking.native.emitter import Emitter
from cmxverify.checking.native.functions import load_word
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.evaluate import State, evaluate
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.layout import layout_of
from cmxverify.modeling.ir.system import Cell

NUMBER = Cell(0, "x", (), "x", codes=19, low=-9)


def native(root: Expr, cells: Sequence[Cell], effort: Effort = Effort.FULL) -> Callable[[State], int]:
    """The expression, compiled."""
    layout = layout_of(cells)
    words = [f"%word{number}" for number in range(layout.words)]
    emitter = Emitter(layout.slots, words)
    loads = [line for number, word in enumerate(words) for line in load_word(number, word)]
    value = emitter.value(root)
    if root.is_bool:
        value = emitter.let(f"zext i1 {value} to i64")
    body = [*loads, *emitter.lines, f"  ret i64 {value}"]
    program = Program("\n".join(["define i64 @value(ptr %state) {", *body, "}"]), (), effort)
    function = program.function("value", ctypes.c_int64, ctypes.c_void_p)

    def call(state: State) -> int:
        packed = layout.pack(state)
        array = (ctypes.c_uint64 * len(packed))(*packed)
        assert program is not None, "the program lives as long as the function"
        return int(function(ctypes.addressof(array)))

    return call


@pytest.mark.parametrize("effort", Effort)
@pytest.mark.parametrize("divisor", range(1, 6))
def test_division_floors(divisor: int, effort: Effort) -> None:
    """L5: quotient and remainder of -9..9 by 1..5 are Python's."""
    quotient = native(ex.floordiv(NUMBER.read(), divisor), [NUMBER], effort)
    remainder = native(ex.mod(NUMBER.read(), divisor), [NUMBER], effort)
    for number in range(-9, 10):
        assert (quotient((number,)), remainder((number,))) == divmod(number, divisor)


def test_products_near_62_bits_are_exact() -> None:
    """L4: nothing wraps in the middle of an expression."""
    big = Cell(0, "x", (), "x", codes=1 << 31, low=-(1 << 30))
    square = native(ex.sub(ex.mul(big.read(), big.read()), ex.integer(1)), [big])
    for value in (big.low, -1, 0, big.high):
        assert square((value,)) == value * value - 1


@pytest.mark.parametrize("seed", range(12))
def test_random_expressions(seed: int) -> None:
    """Expressions of all kinds, on well-typed states that need not be reachable."""
    draw = Random(seed)
    cells = random_system(draw, wide=seed % 3 == 0).cells
    small = [cell for cell in cells if cell.codes <= 16]
    root = (random_bool if seed % 2 else random_int)(draw, small, 5)
    compiled = native(root, cells, draw.choice(list(Effort)))
    for _ in range(200):
        state = tuple(draw.randint(cell.low, cell.high) for cell in cells)
        assert compiled(state) == evaluate(root, state), (root, state)


def test_contradictory_tests_of_a_cell_are_false() -> None:
    """Tests of one cell against two values are not mixed up when they are gathered in one comparison."""
    both = ex.and_(ex.eq(NUMBER.read(), ex.integer(1)), ex.eq(NUMBER.read(), ex.integer(2)))
    either = ex.or_(
        ex.not_(ex.eq(NUMBER.read(), ex.integer(1))), ex.not_(ex.eq(NUMBER.read(), ex.integer(2)))
    )
    assert [native(each, [NUMBER])((1,)) for each in (both, either)] == [0, 1]
