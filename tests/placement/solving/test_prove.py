"""Certificate trees: they claim what enumeration confirms, and the independent checker accepts them."""

from __future__ import annotations

from time import monotonic

import pytest
from brute_force import lexicographic_optimum, points, random_program
from placement_like import placement_like

from cmxverify.placement.proof.certificate import BoundLeaf, EmptyLeaf, InfeasibleProof, Split
from cmxverify.placement.proof.check_certificate import check_infeasible
from cmxverify.placement.proof.program import Objective, Program, Row, Sense, Variable
from cmxverify.placement.solving.bounds import (
    Multipliers,
    from_fractions,
    proved_bound,
    proves_empty,
    tightened,
)
from cmxverify.placement.solving.emptiness import Elastic, farkas, farkas_from_ray
from cmxverify.placement.solving.engines.relaxation import LpKind, Relaxation
from cmxverify.placement.solving.exact_duals import basis_duals
from cmxverify.placement.solving.feasible import Undecided, find_feasible
from cmxverify.placement.solving.matrix import Box, matrix_of
from cmxverify.placement.solving.prove import ProofTree, TreeLimits, prove_infeasible


def grown(program: Program, *, nodes: int = 5000) -> ProofTree:
    matrix = matrix_of(program)
    tree = ProofTree(matrix, matrix.cost(program.objectives[0]))
    tree.root(time_limit_s=10)
    tree.grow(TreeLimits(monotonic() + 10, nodes=nodes))
    return tree


@pytest.mark.parametrize("size", [0, 5])
def test_tree_alone_agrees_with_enumeration(size: int) -> None:
    """Without any proposer the tree finds and proves the first level's optimum, or emptiness."""
    for seed in range(200):
        program = random_program(seed, size=size)
        expected = lexicographic_optimum(program)
        tree = grown(program)

        actual = None if tree.is_empty else (tree.value, tree.bound)
        optimum = None if expected is None else expected[0] - program.objectives[0].constant
        assert actual == (None if optimum is None else (optimum, optimum)), f"seed {seed}"


def test_a_stopped_tree_never_claims_too_much() -> None:
    """Stopped after one node or three, the bound is at most the optimum."""
    for seed in range(100):
        program = random_program(seed)
        expected = lexicographic_optimum(program)
        if expected is not None:
            for nodes in (1, 3):
                bound = grown(program, nodes=nodes).bound
                assert bound is not None
                assert bound + program.objectives[0].constant <= expected[0], f"seed {seed}"


def test_prove_infeasible_agrees_with_enumeration_and_the_checker() -> None:
    """A tree is given exactly for the infeasible programs, and the checker accepts it."""
    found = 0
    for seed in range(200):
        program = random_program(seed)
        tree = prove_infeasible(program)
        assert (tree is None) == any(True for _ in points(program)), f"seed {seed}"
        if tree is not None and len(program.components()) == 1:
            found += 1
            proof = InfeasibleProof(tuple(v.name for v in program.variables), None, tree)
            assert check_infeasible(program, proof) == [], f"seed {seed}"
    assert found > 20


def test_find_feasible_agrees_with_enumeration() -> None:
    """A point, or None exactly where there is none; never undecided on small programs."""
    for seed in range(200):
        program = random_program(seed)
        found = find_feasible(program)
        assert not isinstance(found, Undecided)
        assert (found is None) == (not any(True for _ in points(program))), f"seed {seed}"
        assert found is None or not program.violations(found)


def test_a_row_that_parity_breaks_is_proved_by_branching() -> None:
    """2x + 4y = 7 has real solutions, so the proof is a tree and not one leaf."""
    variables = (Variable("x", 0, 5), Variable("y", 0, 5))
    program = Program(variables, (Row("odd", {"x": 2, "y": 4}, Sense.EQUAL, 7),), ())

    assert isinstance(prove_infeasible(program), Split)


def test_no_time_is_no_proof() -> None:
    """A proof that did not finish is None, and a search that did not finish is undecided."""
    names = [f"x{j}" for j in range(30)]
    row = Row("odd", dict.fromkeys(names, 2), Sense.EQUAL, 31)
    program = Program(tuple(Variable(name, 0, 1) for name in names), (row,), ())

    assert prove_infeasible(program, time_limit_s=0.2) is None
    assert isinstance(find_feasible(program, time_limit_s=0.2), Undecided)


def test_farkas_by_one_row() -> None:
    """A row that the box alone breaks is its own proof."""
    matrix = matrix_of(Program((Variable("x", 0, 3),), (Row("r", {"x": 1}, Sense.AT_LEAST, 4),), ()))
    proof = farkas(matrix, matrix.box)

    assert proof is not None
    assert proof.by_row == {0: 1}


