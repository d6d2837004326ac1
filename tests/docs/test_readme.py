"""README.md: two commands, real links, all commands."""

from __future__ import annotations

import re

import pytest
from docs_tree import ROOT

from cmxverify.cli.main import COMMANDS

README = (ROOT / "README.md").read_text(encoding="utf-8")
TABLE = re.findall(r"^\| `cmxverify (\w+)` \|", README, flags=re.MULTILINE)


@pytest.mark.parametrize("end", ["cmxverify solve cmx-rack", "pytest"])
def test_two_commands_of_one_line(end: str) -> None:
    """Each is one line that starts from nothing; the same pattern finds it in .ci/run."""
    assert len(re.findall(rf"^python3 -m venv .* && .*{end}$", README, flags=re.MULTILINE)) == 1


def test_the_table_has_every_command() -> None:
    """What the table lists is what the program has."""
    assert sorted(TABLE) == sorted(name.rstrip("_") for name in COMMANDS)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/README.md"])
def test_links_lead_somewhere(page: str) -> None:
    """Every relative link of a page outside the site names a file that exists."""
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text) if "://" not in link]
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []
