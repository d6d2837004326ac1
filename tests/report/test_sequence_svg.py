"""Charts as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from sample_channels import LossyBag
from violations import FORGOTTEN_BIT, HASTY, RECALLED, REPLAYED_GRANT, chart_of, trace_of

from cmxverify.checking.check import Choices, check
from cmxverify.checking.sequence import message_sequence
from cmxverify.checking.verdict import Violated
from cmxverify.report.sequence_svg import sequence_svg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(case: tuple[str, dict[str, int]]) -> ElementTree.Element:
    """Root of the drawing of a case."""
    sequence, failure = chart_of(case[0], **case[1]), trace_of(case[0], **case[1]).failure
    return ElementTree.fromstring(sequence_svg(sequence, failure, title="a < b"))


def texts(root: ElementTree.Element, kind: str) -> list[str]:
    """Texts of a class."""
    return [each.text or "" for each in root.iter(f"{SVG}text") if each.get("class") == kind]


def lines(root: ElementTree.Element, kind: str) -> list[tuple[float, ...]]:
    """Ends of the lines of a class."""
    found = [each for each in root.iter(f"{SVG}line") if each.get("class") == kind]
    return [tuple(float(each.get(end, "")) for end in ("x1", "y1", "x2", "y2")) for each in found]


def test_each_place_has_a_lifeline() -> None:
    """Under its name."""
    root = drawn(HASTY)
    assert texts(root, "lane") == ["home", "node0", "node1"]
    assert len(lines(root, "life")) == 3


def test_arrows_go_down_from_the_step_that_sends_to_the_one_that_takes() -> None:
    """A message takes time."""
    root = drawn(HASTY)
    assert texts(root, "label") == ["SHARED", "EXCLUSIVE", "GRANT_SHARED", "GRANT_EXCLUSIVE"]
    assert all(y1 < y2 for _, y1, _, y2 in lines(root, "message"))


def test_an_open_message_ends_on_the_way() -> None:
    """Dashed, with a ring."""
    (x1, y1, x2, y2) = lines(drawn(RECALLED), "message open")[0]
    assert (y1 == y2, x1 < x2) == (True, True)
    assert any(each.get("class") == "message" for each in drawn(RECALLED).iter(f"{SVG}circle"))


def test_a_message_taken_again_has_a_second_arrow() -> None:
    """Dashed, from the same sender, without a second label."""
    root = drawn(REPLAYED_GRANT)
    (again,) = lines(root, "message open")
    assert again[:2] == lines(root, "message")[0][:2]
    assert texts(root, "label") == ["Grant(node0, 1)", "Release(node0, 1)"]


def test_what_fails_stands_below() -> None:
    """Claim and values."""
    assert texts(drawn(HASTY), "bad") == [
        "COHERENCE for n = node1: While one may write, no other may read or write.",
        "here cache[node0].permission = SHARED, cache[node1].permission = EXCLUSIVE",
    ]


@pytest.mark.parametrize("case", [HASTY, RECALLED, REPLAYED_GRANT, FORGOTTEN_BIT])
def test_everything_lies_within_the_drawing(case: tuple[str, dict[str, int]]) -> None:
    """No line or text begins outside."""
    root = drawn(case)
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    for each in root.iter():
        assert all(0 <= float(each.get(name, "0")) <= width for name in ("x1", "x2", "cx"))
        assert all(0 <= float(each.get(name, "0")) <= height for name in ("y1", "y2", "cy"))


def test_a_lost_message_ends_in_a_cross() -> None:
    """In the colour of faults."""
    verdict = check(LossyBag, {"node": 1}, Choices(engine="packed"))
    assert isinstance(verdict, Violated)
    assert verdict.trace is not None
    drawing = sequence_svg(message_sequence(verdict.report.compiled, verdict.trace), verdict.trace.failure)
    assert len(list(ElementTree.fromstring(drawing).iter(f"{SVG}path"))) == 2  # the arrow's head is the other


def test_the_drawing_has_a_name() -> None:
    """Whatever characters it has."""
    assert drawn(HASTY).findtext(f"{SVG}title") == "a < b"