def test_most_rays_are_proofs_as_they_come() -> None:
    """HiGHS's rays have the sign that certificates need: most pass the exact check without the elastic program."""
    proved = empty = 0
    for seed in range(150):
        matrix = matrix_of(random_program(seed))
        result = Relaxation(matrix, [0] * len(matrix.names)).solve(matrix.box, time_limit_s=5)
        if result.kind is LpKind.EMPTY:
            empty += 1
            proved += farkas_from_ray(matrix, matrix.box, result.duals) is not None
    assert proved > 0.9 * empty > 20


def test_a_margin_of_zero_proves_nothing() -> None:
    """Multipliers that only just fail to exclude a point are no proof of emptiness."""
    matrix = matrix_of(Program((Variable("x", 0, 3),), (Row("r", {"x": 1}, Sense.AT_LEAST, 3),), ()))

    assert not proves_empty(matrix, matrix.box, Multipliers({0: 1}))


def test_an_offer_that_breaks_a_row_is_refused() -> None:
    """The tree takes no incumbent on trust: rows, box and value are checked."""
    program = Program((Variable("x", 0, 9),), (Row("r", {"x": 1}, Sense.AT_LEAST, 3),), ())
    tree = ProofTree(matrix_of(program), [1])

    assert [tree.offer([x]) for x in (2, 10, 5, 6, 4)] == [False, False, True, False, True]


def test_elastic_proof_needs_two_rows() -> None:
    """Two rows that only together exclude every point get positive weight in the elastic program."""
    variables = (Variable("x", 0, 10), Variable("y", 0, 10))
    rows = (
        Row("much", {"x": 1, "y": 1}, Sense.AT_LEAST, 8),
        Row("little", {"x": 1, "y": 1}, Sense.AT_MOST, 7),
    )
    matrix = matrix_of(Program(variables, rows, ()))
    proof = Elastic(matrix).farkas(matrix.box, time_limit_s=5)

    assert proof is not None
    assert set(proof.by_row) == {0, 1}


def test_exact_duals_reach_the_relaxation_bound() -> None:
    """Duals recomputed from the basis in fractions prove the relaxation's value, rounded up."""
    for seed in range(5):
        program = placement_like(bands=20, hosts=3, pools=4, seed=seed)
        matrix = matrix_of(program)
        cost = matrix.cost(program.objectives[1])
        relaxation = Relaxation(matrix, cost)
        value = relaxation.solve(matrix.box, time_limit_s=10).value
        exact = basis_duals(matrix, cost, *relaxation.basis())

        assert exact is not None
        assert 0 <= proved_bound(matrix, cost, matrix.box, from_fractions(matrix, exact)) - value < 1.001


def test_tightening_keeps_every_point_at_the_target() -> None:
    """Reduced-cost tightening never cuts off a point with a cost of at most the target."""
    for seed in range(100):
        program = random_program(seed)
        matrix, objective = matrix_of(program), program.objectives[0]
        cost = matrix.cost(objective)
        relaxation = Relaxation(matrix, cost)
        result = relaxation.solve(matrix.box, time_limit_s=5)
        exact = basis_duals(matrix, cost, *relaxation.basis()) if result.point else None
        costs = sorted((objective.value(v) - objective.constant, matrix.point(v)) for v in points(program))
        if exact is None or not costs:
            continue
        target = costs[len(costs) // 2][0]
        box = tightened(matrix, cost, matrix.box, from_fractions(matrix, exact), target)
        assert box is not None
        assert all(_inside(box, point) for value, point in costs if value <= target), f"seed {seed}"


def _inside(box: Box, point: list[int]) -> bool:
    return all(low <= x <= high for low, x, high in zip(box.lower, point, box.upper, strict=True))


def test_root_certificate_is_short() -> None:
    """A level that its relaxation closes has one leaf with small multipliers."""
    program = Program(
        (Variable("x", 0, 9), Variable("y", 0, 9)),
        (Row("demand", {"x": 1, "y": 1}, Sense.EQUAL, 5),),
        (Objective("cost", {"x": 3, "y": 4}),),
    )

    assert grown(program).certificate() == BoundLeaf({"demand": 3}, 1)


def test_empty_certificate_names_its_rows() -> None:
    """The leaf of an infeasible program cites the row that breaks."""
    program = Program((Variable("x", 0, 3),), (Row("r", {"x": 2}, Sense.AT_LEAST, 9),), ())
    tree = prove_infeasible(program)

    assert isinstance(tree, EmptyLeaf)
    assert set(tree.multipliers) == {"r"}
