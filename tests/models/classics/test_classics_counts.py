"""Every run of the table, with each engine, with the source itself, and beside what others have counted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from cmxverify.checking.exploration import Ending, Exploration, Request
from cmxverify.checking.native.engine import NativeEngine
from cmxverify.checking.python.interpret import InterpretEngine
from cmxverify.modeling import NotEnabled
from cmxverify.modeling.compile import system_of
from models.classics.fifo import InnerFifo
from models.classics.table import LARGE_RUNS, RUNS, TLC_EXAMPLES, Run
from models.classics.token_ring import TokenRing

FOR_PYTHON = 1_000
"""Most states that are searched in plain Python; ten times as many in the deeper profile."""


def label(run: Run) -> str:
    """Name of a row: ``German-node3``."""
    return "-".join([run.model.split(":")[1], *(f"{name}{value}" for name, value in run.bounds.items())])


def named(rows: Sequence[Run]) -> list[object]:
    """Rows as parameters of a test."""
    return [pytest.param(row, id=label(row)) for row in rows]


def for_python(rows: Sequence[Run]) -> list[object]:
    """Rows as parameters of a test that runs in plain Python: small ones, and larger ones in the deeper profile."""
    deeper = [
        pytest.param(row, id=label(row), marks=pytest.mark.slow) for row in rows if row.states > FOR_PYTHON
    ]
    return named([row for row in rows if row.states <= FOR_PYTHON]) + [
        each for each in deeper if each.values[0].states <= 10 * FOR_PYTHON
    ]


def counts(found: Exploration) -> tuple[int, int, int]:
    """States, transitions, depth."""
    return found.states, found.transitions, len(found.levels) - 1


@cache
def searched(at: int) -> Exploration:
    """What the native engine finds in a run of the table, by its position."""
    return NativeEngine().explore(system_of(RUNS[at].load(), RUNS[at].bounds), Request())


PUBLISHED = [row for row in RUNS if row.published]
BY_TLC = [row for row in PUBLISHED if row.published and row.published.project == TLC_EXAMPLES]
BY_CMURPHI = [row for row in PUBLISHED if row not in BY_TLC]


@pytest.mark.parametrize("run", named(RUNS))
def test_native_counts(run: Run) -> None:
    """The native engine finds the whole graph as pinned, and nothing is breached."""
    found = searched(RUNS.index(run))
    assert (found.ending, *counts(found)) == (Ending.COMPLETE, run.states, run.transitions, run.depth)


@pytest.mark.parametrize("run", named(RUNS))
def test_everything_said_to_be_reachable_is(run: Run) -> None:
    """Each ``@reachable`` has a witness, and each action is taken: no property holds for want of behaviour."""
    system, found = system_of(run.load(), run.bounds), searched(RUNS.index(run))
    idle = {each.action for each in system.instances} - {
        each.action for each, times in zip(system.instances, found.fired, strict=True) if times
    }
    assert (None in found.witnesses.values(), idle) == (False, set())


@pytest.mark.parametrize("run", for_python(RUNS))
def test_plain_counts(run: Run) -> None:
    """The plainest engine agrees."""
    assert counts(InterpretEngine().explore(system_of(run.load(), run.bounds), Request())) == (
        run.states,
        run.transitions,
        run.depth,
    )


@pytest.mark.parametrize("run", for_python([row for row in RUNS if row.orbits]))
def test_orbits(run: Run) -> None:
    """Reduced by symmetry, the plainest engine finds as many orbits as pinned."""
    found = InterpretEngine().explore(system_of(run.load(), run.bounds), Request(symmetry=True))
    assert (found.states, found.transitions) == run.orbits


@pytest.mark.parametrize("run", for_python(RUNS))
def test_source_counts(run: Run) -> None:
    """Python running the source itself, without the front end, reaches the same states by as many steps (S3)."""
    model = run.load()(**run.bounds)
    seen = set(model.initial_states())
    pending, transitions = list(seen), 0
    while pending:
        model.state = state = pending.pop()
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
    assert (len(seen), transitions) == (run.states, run.transitions)


@pytest.mark.parametrize("run", named(PUBLISHED))
def test_published_states(run: Run) -> None:
    """Others have counted as many states."""
    assert run.published is not None
    assert run.states == run.published.states


@pytest.mark.parametrize("run", named(BY_TLC))
def test_published_generated_states(run: Run) -> None:
    """TLC generates the initial states, one state for each transition, and those that the table explains."""
    assert run.published is not None
    initial = len(system_of(run.load(), run.bounds).initial)
    assert run.published.generated == initial + run.transitions + run.published.beyond


@pytest.mark.parametrize("run", named(BY_CMURPHI))
def test_published_rules_fired(run: Run) -> None:
    """Murphi fires a rule for each transition."""
    assert run.published is not None
    assert run.published.generated == run.transitions


@pytest.mark.parametrize("run", named(BY_TLC))
def test_published_depth(run: Run) -> None:
    """TLC counts the levels of the graph; on the token ring it printed one more, as it may with several workers."""
    assert run.published is not None
    more = 1 if run.load() is TokenRing else 0
    assert run.published.depth == run.depth + 1 + more


def states_of(run: Run) -> list[dict[str, object]]:
    """All reachable states, as values by field, found by running the source."""
    model = run.load()(**run.bounds)
    seen = set(model.initial_states())
    pending = list(seen)
    while pending:
        state = pending.pop()
        for step, arguments in model.instances():
            model.state = state
            try:
                model.take(step, arguments)
            except NotEnabled:
                continue
            if model.state not in seen:
                seen.add(model.state)
                pending.append(model.state)
    return [dict(zip(model.schema.fields, state, strict=True)) for state in seen]


def test_guards_true_in_several_ways() -> None:
    """The states that TLC generates beyond those of the token ring: guards with more than one true disjunct."""
    run = next(row for row in RUNS if row.load() is TokenRing and row.published)
    assert run.published is not None
    ways = 0
    for state in states_of(run):
        token = state["token"]
        reasons = state["token_black"] + state["black"][token] + (token > 0 and not state["active"][token])  # type: ignore[operator,index]
        ways += max(reasons - 1, 0)
    assert ways == run.published.beyond


def test_states_beyond_the_constraint() -> None:
    """The states that TLC generates beyond those of the buffer: a message waits and the queue is full."""
    run = next(row for row in RUNS if row.load() is InnerFifo and row.published)
    assert run.published is not None
    waiting = [each for each in states_of(run) if each["in_ready"] != each["in_acknowledged"]]
    full = [each for each in waiting if len(each["queue"]) == run.bounds["length"]]  # type: ignore[arg-type]
    assert len(full) == run.published.beyond


@pytest.mark.slow
@pytest.mark.parametrize("run", named(LARGE_RUNS))
def test_large_counts(run: Run) -> None:
    """The native engine finds the large graphs as pinned."""
    found = NativeEngine().explore(system_of(run.load(), run.bounds), Request())
    assert (found.ending, *counts(found)) == (Ending.COMPLETE, run.states, run.transitions, run.depth)
