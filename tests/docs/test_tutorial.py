"""What a tutorial shows can be typed: its files are whole, its Python prompt says what Python answers."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
PROMPTS = [*TUTORIALS, ROOT / "docs" / "reference" / "language.md"]


@pytest.mark.parametrize("page", PROMPTS, ids=lambda page: page.stem)
def test_prompts_of_a_page_are_true(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every ``>>>`` on a page gives the answer below it, in the folder of the examples."""
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "examples"))
    blocks = re.findall(r"```pycon\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.stem, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)

    runner.run(test)

    assert test.examples
    assert runner.failures == 0


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_files_of_a_tutorial_are_shown_whole(page: Path) -> None:
    """What a page says to save as a file runs as it stands there, imports included."""
    shown = re.findall(r'--8<-- "(.*\.py.*)"', page.read_text(encoding="utf-8"))
    assert shown
    assert all((ROOT / name).is_file() for name in shown)
