"""Which floats count as whole, and which columns are made whole before others."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from cmxverify.placement.solving.matrix import Box

_WHOLE = 1e-6
"""Distance from a whole number below which a float counts as whole."""

_FEW_VALUES = 64
"""Columns with at most so many values (powered enclosures, switches) come before counts of chunks."""


def is_whole(x: float) -> bool:
    """Whether a float is near a whole number."""
    return abs(x - round(x)) <= _WHOLE


def all_whole(point: Sequence[float]) -> bool:
    """Whether every coordinate is near a whole number."""
    return all(abs(x - round(x)) <= _WHOLE for x in point)


def above_floor(x: float) -> float:
    """Distance to the whole number below."""
    return x - floor(x)


def few_valued(box: Box) -> list[bool]:
    """Which columns have few values; their rounding decides most of what the others can do."""
    return [high - low < _FEW_VALUES for low, high in zip(box.lower, box.upper, strict=True)]
