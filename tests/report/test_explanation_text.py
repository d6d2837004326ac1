"""Explanations in print: what the head claims, how changes and their reasons are set."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cmxverify.errors import Location
from cmxverify.placement.explaining.cores import Explanation
from cmxverify.placement.explaining.explain import Explained
from cmxverify.placement.explaining.explain_facts import Sentence
from cmxverify.placement.explaining.ladders import Remedy
from cmxverify.placement.explaining.trials import Trials, WayOut
from cmxverify.placement.proof.certificate import EmptyLeaf, InfeasibleProof
from cmxverify.report.explanation_text import explanation_document, explanation_lines

CORE = Explanation(
    facts=("hops", "set:a"),
    proof=InfeasibleProof((), ("hops", "set:a"), EmptyLeaf({})),
    necessity={"hops": {}, "set:a": {}},
    smallest_proved=True,
    corrections=(),
    others=2,
    others_complete=True,
)
MORE = Remedy("x.usable=3 TB", "x.usable = 3 TB (2.0 times)", "x.usable")
SHARE = Remedy("t.isolation=namespace", "t.isolation = namespace", "t.isolation")


def explained(core: Explanation = CORE, *ways: WayOut, **others: object) -> Explained:
    sentences = (Sentence(("hops", "set:a"), Location("rack.yaml", 6, 3), "at most 0 switches away"),)
    given = Explained(core, sentences, "so no place is left", Trials(ways), ("hops", "set:a"))
    return replace(given, **others)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "head"),
    [
        ({}, "3 explanations exist, the shortest:"),
        ({"others_complete": False}, "at least 3 explanations exist, the shortest:"),
        ({"others": 0}, "one explanation exists:"),
        ({"others": 0, "necessity": {}}, "one explanation exists, perhaps not the shortest form of it:"),
        ({"others": 0, "others_complete": False}, "the shortest explanation; there may be others:"),
        (
            {"others": 0, "others_complete": False, "smallest_proved": False},
            "an explanation that cannot be shortened; there may be others:",
        ),
        (
            {"others": 0, "others_complete": False, "smallest_proved": False, "necessity": {}},
            "an explanation; there may be others:",
        ),
        ({"smallest_proved": False}, "3 explanations exist, one that cannot be shortened:"),
        ({"smallest_proved": False, "necessity": {}}, "3 explanations exist, one:"),
    ],
)
def test_the_head_claims_what_is_proved(changes: dict[str, object], head: str) -> None:
    """"The shortest", "cannot be shortened" and a count of all stand only where each was shown."""
    assert explanation_lines(explained(replace(CORE, **changes)))[0] == head  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "head"),
    [
        ({}, "the shortest explanation, with its 15 sets as one line; each line needed:"),
        (
            {"smallest_proved": False, "necessity": {}},
            "an explanation, with its 15 sets as one line; perhaps not every line needed:",
        ),
    ],
)
def test_sets_in_one_line_are_said_to_be(changes: dict[str, object], head: str) -> None:
    """Where many sets count as one, the head says in what sense the explanation is the shortest."""
    assert explanation_lines(explained(replace(CORE, **changes), grouped=15))[0] == head  # type: ignore[arg-type]


def test_a_line_has_its_place() -> None:
    """File and line before the sentence, without the column; then the conclusion."""
    assert explanation_lines(explained())[1:] == ["  rack.yaml:6  at most 0 switches away", "  so no place is left"]


def test_reasons_stand_in_brackets() -> None:
    """After what stands in brackets already, in the same pair; lines without a part come last, in one item."""
    ways = (WayOut(SHARE, False, "5 enclosures needed, 4 there"), WayOut(MORE, False, "the device holds 3 TB"))
    text = " ".join(line.strip() for line in explanation_lines(explained(CORE, *ways, no_part=("power", "restore"))))
    assert (
        "t.isolation = namespace (5 enclosures needed, 4 there); "
        "x.usable = 3 TB (2.0 times; the device holds 3 TB); power, restore"
    ) in text


@pytest.mark.parametrize(
    ("count", "line"), [(1, "  nor do two of them together"), (6, "  nor does any of 6 pairs of changes")]
)
def test_pairs_in_vain_are_said(count: int, line: str) -> None:
    """That two together were tried, and how often, stands under what does not help alone."""
    found = explained(trials=Trials((WayOut(SHARE, False, ""),), count))
    assert explanation_lines(found)[-1] == line
    assert explanation_document(found)["pairs_in_vain"] == count


def test_an_amount_that_was_not_shown_least_says_so() -> None:
    """Where the step below was not decided, less may do; in the document, too."""
    found = explained(CORE, WayOut(MORE, True, "optimal", least=False), WayOut(SHARE, True, "optimal"))
    assert explanation_lines(found)[-2:] == [
        "  x.usable = 3 TB (2.0 times)  optimal; less may do",
        "  t.isolation = namespace      optimal",
    ]
    assert [way["least"] for way in explanation_document(found)["ways_out"]] == [False, True]


@pytest.mark.parametrize("width", [60, 70, 80, 120])
def test_a_change_as_wide_as_the_terminal_stands_above_its_result(width: int) -> None:
    """No word is broken, and no line wider than the terminal."""
    text = "links.tray[00-17].dpu -- leaf[0-1].rate = 200 Gb/s (5.0 times)"
    way = WayOut(replace(MORE, text=text), True, "optimal, 4 enclosures on, 1,572 W")
    lines = explanation_lines(explained(CORE, way), width=width)
    assert max(map(len, lines)) <= width
    assert f"{text} optimal, 4 enclosures on" in " ".join(" ".join(lines).split())


def test_what_cannot_be_changed_has_nothing_to_set() -> None:
    """A room that the device does not have is told, with no ``--set`` beside it."""
    full = WayOut(Remedy("", "x.usable", "x.usable", limit="the device holds 3 TB"), False, "the device holds 3 TB")
    assert explanation_document(explained(CORE, full))["ways_out"][0]["set"] == []


def test_undecided_changes_are_listed_apart() -> None:
    """Neither help nor no help is claimed of what was not decided."""
    lines = explanation_lines(explained(CORE, WayOut(SHARE, None, "")))
    assert lines[-1] == "  not decided in the time: t.isolation = namespace"
