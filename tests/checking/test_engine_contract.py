"""What every engine owes, one rule a test: arithmetic, limits, order of what is found, coverage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from counting_system import COUNTER, NEXT, X, at, counting
from directory_by_hand import directory
from engines import ENGINES, ORACLE

from cmxverify.checking.exploration import Breach, BreachKind, Ending, Engine, Progress, Request
from cmxverify.checking.python import limits
from cmxverify.errors import Location
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.evaluate import evaluate
from cmxverify.modeling.ir.system import (
    ActionKind,
    Atom,
    Cell,
    Instance,
    Obligation,
    ObligationKind,
    Part,
    Property,
    PropertyKind,
    System,
)

EACH_ENGINE = pytest.mark.parametrize("engine", [ORACLE, *ENGINES], ids=lambda engine: engine.name)
NOTHING_IS_RIGHT = Part("", ex.FALSE)


def duty(kind: ObligationKind, breach: ex.Expr) -> Obligation:
    return Obligation(kind, Location("m.py", 1), kind.value, breach)


# L5

DIVIDENDS, DIVISORS = range(-9, 10), range(1, 6)
NUMBER, DIVISOR, QUOTIENT, REMAINDER, NEGATED, BELOW = (
    Cell(index, name, (), name, codes, low, is_bool=codes == 2)
    for index, (name, low, codes) in enumerate(
        [("n", -9, 19), ("d", 0, 6), ("q", -9, 19), ("r", 0, 5), ("m", -9, 19), ("b", 0, 2)]
    )
)


def division(divisor: int) -> Instance:
    """Writes down what division by a constant gives, the negation, and whether the number is below it."""
    number = NUMBER.read()
    updates = (
        (DIVISOR.index, ex.integer(divisor)),
        (QUOTIENT.index, ex.floordiv(number, divisor)),
        (REMAINDER.index, ex.mod(number, divisor)),
        (NEGATED.index, ex.neg(number)),
        (BELOW.index, ex.lt(number, ex.neg(number))),
    )
    fresh = ex.eq(DIVISOR.read(), ex.integer(0))
    return Instance("divide", ActionKind.ACTION, (), fresh, updates)


def divided(number: int, divisor: int) -> Property:
    """Reached where the results are those of Python."""
    wanted = {
        NUMBER: number,
        DIVISOR: divisor,
        QUOTIENT: number // divisor,
        REMAINDER: number % divisor,
        NEGATED: -number,
    }
    parts = [ex.eq(cell.read(), ex.integer(value)) for cell, value in wanted.items()]
    parts.append(ex.eq(BELOW.read(), ex.boolean(number < 0)))
    return Property(f"{number} by {divisor}", PropertyKind.REACHABLE, tuple(Part("", each) for each in parts))


@EACH_ENGINE
def test_l5_division_and_modulo_floor(engine: Engine) -> None:
    """L5: -9 .. 9 by 1 .. 5, unary minus and mixed signs give what Python gives, in every engine."""
    system = System(
        "division",
        (NUMBER, DIVISOR, QUOTIENT, REMAINDER, NEGATED, BELOW),
        tuple((number, 0, 0, 0, 0, 0) for number in DIVIDENDS),
        tuple(map(division, DIVISORS)),
        tuple(divided(number, divisor) for number in DIVIDENDS for divisor in DIVISORS),
    )
    assert set(engine.explore(system, Request()).witnesses.values()) == {1}


def test_l5_the_representation_floors() -> None:
    """L5: the reference evaluator itself, without any engine."""
    for number in DIVIDENDS:
        for divisor in DIVISORS:
            operands = ex.floordiv(NUMBER.read(), divisor), ex.mod(NUMBER.read(), divisor)
            assert [evaluate(each, (number,)) for each in operands] == [number // divisor, number % divisor]


# Limits


@EACH_ENGINE
def test_no_time_stops_the_search(engine: Engine) -> None:
    """A time limit gives STOPPED, the reason, and no level called done."""
    found = engine.explore(directory(3), Request(seconds=0.0))
    assert (found.ending, found.expanded, found.breach) == (Ending.STOPPED, 0, None)
    assert "time limit" in found.reason


@EACH_ENGINE
def test_no_memory_stops_the_search(engine: Engine) -> None:
    """A memory limit gives STOPPED and the reason."""
    found = engine.explore(directory(3), Request(memory_bytes=1))
    assert found.ending is Ending.STOPPED
    assert "memory limit" in found.reason


@EACH_ENGINE
def test_an_interrupt_stops_the_search(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """KeyboardInterrupt from whoever watches gives what was covered so far."""
    monkeypatch.setattr(limits, "_REPORT_EVERY_S", 0.0)

    def enough(progress: Progress) -> None:
        if progress.level == 3:
            raise KeyboardInterrupt

    found = engine.explore(directory(2), Request(progress=enough))
    assert (found.ending, found.reason, found.expanded) == (Ending.STOPPED, "interrupted", 3)


# Order of what is found


@EACH_ENGINE
def test_deadlock_comes_before_what_takes_a_step(engine: Engine) -> None:
    """A stuck state whose stutter step breaks a step property is first of all a deadlock."""
    broken = Property("P", PropertyKind.STEP, (Part("", ex.not_(at(3))),))
    breach = engine.explore(counting(broken, quiescent=ex.FALSE), Request()).breach
    assert breach == Breach(BreachKind.DEADLOCK, 3)


@EACH_ENGINE
def test_a_breached_action_is_no_deadlock(engine: Engine) -> None:
    """Where the only action breaches its obligation, that is what is wrong."""
    system = counting(owed=(duty(ObligationKind.DEFINED, at(2)),), quiescent=ex.FALSE)
    assert engine.explore(system, Request()).breach == Breach(
        BreachKind.OBLIGATION, 3, instance=1, obligation=0
    )


@EACH_ENGINE
def test_a_breach_counts_whether_or_not_the_guard_holds(engine: Engine) -> None:
    """L8: at 3 the guard of counting is false, and the obligation is breached all the same."""
    found = engine.explore(counting(owed=(duty(ObligationKind.DEFINED, at(3)),)), Request())
    assert found.breach == Breach(BreachKind.OBLIGATION, 4, instance=1, obligation=0)
    assert found.fired == (4, 3)


@EACH_ENGINE
def test_a_full_channel_stops_and_violates_nothing(engine: Engine) -> None:
    """L17: BOUND gives STOPPED with its text, and the breach that a trace can be made of."""
    found = engine.explore(counting(owed=(duty(ObligationKind.BOUND, at(1)),)), Request())
    assert (found.ending, found.reason) == (Ending.STOPPED, "BOUND")
    assert found.breach == Breach(BreachKind.OBLIGATION, 2, instance=1, obligation=0)


@EACH_ENGINE
def test_a_violation_comes_before_a_full_channel(engine: Engine) -> None:
    """At the same level what is wrong is told, not what was cut off."""
    owed = (duty(ObligationKind.BOUND, at(1)), duty(ObligationKind.ASSERT, at(1)))
    found = engine.explore(counting(owed=owed), Request())
    assert (found.ending, found.breach and found.breach.obligation) == (Ending.BREACHED, 1)


@EACH_ENGINE
def test_an_obligation_comes_before_a_step_property(engine: Engine) -> None:
    """Both are met on the step from 1; the obligation is told."""
    broken = Property("P", PropertyKind.STEP, (Part("", ex.not_(at(1))),))
    breach = engine.explore(counting(broken, owed=(duty(ObligationKind.ASSERT, at(1)),)), Request()).breach
    assert breach == Breach(BreachKind.OBLIGATION, 2, instance=1, obligation=0)


@EACH_ENGINE
def test_obligations_of_a_property_come_before_it(engine: Engine) -> None:
    """L8: a property that is not defined is neither true nor false."""
    wrong = replace(
        Property("P", PropertyKind.INVARIANT, (NOTHING_IS_RIGHT,)),
        obligations=(duty(ObligationKind.DEFINED, ex.le(X, ex.integer(1))),),
    )
    breach = engine.explore(counting(wrong), Request()).breach
    assert breach == Breach(BreachKind.PROPERTY_OBLIGATION, 0, property=0, obligation=0)


@EACH_ENGINE
def test_the_first_property_in_source_order_is_told(engine: Engine) -> None:
    """Of two invariants broken at one level the first one counts."""
    both = [Property(name, PropertyKind.INVARIANT, (Part("", ex.not_(at(2))),)) for name in "PQ"]
    assert engine.explore(counting(*both), Request()).breach == Breach(BreachKind.INVARIANT, 2, property=0)


@EACH_ENGINE
def test_step_properties_hold_on_the_stutter_step(engine: Engine) -> None:
    """L21: what no step breaks, standing still may."""
    moves = Property("P", PropertyKind.STEP, (Part("", ex.implies(at(2), ex.not_(ex.eq(X, NEXT)))),))
    system = replace(counting(moves), instances=counting().instances[1:])
    assert engine.explore(system, Request()).breach == Breach(BreachKind.STEP, 3, property=0)


# Coverage


@EACH_ENGINE
def test_self_loops_fire_and_change_nothing(engine: Engine) -> None:
    """L12, L13: a step that changes nothing is a transition, and never progress."""
    found = engine.explore(counting(), Request())
    assert (found.transitions, found.fired, found.changed) == (7, (4, 3), (0, 3))


@EACH_ENGINE
def test_premises_and_witnesses_tell_what_was_met(engine: Engine) -> None:
    """L21: which antecedents were ever true, and where something was first reached."""
    parts = tuple(Part("", ex.TRUE, premise) for premise in (at(3), ex.and_(at(3), ex.lt(NEXT, X))))
    system = counting(
        Property("P", PropertyKind.INVARIANT, parts[:1]),
        Property("Q", PropertyKind.STEP, parts),
        Property("R", PropertyKind.REACHABLE, (Part("", at(2)),)),
        Property("S", PropertyKind.REACHABLE, (Part("", ex.and_(at(2), at(1))),)),
    )
    found = engine.explore(system, Request())
    assert found.premises == {(0, 0), (1, 0)}
    assert found.witnesses == {2: 2, 3: None}


@EACH_ENGINE
def test_a_system_without_instances_has_its_initial_states(engine: Engine) -> None:
    """Nothing moves: one level, complete."""
    still = System("still", (COUNTER,), ((0,), (2,)), (), ())
    found = engine.explore(still, Request())
    assert (found.ending, found.levels, found.transitions, found.expanded) == (Ending.COMPLETE, (2,), 0, 1)


# Orbits: nothing depends on who stands for one

HOLDS = [
    Cell(n, "holds", (Atom("node", n, f"node{n}"),), f"holds[node{n}]", 2, is_bool=True) for n in range(3)
]


def holding(*properties: Property, owed: Sequence[int] = ()) -> System:
    """One of three nodes holds something, and nobody can do anything; all three states are alike.

    ``owed``: for each instance the node that must not hold.
    """
    idle = [
        Instance(
            "touch", ActionKind.ACTION, (), ex.FALSE, (), (duty(ObligationKind.ASSERT, HOLDS[n].read()),)
        )
        for n in owed
    ]
    states = ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    return System("holding", tuple(HOLDS), states, tuple(idle), properties, sorts={"node": 3})


def of_each_node(kind: PropertyKind, order: Sequence[int] = (0, 1, 2)) -> Property:
    """A property that is true, with a premise and an obligation for each node."""
    parts = tuple(Part(cell.name, ex.TRUE, cell.read()) for cell in HOLDS)
    duties = tuple(duty(ObligationKind.DEFINED, HOLDS[n].read()) for n in order)
    return Property("P", kind, parts, duties)


EITHER_ORDER = pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
"""Engines differ in who stands for an orbit; one of the orders asks for another state of it."""


@EACH_ENGINE
@EITHER_ORDER
def test_the_least_instance_of_an_orbit_is_told(engine: Engine, order: Sequence[int]) -> None:
    """Whichever node holds in the state that is stored, another one does in another state of the orbit."""
    found = engine.explore(holding(owed=order), Request(symmetry=True))
    assert found.breach == Breach(BreachKind.OBLIGATION, 1, instance=0, obligation=0)


@EACH_ENGINE
@EITHER_ORDER
@pytest.mark.parametrize(("kind", "steps"), [(PropertyKind.INVARIANT, 0), (PropertyKind.STEP, 1)])
def test_the_least_obligation_of_an_orbit_is_told(
    engine: Engine, order: Sequence[int], kind: PropertyKind, steps: int
) -> None:
    """The same of what a property owes, in a state or on a step."""
    found = engine.explore(holding(of_each_node(kind, order)), Request(symmetry=True))
    assert found.breach == Breach(BreachKind.PROPERTY_OBLIGATION, steps, property=0, obligation=0)


@EACH_ENGINE
@pytest.mark.parametrize("kind", [PropertyKind.INVARIANT, PropertyKind.STEP])
def test_a_premise_met_anywhere_in_an_orbit_is_met(engine: Engine, kind: PropertyKind) -> None:
    """L21: no antecedent is called vacuous because of who stands for an orbit."""
    system = holding(replace(of_each_node(kind), obligations=()))
    found = engine.explore(system, Request(symmetry=True))
    assert (found.states, found.premises) == (1, {(0, 0), (0, 1), (0, 2)})
