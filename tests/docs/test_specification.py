"""specs/placement.md and the tests speak of the same rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs_tree import ROOT

PAGE = ROOT / "specs" / "placement.md"
CITATION = re.compile(r"\bPL-(\d+)\b")


def sections() -> dict[int, str]:
    """Text of each rule's section, by number."""
    pieces = re.split(r"^### PL-(\d+) ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {int(number): text for number, text in zip(pieces[1::2], pieces[2::2], strict=True)}


def citations(folder: str, pattern: str) -> dict[str, set[int]]:
    """Numbers that each file of a folder cites; ranges such as ``PL-1 to PL-4`` count by their ends."""
    files = sorted((ROOT / folder).rglob(pattern))
    found = {str(path.relative_to(ROOT)): cited(path) for path in files}
    return {name: numbers for name, numbers in found.items() if numbers}


def cited(path: Path) -> set[int]:
    """Numbers in one file."""
    return {int(number) for number in CITATION.findall(path.read_text(encoding="utf-8"))}


def test_numbers_are_consecutive() -> None:
    """No rule was lost: 1, 2, 3 ..."""
    assert list(sections()) == list(range(1, len(sections()) + 1))


@pytest.mark.parametrize("number", sections())
def test_a_rule_names_its_test(number: int) -> None:
    """The file in a rule's last line exists, and a docstring in it begins with the rule's number."""
    (name,) = re.findall(r"^\*\*Tested by\*\* `(\S+)`\.$", sections()[number], flags=re.MULTILINE)
    assert f'"""PL-{number}: ' in (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("folder", "pattern"), [("tests", "*.py"), ("cmxverify", "*.py"), ("docs", "*.md"), ("specs", "*.md")]
)
def test_every_citation_has_a_rule(folder: str, pattern: str) -> None:
    """Nothing cites a rule that is not there."""
    unknown = {name: numbers - sections().keys() for name, numbers in citations(folder, pattern).items()}
    assert {name: numbers for name, numbers in unknown.items() if numbers} == {}
