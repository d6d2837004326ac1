"""The checker accepts what is proved and refuses the rest, and imports nothing that would have to be trusted."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_proofs import naive_number, naive_outcome, points, random_program

from cmxverify.placement.proof.certificate import (
    BoundLeaf,
    ComponentProof,
    EmptyLeaf,
    InfeasibleProof,
    LevelProof,
    Split,
    Tree,
)
from cmxverify.placement.proof.check_certificate import check_components, check_infeasible, check_outcome
from cmxverify.placement.proof.outcome import LevelResult, Outcome, Status
from cmxverify.placement.proof.program import Objective, Program, Row, Sense, Variable
from cmxverify.placement.proof.proof_arithmetic import (
    Box,
    ProofError,
    Subject,
    leaf_bound,
    leaves,
    level_subject,
    proved_bound,
)

SEEDS = st.integers(0, 10**9)


def needs_two() -> Program:
    """2x + 2y >= 3 over 0..2: rounding alone proves that x + y is at least 2. z stands by itself."""
    return Program(
        (Variable("x", 0, 2), Variable("y", 0, 2), Variable("z", 1, 5)),
        (Row("need", {"x": 2, "y": 2}, Sense.AT_LEAST, 3),),
        (Objective("late", {"x": 1, "y": 1, "z": 1}, 10), Objective("power", {"x": 1, "z": -1})),
    )


PLAN = {"x": 0, "y": 2, "z": 1}
HALF = BoundLeaf({"need": 1}, 2)
PROOFS = (
    ComponentProof(("x", "y"), (LevelProof("late", 12, 12, HALF), LevelProof("power", 0, 0, BoundLeaf({})))),
    ComponentProof(
        ("z",),
        (LevelProof("late", 1, 1, BoundLeaf({})), LevelProof("power", -1, -1, BoundLeaf({"level late": -1}))),
    ),
)
LEVELS = (LevelResult("late", 13, 13, Fraction(1)), LevelResult("power", -1, -1, Fraction(1)))


def faults(
    *, values: object = PLAN, proofs: object = PROOFS, levels: object = LEVELS, program: Program | None = None
) -> list[str]:
    return check_components(program or needs_two(), values, proofs, levels)  # type: ignore[arg-type]


def with_level(component: int, level: int, **changes: object) -> tuple[ComponentProof, ...]:
    proofs = list(PROOFS)
    changed = list(proofs[component].levels)
    changed[level] = replace(changed[level], **changes)  # type: ignore[arg-type]
    proofs[component] = replace(proofs[component], levels=tuple(changed))
    return tuple(proofs)


def with_tree(tree: Tree, component: int = 0, level: int = 0) -> list[str]:
    return faults(proofs=with_level(component, level, tree=tree))


# --- accepted


def test_a_hand_made_certificate_is_accepted() -> None:
    """Root leaves, a rounded bound, an objective constant, and a level row prove the plan optimal."""
    assert faults() == []


def test_a_split_tree_is_accepted() -> None:
    """Split at x <= 0: there y must be 2, and beyond it the sum is at least 2 by the row again."""
    tree = Split(
        "x", 0, Split("y", 1, EmptyLeaf({"need": 1}), BoundLeaf({})), Split("y", 0, HALF, BoundLeaf({}))
    )
    assert with_tree(tree) == []


def test_components_may_be_coarser_than_they_need_be() -> None:
    """One component of everything is a partition too, and its proof stands on its own."""
    power = BoundLeaf({"level late": -2, "need": 1}, 2)
    levels = (LevelProof("late", 13, 13, HALF), LevelProof("power", -1, -1, power))
    assert faults(proofs=(ComponentProof(("x", "y", "z"), levels),)) == []


def test_a_farkas_leaf_proves_infeasibility() -> None:
    """x + y <= 1 and x >= 2 cannot both hold: minus the first plus the second exceeds 0."""
    rows = (Row("most", {"x": 1, "y": 1}, Sense.AT_MOST, 1), Row("least", {"x": 1}, Sense.AT_LEAST, 2))
    program = Program((Variable("x", 0, 9), Variable("y", 0, 9)), rows, ())
    proof = InfeasibleProof(("x", "y"), None, EmptyLeaf({"most": -1, "least": 1}))
    assert check_infeasible(program, proof) == []


def test_an_empty_program_has_one_component_without_variables() -> None:
    """Its constant objective is its optimum."""
    program = Program((), (), (Objective("late", {}, 7),))
    proofs = (ComponentProof((), (LevelProof("late", 7, 7, BoundLeaf({})),)),)
    levels = (LevelResult("late", 7, 7, Fraction(1)),)
    assert check_components(program, {}, proofs, levels) == []


def test_a_row_without_variables_can_be_the_contradiction() -> None:
    """0 >= 1 belongs to the first component and is refuted by its own multiplier."""
    program = Program((Variable("x", 0, 1),), (Row("nothing", {}, Sense.AT_LEAST, 1),), ())
    assert check_infeasible(program, InfeasibleProof(("x",), None, EmptyLeaf({"nothing": 1}))) == []


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.booleans())
def test_random_programs_with_naive_proofs_are_accepted(seed: int, any_plan: bool) -> None:
    """Whatever enumeration finds, with trees of guessed multipliers, the checker confirms."""
    random = Random(seed)
    program = random_program(random)
    assert check_outcome(program, naive_outcome(program, random, any_plan=any_plan)) == []


# --- refused: the plan


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"x": 0, "y": 2}, "the plan has no value for 'z'"),
        ({**PLAN, "w": 0}, "the plan has a value for an unknown 'w'"),
        ({**PLAN, "z": True}, "'z' is True, not a whole number"),
        ({**PLAN, "z": 1.0}, "'z' is 1.0, not a whole number"),
        ({**PLAN, "z": 0}, "'z' is 0, outside 1 to 5"),
        ({**PLAN, "z": 6}, "'z' is 6, outside 1 to 5"),
        ({**PLAN, "y": 1}, "row 'need' does not hold: 2 >= 3"),
    ],
)
def test_a_plan_that_is_not_allowed_is_refused(values: dict[str, object], fault: str) -> None:
    """Each variable has a whole number in its bounds, and every row holds."""
    assert faults(values=values) == [fault]


def test_a_plan_with_another_objective_value_is_refused() -> None:
    """The value of a level is worked out from the plan, not believed."""
    assert faults(values={**PLAN, "z": 2}) == [
        "component 1: level 'late': its value is 1, but the plan gives 2"
    ]


def test_many_faults_of_one_kind_are_counted() -> None:
    """A thousand missing values do not bury the reader."""
    program = Program(tuple(Variable(f"v{i}", 0, 1) for i in range(1000)), (), ())
    found = check_components(program, {}, (), ())
    assert len(found) == 9
    assert found[-1] == "and 992 more of this kind"


# --- refused: the partition


def test_a_missing_component_is_refused() -> None:
    """Each variable must be in a component."""
    assert "variable 'z' is in no component" in faults(proofs=PROOFS[:1])


def test_no_components_at_all_are_refused() -> None:
    """Nor does leaving out everything prove anything."""
    assert faults(proofs=())[-1].startswith("there must be one component or more")


def test_a_variable_in_two_components_is_refused() -> None:
    """Its objective would count twice."""
    twice = (PROOFS[0], PROOFS[1], PROOFS[1])
    assert faults(proofs=twice) == ["variable 'z' is in two components, or twice in one"]


def test_a_row_across_components_is_refused() -> None:
    """Bounds of parts add up only where no row joins them."""
    parts = [ComponentProof((name,), PROOFS[0].levels) for name in "xyz"]
    assert faults(proofs=parts) == ["row 'need' joins two components"]


def test_components_in_another_order_are_refused() -> None:
    """The first component holds the constants, so the order has a meaning."""
    assert faults(proofs=PROOFS[::-1]) == [
        "the components, or the variables in one of them, are not in the order of the program"
    ]


def test_a_component_without_variables_is_refused() -> None:
    """A component beside the program's variables has nothing to prove."""
    extra = ComponentProof((), PROOFS[0].levels)
    assert faults(proofs=(*PROOFS, extra))[0].startswith("there must be one component or more")


