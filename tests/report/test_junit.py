"""Verdicts as JUnit XML."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from violations import HASTY, SPILT, verdict_on

from cmxverify.checking.verdict import Incomplete, Verdict, Violated
from cmxverify.report.junit import DUTIES, as_junit

VERDICTS: dict[str, Verdict] = {
    "holds": verdict_on("german", node=2),
    "violated": verdict_on(HASTY[0], **HASTY[1]),
    "duty": verdict_on(SPILT[0], **SPILT[1]),
    "incomplete": Incomplete(verdict_on("german", node=2).report, "interrupted", 7),
    "no witness": Violated(verdict_on("german", node=2).report, None, ("ALL-SHARE",)),
}


def outcomes(verdict: Verdict) -> dict[str, str]:
    """Of each test case: failure, error, or passed."""
    root = ElementTree.fromstring(as_junit(verdict))
    return {case.get("name", ""): case[0].tag if len(case) else "passed" for case in root.iter("testcase")}


@pytest.mark.parametrize("name", VERDICTS)
def test_it_is_what_readers_of_junit_expect(name: str) -> None:
    """A suite whose attributes agree with its cases, as the usual schema has it."""
    root = ElementTree.fromstring(as_junit(VERDICTS[name]))
    cases = list(root)
    assert (root.tag, {each.tag for each in cases}) == ("testsuite", {"testcase"})
    assert int(root.get("tests", "")) == len(cases)
    assert int(root.get("failures", "")) == len(root.findall("testcase/failure"))
    assert int(root.get("errors", "")) == len(root.findall("testcase/error"))
    assert float(root.get("time", "")) >= 0
    assert all(each.get("classname") and each.get("name") for each in cases)
    assert all(each.get("message") and each.get("type") for case in cases for each in case)


def test_all_pass_where_everything_holds() -> None:
    """Duties and deadlock, too."""
    assert set(outcomes(VERDICTS["holds"]).values()) == {"passed"}


def test_what_is_violated_fails_and_the_rest_is_not_decided() -> None:
    """Never a pass for what was not seen to the end."""
    found = outcomes(VERDICTS["violated"])
    assert (found.pop("COHERENCE"), set(found.values())) == ("failure", {"error"})


def test_duties_have_a_case_of_their_own() -> None:
    """Which fails where one is breached."""
    found = outcomes(VERDICTS["duty"])
    assert (found.pop(DUTIES), set(found.values())) == ("failure", {"error"})


def test_nothing_passes_before_the_end() -> None:
    """An interrupted search."""
    assert set(outcomes(VERDICTS["incomplete"]).values()) == {"error"}


def test_without_a_witness_all_else_is_decided() -> None:
    """The search was complete."""
    found = outcomes(VERDICTS["no witness"])
    assert (found.pop("ALL-SHARE"), set(found.values())) == ("failure", {"passed"})


def test_names_may_hold_anything() -> None:
    """Characters that XML forbids are replaced."""
    report = replace(verdict_on("german", node=2).report, reference="a\x00<b>&\x1b")
    root = ElementTree.fromstring(as_junit(Violated(report, None, ("ALL-SHARE",))))
    assert root.get("name") == "cmxverify a?<b>&?"
