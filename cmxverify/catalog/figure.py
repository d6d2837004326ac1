"""One figure of the catalog: an exact value with its source and grade, or an assumption with its range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from cmxverify.catalog.sources import split_citation
from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.units import Dimension, format_count, format_quantity, parse_count, parse_quantity


class Grade(StrEnum):
    """How far a figure can be trusted."""

    PRIMARY = "A"  # vendor document, repository or standard, read
    PRESS = "B"  # press, or a public copy or summary of a primary text
    NOTE = "C"  # one third-party note
    DERIVED = "D"  # arithmetic on figures that have sources
    ASSUMED = "?"  # nobody publishes it: a default inside a stated range


DIMENSIONS: Mapping[str, Dimension | None] = {
    **dict.fromkeys(("hbm", "memory", "kv", "capacity"), Dimension.SIZE),
    **dict.fromkeys(("hbm_rate", "memory_rate", "nvlink_rate", "pcie_rate", "c2c_rate"), Dimension.RATE),
    **dict.fromkeys(("rate", "port_rate", "read", "write"), Dimension.RATE),
    **dict.fromkeys(("idle", "full"), Dimension.POWER),
    **dict.fromkeys(("bf16", "fp8", "fp4"), Dimension.COMPUTE),
    **dict.fromkeys(("latency", "first_byte", "warranty"), Dimension.TIME),
    "dwpd": Dimension.ENDURANCE,
    "power_density": Dimension.POWER_DENSITY,
    **dict.fromkeys(("read_iops", "write_iops", "iops"), Dimension.FREQUENCY),
    **dict.fromkeys(("ports", "cores"), None),
}
"""Every figure key and what it measures; ``None`` is a plain count. Rates are per direction."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: ``value`` in base units within ``low`` to ``high``.

    ``source`` is the text to cite and ``note`` says where in it or how it follows; for an assumed figure
    ``source`` is the reason for the default. A published figure has a range only where its sources
    disagree or variants differ, and then the note says so.
    """

    key: str
    value: Fraction | int
    low: Fraction | int
    high: Fraction | int
    dimension: Dimension | None
    grade: Grade
    source: str
    note: str = ""

    @property
    def assumed(self) -> bool:
        """Whether no source publishes it."""
        return self.grade is Grade.ASSUMED

    def text(self) -> str:
        """The value as people write it: ``50 GB/s``."""
        return _format(self.value, self.dimension)

    def range_text(self) -> str:
        """``200 W to 900 W``, or nothing when there is one value only."""
        if self.low == self.high:
            return ""
        return f"{_format(self.low, self.dimension)} to {_format(self.high, self.dimension)}"


def read_figure(key: str, entry: object, at: Location) -> Figure:
    """Build a figure from its table ``{is, grade, source}`` or ``{assumed, low, high, why}``.

    Raises:
        InputError: If the key is unknown, a needed part is missing, or the value lies outside its range.
    """
    if key not in DIMENSIONS:
        raise InputError(f"unknown figure '{key}'", at=at, fix=did_you_mean(key, DIMENSIONS))
    if not isinstance(entry, dict):
        raise InputError(
            f"figure '{key}' is {entry!r}", at=at, fix="Write {is = ..., grade = ..., source = ...}."
        )
    figure = _assumed(key, entry, at) if "assumed" in entry else _published(key, entry, at)
    if not figure.low <= figure.value <= figure.high:
        fix = "Widen low to high, or correct the value."
        raise InputError(
            f"'{key}' = {figure.text()} lies outside its range {figure.range_text()}", at=at, fix=fix
        )
    return figure


def _published(key: str, entry: Mapping[str, str], at: Location) -> Figure:
    _refuse_others(
        key, entry, {"is", "low", "high", "grade", "source", "note"}, {"is", "grade", "source"}, at
    )
    dimension = DIMENSIONS[key]
    value, low, high = (_parse(entry.get(part, entry["is"]), dimension, at) for part in ("is", "low", "high"))
    source, detail = split_citation(entry["source"], at)
    note = "; ".join(part for part in (detail, entry.get("note", "")) if part)
    return Figure(key, value, low, high, dimension, Grade(entry["grade"]), source, note)


def _assumed(key: str, entry: Mapping[str, str], at: Location) -> Figure:
    _refuse_others(key, entry, {"assumed", "low", "high", "why"}, {"assumed", "low", "high", "why"}, at)
    dimension = DIMENSIONS[key]
    value, low, high = (_parse(entry[part], dimension, at) for part in ("assumed", "low", "high"))
    return Figure(key, value, low, high, dimension, Grade.ASSUMED, entry["why"])


def _refuse_others(
    key: str, entry: Mapping[str, str], known: set[str], needed: set[str], at: Location
) -> None:
    for part in sorted(set(entry) - known):
        raise InputError(f"figure '{key}' has an unknown part '{part}'", at=at, fix=did_you_mean(part, known))
    for part in sorted(needed - set(entry)):
        raise InputError(
            f"figure '{key}' has no '{part}'", at=at, fix=f"A figure needs: {', '.join(sorted(needed))}."
        )


def _parse(text: object, dimension: Dimension | None, at: Location) -> Fraction | int:
    return parse_count(text, at) if dimension is None else parse_quantity(text, dimension, at)


def _format(value: Fraction | int, dimension: Dimension | None) -> str:
    return format_count(value) if dimension is None else format_quantity(value, dimension, 5)
