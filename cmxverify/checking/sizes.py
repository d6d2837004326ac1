"""Bytes in words, as people give them."""

from __future__ import annotations

from cmxverify.units import Dimension, format_quantity


def sized(number: int) -> str:
    """``40 MB``, ``22.8 GB``."""
    return format_quantity(number, Dimension.SIZE)
