"""specs/rules.md and the registry say the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cmxverify.topology.rules.registry import RULES
from cmxverify.topology.rules.rule import Rule
from cmxverify.topology.rules.subject import Profile

PAGE = Path(__file__).parents[3] / "specs" / "rules.md"
PARTS = ("**Source.**", "**Broken by.**", "**How to fix.**")


def sections() -> dict[str, str]:
    """Text of each rule's section, by its id."""
    pieces = re.split(r"^## (TP-\d+) ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def row(rule: Rule) -> str:
    """The row of the page's table that the registry gives."""
    words = [rule.severities.get(profile, "-") for profile in (Profile.ARTICLE, Profile.PUBLISHED)]
    return f"| {rule.id} | {rule.title} | {words[0]} | {words[1]} |"


def test_the_page_has_the_rules_of_the_registry() -> None:
    """Each rule has one section, in order, and no section is without a rule."""
    assert list(sections()) == [rule.id for rule in RULES]


def test_the_table_is_that_of_the_registry() -> None:
    """Title and severities in the table are those that lint uses."""
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| TP-")]
    assert rows == [row(rule) for rule in RULES]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_section_says_source_breach_and_remedy(rule: Rule) -> None:
    """A section bears the rule's title, its source as lint prints it, what breaks it, and how to put it right."""
    text = sections()[rule.id]
    assert text.startswith(rule.title + "\n")
    assert [part for part in PARTS if part not in text] == []
    assert rule.source in " ".join(text.split())
