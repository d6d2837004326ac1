"""Names of units: atoms such as ``B`` and ``s``, their prefixes, and one quotient of two of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, lru_cache

Exponents = tuple[int, int, int, int, int, int]
"""Powers of (byte, second, joule, dollar, floating-point operation, drive write)."""


class Dimension(Enum):
    """What a quantity measures; the value holds its name, exponents and an example to show in messages."""

    SIZE = ("a size", (1, 0, 0, 0, 0, 0), "1.5 TB")
    RATE = ("a data rate", (1, -1, 0, 0, 0, 0), "400 Gb/s")
    TIME = ("a time", (0, 1, 0, 0, 0, 0), "100 us")
    POWER = ("a power", (0, -1, 1, 0, 0, 0), "2 kW")
    POWER_DENSITY = ("a power per capacity", (-1, -1, 1, 0, 0, 0), "15 W/TB")
    ENERGY_PER_BYTE = ("an energy per byte", (-1, 0, 1, 0, 0, 0), "1.5 J/GB")
    ENDURANCE = ("an endurance in drive writes per day", (0, -1, 0, 0, 0, 1), "3 DWPD")
    FREQUENCY = ("a frequency", (0, -1, 0, 0, 0, 0), "40 /s")
    MONEY = ("a price", (0, 0, 0, 1, 0, 0), "310 kUSD")
    MONEY_RATE = ("a price per time", (0, -1, 0, 1, 0, 0), "3.50 USD/h")
    MONEY_PER_ENERGY = ("a price per energy", (0, 0, -1, 1, 0, 0), "0.09 USD/kWh")
    COMPUTE = ("a compute rate", (0, -1, 0, 0, 1, 0), "8000 TFLOP/s")

    @property
    def label(self) -> str:
        """Name with its article, for messages: ``a data rate``."""
        return self.value[0]

    @property
    def exponents(self) -> Exponents:
        """Powers of the base units."""
        return self.value[1]

    @property
    def example(self) -> str:
        """A well-formed quantity of this dimension."""
        return self.value[2]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit in base units: bytes, seconds, joules, dollars; ``bits`` where a part of it counts bits."""

    exponents: Exponents
    factor: Fraction
    bits: bool = False


@dataclass(frozen=True, slots=True)
class _Atom:
    exponents: Exponents
    factor: Fraction
    prefixes: tuple[str, ...]


_DECIMAL = {"": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_SMALL = {"m": -3, "u": -6, "µ": -6, "μ": -6, "n": -9, "p": -12}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_SI = tuple(_DECIMAL)
_ALL = (*_DECIMAL, *_SMALL)
_DATA = (*_DECIMAL, *_BINARY)
_NONE = ("",)
_BYTE, _SECOND, _JOULE, _WATT = (1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0), (0, -1, 1, 0, 0, 0)
_DOLLAR, _OPERATION, _NUMBER = (0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0), (0, 0, 0, 0, 0, 0)

_SPELLED_TIMES: dict[str, Fraction] = {
    **dict.fromkeys(("nanosecond", "nanoseconds"), Fraction(1, 10**9)),
    **dict.fromkeys(("microsecond", "microseconds"), Fraction(1, 10**6)),
    **dict.fromkeys(("millisecond", "milliseconds"), Fraction(1, 1000)),
    **dict.fromkeys(("sec", "second", "seconds"), Fraction(1)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), Fraction(60)),
    **dict.fromkeys(("h", "hour", "hours"), Fraction(3600)),
    **dict.fromkeys(("d", "day", "days"), Fraction(86_400)),
    **dict.fromkeys(("week", "weeks"), Fraction(604_800)),
    **dict.fromkeys(("year", "years"), Fraction(31_557_600)),
}
"""A year is a Julian year of 365.25 days; a month has no fixed length and is refused."""

