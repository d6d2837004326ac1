"""Generated functions compute what the reference evaluator computes, in reachable states and in any other."""

from __future__ import annotations

from random import Random

import pytest
from counting_system import X, at
from random_systems import random_bool, random_int, random_system

from cmxverify.checking.python.packed.code import (
    DISABLED,
    FAULTY,
    condition_of,
    fixed,
    relation_of,
    step_of,
    steps_of,
)
from cmxverify.checking.python.packed.places import places_of
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.evaluate import State, enabled, evaluate, successor
from cmxverify.modeling.ir.system import Cell, Instance, System


def random_state(system: System, draw: Random) -> State:
    return tuple(
        draw.choice((cell.low, cell.high, draw.randint(cell.low, cell.high))) for cell in system.cells
    )


def expected_step(instance: Instance, system: System, state: State) -> int:
    if any(evaluate(each.breach, state) for each in instance.obligations):
        return FAULTY
    return places_of(system.cells).pack(successor(instance, state)) if enabled(instance, state) else DISABLED


@pytest.mark.parametrize("wide", [False, True])
def test_steps_are_those_of_the_evaluator(wide: bool) -> None:
    """S2: enabledness, obligations and successors agree in states that nothing reaches, too."""
    draw = Random(1)
    for seed in range(60):
        system = random_system(Random(seed), wide=wide)
        places = places_of(system.cells)
        for instance in system.instances:
            step = step_of(instance, places)
            for _ in range(10):
                state = random_state(system, draw)
                assert step(places.pack(state)) == expected_step(instance, system, state)


def test_loops_do_what_single_steps_do() -> None:
    """The form over many states gives the same successors, and the same faulty states."""
    draw = Random(2)
    for seed in range(30):
        system = random_system(Random(seed))
        places = places_of(system.cells)
        states = [places.pack(random_state(system, draw)) for _ in range(30)]
        for instance in system.instances:
            pairs, faulty = steps_of(instance, places)(states)
            single = [(state, step_of(instance, places)(state)) for state in states]
            assert pairs == [pair for pair in single if pair[1] not in (DISABLED, FAULTY)]
            assert faulty == [state for state, after in single if after == FAULTY]


def test_relations_read_both_states() -> None:
    """Conditions on old and new state agree with the evaluator."""
    draw = Random(3)
    for seed in range(60):
        system = random_system(Random(seed), wide=False)
        places = places_of(system.cells)
        condition = random_bool(
            draw, system.cells, 3, lambda cell: draw.choice((cell.read, cell.read_next))()
        )
        old, new = random_state(system, draw), random_state(system, draw)
        actual = relation_of(condition, places)(places.pack(old), places.pack(new))
        assert bool(actual) == bool(evaluate(condition, old, new))


def test_deep_expressions_compile() -> None:
    """A thousand operations in a row exceed the nesting that Python's parser allows; named parts do not."""
    deep = X
    for number in range(1000):
        deep = ex.mod(ex.add(deep, ex.integer(number % 3 + 1)), 7 + number % 2)
    places = places_of([Cell(0, "x", (), "x", 4)])
    assert bool(condition_of(ex.eq(deep, ex.integer(evaluate(deep, (2,)))), places)(2)) is True


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (at(2), (0, 2)),
        (ex.not_(at(2)), None),
        (ex.eq(X, ex.add(X, X)), None),
        (ex.lt(X, ex.integer(1)), None),
    ],
)
def test_what_fixes_a_cell(condition: ex.Expr, found: tuple[int, int] | None) -> None:
    """Only equality with a constant does."""
    assert fixed(condition) == found


def test_a_flag_and_its_negation_fix_it() -> None:
    """A bool is compared like any other cell."""
    flag = Cell(5, "b", (), "b", 2, is_bool=True).read()
    assert (fixed(flag), fixed(ex.not_(flag))) == ((5, 1), (5, 0))


def test_random_integers_agree() -> None:
    """Integers are computed as such, negative ones included."""
    draw = Random(4)
    for seed in range(60):
        system = random_system(Random(seed), wide=False)
        places, state = places_of(system.cells), random_state(system, draw)
        value = random_int(draw, system.cells, 3)
        assert condition_of(ex.eq(value, ex.integer(evaluate(value, state))), places)(places.pack(state))
