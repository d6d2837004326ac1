"""What the auditor is told: the plan as a file states it, in names of places and boxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class PlannedChunks:
    """``chunks`` of a band of a set, spread evenly over ``boxes`` and over what is on of ``home``.

    ``boxes``, ``copy`` and ``home`` are names as ranges; no ``home`` means that they are recomputed. ``owner`` is
    the tenant whose own places take them, '' for shared places.
    """

    working_set: str
    band: str
    boxes: str
    copy: str | None
    home: str | None
    owner: str
    chunks: int


@dataclass(frozen=True, slots=True)
class SwitchedOn:
    """Places of a pool (names as ranges) that are on for an owner, '' for shared ones."""

    pool: str
    owner: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClaimedLevel:
    """An objective's value in whole units of ``unit``."""

    key: str
    value: int
    unit: Fraction


@dataclass(frozen=True, slots=True)
class PlanClaims:
    """A whole plan, and what its levels are said to be. ``chunk`` in bytes."""

    chunk: Fraction
    assignments: tuple[PlannedChunks, ...]
    opened: tuple[SwitchedOn, ...]
    levels: tuple[ClaimedLevel, ...]


def told(value: Fraction) -> str:
    """A figure for a message: six digits of it, whatever its size.

    >>> told(Fraction(10) ** 400)
    'about 1e399'
    """
    digits = (abs(value.numerator).bit_length() - value.denominator.bit_length()) * 30_103 // 100_000
    return f"{float(value):.6g}" if abs(digits) < 300 else f"about {'-' if value < 0 else ''}1e{digits}"


@dataclass(frozen=True, slots=True)
class Audit:
    """What the auditor found; no faults means that the plan holds.

    Loads are of single cable directions (all cables between two nodes) and of single places, in bytes/s and
    bytes; ``values`` are the exact objectives.
    """

    faults: tuple[str, ...]
    cables: Mapping[tuple[str, str], Fraction]
    placed: Mapping[str, Fraction]
    values: Mapping[str, Fraction]