# --- refused: levels and totals


def test_a_missing_level_is_refused() -> None:
    """Each component proves every objective, in order of priority."""
    short = (replace(PROOFS[0], levels=PROOFS[0].levels[:1]), PROOFS[1])
    assert faults(proofs=short) == ["component 0: its levels are 'late'; they must be 'late', 'power'"]


def test_a_level_that_stands_twice_is_refused() -> None:
    """Even if both copies are proved."""
    doubled = (replace(PROOFS[0], levels=(PROOFS[0].levels[0], *PROOFS[0].levels)), PROOFS[1])
    assert faults(proofs=doubled)[0].startswith("component 0: its levels are 'late', 'late', 'power'")


def test_a_bound_beyond_what_the_tree_proves_is_refused() -> None:
    """x >= 0 alone does not prove that x + y is 2."""
    assert with_tree(BoundLeaf({})) == ["component 0: level 'late': its tree proves a bound of 10, not of 12"]


def test_a_bound_above_the_value_is_refused() -> None:
    """A bound is a lower bound."""
    found = faults(proofs=with_level(0, 0, bound=13))
    assert found == [
        "component 0: level 'late': its bound is 13, which is no whole number up to its value 12"
    ]


@pytest.mark.parametrize("changes", [{"value": 12.0}, {"bound": 12.0}, {"bound": True}, {"value": "12"}])
def test_numbers_that_only_look_whole_are_refused(changes: dict[str, object]) -> None:
    """12.0 equals 12 in Python, and True equals 1; neither is a whole number of a certificate."""
    assert len(faults(proofs=with_level(0, 0, **changes))) == 1


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"value": 14}, "level 'late': its value is 14, but the components add up to 13"),
        ({"bound": 12}, "level 'late': its bound is 12, but the components add up to 13"),
        ({"unit": Fraction(2)}, "level 'late': its unit is 2, but the program counts in 1"),
        ({"key": "cost"}, "the levels are 'cost', 'power'; they must be 'late', 'power'"),
    ],
)
def test_totals_that_do_not_add_up_are_refused(changes: dict[str, object], fault: str) -> None:
    """The level of the program is the sum over its components, in the program's unit."""
    assert faults(levels=(replace(LEVELS[0], **changes), LEVELS[1])) == [fault]  # type: ignore[arg-type]


