"""Every run of the table: searched by the native engine, by the plainest one, and by Python running the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from cmxverify.checking.agreement import property_disagreements, random_states, step_disagreements
from cmxverify.checking.check import Choices, check
from cmxverify.checking.exploration import Exploration, Request
from cmxverify.checking.python.interpret import InterpretEngine
from cmxverify.checking.verdict import Report, Verified
from cmxverify.modeling import NotEnabled
from cmxverify.modeling.compile import compiled, system_of
from models.classics.fifo import InnerFifo
from models.classics.table import LARGE_RUNS, PUBLISHED, RUNS, TLC_EXAMPLES, Run
from models.classics.token_ring import TokenRing

FOR_PYTHON = 1_000
"""Most states that are searched in plain Python; ten times as many in the deeper profile."""

WHOLE_GRAPH = Choices(symmetry=False)
SYMMETRIC = [run for run in RUNS if run.orbits]
COUNTED_BY_TLC = [run for run in RUNS if run.published and run.published.project == TLC_EXAMPLES]
SMALLEST = [run for at, run in enumerate(RUNS) if run.model not in {each.model for each in RUNS[:at]}]


def named(runs: Sequence[Run]) -> list[Any]:
    """Runs as parameters of a test, each with a name such as ``German-node3``."""
    return [
        pytest.param(run, id="-".join([run.load().__name__, *(f"{k}{v}" for k, v in run.bounds.items())]))
        for run in runs
    ]


def for_python(runs: Sequence[Run]) -> list[Any]:
    """The same for a test that runs in plain Python: larger runs are in the deeper profile, the largest left out."""
    deeper = [run for run in runs if FOR_PYTHON < run.states <= 10 * FOR_PYTHON]
    marked = [pytest.param(*each.values, id=each.id, marks=pytest.mark.slow) for each in named(deeper)]
    return named([run for run in runs if run.states <= FOR_PYTHON]) + marked


@cache
def report_of(model: str, states: int) -> Report:
    """Report of the native engine on a run, which model and states identify; the verdict is that all holds."""
    run = next(each for each in (*RUNS, *LARGE_RUNS) if (each.model, each.states) == (model, states))
    verdict = check(run.load(), run.bounds, WHOLE_GRAPH)
    assert isinstance(verdict, Verified), verdict
    return verdict.report


def counts(found: Exploration) -> tuple[int, int, int]:
    """States, transitions, depth."""
    return found.states, found.transitions, len(found.levels) - 1


def source_graph(run: Run) -> tuple[set[Any], int]:
    """States and number of transitions, found by CPython running the model class; no front end, no engine."""
    model = run.load()(**run.bounds)
    seen = set(model.initial_states())
    pending, transitions = list(seen), 0
    while pending:
        state = pending.pop()
        for step, arguments in model.instances():
            model.state = state
            try:
                model.take(step, arguments)
            except NotEnabled:
                continue
            transitions += 1
            if model.state not in seen:
                seen.add(model.state)
                pending.append(model.state)
    return seen, transitions


@pytest.mark.parametrize("run", named(RUNS))
def test_counts(run: Run) -> None:
    """All properties hold, all witnesses are found, and the whole graph is as large as pinned."""
    assert counts(report_of(run.model, run.states).main) == (run.states, run.transitions, run.depth)


@pytest.mark.parametrize("run", named(RUNS))
def test_nothing_is_vacuous(run: Run) -> None:
    """Every action is taken and changes something, and every premise is true somewhere."""
    report = report_of(run.model, run.states)
    assert report.never_enabled() + report.only_idle() + report.vacuous() == ()


@pytest.mark.parametrize("run", named(SYMMETRIC))
def test_orbits(run: Run) -> None:
    """Reduced by symmetry, all holds as well, and there are as many orbits as pinned."""
    verdict = check(run.load(), run.bounds)
    assert isinstance(verdict, Verified)
    assert (verdict.report.main.states, verdict.report.main.transitions) == run.orbits


@pytest.mark.parametrize("run", named(RUNS))
def test_index_types_are_symmetric(run: Run) -> None:
    """Every Index type of a model is certified symmetric, every property too, and runs with one pin their orbits."""
    system = system_of(run.load(), run.bounds)
    assert not system.asymmetric
    assert all(each.symmetric for each in system.properties)
    assert bool(system.sorts) == (run.orbits is not None)


@pytest.mark.parametrize("run", named([run for run in RUNS if run.states <= FOR_PYTHON]))
def test_counts_of_the_plainest_engine(run: Run) -> None:
    """The engine that evaluates the representation node by node agrees."""
    found = InterpretEngine().explore(system_of(run.load(), run.bounds), Request())
    assert counts(found) == (run.states, run.transitions, run.depth)


@pytest.mark.parametrize("run", named([run for run in RUNS if run.states <= 10 * FOR_PYTHON]))
def test_counts_of_the_packed_engine(run: Run) -> None:
    """The fast engine in plain Python agrees, and finds all to hold."""
    verdict = check(run.load(), run.bounds, replace(WHOLE_GRAPH, engine="packed"))
    assert isinstance(verdict, Verified)
    assert counts(verdict.report.main) == (run.states, run.transitions, run.depth)


@pytest.mark.parametrize("run", for_python(RUNS))
def test_counts_of_the_source(run: Run) -> None:
    """CPython running the source reaches as many states by as many transitions (S3)."""
    states, transitions = source_graph(run)
    assert (len(states), transitions) == (run.states, run.transitions)


@pytest.mark.parametrize("run", named(SMALLEST))
def test_steps_agree_anywhere(run: Run) -> None:
    """Source and representation take the same steps in any well-typed states, reachable or not (S2)."""
    made = compiled(run.load(), run.bounds)
    assert list(step_disagreements(made, random_states(made, 100, seed=1))) == []


@pytest.mark.parametrize("run", named(SMALLEST))
def test_properties_agree_anywhere(run: Run) -> None:
    """Source and representation judge every property alike there."""
    made = compiled(run.load(), run.bounds)
    assert list(property_disagreements(made, random_states(made, 100, seed=3))) == []


@pytest.mark.slow
@pytest.mark.parametrize("run", named(SMALLEST))
def test_steps_agree_anywhere_at_length(run: Run) -> None:
    """The same in ten thousand states."""
    made = compiled(run.load(), run.bounds)
    assert list(step_disagreements(made, random_states(made, 10_000, seed=2))) == []


@pytest.mark.parametrize("run", named([run for run in RUNS if run.published]))
def test_published_states(run: Run) -> None:
    """Others have counted as many states."""
    assert run.published is not None
    assert run.published.states == run.states


@pytest.mark.parametrize("run", named(COUNTED_BY_TLC))
def test_published_generated_states(run: Run) -> None:
    """TLC generates the initial states, a state for each transition, and those that the table explains."""
    assert run.published is not None
    initial = len(system_of(run.load(), run.bounds).initial)
    assert run.published.generated == initial + run.transitions + run.published.beyond


@pytest.mark.parametrize("run", named([run for run in RUNS if run.published and run not in COUNTED_BY_TLC]))
def test_published_rules_fired(run: Run) -> None:
    """Murphi fires a rule for each transition."""
    assert run.published is not None
    assert run.published.generated == run.transitions


@pytest.mark.parametrize("run", named(COUNTED_BY_TLC))
def test_published_depth(run: Run) -> None:
    """TLC counts the levels of the graph; of the token ring one more is published than TLC finds (see the page)."""
    assert run.published is not None
    more = 1 if run.load() is TokenRing else 0
    assert run.published.depth == run.depth + 1 + more


def test_published_counts_are_all_met() -> None:
    """Every published count of the table is that of some run."""
    assert set(PUBLISHED) == {run.counted_in for run in RUNS if run.counted_in}


def test_guards_true_in_several_ways() -> None:
    """What TLC generates beyond the token ring's transitions: a successor for each further true disjunct of a guard."""
    run = next(run for run in COUNTED_BY_TLC if run.load() is TokenRing)
    model = run.load()(**run.bounds)
    ways = 0
    for state in source_graph(run)[0]:
        model.state = state
        token = model.token
        passive = token > 0 and not model.active[token]
        ways += max(model.token_black + model.black[token] + passive - 1, 0)
    assert run.published is not None
    assert ways == run.published.beyond


def test_states_beyond_the_constraint() -> None:
    """What TLC generates beyond the buffer's transitions: a longer queue, where a message waits for a full one."""
    run = next(run for run in COUNTED_BY_TLC if run.load() is InnerFifo)
    model = run.load()(**run.bounds)
    beyond = 0
    for state in source_graph(run)[0]:
        model.state = state
        beyond += model.in_ready != model.in_acknowledged and len(model.queue) == run.bounds["length"]
    assert run.published is not None
    assert beyond == run.published.beyond


@pytest.mark.slow
@pytest.mark.parametrize("run", named(LARGE_RUNS))
def test_large_counts(run: Run) -> None:
    """The same of the large graphs."""
    assert counts(report_of(run.model, run.states).main) == (run.states, run.transitions, run.depth)


@pytest.mark.slow
@pytest.mark.parametrize("run", named(LARGE_RUNS))
def test_large_orbits(run: Run) -> None:
    """The same of the large graphs, reduced by symmetry."""
    verdict = check(run.load(), run.bounds)
    assert isinstance(verdict, Verified)
    assert (verdict.report.main.states, verdict.report.main.transitions) == run.orbits
