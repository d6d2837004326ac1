"""Every proposer finds the optimum of small programs and never hands out a point that breaks a row."""

from __future__ import annotations

import pytest
from brute_force import lexicographic_optimum, random_program

from cmxverify.placement.proof.program import Objective, Program, Row, Sense, Variable, level_row
from cmxverify.placement.solving.engines import cpsat, highs, z3engine
from cmxverify.placement.solving.engines.interrupt import interruptible
from cmxverify.placement.solving.engines.proposal import Claim, Proposer, Task
from cmxverify.placement.solving.matrix import matrix_of

ENGINES = {"highs": highs.propose, "cpsat": cpsat.propose, "z3": z3engine.propose}


def task_of(program: Program) -> Task:
    matrix = matrix_of(program)
    return Task(matrix, matrix.cost(program.objectives[0]), None, 10.0)


@pytest.mark.parametrize("seeds", [range(start, start + 60) for start in range(0, 240, 60)], ids="{0.start} on".format)
@pytest.mark.parametrize("engine", ENGINES)
def test_every_level_agrees_with_enumeration(engine: str, seeds: range) -> None:
    """Each engine itself, asked level by level with the earlier ones kept: 240 programs, status and every value."""
    for seed in seeds:
        program = random_program(seed, size=(0, 1, 3, 5)[seed % 4])
        expected = lexicographic_optimum(program)
        matrix = matrix_of(program)
        for level, objective in enumerate(program.objectives):
            proposal = ENGINES[engine](Task(matrix, matrix.cost(objective), None, 10.0))
            found = f"seed {seed}, level {level}"
            if expected is None:
                assert (proposal.point, proposal.claim) == (None, Claim.EMPTY), found
                break
            assert proposal.point is not None, found
            assert objective.value(matrix.values(proposal.point)) == expected[level], found
            matrix = matrix.with_row(level_row(objective, expected[level]))


@pytest.mark.parametrize("propose", ENGINES.values(), ids=ENGINES)
def test_emptiness_is_claimed_not_faked(propose: Proposer) -> None:
    """Rows that exclude every point give no point, and the claim that there is none."""
    x = Variable("x", 0, 3)
    rows = (Row("low", {"x": 2}, Sense.EQUAL, 3),)
    proposal = propose(task_of(Program((x,), rows, (Objective("late", {"x": 1}),))))

    assert (proposal.point, proposal.claim) == (None, Claim.EMPTY)


@pytest.mark.parametrize("propose", ENGINES.values(), ids=ENGINES)
def test_coefficients_beyond_floats_never_give_a_wrong_point(propose: Proposer) -> None:
    """Where figures exceed what floats or 64 bits hold, an engine stays silent or is right."""
    huge = 10**17
    program = Program(
        (Variable("x", 0, 1000), Variable("y", 0, 1000)),
        (Row("r", {"x": huge + 1, "y": huge}, Sense.EQUAL, 700 * huge + 300),),
        (Objective("late", {"y": 1}),),
    )
    point = propose(task_of(program)).point

    assert point in (None, [300, 400])


def test_z3_confirms_a_true_bound() -> None:
    """z3 agrees that nothing is below the optimum."""
    matrix = matrix_of(Program((Variable("x", 2, 9),), (), ()))

    assert z3engine.nothing_below(matrix, [3], 6, time_limit_s=5.0)


def test_z3_shouts_at_a_false_bound() -> None:
    """A bound that z3 refutes is an internal error with the refuting values, never a silent no."""
    matrix = matrix_of(Program((Variable("x", 2, 9),), (), ()))

    with pytest.raises(z3engine.ProversDisagreeError, match=r"cost 6, but 7 was proved .* \{'x': 2\}"):
        z3engine.nothing_below(matrix, [3], 7, time_limit_s=5.0)


def test_ctrl_c_stops_the_solver_and_is_passed_on() -> None:
    """An interruption in the waiting thread stops the native solver and comes out again."""
    import signal
    import threading

    stopped = threading.Event()

    def run() -> None:
        signal.raise_signal(signal.SIGINT)  # delivered to the main thread, which waits in interruptible
        assert stopped.wait(10), "stop was not called"

    with pytest.raises(KeyboardInterrupt):
        interruptible(run, stopped.set)


def test_an_error_of_the_solver_comes_out() -> None:
    """What a solver raises in its thread is raised to the caller."""
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0, lambda: None)
