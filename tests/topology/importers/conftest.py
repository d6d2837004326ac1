"""Helpers of the importer tests: fixture files, texts as sources, and cables as plain tuples."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from cmxverify.topology.importers.formats import read_structure
from cmxverify.topology.importers.structure import Structure

FIXTURES = Path(__file__).parents[2] / "fixtures" / "importers"


@pytest.fixture
def fixture() -> Callable[[str], Path]:
    """Path of a fixture file."""
    return lambda name: FIXTURES / name


@pytest.fixture
def read() -> Callable[[str], Structure]:
    """Read a fixture file with detection."""
    return lambda name: read_structure([FIXTURES / name])


@pytest.fixture
def read_text(tmp_path: Path) -> Callable[..., Structure]:
    """Read a text with detection, or as a named format."""

    def read_it(text: str, format_name: str | None = None) -> Structure:
        path = tmp_path / "input.txt"
        path.write_text(text, encoding="utf-8")
        return read_structure([path], format_name=format_name)

    return read_it


@pytest.fixture
def gbit() -> Callable[[Structure], dict[tuple[str, str], tuple[Fraction | None, int]]]:
    """Cables as ``(a, b) -> (Gb/s per direction, count)``."""
    return lambda structure: {
        (c.a, c.b): (c.rate * 8 / 10**9 if c.rate is not None else None, c.count) for c in structure.cables
    }
