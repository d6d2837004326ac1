"""Verdicts on models in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from violations import HASTY, REPLAYED_GRANT, SPILT, verdict_on

from cmxverify.checking.check import Choices, check
from cmxverify.checking.verdict import Incomplete, Verdict, Verified, Violated
from cmxverify.modeling import Model, Range, action, implies, invariant, reachable, require
from cmxverify.modeling.ir.digest import digest_of
from cmxverify.report.check_text import action_table, level_table, report_lines, verdict_lines


class Idle(Model):
    """Something of everything that never happens."""

    x: Range(0, 2)

    @action
    def goes(self) -> None:
        """Round."""
        self.x = (self.x + 1) % 2

    @action
    def rests(self) -> None:
        """Nothing."""

    @action
    def never(self) -> None:
        """Not possible."""
        require(self.x == 2)
        self.x = 0

    @invariant("VACUOUS")
    def vacuous(self) -> bool:
        """About a state that is not reached."""
        return implies(self.x == 2, self.x != 0)

    @reachable("TWO")
    def two(self) -> bool:
        """Not reached."""
        return self.x == 2


def verdict_of(case: tuple[str, dict[str, int]]) -> Verdict:
    """The verdict on a case."""
    return verdict_on(case[0], **case[1])


def first_words(verdict: Verdict) -> str:
    """The verdict line without the time."""
    return " ".join(" ".join(verdict_lines(verdict, width=1000)).split()[:-2])


def test_what_holds() -> None:
    """Number of properties, engine, exactness."""
    words = "holds 5 properties over every reachable state; packed, exact, symmetric over node"
    assert first_words(verdict_on("german", node=2)) == words


def test_what_is_violated() -> None:
    """The property, the length, and that it was replayed."""
    words = "violated COHERENCE in 8 steps, shortest; packed, exact, symmetric over node; replayed through the source"
    assert first_words(verdict_of(HASTY)) == words


def test_what_has_no_witness() -> None:
    """There is no trace to show."""
    verdict = check(Idle, {}, Choices(engine="packed"))
    assert isinstance(verdict, Violated)
    assert first_words(verdict) == "violated TWO: no reachable state is a witness; packed, exact"


@pytest.mark.parametrize(
    ("depth", "known"),
    [
        (-1, "nothing is known yet"),
        (0, "no violation in the initial states, nothing is known beyond"),
        (7, "no violation within 7 steps, nothing is known beyond"),
    ],
)
def test_what_is_not_finished_claims_nothing_more(depth: int, known: str) -> None:
    """Never the word holds."""
    verdict = Incomplete(verdict_on("german", node=2).report, "interrupted", depth)
    assert first_words(verdict) == f"incomplete {known}; interrupted"


def test_what_was_searched() -> None:
    """Bounds, sizes, properties, witnesses, duties."""
    lines = report_lines(verdict_on("german", node=2).report)
    digest = digest_of(verdict_on("german", node=2).report.system)[:12]
    assert lines[:4] == [
        "  bounds       node = 2",
        f"  searched     1,704 orbits of states; 4,982 transitions; depth 18; IR {digest}",
        "  invariants   COHERENCE; FRESH-COPY; FRESH-MEMORY",
        "  reachable    ALL-SHARE after 8 steps; INVALIDATION-CROSSES-REQUEST after 8 steps",
    ]


def test_faults_are_told_with_their_budgets() -> None:
    """L19: a budget is part of what was checked."""
    assert "  faults       node_crashes <= 1" in report_lines(verdict_of(REPLAYED_GRANT).report)


def test_duties_are_told_with_what_types_discharge() -> None:
    """L10: places checked, and those that need no check at run time."""
    text = " ".join(report_lines(verdict_of(SPILT).report))
    assert "RANGE 8 places, 5 by types alone" in text


def test_what_never_happened_is_told() -> None:
    """L12 and L21: idle and impossible actions, premises that are never true."""
    notes = [
        each for each in report_lines(check(Idle, {}, Choices(engine="packed")).report) if "note" in each
    ]
    assert notes == [
        "  note: never enabled: never",
        "  note: never changes a state: rests",
        "  note: premise never true: VACUOUS: implies(self.x == 2, self.x != 0)",
    ]


def test_what_never_happened_is_told_of_whole_searches_only() -> None:
    """Before, it may yet happen."""
    assert [each for each in report_lines(verdict_of(HASTY).report) if "never" in each] == []


def test_transitions_by_action() -> None:
    """L13: they add up to the transitions of the search."""
    report = verdict_on("german", node=2).report
    counts = [int(line.split()[1].replace(",", "")) for line in action_table(report)[1:]]
    assert sum(counts) == report.main.transitions


def test_states_by_level() -> None:
    """The largest has the longest bar, and all fit."""
    report = verdict_on("german", node=2).report
    lines = level_table(report, width=80)
    assert sum(int(line.split()[1].replace(",", "")) for line in lines[1:]) == report.main.states
    assert max(len(line) for line in lines) <= 80


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("case", [HASTY, REPLAYED_GRANT, SPILT, ("german", {"node": 2})])
def test_reports_fit(case: tuple[str, dict[str, int]], width: int) -> None:
    """Every line."""
    verdict = verdict_of(case)
    lines = [*verdict_lines(verdict, width=width), *report_lines(verdict.report, width=width)]
    assert [line for line in lines if len(line) > width] == []


def test_one_property_is_named() -> None:
    """Rather than counted."""
    report = verdict_on("german", node=2).report
    one = replace(report, runs=(replace(report.runs[0], properties=(0,)),))
    assert first_words(Verified(one)).startswith("holds COHERENCE; packed")