_ATOMS: dict[str, _Atom] = {
    "B": _Atom(_BYTE, Fraction(1), _DATA),
    "b": _Atom(_BYTE, Fraction(1, 8), _DATA),
    "bit": _Atom(_BYTE, Fraction(1, 8), _DATA),
    "s": _Atom(_SECOND, Fraction(1), ("", *_SMALL)),
    **{name: _Atom(_SECOND, seconds, _NONE) for name, seconds in _SPELLED_TIMES.items()},
    "W": _Atom(_WATT, Fraction(1), _ALL),
    "Wh": _Atom(_JOULE, Fraction(3600), _SI),
    "J": _Atom(_JOULE, Fraction(1), _ALL),
    "USD": _Atom(_DOLLAR, Fraction(1), ("", "k", "M", "G")),
    "FLOP": _Atom(_OPERATION, Fraction(1), _SI),
    "DWPD": _Atom((0, -1, 0, 0, 0, 1), Fraction(1, 86_400), _NONE),
}
_COUNT = _Atom(_NUMBER, Fraction(1), ("", "k", "M", "G", "T"))
"""What stands before the slash of a frequency: nothing, or a prefix as of a count (``40k /s``)."""


def prefix_factor(prefix: str) -> Fraction:
    """What a prefix multiplies by; '' is 1.

    >>> prefix_factor("Ki"), prefix_factor("m")
    (Fraction(1024, 1), Fraction(1, 1000))
    """
    if prefix in _BINARY:
        return Fraction(2 ** _BINARY[prefix])
    return Fraction(10) ** (_DECIMAL | _SMALL)[prefix]


@lru_cache(maxsize=512)
def read_unit(text: str) -> Unit | None:
    """The unit that a text names, None if it names none. Spaces around the slash do not matter.

    >>> read_unit("kWh").factor
    Fraction(3600000, 1)
    """
    top, slash, bottom = (part.strip() for part in text.partition("/"))
    if not slash:
        return _prefixed(top, _ATOMS)
    above = _prefixed(top, {"": _COUNT}) or _prefixed(top, _ATOMS)
    below = _prefixed(bottom, _ATOMS)
    if above is None or below is None:
        return None
    a, b = above.exponents, below.exponents
    exponents = (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5])
    return Unit(exponents, above.factor / below.factor, above.bits or below.bits)


def _prefixed(text: str, atoms: dict[str, _Atom]) -> Unit | None:
    for name, atom in atoms.items():
        prefix = text[: len(text) - len(name)]
        if text.endswith(name) and prefix in atom.prefixes:
            return Unit(atom.exponents, atom.factor * prefix_factor(prefix), bits=name in ("b", "bit"))
    return None


@cache
def unit_pattern(dimension: Dimension) -> str:
    """Regular expression of every unit of a dimension, for editors; it accepts what ``read_unit`` does.

    >>> import re
    >>> bool(re.fullmatch(unit_pattern(Dimension.RATE), "Gb/s"))
    True
    """
    return "(?:" + "|".join(_unit_patterns(dimension)) + ")"


def _unit_patterns(dimension: Dimension) -> Iterator[str]:
    """One alternative per set of atoms with the same powers: plain ones, then quotients."""
    bits = dimension is not Dimension.SIZE
    groups: dict[Exponents, list[str]] = {}
    for name, atom in _ATOMS.items():
        if bits or name not in ("b", "bit"):
            groups.setdefault(atom.exponents, []).append(_pattern_of(name, atom))
    if dimension.exponents in groups:
        yield "|".join(groups[dimension.exponents])
    for above, tops in {**groups, _NUMBER: [_pattern_of("", _COUNT)]}.items():
        for below, bottoms in groups.items():
            if tuple(a - b for a, b in zip(above, below, strict=True)) == dimension.exponents:
                yield rf"(?:{'|'.join(tops)})\s*/\s*(?:{'|'.join(bottoms)})"


def _pattern_of(name: str, atom: _Atom) -> str:
    prefixes = [re.escape(prefix) for prefix in atom.prefixes if prefix]
    return f"(?:{'|'.join(prefixes)})?{name}" if prefixes else name


def unit_names(dimension: Dimension) -> list[str]:
    """Units of a dimension as people mostly write them, to look a misspelt one up; no binary bits."""
    atoms = {
        prefix + name
        for name, atom in _ATOMS.items()
        for prefix in atom.prefixes
        if prefix not in _BINARY or name == "B"
    }
    quotients = {f"{top}/{bottom}" for top in (*atoms, "") for bottom in ("s", "h", "TB", "GB", "kWh")}
    found = ((name, read_unit(name)) for name in sorted(atoms | quotients))
    return [name for name, unit in found if unit is not None and unit.exponents == dimension.exponents]