# --- refused: trees


@pytest.mark.parametrize(
    ("tree", "fault"),
    [
        (BoundLeaf({"need": -1}), "the multiplier of row 'need' is -1; on a >= row it is 0 or above"),
        (BoundLeaf({"need": 0.5}), "the multiplier of row 'need' is 0.5, not a whole number"),  # type: ignore[dict-item]
        (BoundLeaf({"need": True}), "the multiplier of row 'need' is True, not a whole number"),
        (BoundLeaf({"nead": 1}), "a leaf has a multiplier for 'nead', no row of this component and level"),
        (BoundLeaf({"need": 1}, 0), "a leaf has denominator 0; it is a whole number from 1 up"),
        (BoundLeaf({"need": 1}, -2), "a leaf has denominator -2; it is a whole number from 1 up"),
        (BoundLeaf({"need": 1}, True), "a leaf has denominator True; it is a whole number from 1 up"),
        (
            BoundLeaf({"level late": -1}),
            "a leaf has a multiplier for 'level late', no row of this component and level",
        ),
        (Split("z", 1, HALF, HALF), "a split is at 'z', which is no variable of this component"),
        (Split("x", 2, HALF, HALF), "a split of 'x' at 2 leaves one half empty; the box there is 0 to 2"),
        (Split("x", -1, HALF, HALF), "a split of 'x' at -1 leaves one half empty; the box there is 0 to 2"),
        (
            Split("x", False, HALF, HALF),
            "a split of 'x' at False leaves one half empty; the box there is 0 to 2",
        ),
        (
            Split("x", 0, Split("x", 0, HALF, HALF), HALF),
            "a split of 'x' at 0 leaves one half empty; the box there is 0 to 0",
        ),
        (EmptyLeaf({"need": 1}), "a leaf claims an empty box, but reaches only -5, which is not above 0"),
        (EmptyLeaf({}), "a leaf claims an empty box, but reaches only 0, which is not above 0"),
    ],
)
def test_a_tree_that_breaks_a_rule_is_refused(tree: Tree, fault: str) -> None:
    """Signs, names, denominators, splits inside the box, and emptiness above 0."""
    assert with_tree(tree) == [f"component 0: level 'late': {fault}"]


def test_a_level_row_stands_at_the_value_not_at_the_bound() -> None:
    """With a gap at the first level, later levels may use only what the plan reached there."""
    program = Program(
        (Variable("x", 0, 5),), (), (Objective("late", {"x": 1}), Objective("power", {"x": -1}))
    )
    levels = (
        LevelProof("late", 3, 0, BoundLeaf({})),
        LevelProof("power", -3, -3, BoundLeaf({"level late": -1})),
    )
    found = check_components(
        program,
        {"x": 3},
        (ComponentProof(("x",), levels),),
        (LevelResult("late", 3, 0, Fraction(1)), LevelResult("power", -3, -3, Fraction(1))),
    )
    assert found == []


