"""Saved traces taken again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from violations import HASTY, REPLAYED_GRANT, SPILT, trace_of, verdict_on

from cmxverify.checking.replay import Replay, replay
from cmxverify.checking.testing import violates
from cmxverify.checking.trace_file import SavedTrace, saved
from cmxverify.errors import InputError, Location
from cmxverify.modeling.compile import compiled
from cmxverify.modeling.loading import load_model

DEADLOCKED = ("dining:DiningAllLeftFirst", {"philosopher": 2})


def saved_of(case: tuple[str, dict[str, int]]) -> SavedTrace:
    """The trace of a case, as it is saved."""
    return saved(verdict_on(case[0], **case[1]).report, trace_of(case[0], **case[1]))


def replayed_on(model: str, trace: SavedTrace) -> Replay:
    """Take it on a model."""
    return replay(compiled(load_model(model).model, trace.bounds), trace, Location("x.json"))


def refusal(trace: SavedTrace) -> str:
    """The message with which it is refused on its own model."""
    with pytest.raises(InputError) as caught:
        replayed_on(trace.reference, trace)
    return str(caught.value)


@pytest.mark.parametrize("case", [HASTY, REPLAYED_GRANT, SPILT, DEADLOCKED])
def test_a_saved_trace_still_violates(case: tuple[str, dict[str, int]]) -> None:
    """An invariant, a duty, a deadlock."""
    trace = saved_of(case)
    done = replayed_on(trace.reference, trace)
    assert (done.violates, done.why_not, done.changed) == (True, "", False)
    assert done.trace.steps == trace_of(case[0], **case[1]).steps


def test_on_the_right_model_a_step_is_not_possible() -> None:
    """It says which, and that the model is another one."""
    done = replayed_on("german", saved_of(HASTY))
    why = "step 6, home_grants_exclusive(n=node1), is not possible there"
    assert (done.violates, done.why_not, done.changed) == (False, why, True)


def test_all_steps_are_possible_and_nothing_is_violated() -> None:
    """One step less than it takes."""
    trace = saved_of(HASTY)
    done = replayed_on(trace.reference, replace(trace, steps=trace.steps[:-1]))
    assert done.why_not == "all steps are possible, and COHERENCE is not violated at the end"


def test_another_duty_is_another_fault() -> None:
    """It says which one."""
    done = replayed_on(SPILT[0], replace(saved_of(SPILT), violated="ASSERT"))
    assert (done.violates, done.why_not) == (False, "step 2 breaches RANGE instead")


def test_a_first_state_that_is_none_any_more() -> None:
    """No step is taken."""
    trace = saved_of(HASTY)
    done = replayed_on(trace.reference, replace(trace, initial={"memory": "1", "latest": "0"}))
    assert (done.violates, done.trace.steps) == (False, ())
    assert done.why_not == "the model no longer starts in the first state of this trace"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"violated": "COHERENC"}, "x.json: 'violated' names 'COHERENC', which is no property of the model"),
        ({"initial": {"memori": "0"}}, "x.json: 'initial' names 'memori', which the model does not have"),
        ({"steps": (("home_acepts", {"n": "node0"}),)}, "x.json: step 1: there is no action 'home_acepts'"),
        (
            {"steps": (("home_accepts", {"n": "node7"}),)},
            "x.json: step 1: home_accepts cannot be taken with n=node7",
        ),
        (
            {"steps": (("home_accepts", {}),)},
            "x.json: step 1: home_accepts cannot be taken with no arguments",
        ),
    ],
)
def test_names_that_the_model_does_not_have(changes: dict[str, object], message: str) -> None:
    """One message with the nearest name."""
    first, fix = refusal(replace(saved_of(HASTY), **changes)).splitlines()
    assert first == message
    assert fix.strip()


def test_tests_ask_whether_steps_violate() -> None:
    """What the ready-made pytest file calls."""
    trace = saved_of(HASTY)
    asked = {"bounds": trace.bounds, "initial": trace.initial, "steps": trace.steps, "violated": "COHERENCE"}
    assert violates(trace.reference, **asked)
    assert not violates("german", **asked)
