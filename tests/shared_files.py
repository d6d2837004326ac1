"""Real files that nobody in this project wrote, and tests that read them: in ``../shared``, or where a variable says.

``CMXVERIFY_SHARED`` names the folder; without it, the one beside the checkout is read.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

VARIABLE = "CMXVERIFY_SHARED"
BESIDE = Path(__file__).parents[2] / "shared"


def shared(*parts: str) -> Path:
    """A file or folder of the shared data, which may be absent.

    Raises:
        FileNotFoundError: If the variable names no folder: a typing error there must not skip tests.
    """
    named = os.environ.get(VARIABLE)
    if named and not Path(named).is_dir():
        raise FileNotFoundError(f"{VARIABLE}={named} is no folder")
    return Path(named or BESIDE).joinpath("data", *parts)


def needs(path: Path) -> pytest.MarkDecorator:
    """Skip a test where a file or folder is absent; the reason says how to give it."""
    return pytest.mark.skipif(not path.exists(), reason=f"{path} is absent; {VARIABLE} names the shared folder")