def test_a_level_row_of_another_component_is_unknown() -> None:
    """Each component has the row of its own share of an earlier level, not the whole program's."""
    assert with_tree(BoundLeaf({"level late": -5}), level=1) != []


def test_a_deep_tree_is_walked_without_recursion() -> None:
    """20,000 splits in a chain are no problem."""
    depth = 20_000
    tree: Tree = BoundLeaf({})
    for at in range(depth):
        tree = Split("x", at, tree, BoundLeaf({}))
    program = Program((Variable("x", 0, depth),), (), (Objective("late", {"x": 1}),))
    assert proved_bound(level_subject(program, ()), tree) == 0


def test_enormous_numbers_are_refused_in_words() -> None:
    """Python refuses to print a number of 10,000 digits; the checker tells its size."""
    (found,) = faults(levels=(replace(LEVELS[0], value=10**10_000), LEVELS[1]))
    assert (
        found
        == "level 'late': its value is (a number of about 10000 digits), but the components add up to 13"
    )


# --- refused: programs in which a name is not one thing


@pytest.mark.parametrize(
    ("program", "fault"),
    [
        (Program((Variable("x", 0, 1), Variable("x", 0, 2)), (), ()), "the program has two variables 'x'"),
        (
            Program((), (Row("a", {}, Sense.AT_MOST, 1),) * 2, ()),
            "the program has two rows 'a' (each level counts as one)",
        ),
        (
            Program((), (Row("level late", {}, Sense.AT_MOST, 1),), (Objective("late", {}),)),
            "the program has two rows 'level late' (each level counts as one)",
        ),
        (Program((), (Row("a", {"q": 1}, Sense.AT_MOST, 1),), ()), "'a' speaks of an unknown variable 'q'"),
        (Program((Variable("x", 0, True),), (), ()), "the program has a number that is not whole"),
    ],
)
def test_an_ambiguous_program_is_refused(program: Program, fault: str) -> None:
    """Proofs refer to rows and variables by name, so each name must be one thing."""
    assert check_components(program, {}, (), ()) == [fault]
    assert check_infeasible(program, InfeasibleProof((), None, EmptyLeaf({}))) == [fault]


# --- infeasibility

CLASH = Program(
    (Variable("x", 0, 9), Variable("z", 0, 1)),
    (
        Row("most", {"x": 1}, Sense.AT_MOST, 1, ("budget",)),
        Row("least", {"x": 1}, Sense.AT_LEAST, 2, ("demand",)),
        Row("most too", {"z": 1}, Sense.AT_MOST, 0, ("other",)),
    ),
    (Objective("late", {"x": 1}),),
)
FARKAS = EmptyLeaf({"most": -1, "least": 1})


def test_facts_that_are_enough_are_accepted() -> None:
    """The rows of two facts contradict each other."""
    assert check_infeasible(CLASH, InfeasibleProof(("x",), ("budget", "demand"), FARKAS)) == []


@pytest.mark.parametrize(
    ("proof", "fault"),
    [
        (
            InfeasibleProof(("x",), ("budget",), FARKAS),
            "a leaf has a multiplier for 'least', no row of this component and level",
        ),
        (
            InfeasibleProof(("x",), ("budget", "budget", "demand"), FARKAS),
            "the proof keeps fact 'budget' twice",
        ),
        (InfeasibleProof(("x",), ("wish",), FARKAS), "the proof keeps an unknown fact 'wish'"),
        (
            InfeasibleProof(("x", "z"), None, FARKAS),
            "the variables of the proof are not distinct variables of one component",
        ),
        (
            InfeasibleProof(("x", "x"), None, FARKAS),
            "the variables of the proof are not distinct variables of one component",
        ),
        (
            InfeasibleProof(("z",), None, FARKAS),
            "a leaf has a multiplier for 'most', no row of this component and level",
        ),
        (
            InfeasibleProof(("x",), None, Split("x", 1, FARKAS, BoundLeaf({}))),
            "a leaf proves a bound, but the claim is that there is no point at all",
        ),
        (
            InfeasibleProof(("x",), None, EmptyLeaf({"most": 1})),
            "the multiplier of row 'most' is 1; on a <= row it is 0 or below",
        ),
    ],
)
def test_a_proof_of_infeasibility_that_falls_short_is_refused(proof: InfeasibleProof, fault: str) -> None:
    """Facts, variables and leaves of such a proof are held to the same rules."""
    assert check_infeasible(CLASH, proof) == [fault]


