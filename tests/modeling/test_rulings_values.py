"""Rulings L1 to L10 of the language: values, types, expressions; each through CPython and the representation."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cmxverify.errors import InputError
from cmxverify.modeling.compile import system_of

sys.path.insert(0, str(Path(__file__).parent))
from small_models import after, made


def test_l01_defaults() -> None:
    """Each type has a default: False, 0 or the end nearest to it, the first member, None, empty."""
    model = made("a: bool\nb: Range(2, 5)\nc: Color\nd: Low | None\ne: Set[Low]\nf: Map[Low, bool]")
    color = model.model.schema.fields["c"].domain.listed[0]
    assert model.model.state == (False, 2, color, None, frozenset(), (False,) * 4)


def test_l01_an_index_without_default_is_a_free_choice() -> None:
    """No element of a symmetric type is singled out at the start."""
    assert len(made("owner: Node", node=3).system.initial) == 3


def test_l01_an_optional_is_used_after_a_test() -> None:
    """A test on the same path makes T of T | None."""
    model = made("x: Low | None\ny: Low", action="require(self.x is not None)\nself.y = self.x")
    assert after(model, x=2)["y"] == 2
    assert after(model, x=None) == "not enabled"


def test_l01_an_optional_is_looked_for_after_a_test() -> None:
    """After the test it may be looked for in sets and channels, and taken out of them."""
    action = """
    require(self.x is not None and self.x in self.s and self.x in self.q and self.x in self.b)
    self.s.remove(self.x)
    self.b.receive(self.x)
    self.n = self.b.count(self.x)
    """
    model = made(
        "x: Low | None\ns: Set[Low]\nq: Queue[Low](cap=1)\nb: Bag[Low](cap=1)\nn: Low", action=action
    )
    assert after(model, x=1, s=frozenset({1}), q=(1,), b=(0, 1, 0, 0))["b"] == (0, 0, 0, 0)


def test_l02_reading_copies() -> None:
    """A map that was read does not change with the field."""
    model = made("m: Map[Low, bool]\nr: bool", action="old = self.m\nself.m[1] = True\nself.r = old[1]")
    assert after(model)["r"] is False


def test_l02_the_second_write_through_a_copy() -> None:
    """Assigning one map to another leaves two values."""
    model = made(
        "m: Map[Low, bool]\no: Map[Low, bool]", action="self.o = self.m\nself.m[0] = True\nself.o[1] = True"
    )
    assert after(model) == {"m": (True, False, False, False), "o": (False, True, False, False)}


def test_l03_and_yields_a_bool() -> None:
    """``and`` and ``or`` of conditions are bools that can be stored."""
    model = made("a: bool\nb: bool", action="self.a = self.b or not self.a")
    assert after(model)["a"] is True


def test_l03_count_counts_conditions() -> None:
    """Bools are counted, never summed."""
    model = made("m: Map[Low, bool]\nk: Low", action="self.k = count(self.m[i] for i in Low)")
    assert after(model, m=(True, False, True, False))["k"] == 2


def test_l04_no_wrap_in_the_middle() -> None:
    """Intermediate values are mathematical integers, whatever the ranges."""
    model = made("k: Low", action="self.k = (self.k * 1000 - 999) // 1000")
    assert after(model, k=3)["k"] == 2


def test_l04_out_of_range_is_told() -> None:
    """A store outside is RANGE, never cut off."""
    assert after(made("k: Low", action="self.k += 1"), k=3) == "RANGE"


@pytest.mark.parametrize(("word", "value"), [("saturate", 3), ("wrap", 1)])
def test_l04_saturate_and_wrap(word: str, value: int) -> None:
    """Both are explicit."""
    assert after(made("k: Low", action=f"self.k = {word}(self.k + 2)"), k=3)["k"] == value


@pytest.mark.parametrize("divisor", range(1, 6))
def test_l05_floor_division(divisor: int) -> None:
    """// and % floor, for -9 .. 9, as in Python; the representation was compared in all of them."""
    lines = f"self.q = self.x // {divisor}\nself.r = self.x % {divisor}\nself.m = -self.x"
    model = made("x: Range(-9, 9)\nq: Range(-9, 9)\nr: Range(0, 4)\nm: Range(-9, 9)", action=lines)
    found = [after(model, x=x) for x in range(-9, 10)]
    assert [(each["q"], each["r"], each["m"]) for each in found] == [
        (x // divisor, x % divisor, -x) for x in range(-9, 10)
    ]


def test_l06_later_rounds_see_earlier_writes() -> None:
    """A loop is sequential, in domain order."""
    model = made(
        "m: Map[Low, Range(0, 9)]",
        action="for i in Low:\n    if i > 0:\n        self.m[i] = self.m[i - 1] + 1",
    )
    assert after(model)["m"] == (0, 1, 2, 3)


def test_l06_a_set_is_iterated_as_it_was_at_entry() -> None:
    """Adding while iterating adds no rounds."""
    model = made("s: Set[Low]\nk: Low", action="for i in self.s:\n    self.s.add(3)\n    self.k += 1")
    assert after(model, s=frozenset({0, 1}))["k"] == 2


@pytest.mark.parametrize(
    "condition",
    [
        "len(self.q) > 0 and self.q.head == Color.RED",
        "len(self.q) == 0 or self.q.head == Color.RED",
        "(self.q.head == Color.RED) if len(self.q) > 0 else True",
        "any(i == 0 or self.q.head == Color.RED for i in Low)",
        "all(i != 0 and self.q.head == Color.RED for i in Low)",
    ],
)
def test_l07_short_circuit(condition: str) -> None:
    """What is not evaluated has no duty."""
    assert after(made("q: Queue[Color](cap=1)\nb: bool", action=f"self.b = {condition}")) != "DEFINED"


@pytest.mark.parametrize(
    "condition",
    [
        "all(self.full[i] and self.q.head == Color.RED for i in Low)",
        "all(self.full[i] for i in Low) and self.q.head == Color.RED",
        "all(implies(self.full[i], self.q.head == Color.RED) for i in Low)",
        "all(self.full[i] and self.q.head == Color.RED for i in Low if i > 0)",
        "all(all(self.full[k] for k in Low if k > i) and self.q.head == Color.RED for i in Low)",
    ],
)
def test_l07_a_property_stops_at_its_first_false_conjunct(condition: str) -> None:
    """An ``all`` that is cut into conjuncts stops as early as one that is not: what follows has no duty."""
    members = f'@invariant("I")\ndef p(self) -> bool:\n    return {condition}'
    made("full: Map[Low, bool]\nq: Queue[Color](cap=1)", members=members)


@pytest.mark.parametrize(
    "line",
    [
        "self.q.pop()",
        "self.b = self.q.head == Color.RED",
        "self.k = min(i for i in self.s)",
        "self.s.remove(1)",
        "self.k = self.m[self.k + 4]",
        "require(max(i for i in self.s) > 9)",
        "self.bag.receive(Color.RED)",
    ],
)
def test_l08_undefined_is_a_breach(line: str) -> None:
    """A partial operation outside its domain is DEFINED, in guards too; never "not enabled", never any value."""
    fields = "q: Queue[Color](cap=1)\nb: bool\nk: Low\ns: Set[Low]\nm: Map[Low, Low]\nbag: Bag[Color](cap=1)"
    assert after(made(fields, action=line)) == "DEFINED"


@pytest.mark.parametrize("line", ["self.m[self.k] += self.sure()", "self.d[self.k][self.sure()] = 1"])
def test_l08_duties_are_met_in_the_order_of_python(line: str) -> None:
    """An element that is changed is read first: what is not there counts before what comes after it."""
    model = made(
        "m: Map[Range(0, 1), Low]\nd: Map[Range(0, 1), Map[Range(0, 1), Low]]\nk: Low",
        action=line,
        members="""
        def sure(self) -> int:
            assert self.k != 3
            return 1
        """,
    )
    assert after(model, k=3) == "DEFINED"


def test_l08_built_ins_are_known_by_identity() -> None:
    """A module's own ``least = min`` is min; its own ``any`` is its own."""
    names = "def f(self) -> int:\n    return 1"
    assert after(made("k: Low", action="self.k = min(2, 3) + self.f()", members=names))["k"] == 3


def test_l09_assert_is_a_duty() -> None:
    """A false assert is ASSERT."""
    assert after(made("b: bool", action="assert self.b")) == "ASSERT"


def test_l10_places_are_counted() -> None:
    """The system tells how many places were checked, and how many needed no check."""
    system = made("k: Low", action="self.k = 1\nself.k += 1\nassert self.k < 9").system
    assert (system.checked["RANGE"], system.discharged["RANGE"]) == (2, 2)
    assert (system.checked["ASSERT"], system.discharged["ASSERT"]) == (1, 1)


def test_l11a_no_initial_state_is_bad_input() -> None:
    """A model that cannot start is refused."""
    with pytest.raises(InputError, match="has no initial state"):
        made("k: Low", members="@initial\ndef start(self) -> None:\n    require(self.k > 0)")


def test_l11a_a_duty_broken_at_the_start_is_bad_input() -> None:
    """An initial choice out of range is refused with its place."""
    with pytest.raises(InputError, match="start breaks a duty: RANGE"):
        made("k: Low", members="@initial\ndef start(self, v: Low) -> None:\n    self.k = v + 1")


def test_l11b_system_of_is_a_pure_function() -> None:
    """The same source gives the same system and digest."""
    model = made("k: Low", action="self.k = wrap(self.k + 1)")
    assert system_of(type(model.model), {}) == model.system
