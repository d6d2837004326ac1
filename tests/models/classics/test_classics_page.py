"""The page of the classics says what the table says."""

from __future__ import annotations

from pathlib import Path

import pytest
from classics_page import PAGE, written

import models.classics

FOLDER = Path(models.classics.__file__).parent
NOT_MODELS = ("__init__", "table")


def test_tables_are_current() -> None:
    """Every figure on the page is that of the table, which the other tests compare with what engines find."""
    page = PAGE.read_text(encoding="utf-8")
    assert written(page) == page


def test_every_module_has_a_row() -> None:
    """The page says of every module what it shows and what it leaves out."""
    modules = {path.stem for path in FOLDER.glob("*.py")} - set(NOT_MODELS)
    page = PAGE.read_text(encoding="utf-8")
    assert [each for each in sorted(modules) if f"\n| `{each}` | " not in page] == []


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_every_model_names_its_source(path: Path) -> None:
    """Each module says from which publication it was written."""
    assert path.stem in NOT_MODELS or "\nSource: " in path.read_text(encoding="utf-8")
