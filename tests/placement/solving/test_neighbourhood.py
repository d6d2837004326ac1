"""Diving and narrow searches: only feasible plans come out, and near-optimal ones on placements."""

from __future__ import annotations

from time import monotonic

from brute_force import lexicographic_optimum, random_program
from placement_like import placement_like

from cmxverify.placement.proof.program import Program
from cmxverify.placement.solving import dive
from cmxverify.placement.solving.engines import cpsat
from cmxverify.placement.solving.engines.proposal import Task
from cmxverify.placement.solving.engines.relaxation import Relaxation
from cmxverify.placement.solving.matrix import matrix_of
from cmxverify.placement.solving.neighbourhood import near_relaxation, whole_few_valued
from cmxverify.placement.solving.rounding import few_valued, is_whole


def task_of(program: Program, level: int = 0) -> Task:
    matrix = matrix_of(program)
    return Task(matrix, matrix.cost(program.objectives[level]), None, 10.0)


def test_dives_end_in_feasible_points_or_nothing() -> None:
    """Whatever a dive returns satisfies every row, and it never claims that there is nothing."""
    found = 0
    for seed in range(100):
        task = task_of(random_program(seed))
        proposal = dive.propose(task)
        assert proposal.point is None or task.matrix.admits(proposal.point), f"seed {seed}"
        assert proposal.claim.value == "nothing"
        found += proposal.point is not None
    assert found > 40


def test_narrow_searches_never_beat_the_optimum() -> None:
    """What a narrow search returns is feasible, and no better than enumeration's optimum."""
    propose = near_relaxation(cpsat.propose)
    for seed in range(40):
        program = random_program(seed)
        task, expected = task_of(program), lexicographic_optimum(program)
        point = propose(task).point
        if point is not None:
            assert task.matrix.admits(point), f"seed {seed}"
            assert expected is not None
            assert program.objectives[0].value(task.matrix.values(point)) >= expected[0], f"seed {seed}"


def test_few_valued_columns_are_made_whole() -> None:
    """After rounding, every few-valued column of a placement is whole and the relaxation still holds."""
    task = task_of(placement_like(bands=20, hosts=3, pools=4, seed=1), level=1)
    point = whole_few_valued(task, monotonic() + 10)

    assert point is not None
    few = few_valued(task.matrix.box)
    assert all(is_whole(x) for x, is_few in zip(point, few, strict=True) if is_few)


def test_narrow_search_is_near_the_relaxation_on_placements() -> None:
    """Mean restore of a placement with 300 columns comes within 1 % of the relaxation."""
    task = task_of(placement_like(bands=40, hosts=5, pools=5, seed=0), level=1)
    point = near_relaxation(cpsat.propose)(task).point
    relaxed = Relaxation(task.matrix, task.cost).solve(task.matrix.box, time_limit_s=10).value

    assert point is not None
    assert sum(c * x for c, x in zip(task.cost, point, strict=True)) <= 1.01 * relaxed