# --- status


def test_optimal_with_a_gap_is_refused() -> None:
    """The status never says more than was proved."""
    proofs = with_level(0, 0, bound=11)
    levels = (replace(LEVELS[0], bound=12), LEVELS[1])
    outcome = Outcome(Status.OPTIMAL, PLAN, levels, proofs)
    assert check_outcome(needs_two(), outcome) == [
        "the status is optimal, but value and bound of level 'late' differ"
    ]
    assert check_outcome(needs_two(), replace(outcome, status=Status.FEASIBLE)) == []


@pytest.mark.parametrize(
    ("outcome", "fault"),
    [
        (
            Outcome(Status.FEASIBLE, PLAN, LEVELS, PROOFS),
            "the status is feasible, but every level is proved optimal",
        ),
        (Outcome(Status.UNKNOWN, PLAN), "the status is unknown, so there can be no plan and no proof"),
        (Outcome(Status.OPTIMAL), "the status is optimal, so there must be a plan and no proof against it"),
        (
            Outcome(Status.INFEASIBLE, PLAN, LEVELS, PROOFS),
            "the status is infeasible, so there must be a proof of that and no plan",
        ),
        (
            Outcome(Status.INFEASIBLE),
            "the status is infeasible, so there must be a proof of that and no plan",
        ),
    ],
)
def test_a_status_that_does_not_fit_is_refused(outcome: Outcome, fault: str) -> None:
    """Each status has its own evidence and no other."""
    assert check_outcome(needs_two(), outcome) == [fault]


# --- arithmetic and trust


def test_a_leaf_proves_an_exact_fraction() -> None:
    """Half of 2x + 2y >= 3, plus the constant 10, is 11.5 before rounding."""
    part = needs_two().components()[0]
    subject = level_subject(part, ())
    assert leaf_bound(subject, subject.box, HALF) == Fraction(23, 2)


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_leaves_prove_what_the_corners_of_their_box_say(seed: int) -> None:
    """The bound of each leaf is the least value over its corners of the Lagrangian function, tried one by one."""
    random = Random(seed)
    program = random_program(random)
    outcome = naive_outcome(program, random)
    for part, proof in zip(program.components(), outcome.proofs, strict=False):
        for index, level in enumerate(proof.levels):
            subject = level_subject(part, proof.levels[:index])
            assert subject.objective is not None
            for leaf, box in leaves(subject, level.tree):
                if isinstance(leaf, BoundLeaf):
                    least = naive_number(_as_program(subject), subject.objective, leaf, _intervals(box))
                    assert leaf_bound(subject, box, leaf) * leaf.denominator == least


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_accepted_bounds_are_true(seed: int) -> None:
    """No point that keeps the earlier levels has an objective below an accepted bound, even a random one."""
    random = Random(seed)
    program = random_program(random)
    for part in program.components():
        for objective in part.objectives[:1]:
            leaf = BoundLeaf({r.name: random.randint(-2, 2) for r in part.rows}, random.randint(1, 3))
            try:
                bound = proved_bound(level_subject(part, ()), leaf)
            except ProofError:
                continue  # a sign is wrong; the claim is about what passes
            assert bound is not None
            assert all(objective.value(point) >= bound for point in points(part))


def _as_program(subject: Subject) -> Program:
    return Program((), tuple(subject.rows.values()), ())


def _intervals(box: Box) -> dict[str, tuple[int, int]]:
    return {name: (box.lower[name], box.upper[name]) for name in box.lower}


def test_the_checker_imports_no_solver() -> None:
    """Neither a solver nor a numerical library is loaded by the checker or the reader of its files."""
    heavy = ("z3", "ortools", "highspy", "numpy", "scipy", "networkx", "pydantic")
    script = (
        "import sys, cmxverify.placement.proof.check_certificate, cmxverify.placement.proof.certificate_json\n"
        f"print([name for name in {heavy!r} if name in sys.modules])\n"
        "print(sorted(n for n in sys.modules if n.startswith('cmxverify.') and n.count('.') > 1))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded, own = done.stdout.splitlines()
    assert loaded == "[]"
    allowed = ("program", "certificate", "outcome", "check_certificate", "certificate_json", "strict_json")
    names = (*allowed, "proof_arithmetic", "canonical_certificate")
    folder = "cmxverify.placement.proof"
    assert own == repr(sorted([folder, *(f"{folder}.{name}" for name in names)]))
