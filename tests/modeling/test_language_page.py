"""The reference page of the language names everything that there is."""

from __future__ import annotations

from pathlib import Path

import pytest

import cmxverify.modeling
from cmxverify.modeling.frontend.calls import MUTATORS
from cmxverify.modeling.frontend.functions import FUNCTIONS
from cmxverify.modeling.frontend.vocabulary import CONSTANTS, REFUSED

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "language.md"
TEXT = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""

pytestmark = pytest.mark.skipif(not TEXT, reason="the documentation is not part of this installation")


@pytest.mark.parametrize("what", [*REFUSED.values(), *CONSTANTS.values()], ids=lambda row: row[0])
def test_every_refused_kind_has_its_row(what: tuple[str, str]) -> None:
    """Rows are those of the code, word for word."""
    assert f"| {what[0]} | {what[1]} |" in TEXT


@pytest.mark.parametrize("name", cmxverify.modeling.__all__)
def test_every_public_name_is_on_the_page(name: str) -> None:
    """Types, decorators and functions."""
    assert any(form in TEXT for form in (f"`{name}", f"@{name}", f" {name}(", f"`{name}("))


@pytest.mark.parametrize("name", [*MUTATORS, *(each.__name__ for each in FUNCTIONS if each is not set)])
def test_every_function_is_on_the_page(name: str) -> None:
    """Functions of the language and operations of sets and channels."""
    assert name in TEXT
