"""Everything that can run out: rooms, rates, endurance and power, with exact loads of each column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from math import gcd, lcm

from cmxverify.placement.proof.program import Row, Sense

_EXACT_LIMIT = 10**9
_SCALE = 10**9


class ResourceKind(Enum):
    """What is limited; the value is its word in tables."""

    CAPACITY = "capacity"
    READ = "read"
    WRITE = "write"
    ENDURANCE = "endurance"
    LINK = "link"
    DPU = "DPU"
    POWER = "power"


@dataclass
class Resource:
    """One limit: ``sum of loads <= limit`` (times what is on, for places that are switched).

    ``loads`` per unit of each column in the limit's unit (bytes, bytes/s, watts). ``per_on`` names the
    variables that count switched-on members; each of them adds ``limit``. ``members`` are the places, cables or
    DPUs that it stands for. ``shown_times`` is how many alike carry the whole flow: tables show their sum.
    """

    kind: ResourceKind
    label: str
    limit: Fraction
    loads: dict[str, Fraction] = field(default_factory=dict)
    per_on: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    shown_times: Fraction = Fraction(1)

    def add(self, column: str, load: Fraction) -> None:
        """Add to the load of a column."""
        if load:
            self.loads[column] = self.loads.get(column, Fraction(0)) + load

    def used(self, values: Mapping[str, int]) -> Fraction:
        """Load at a plan."""
        return sum((load * values[column] for column, load in self.loads.items()), Fraction(0))

    def available(self, values: Mapping[str, int]) -> Fraction:
        """Limit at a plan: what is switched on."""
        return self.limit * sum(values[name] for name in self.per_on) if self.per_on else self.limit

    def can_bind(self, upper: Mapping[str, int]) -> bool:
        """Whether any plan within the bounds could exceed it."""
        if self.per_on:
            return True
        return sum((load * upper[column] for column, load in self.loads.items() if load > 0), Fraction(0)) > self.limit


def whole_row(name: str, loads: Mapping[str, Fraction], limit: Fraction, facts: tuple[str, ...]) -> Row:
    """``sum(loads) <= limit`` in whole numbers: exact where numbers stay small, else loads up and limit down.

    Exact rows are divided by the common divisor of their coefficients and the limit is rounded down, which
    loses no whole-number plan. Others are scaled so that the largest number is a thousand million; each chunk
    may then count for up to a thousand-millionth of it too much, which can only forbid plans next to the limit.
    """
    scale = lcm(*(load.denominator for load in loads.values()), 1)
    terms = {column: int(load * scale) for column, load in loads.items() if load}
    divisor = gcd(*terms.values()) or 1
    terms = {column: coefficient // divisor for column, coefficient in terms.items()}
    rhs = _floor(limit * scale / divisor)
    if max((abs(c) for c in terms.values()), default=0) <= _EXACT_LIMIT:
        return Row(name, terms, Sense.AT_MOST, rhs, facts)
    biggest = max([abs(load) for load in loads.values()] + [abs(limit)])
    factor = Fraction(_SCALE) / biggest
    scaled = {column: -_floor(-load * factor) for column, load in loads.items() if load}
    return Row(name, scaled, Sense.AT_MOST, _floor(limit * factor), facts)


def _floor(value: Fraction) -> int:
    return value.numerator // value.denominator
