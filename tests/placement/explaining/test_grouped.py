"""Many sets as one line of an explanation: what is claimed of it, re-checked on small programs by brute force."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmxverify.placement.explaining.cores_oracle import Impossible
from cmxverify.placement.explaining.cores_solver import SolverOracle
from cmxverify.placement.explaining.grouped import SETS, FoundCore, as_one, find_core, narrowed
from cmxverify.placement.proof.program import Program, Row, Sense, Variable

COUNT = 12


def shelf(demands: list[int], room: int, *, watts: int = 10_000, only: int | None = None) -> Program:
    """Sets that each ask for some chunks in one room, under a budget of watts; ``only`` is barred from it."""
    names = [f"x{index:02d}" for index in range(len(demands))]
    rows = [
        Row(f"demand {name}", {name: 1}, Sense.AT_LEAST, chunks, (f"set:{name}",))
        for name, chunks in zip(names, demands, strict=True)
    ]
    rows.append(Row("room", dict.fromkeys(names, 1), Sense.AT_MOST, room, ("room",)))
    rows.append(Row("power", dict.fromkeys(names, 3), Sense.AT_MOST, watts, ("power",)))
    if only is not None:
        rows.append(Row("barred", {names[only]: 1}, Sense.AT_MOST, 0, ("hops",)))
    return Program(tuple(Variable(name, 0, 100) for name in names), tuple(rows), ())


def possible(program: Program, facts: list[str]) -> bool:
    return not isinstance(SolverOracle(program).judge(frozenset(facts), time_limit_s=10), Impossible)


def found_in(program: Program) -> FoundCore:
    found = find_core(program, time_limit_s=30)
    assert found is not None
    return found


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 20), min_size=9, max_size=COUNT), st.data())
def test_a_group_is_impossible_and_each_line_needed(demands: list[int], data: st.DataObject) -> None:
    """The lines have no plan together; without any one of them, the group as a whole being one, they have."""
    program = shelf(demands, data.draw(st.integers(0, sum(demands) - 1)))
    found = found_in(program)
    others = [fact for fact in found.facts if not fact.startswith("set:")]
    sets = [fact for fact in found.facts if fact.startswith("set:")]
    assert not possible(program, list(found.facts))
    assert possible(program, others)
    assert all(possible(program, [f for f in (*others, *sets) if f != dropped]) for dropped in others)
    assert found.explanation.irreducible


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 20), min_size=9, max_size=COUNT), st.data())
def test_no_explanation_has_fewer_lines(demands: list[int], data: st.DataObject) -> None:
    """Counted with all sets as one line, nothing shorter is impossible."""
    program = shelf(demands, data.draw(st.integers(0, sum(demands) - 1)), watts=data.draw(st.integers(0, 700)))
    found = found_in(program)
    assert found.explanation.smallest_proved
    lines = ["room", "power", SETS]
    shorter = combinations(lines, len(found.explanation.facts) - 1)
    assert all(possible(as_one(program, [f"set:{v.name}" for v in program.variables]), list(each)) for each in shorter)


def test_one_set_is_told_as_itself() -> None:
    """Where one set is enough, it is named, and no explanation of any kind is shorter."""
    found = found_in(shelf([5] * COUNT, 10_000, only=7))
    assert (found.facts, found.group) == (("hops", "set:x07"), ())
    assert found.explanation.facts == found.facts
    assert set(found.explanation.necessity) == set(found.facts)
    assert found.explanation.smallest_proved


def test_the_largest_are_kept() -> None:
    """Sets that can be done without go, the smallest first."""
    found = found_in(shelf([1, 1, 1, 1, 1, 1, 1, 1, 1, 50, 60], 100))
    assert found.facts == ("room", "set:x09", "set:x10")
    assert found.group == ("set:x09", "set:x10")


def test_what_is_found_in_no_time_is_all_sets() -> None:
    """Narrowing that gets no time keeps every set: less is said, nothing wrong."""
    program = shelf([5] * COUNT, 7)
    sets = [f"set:{v.name}" for v in program.variables]
    assert narrowed(program, frozenset({"room"}), sets, patience_s=1, until=0.0) == tuple(sets)


@pytest.mark.parametrize("count", [2, 8])
def test_few_sets_are_facts_of_their_own(count: int) -> None:
    """Up to eight sets, each is shown to be needed by itself."""
    found = found_in(shelf([5] * count, 7))
    assert found.group == ()
    assert len(found.explanation.necessity) == len(found.facts) == 3
