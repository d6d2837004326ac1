"""Where tests look for real files."""

from __future__ import annotations

from pathlib import Path

import pytest
import shared_files
from shared_files import VARIABLE, needs, shared


def test_the_folder_beside_the_checkout_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the variable is not set."""
    monkeypatch.delenv(VARIABLE, raising=False)
    assert shared("traces") == Path(__file__).parents[2] / "shared" / "data" / "traces"


def test_a_variable_names_another_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As in a copy of the checkout elsewhere."""
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert shared("traces", "a.gz") == tmp_path / "data" / "traces" / "a.gz"


def test_a_mistyped_folder_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It must not skip tests in silence."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "shraed"))
    with pytest.raises(FileNotFoundError, match=f"{VARIABLE}=.*shraed is no folder"):
        shared()


def test_skipping_says_what_is_absent(tmp_path: Path) -> None:
    """The file and the variable that would give it; nothing is skipped where the file is there."""
    skip = needs(tmp_path / "none").mark
    assert (skip.args, skip.kwargs["reason"].startswith(f"{tmp_path / 'none'} is absent")) == ((True,), True)
    assert needs(Path(shared_files.__file__)).mark.args == (False,)
