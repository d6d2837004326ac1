"""Quantities: parse and print ``400 Gb/s``, ``1.5 TB``, ``16 TiB``, ``15 W/TB``, ``3 DWPD`` exactly.

A parsed quantity is a ``Fraction`` in base units (bytes, seconds, watts, joules, US dollars), so that
nothing is rounded between the file and a certificate. A unit is always required: a bit taken for a byte
is a factor of 8, a binary prefix taken for a decimal one 10 % at a tera.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache

from cmxverify.errors import InputError, Location, did_you_mean

Exponents = tuple[int, int, int, int, int, int]
"""Powers of (byte, second, joule, dollar, floating-point operation, drive write)."""

_DECIMAL = {"": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_SMALL = {"m": -3, "u": -6, "µ": -6, "n": -9, "p": -12}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_MAX_DIGITS = 30


@dataclass(frozen=True, slots=True)
class _Atom:
    exponents: Exponents
    factor: Fraction
    prefixes: frozenset[str]


_SI = frozenset(_DECIMAL)
_ALL = frozenset(_DECIMAL) | frozenset(_SMALL)
_DATA = _SI | frozenset(_BINARY)
_NONE = frozenset({""})


def _atom(exponents: Exponents, factor: int | Fraction, prefixes: frozenset[str]) -> _Atom:
    return _Atom(exponents, Fraction(factor), prefixes)


_ATOMS: dict[str, _Atom] = {
    "B": _atom((1, 0, 0, 0, 0, 0), 1, _DATA),
    "b": _atom((1, 0, 0, 0, 0, 0), Fraction(1, 8), _DATA),
    "s": _atom((0, 1, 0, 0, 0, 0), 1, _ALL - {"P", "E", "T", "G", "M"}),
    "min": _atom((0, 1, 0, 0, 0, 0), 60, _NONE),
    "h": _atom((0, 1, 0, 0, 0, 0), 3600, _NONE),
    "d": _atom((0, 1, 0, 0, 0, 0), 86_400, _NONE),
    "day": _atom((0, 1, 0, 0, 0, 0), 86_400, _NONE),
    "days": _atom((0, 1, 0, 0, 0, 0), 86_400, _NONE),
    "year": _atom((0, 1, 0, 0, 0, 0), 31_557_600, _NONE),
    "years": _atom((0, 1, 0, 0, 0, 0), 31_557_600, _NONE),
    "W": _atom((0, -1, 1, 0, 0, 0), 1, _ALL),
    "Wh": _atom((0, 0, 1, 0, 0, 0), 3600, _SI),
    "J": _atom((0, 0, 1, 0, 0, 0), 1, _ALL),
    "USD": _atom((0, 0, 0, 1, 0, 0), 1, frozenset({"", "k", "M", "G"})),
    "FLOP": _atom((0, 0, 0, 0, 1, 0), 1, _SI),
    "DWPD": _atom((0, -1, 0, 0, 0, 1), Fraction(1, 86_400), _NONE),
}


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


_NUMBER = r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?"
_QUANTITY = re.compile(rf"\s*({_NUMBER})\s*([^\s\d].*?)?\s*$")
_COUNT = re.compile(rf"\s*({_NUMBER})\s*(k|M|G|T|Ki|Mi|Gi|Ti)?\s*$")
_PER_SECOND_SPELLING = re.compile(r"^([KkMGTPE]i?)([bB])(?:ps|/sec|/S)$")


def parse_quantity(text: object, dimension: Dimension, at: Location | None = None) -> Fraction:
    """Read one quantity as an exact ``Fraction`` in base units; it may be zero or negative.

    Raises:
        InputError: If the unit is missing, unknown, ambiguous or of another dimension.

    >>> parse_quantity("400 Gb/s", Dimension.RATE)
    Fraction(50000000000, 1)
    """
    if not isinstance(text, str):
        shown = f"{text!r} has no unit" if isinstance(text, int | float) else f"{text!r} is not a quantity"
        raise InputError(f"{shown}; expected {dimension.label}", at=at, fix=_write(dimension))
    match = _QUANTITY.match(text)
    if match is None or len(text) > 80:
        raise InputError(f"'{text[:80]}' is not {dimension.label}", at=at, fix=_write(dimension))
    number, unit = match.group(1), match.group(2)
    if not unit:
        raise InputError(f"'{text}' has no unit; expected {dimension.label}", at=at, fix=_write(dimension))
    exponents, factor = _parse_unit(unit, at)
    if exponents != dimension.exponents:
        raise _wrong_dimension(text, exponents, dimension, at)
    if dimension is Dimension.SIZE and unit.endswith("b"):
        fix = f"Sizes are written in bytes: '{text.strip()[:-1]}B', or an eighth of it if bits were meant."
        raise InputError(f"'{text}' is a size in bits", at=at, fix=fix)
    return _number(number, at) * factor


def parse_count(text: object, at: Location | None = None, *, what: str = "a count") -> int:
    """Read a whole, non-negative number: ``60000``, ``60k`` (1,000) or ``128Ki`` (1,024).

    >>> parse_count("60k"), parse_count("128Ki")
    (60000, 131072)
    """
    if isinstance(text, int) and not isinstance(text, bool):
        value = Fraction(text)
    else:
        match = _COUNT.match(text) if isinstance(text, str) and len(text) <= 80 else None
        if match is None:
            near = " Did you mean a lower-case 'k'?" if isinstance(text, str) and text.endswith("K") else ""
            raise InputError(f"{text!r} is not {what}", at=at, fix=f"Write it as 60000, 60k or 64Ki.{near}")
        value = _number(match.group(1), at) * _prefix(match.group(2) or "")
    if value < 0 or value.denominator != 1:
        raise InputError(f"{text!r} is not a whole number of 0 or more", at=at, fix="Write it as 60000 or 60k.")
    return int(value)


def parse_share(text: object, at: Location | None = None) -> Fraction:
    """Read a percentage from 0 % to 100 % as a fraction of one.

    >>> parse_share("2.5%")
    Fraction(1, 40)
    """
    match = re.match(rf"\s*({_NUMBER})\s*%\s*$", text) if isinstance(text, str) and len(text) <= 80 else None
    if match is None:
        raise InputError(f"{text!r} is not a percentage", at=at, fix="Write it with a per cent sign, as 80%.")
    value = _number(match.group(1), at) / 100
    if not 0 <= value <= 1:
        raise InputError(f"'{text}' is outside 0% to 100%", at=at, fix="Write it with a per cent sign, as 80%.")
    return value


def format_quantity(value: Fraction | int, dimension: Dimension, digits: int = 4) -> str:
    """Print a quantity with the prefix that gives 1 to 999 where one exists, rounded to ``digits``.

    >>> format_quantity(Fraction(50_000_000_000), Dimension.RATE)
    '50 GB/s'
    """
    if dimension is Dimension.TIME and abs(value) >= 60:
        return _format_long_time(Fraction(value), digits)
    shift, prefixes, suffix = _PRINTED[dimension]
    scaled = Fraction(value) / shift
    exponent = _best_exponent(scaled, prefixes)
    return f"{_decimal(scaled / Fraction(10) ** exponent, digits)} {prefixes[exponent]}{suffix}"


def format_count(value: Fraction | int) -> str:
    """Print a count with thousands separators."""
    return f"{int(value):,}"


def format_share(value: Fraction, digits: int = 3) -> str:
    """Print a fraction of one as a percentage: ``86.5 %``."""
    return f"{_decimal(value * 100, digits)} %"


_UP = {0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E"}
_DOWN = {-9: "n", -6: "u", -3: "m"}
_PRINTED: dict[Dimension, tuple[Fraction, dict[int, str], str]] = {
    Dimension.SIZE: (Fraction(1), _UP, "B"),
    Dimension.RATE: (Fraction(1), _UP, "B/s"),
    Dimension.TIME: (Fraction(1), {**_DOWN, 0: ""}, "s"),
    Dimension.POWER: (Fraction(1), {**_DOWN, **_UP}, "W"),
    Dimension.POWER_DENSITY: (Fraction(1, 10**12), {**_DOWN, **_UP}, "W/TB"),
    Dimension.ENERGY_PER_BYTE: (Fraction(1, 10**9), {**_DOWN, **_UP}, "J/GB"),
    Dimension.ENDURANCE: (Fraction(1, 86_400), {0: ""}, "DWPD"),
    Dimension.FREQUENCY: (Fraction(1), {0: ""}, "/s"),
    Dimension.MONEY: (Fraction(1), {0: "", 3: "k", 6: "M", 9: "G"}, "USD"),
    Dimension.MONEY_RATE: (Fraction(1, 3600), {0: "", 3: "k", 6: "M"}, "USD/h"),
    Dimension.MONEY_PER_ENERGY: (Fraction(1, 3_600_000), {0: ""}, "USD/kWh"),
    Dimension.COMPUTE: (Fraction(1), _UP, "FLOP/s"),
}


def _write(dimension: Dimension) -> str:
    return f"Write it as '{dimension.example}'."


def _number(text: str, at: Location | None) -> Fraction:
    plain = text.replace(",", "")
    if len(plain) > _MAX_DIGITS:
        raise InputError(f"number '{plain[:20]}...' is too long", at=at, fix=f"Use at most {_MAX_DIGITS} digits.")
    value = Fraction(plain)
    if abs(value) > 10**30 or (value and abs(value) < Fraction(1, 10**30)):
        raise InputError(f"number '{plain}' is out of range", at=at, fix="Use a unit prefix such as T or n.")
    return value


def _prefix(prefix: str) -> Fraction:
    if prefix in _BINARY:
        return Fraction(2 ** _BINARY[prefix])
    return Fraction(10) ** (_DECIMAL | _SMALL)[prefix]


@lru_cache(maxsize=512)
def _atom_of(unit: str) -> tuple[Exponents, Fraction] | None:
    for name, atom in _ATOMS.items():
        prefix = unit[: len(unit) - len(name)]
        if unit.endswith(name) and prefix in atom.prefixes:
            return atom.exponents, atom.factor * _prefix(prefix)
    return None


def _parse_unit(unit: str, at: Location | None) -> tuple[Exponents, Fraction]:
    top, slash, bottom = unit.partition("/")
    exponents, factor = ((0,) * 6, Fraction(1)) if not top.strip() and slash else _known(top.strip(), unit, at)
    if not slash:
        return exponents, factor
    below, divisor = _known(bottom.strip(), unit, at)
    combined = tuple(a - b for a, b in zip(exponents, below, strict=True))
    return combined, factor / divisor  # type: ignore[return-value]  # six stay six


def _known(name: str, unit: str, at: Location | None) -> tuple[Exponents, Fraction]:
    found = _atom_of(name)
    if found is None:
        raise InputError(f"unknown unit '{unit}'", at=at, fix=_unit_hint(unit, name))
    return found


def _unit_hint(unit: str, name: str) -> str:
    spelled = _PER_SECOND_SPELLING.match(unit)
    if spelled:
        prefix = spelled.group(1).replace("K", "k")
        return f"Did you mean '{prefix}{spelled.group(2)}/s'? (b is a bit, B a byte)"
    if name in {"KB", "Kb", "K"}:
        return f"Did you mean 'k{name[1:]}' (1,000) or 'Ki{name[1:]}' (1,024)?"
    if re.fullmatch(r"[kmgtpe]i?b", name, re.IGNORECASE):
        fixed = name[0].upper().replace("K", "k") + name[1:-1]
        return f"Did you mean '{fixed}B' (bytes) or '{fixed}b' (bits, in rates)?"
    known = [prefix + atom for atom, spec in _ATOMS.items() for prefix in spec.prefixes]
    return did_you_mean(name, known) if name not in known else _write(Dimension.RATE)


def _wrong_dimension(text: str, found: Exponents, wanted: Dimension, at: Location | None) -> InputError:
    label = next((d.label for d in Dimension if d.exponents == found), "another dimension")
    return InputError(f"'{text}' is {label}; expected {wanted.label}", at=at, fix=_write(wanted))


def _best_exponent(value: Fraction, prefixes: dict[int, str]) -> int:
    fitting = [e for e in sorted(prefixes) if abs(value) >= Fraction(10) ** e]
    if value == 0:
        return 0
    return fitting[-1] if fitting else min(prefixes)


def _decimal(value: Fraction, digits: int) -> str:
    whole = len(str(abs(int(value)))) if abs(value) >= 1 else 0
    rounded = round(value, max(digits - whole, 0))
    text = f"{float(rounded):,.{max(digits - whole, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _format_long_time(value: Fraction, digits: int) -> str:
    for seconds, name in ((31_557_600, "years"), (86_400, "d"), (3600, "h"), (60, "min")):
        if abs(value) >= seconds:
            return f"{_decimal(value / seconds, digits)} {name}"
    raise AssertionError(f"{value} s is under a minute")
