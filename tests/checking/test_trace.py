"""Counterexamples replayed through the source, and what they say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sample_channels import LossyBag
from violations import HASTY, SPILT, trace_of, verdict_on

from cmxverify.checking.check import Choices, check
from cmxverify.checking.exploration import Breach, BreachKind
from cmxverify.checking.least_trace import Path as Steps
from cmxverify.checking.trace import ReplayError, replayed
from cmxverify.checking.verdict import Violated
from cmxverify.modeling import Model, action, require, step


class Counts(Model):
    """A step property that the stutter step breaks, and none else."""

    x: bool
    y: bool

    @action
    def goes(self) -> None:
        """Once."""
        require(not self.x)
        self.x = True

    def quiescent(self) -> bool:
        """At the end."""
        return self.x

    @step("MOVES")
    def it_moves(self, old: Counts) -> bool:
        """In every step something changes."""
        return self.x != old.x


def test_only_what_changed_is_told() -> None:
    """A step with its arguments and cells."""
    third = trace_of(HASTY[0], **HASTY[1]).steps[2]
    assert third.name == "home_accepts(n=node0)"
    changes = [(each.cell, each.before, each.after) for each in third.changes]
    assert changes == [
        ("requests[node0]", "SHARED", "NONE"),
        ("current", "NONE", "SHARED"),
        ("requester", "none", "node0"),
    ]


def test_the_failing_conjunct_is_told_with_its_instance_and_values() -> None:
    """And the docstring says what was claimed."""
    failure = trace_of(HASTY[0], **HASTY[1]).failure
    assert (failure.name, failure.where) == ("COHERENCE", "n = node1")
    assert failure.claim == "While one may write, no other may read or write."
    assert failure.formula.startswith("implies(cache[n].permission == Permission.EXCLUSIVE")
    assert failure.values == (("cache[node0].permission", "SHARED"), ("cache[node1].permission", "EXCLUSIVE"))


def test_a_step_property_is_told_by_what_changed() -> None:
    """Before and after."""
    verdict = check(LossyBag, {"node": 1}, Choices(engine="packed"))
    assert isinstance(verdict, Violated)
    assert verdict.trace is not None
    assert ("wire[Ping(n=node0)]", "1 -> 0") in verdict.trace.failure.values


def test_the_stutter_step_may_be_what_breaks_a_step_property() -> None:
    """In the first state, without a step (L21)."""
    verdict = check(Counts, {}, Choices(engine="packed"))
    assert isinstance(verdict, Violated)
    assert verdict.trace is not None
    assert (verdict.trace.steps, verdict.trace.failure.name) == ((), "MOVES")


def test_a_breach_of_a_duty_names_its_place() -> None:
    """Kind, text, file and line; the last step has no state after it."""
    trace = trace_of(SPILT[0], **SPILT[1])
    assert trace.violated == "RANGE"
    assert Path(trace.failure.formula.partition(", at ")[2].split(":")[0]).name == "die_hard.py"
    assert [each.breaching for each in trace.steps] == [False, True]
    assert len(trace.states) == len(trace.steps)


def test_a_trace_that_the_source_does_not_take_is_refused() -> None:
    """A step that is not enabled there: our bug, and no verdict."""
    made = verdict_on(HASTY[0], **HASTY[1]).report.compiled
    trace = trace_of(HASTY[0], **HASTY[1])
    wrong = Steps(0, trace.instances[1:], trace.states[:1])
    with pytest.raises(ReplayError, match="the source does not take"):
        replayed(made, wrong, Breach(BreachKind.INVARIANT, 7, property=0))


def test_a_trace_that_violates_nothing_is_refused() -> None:
    """One step less than it takes."""
    made = verdict_on(HASTY[0], **HASTY[1]).report.compiled
    trace = trace_of(HASTY[0], **HASTY[1])
    short = Steps(0, trace.instances[:-1], trace.states[:1])
    with pytest.raises(ReplayError, match="does not violate COHERENCE"):
        replayed(made, short, Breach(BreachKind.INVARIANT, 7, property=0))


def test_source_and_representation_must_agree_on_every_step() -> None:
    """A representation with another update is found out."""
    made = verdict_on(HASTY[0], **HASTY[1]).report.compiled
    trace = trace_of(HASTY[0], **HASTY[1])
    first = trace.instances[0]
    instances = list(made.system.instances)
    instances[first] = replace(instances[first], updates=())
    wrong = replace(made, system=replace(made.system, instances=tuple(instances)))
    steps = Steps(0, trace.instances, trace.states[:1])
    with pytest.raises(ReplayError, match="disagrees on what node_requests_shared"):
        replayed(wrong, steps, Breach(BreachKind.INVARIANT, 8, property=0))
