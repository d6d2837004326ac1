"""``solve_program``: same answers as enumeration, certificates that the independent checker accepts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from brute_force import lexicographic_optimum, random_program
from placement_like import placement_like

import cmxverify.placement.solving.component as component
from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.proof.check_certificate import check_outcome
from cmxverify.placement.proof.outcome import Status
from cmxverify.placement.proof.program import Objective, Program, Row, Sense, Variable
from cmxverify.placement.solving.engines import cpsat, highs, z3engine
from cmxverify.placement.solving.engines.proposal import Proposal, Proposer, Task
from cmxverify.placement.solving.prove import ProofTree
from cmxverify.placement.solving.solve import Engine, Progress, solve_program
from cmxverify.topology.load import load_topology

Asked = Counter[Engine]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """How often each engine itself was called."""
    calls: Asked = Counter()
    for engine, module in ((Engine.HIGHS, highs), (Engine.CPSAT, cpsat), (Engine.Z3, z3engine)):
        real = module.propose

        def counted(task: Task, engine: Engine = engine, real: Proposer = real) -> Proposal:
            calls[engine] += 1
            return real(task)

        monkeypatch.setattr(module, "propose", counted)
    return calls


@pytest.mark.parametrize("engine", [Engine.HIGHS, Engine.CPSAT, Engine.Z3])
def test_a_named_engine_is_asked_at_every_level(engine: Engine, asked: Asked) -> None:
    """Who names an engine gets its answer weighed, even where the proof tree would close without any."""
    program = compile_placement(load_topology("cmx-rack")).program
    outcome = solve_program(program, engine=engine, time_limit_s=30)

    assert outcome.status is Status.OPTIMAL
    assert asked == {engine: len(program.objectives)}


@pytest.mark.parametrize(
    "seeds", [range(start, start + 40) for start in range(0, 320, 40)], ids="seed {0.start} on".format
)
def test_solving_agrees_with_enumeration(seeds: range, asked: Asked) -> None:
    """The lexicographic optimum, or infeasible, with an accepted certificate: 320 programs, each named engine asked."""
    for seed in seeds:
        program = random_program(seed, size=seed % 4)
        expected = lexicographic_optimum(program)
        for engine in Engine:
            asked.clear()
            outcome = solve_program(program, engine=engine, time_limit_s=20)
            found = f"seed {seed}, {engine}"
            if engine is not Engine.AUTO:
                assert asked[engine] >= len(expected or ()), found
            assert outcome.status is (Status.INFEASIBLE if expected is None else Status.OPTIMAL), found
            assert tuple(level.value for level in outcome.levels) == (expected or ()), found
            assert check_outcome(program, outcome) == [], found


def test_components_add_up() -> None:
    """Two programs side by side have the sum of their optima, level by level."""
    for seed in range(12):
        parts = [random_program(100 + seed), random_program(300 + seed)]
        expected = [lexicographic_optimum(part) for part in parts]
        program = _side_by_side(*parts)
        outcome = solve_program(program, time_limit_s=20)

        assert check_outcome(program, outcome) == [], f"seed {seed}"
        if None in expected:
            assert outcome.status is Status.INFEASIBLE, f"seed {seed}"
        elif len({len(e or ()) for e in expected}) == 1:
            sums = tuple(sum(column) for column in zip(*expected, strict=True))  # type: ignore[arg-type]
            assert tuple(level.value for level in outcome.levels) == sums, f"seed {seed}"


def _side_by_side(left: Program, right: Program) -> Program:
    levels = min(len(left.objectives), len(right.objectives))
    renamed = {v.name: f"other {v.name}" for v in right.variables}
    variables = left.variables + tuple(Variable(renamed[v.name], v.lower, v.upper) for v in right.variables)
    rows = left.rows + tuple(
        Row(f"other {r.name}", {renamed[n]: a for n, a in r.terms.items()}, r.sense, r.rhs, r.facts)
        for r in right.rows
    )
    objectives = tuple(
        Objective(
            one.key,
            {**one.terms, **{renamed[n]: c for n, c in two.terms.items()}},
            one.constant + two.constant,
        )
        for one, two in zip(left.objectives[:levels], right.objectives[:levels], strict=True)
    )
    return Program(variables, rows, objectives)


def test_small_placement_is_proved_at_every_level() -> None:
    """Thirty columns, four levels with values of 1e9: optimal, and z3 agrees with each level."""
    program = placement_like(bands=6, hosts=1, pools=3, seed=1)
    outcome = solve_program(program, time_limit_s=200)

    assert outcome.status is Status.OPTIMAL
    assert check_outcome(program, outcome) == []
    assert all(level.also_proved_by == ("z3",) for level in outcome.levels)


def test_without_a_second_opinion_nothing_else_changes() -> None:
    """Not asking z3 leaves values and bounds as they are, and names nobody who agreed."""
    program = compile_placement(load_topology("cmx-rack")).program
    with_z3, without = (solve_program(program, time_limit_s=30, second_opinion=asked) for asked in (True, False))
    assert [each.value for each in with_z3.levels] == [each.value for each in without.levels]
    assert [each.bound for each in with_z3.levels] == [each.bound for each in without.levels]
    assert all(level.also_proved_by == () for level in without.levels)


def test_middle_placement_is_within_the_gap() -> None:
    """Ninety columns: every level is certified to 0.1 %."""
    program = placement_like(bands=14, hosts=2, pools=4, seed=0)
    outcome = solve_program(program, time_limit_s=20)

    assert check_outcome(program, outcome) == []
    assert all(level.gap <= Fraction(1, 1000) for level in outcome.levels)


def test_same_seed_same_answer() -> None:
    """Without a wall-clock limit striking, two runs give the same plan and the same certificate."""
    program = placement_like(bands=6, hosts=1, pools=3, seed=0)
    first, second = (solve_program(program, time_limit_s=60, seed=3) for _ in range(2))

    assert (first.values, first.proofs) == (second.values, second.proofs)


def test_no_time_still_gives_honest_bounds() -> None:
    """With almost no time the status claims no more than the certificate proves."""
    program = placement_like(bands=40, hosts=5, pools=5, seed=0)
    outcome = solve_program(program, time_limit_s=0.05)

    assert outcome.status in (Status.FEASIBLE, Status.UNKNOWN)
    assert check_outcome(program, outcome) == []


def test_ctrl_c_keeps_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interruption in the second level's tree leaves the first level's proof and the plan."""

    def grow(tree: ProofTree, limits: object) -> bool:
        if tree.matrix.rows[-1].name == "level late":
            raise KeyboardInterrupt
        return original(tree, limits)  # type: ignore[arg-type]

    original = ProofTree.grow
    monkeypatch.setattr(component.ProofTree, "grow", grow)
    program = placement_like(bands=14, hosts=2, pools=4, seed=0)
    outcome = solve_program(program, time_limit_s=20)

    assert outcome.status is Status.FEASIBLE
    assert any(note.startswith("interrupted") for note in outcome.notes)
    assert outcome.levels[0].gap == 0
    assert check_outcome(program, outcome) == []


