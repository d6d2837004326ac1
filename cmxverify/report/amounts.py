"""Figures of a placement as the tables print them: few digits, units that stand under one another."""

from __future__ import annotations

from fractions import Fraction

from cmxverify.placement.model.resources import ResourceKind


def size(value: Fraction) -> str:
    """Bytes as TB, or GB where little."""
    if value == 0:
        return "0"
    return f"{float(value / 10**12):,.1f} TB" if value >= 10**12 else f"{float(value / 10**9):,.1f} GB"


def rate(value: Fraction) -> str:
    """Bytes/s as GB/s."""
    return (
        f"{float(value / 10**9):,.1f} GB/s"
        if value >= 10**8 or not value
        else f"{float(value / 10**6):,.1f} MB/s"
    )


def millis(seconds: Fraction | None, *, exact: bool = False) -> str:
    """Milliseconds; ``-`` for none."""
    if seconds is None:
        return "-"
    return f"{float(seconds * 1000):g}" if exact else f"{float(seconds * 1000):,.1f}"


def percent(share: Fraction, digits: int = 2) -> str:
    """Percentage with fixed digits; never 100 where something is left, never 0 where something is used."""
    value = float(share * 100)
    text = f"{value:,.{digits}f} %"
    if share < 1 and text == f"{100:,.{digits}f} %":
        return f"> {100 - 10**-digits:,.{digits}f} %" if digits else "99 %"
    return text


def amount(value: Fraction, kind: ResourceKind) -> str:
    """A load in the unit of its kind."""
    match kind:
        case ResourceKind.CAPACITY:
            return size(value)
        case ResourceKind.POWER:
            return f"{float(value):,.0f} W"
        case ResourceKind.ENDURANCE:
            return f"{float(value / 10**9):,.2f} GB/s"
        case _:
            return rate(value)
