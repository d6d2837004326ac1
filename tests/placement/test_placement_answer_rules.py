"""PL-28 to PL-31: what an answer says, held against brute force over every point."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from placement_cluster import RAW, cluster

from cmxverify.placement.explaining.cores import smallest_core
from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.proof.certificate import BoundLeaf, ComponentProof, LevelProof
from cmxverify.placement.proof.check_certificate import check_infeasible, check_outcome
from cmxverify.placement.proof.outcome import LevelResult, Outcome, Status
from cmxverify.placement.proof.program import Objective, Program, Row, Sense, Variable
from cmxverify.placement.solving.solve import solve_program
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]
NAMES = ("x", "y", "z")
SMALL = st.integers(-4, 4)


def points(program: Program) -> Iterator[dict[str, int]]:
    """Every point within the bounds that satisfies the rows."""
    ranges = [range(v.lower, v.upper + 1) for v in program.variables]
    for point in product(*ranges):
        values = dict(zip((v.name for v in program.variables), point, strict=True))
        if not program.violations(values):
            yield values


def best(program: Program) -> tuple[int, ...] | None:
    """Lexicographically least values of the levels; None without a point."""
    return min((tuple(o.value(v) for o in program.objectives) for v in points(program)), default=None)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Three variables of 0 to 3, up to four rows, two levels."""
    terms = st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES, SMALL.filter(bool)))
    rows = draw(st.lists(st.tuples(terms, st.sampled_from(Sense), st.integers(-6, 9)), max_size=4))
    levels = draw(st.lists(terms, min_size=2, max_size=2))
    return Program(
        tuple(Variable(name, 0, 3) for name in NAMES),
        tuple(Row(f"r{i}", t, sense, rhs, (f"f{i}",)) for i, (t, sense, rhs) in enumerate(rows)),
        tuple(Objective(f"level {i}", t) for i, t in enumerate(levels)),
    )


@settings(max_examples=60, deadline=None)
@given(programs())
def test_status_and_values_are_those_of_brute_force(program: Program) -> None:
    """PL-28: optimal with the least values of the levels, or infeasible; each with a certificate that is accepted."""
    outcome = solve_program(program, time_limit_s=20)
    expected = best(program)
    assert outcome.status is (Status.INFEASIBLE if expected is None else Status.OPTIMAL)
    assert tuple(level.value for level in outcome.levels) == (expected or ())
    assert check_outcome(program, outcome) == []


def test_a_gap_is_not_optimal() -> None:
    """PL-28: what calls itself optimal while a bound lies below its value is refused."""
    program = Program((Variable("x", 0, 3),), (), (Objective("cost", {"x": 1}),))
    outcome = solve_program(program)
    level = replace(outcome.levels[0], bound=-1)
    proof = replace(outcome.proofs[0].levels[0], bound=-1)
    loose = replace(outcome, levels=(level,), proofs=(replace(outcome.proofs[0], levels=(proof,)),))
    assert check_outcome(program, loose) == ["the status is optimal, but value and bound of level 'cost' differ"]


@settings(max_examples=30, deadline=None)
@given(programs(), programs())
def test_components_add_up(one: Program, two: Program) -> None:
    """PL-29: two programs side by side have the sum of their values, or no solution if one has none."""
    levels = zip(one.objectives, two.objectives, strict=True)
    both = Program(
        one.variables + tuple(replace(v, name=v.name + "'") for v in two.variables),
        one.rows + tuple(replace(r, name=r.name + "'", terms=primed(r.terms)) for r in two.rows),
        tuple(replace(a, terms={**a.terms, **primed(b.terms)}) for a, b in levels),
    )
    outcome, parts = solve_program(both, time_limit_s=20), (best(one), best(two))
    if None in parts:
        assert outcome.status is Status.INFEASIBLE
    else:
        assert [level.value for level in outcome.levels] == [sum(values) for values in zip(*parts, strict=True)]


def primed(terms: dict[str, int]) -> dict[str, int]:
    """The same terms over other variables."""
    return {name + "'": coefficient for name, coefficient in terms.items()}


COVER = Program(
    (Variable("x", 0, 3), Variable("y", 0, 3)),
    (Row("enough", {"x": 2, "y": 3}, Sense.AT_LEAST, 7),),
    (Objective("cost", {"x": 1, "y": 2}),),
)
"""min x + 2 y with 2 x + 3 y >= 7 within 0 to 3: halves of the row prove 3.5, rounded up 4."""


def claim(multiplier: int, denominator: int, *, bound: int = 4) -> Outcome:
    """The plan x = 2, y = 1 of value 4, with one leaf as proof."""
    leaf = BoundLeaf({"enough": multiplier}, denominator)
    proof = ComponentProof(("x", "y"), (LevelProof("cost", 4, bound, leaf),))
    level = LevelResult("cost", 4, bound, COVER.objectives[0].unit)
    return Outcome(Status.OPTIMAL, {"x": 2, "y": 1}, (level,), (proof,))


def test_a_leaf_proves_what_its_arithmetic_says() -> None:
    """PL-30: D = 2 and q = 1 give 7 + 0 x 3 + 1 x 0 = 7, over 2 rounded up: 4."""
    assert check_outcome(COVER, claim(1, 2)) == []


def test_a_leaf_proves_no_more() -> None:
    """PL-30: q = 1 over D = 1 gives 7 + (1 - 2) x 3 + (2 - 3) x 3 = 1, not 4."""
    assert check_outcome(COVER, claim(1, 1)) == [
        "component 0: level 'cost': its tree proves a bound of 1, not of 4"
    ]


def test_a_multiplier_of_the_wrong_sign_proves_nothing() -> None:
    """PL-30: an at-least row may not be used against its direction."""
    assert check_outcome(COVER, claim(-1, 2)) != []


@settings(max_examples=40, deadline=None)
@given(programs().filter(lambda program: best(program) is None))
def test_an_explanation_is_impossible_and_needs_each_of_its_facts(program: Program) -> None:
    """PL-31: no point without the other rows; a point as soon as one fact is dropped; nothing shorter explains."""
    found = smallest_core(program, time_limit_s=20)
    assert found is not None
    assert check_infeasible(program, found.proof) == []
    assert best(program.keeping(found.facts)) is None
    assert all(best(program.keeping(set(found.facts) - {fact})) is not None for fact in found.facts)
    assert found.smallest_proved


def test_a_forbidden_chain_has_a_row_to_blame(load: Load) -> None:
    """PL-31: chains beyond the hop limit are in the program, at most 0, and the row stands on the line of `hops`."""
    topology = load(cluster(RAW, ("metric: switches, max: 1", "metric: switches, max: 0")))
    rows = [row for row in compile_placement(topology, explain=True).program.rows if row.facts == ("hops",)]
    assert [(set(row.terms.values()), row.rhs) for row in rows] == [({1}, 0), ({1}, 0)]
