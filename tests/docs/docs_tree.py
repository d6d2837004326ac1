"""Where the pages are, and modules of docs/ that tests use: neither is a package."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))


def module(folder: str, name: str) -> ModuleType:
    """A module that lies in a folder of docs/."""
    path = str(ROOT / "docs" / folder)
    sys.path.insert(0, path)
    try:
        return import_module(name)
    finally:
        sys.path.remove(path)