def test_ctrl_c_before_any_plan_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted before a plan exists, the answer is unknown, never infeasible."""

    def root(tree: ProofTree, *, time_limit_s: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(component.ProofTree, "root", root)
    outcome = solve_program(random_program(1))

    assert (outcome.status, outcome.values) == (Status.UNKNOWN, None)


def test_progress_reports_each_level_in_order() -> None:
    """The callback hears of every level once it is done, with value and bound."""
    heard: list[Progress] = []
    program = placement_like(bands=6, hosts=1, pools=3, seed=1)
    outcome = solve_program(program, time_limit_s=20, progress=heard.append)

    assert [(p.level, p.value, p.bound) for p in heard] == [(x.key, x.value, x.bound) for x in outcome.levels]


def test_a_program_without_objectives_only_needs_a_point() -> None:
    """Feasibility alone: optimal with no levels."""
    program = Program((Variable("x", 0, 9),), (Row("r", {"x": 3}, Sense.EQUAL, 6),), ())
    outcome = solve_program(program)

    assert (outcome.status, outcome.values, outcome.levels) == (Status.OPTIMAL, {"x": 2}, ())


def test_an_empty_program_has_the_empty_plan() -> None:
    """No variables, no rows: the constant is the value."""
    outcome = solve_program(Program((), (), (Objective("cost", {}, 7),)))

    assert (outcome.status, outcome.values, outcome.levels[0].value) == (Status.OPTIMAL, {}, 7)


def test_an_empty_row_that_fails_is_infeasible() -> None:
    """A row without terms that claims 0 >= 1 excludes everything, with a certificate."""
    program = Program(
        (Variable("x", 0, 1),), (Row("r", {}, Sense.AT_LEAST, 1),), (Objective("cost", {"x": 1}),)
    )
    outcome = solve_program(program)

    assert outcome.status is Status.INFEASIBLE
    assert check_outcome(program, outcome) == []
