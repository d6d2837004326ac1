"""Counterexamples in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from violations import HASTY, SPILT, chart_of, trace_of

from cmxverify.checking.replay import Replay
from cmxverify.report.trace_text import reason_lines, replay_lines, step_lines, trace_lines


def test_what_fails_is_told_with_instance_conjunct_and_values() -> None:
    """One thing a line."""
    assert reason_lines(trace_of(HASTY[0], **HASTY[1])) == [
        "  COHERENCE for n = node1: While one may write, no other may read or write.",
        "    implies(cache[n].permission == Permission.EXCLUSIVE, all((m == n or "
        "cache[m].permission == Permission.INVALID for m",
        "      in Node)))",
        "    here cache[node0].permission = SHARED, cache[node1].permission = EXCLUSIVE",
    ]


def test_many_values_are_cut() -> None:
    """And counted."""
    trace = trace_of(HASTY[0], **HASTY[1])
    many = replace(trace.failure, values=tuple((f"cell{number}", "1") for number in range(30)))
    assert reason_lines(replace(trace, failure=many), width=1000)[-1].endswith("and 18 more, with --json")


def test_a_model_of_one_piece_has_a_list_of_steps() -> None:
    """A chart with one lane would say nothing."""
    trace = trace_of(SPILT[0], **SPILT[1])
    assert trace_lines(chart_of(SPILT[0], **SPILT[1]), trace) == step_lines(trace)
    assert step_lines(trace) == [
        "   1  fills_big             big: 0 -> 5",
        "   2  pours_big_into_small  breaches a duty, see below",
    ]


def test_where_a_chart_does_not_fit_steps_are_listed() -> None:
    """With the number of each."""
    trace = trace_of(HASTY[0], **HASTY[1])
    lines = trace_lines(chart_of(HASTY[0], **HASTY[1]), trace, width=40)
    assert lines == step_lines(trace, width=40)
    assert max(len(line) for line in lines) <= 40


def test_a_violation_without_steps_is_said() -> None:
    """There is nothing to draw."""
    trace = replace(trace_of(HASTY[0], **HASTY[1]), steps=(), instances=())
    lines = trace_lines(chart_of(HASTY[0], **HASTY[1]), trace)
    assert lines == ["  the first state violates it already"]


@pytest.mark.parametrize(
    ("violates", "why_not", "changed", "expected"),
    [
        (True, "", False, ["violated   COHERENCE in 8 steps; replayed through the source"]),
        (False, "step 6 is not possible", False, ["no longer violated   COHERENCE: step 6 is not possible"]),
        (
            True,
            "",
            True,
            [
                "violated   COHERENCE in 8 steps; replayed through the source",
                "  note: the model's source or bounds changed since the trace was saved",
            ],
        ),
    ],
)
def test_what_became_of_a_saved_trace(
    violates: bool, why_not: str, changed: bool, expected: list[str]
) -> None:
    """Verdict first."""
    assert replay_lines(Replay(trace_of(HASTY[0], **HASTY[1]), violates, why_not, changed)) == expected
