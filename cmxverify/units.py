"""Quantities: parse and print ``400 Gb/s``, ``1.5 TB``, ``16 TiB``, ``15 W/TB``, ``3 DWPD`` exactly.

A parsed quantity is a ``Fraction`` in base units (bytes, seconds, watts, joules, US dollars), so that
nothing is rounded between the file and a certificate. A unit is always required: a bit taken for a byte
is a factor of 8, a binary prefix taken for a decimal one 10 % at a tera.
"""

from __future__ import annotations

import re
from fractions import Fraction

from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.unit_names import Dimension, Exponents, Unit, prefix_factor, read_unit, unit_names

__all__ = [
    "NUMBER_PATTERN",
    "Dimension",
    "Exponents",
    "format_count",
    "format_quantity",
    "format_share",
    "parse_count",
    "parse_quantity",
    "parse_share",
]

NUMBER_PATTERN = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?"
"""A number without its sign, as in a file: ``1,250.5`` or ``1e6``; ASCII digits only."""

_MAX_LENGTH = 80
_MAX_DIGITS = 30
_LARGEST = Fraction(10**30)
_QUANTITY = re.compile(rf"\s*([+-]?{NUMBER_PATTERN})\s*([^\W\d_/][^\W\d_/ ]*|)\s*((?:/\s*[^\W\d_/]+)?)\s*")
_COUNT = re.compile(rf"\s*([+-]?{NUMBER_PATTERN})\s*(k|M|G|T|Ki|Mi|Gi|Ti)?\s*")
_SHARE = re.compile(rf"\s*([+-]?{NUMBER_PATTERN})\s*%\s*")


def parse_quantity(text: object, dimension: Dimension, at: Location | None = None) -> Fraction:
    """Read one quantity as an exact ``Fraction`` in base units; it may be zero or negative.

    Raises:
        InputError: If the unit is missing, unknown, ambiguous or of another dimension.

    >>> parse_quantity("400 Gb/s", Dimension.RATE)
    Fraction(50000000000, 1)
    """
    if not isinstance(text, str):
        fix = _write(dimension, _typed(text))
        raise InputError(f"{_not_a_text(text)}; expected {dimension.label}", at=at, fix=fix)
    match = _QUANTITY.fullmatch(text) if len(text) <= _MAX_LENGTH else None
    if match is None:
        fix = _hint_of_number(text) or _write(dimension)
        raise InputError(f"'{text[:_MAX_LENGTH]}' is not {dimension.label}", at=at, fix=fix)
    name = match.group(2) + match.group(3)
    if not name:
        fix = _write(dimension, match.group(1))
        raise InputError(f"'{text}' has no unit; expected {dimension.label}", at=at, fix=fix)
    unit = read_unit(name)
    if unit is None:
        raise InputError(f"unknown unit '{name}'", at=at, fix=_hint_of_unit(name, dimension, match.group(1)))
    _refuse_other_dimension(match, unit, dimension, at)
    return _number(match.group(1), at) * unit.factor


def parse_count(text: object, at: Location | None = None, *, what: str = "a count") -> int:
    """Read a whole, non-negative number: ``60000``, ``60k`` (1,000) or ``128Ki`` (1,024).

    Raises:
        InputError: If it is anything else.

    >>> parse_count("60k"), parse_count("128Ki")
    (60000, 131072)
    """
    value = _plain_number(text)
    if value is None:
        match = _COUNT.fullmatch(text) if isinstance(text, str) and len(text) <= _MAX_LENGTH else None
        if match is None:
            near = " Did you mean a lower-case 'k'?" if isinstance(text, str) and text.endswith("K") else ""
            fix = f"Write it as 60000, 60k or 64Ki.{near}"
            raise InputError(f"{_quoted(text)} is not {what}", at=at, fix=fix)
        value = _number(match.group(1), at) * prefix_factor(match.group(2) or "")
    if value < 0 or value.denominator != 1:
        what = f"{_quoted(text)} is not a whole number of 0 or more"
        raise InputError(what, at=at, fix="Write one such as 0, 17 or 60k.")
    return int(value)


def parse_share(text: object, at: Location | None = None) -> Fraction:
    """Read a percentage from 0 % to 100 % as a fraction of one.

    Raises:
        InputError: If it has no per cent sign or lies outside.

    >>> parse_share("2.5%")
    Fraction(1, 40)
    """
    match = _SHARE.fullmatch(text) if isinstance(text, str) and len(text) <= _MAX_LENGTH else None
    if match is None:
        raise InputError(f"{_quoted(text)} is not a percentage", at=at, fix=_write_share(text))
    value = _number(match.group(1), at) / 100
    if value < 0 or value > 1:
        raise InputError(f"'{text}' is outside 0% to 100%", at=at, fix="Give a share from 0% to 100%.")
    return value


def format_quantity(value: Fraction | int, dimension: Dimension, digits: int = 4) -> str:
    """Print a quantity with the prefix that gives 1 to 999 where one exists, rounded to ``digits``.

    >>> format_quantity(Fraction(50_000_000_000), Dimension.RATE)
    '50 GB/s'
    """
    if dimension is Dimension.TIME and abs(Fraction(value)) >= 60:
        return _format_long_time(Fraction(value), digits)
    base, prefixes, suffix = _PRINTED[dimension]
    scaled = Fraction(value) / base
    exponent = _best_exponent(scaled, prefixes, digits)
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


_LIKELY = {
    Dimension.SIZE: ("GB", "TB"),
    Dimension.RATE: ("Gb/s", "GB/s"),
    Dimension.TIME: ("ms", "s", "h"),
    Dimension.POWER: ("W", "kW"),
    Dimension.MONEY: ("USD", "kUSD"),
}
"""Units that a number without one may be meant in; elsewhere the unit of the example is."""
_BASE = {Dimension.SIZE: "B", Dimension.RATE: "B/s"}
_IN_BASE_UNITS = 10**6
"""A number of bytes from here on was likely counted in bytes, not in gigabytes."""


def _write(dimension: Dimension, number: str | None = None) -> str:
    """How to write a quantity: the number that was given, in the units that are likely meant."""
    if number is None:
        return f"Write it as '{dimension.example}'."
    number = number.lstrip("+")
    units = _LIKELY.get(dimension, (dimension.example.split(" ", 1)[1],))
    if dimension in _BASE and abs(Fraction(number.replace(",", ""))) >= _IN_BASE_UNITS:
        units = (_BASE[dimension],)
    *most, last = [f"'{number} {unit}'" for unit in units]
    spelled = f"{', '.join(most)} or {last}" if most else last
    bits = " (b is a bit, B a byte)" if len(units) > 1 and dimension is Dimension.RATE else ""
    return f"Write it as {spelled}{bits}."


def _typed(value: object) -> str | None:
    """A YAML number as it is typed in a file; None for what is no number, or too large to be repeated."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    text = f"{value:.15g}" if isinstance(value, float) else str(value)
    return text if re.fullmatch(rf"[+-]?{NUMBER_PATTERN}", text) and len(text) <= _MAX_DIGITS else None


def _write_share(value: object) -> str:
    """``80`` is meant as 80 %, and so most likely is ``0.8``; ``1`` may be either end."""
    number = _plain_number(value)
    if number is None and isinstance(value, str) and re.fullmatch(NUMBER_PATTERN, value.strip()[:_MAX_DIGITS]):
        number = Fraction(value.strip()[:_MAX_DIGITS].replace(",", ""))
    if number is None or number == 1 or not 0 <= number <= 100:
        return "Write it with a per cent sign, as 80%."
    return f"Write it with a per cent sign: {_decimal(number * 100 if number < 1 else number, 15)}%."


def _quoted(value: object) -> str:
    """A value as a message shows it, cut: ``'60 k tokens'``, ``0.5``, ``true``."""
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    return repr(value[:_MAX_LENGTH] if isinstance(value, str) else value)[:_MAX_LENGTH + 2]


def _not_a_text(value: object) -> str:
    if value is None:
        return "no value is given"
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{_quoted(value)} has no unit" if number else f"{_quoted(value)} is not a quantity"


def _plain_number(value: object) -> Fraction | None:
    """A YAML number as it is; ``1e6`` comes as a float, exact up to 2 to the power of 53."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not abs(value) < 2**53:
        return None
    return Fraction(value)


def _number(text: str, at: Location | None) -> Fraction:
    plain = text.replace(",", "")
    if len(plain) > _MAX_DIGITS:
        raise InputError(f"number '{plain[:20]}...' is too long", at=at, fix=f"Use at most {_MAX_DIGITS} digits.")
    value = Fraction(plain)
    if value and not 1 / _LARGEST < abs(value) < _LARGEST:
        raise InputError(f"number '{plain}' is out of range", at=at, fix="Use a unit prefix such as T or n.")
    return value


def _refuse_other_dimension(match: re.Match[str], unit: Unit, wanted: Dimension, at: Location | None) -> None:
    text = match.group().strip()
    if unit.exponents != wanted.exponents:
        label = next((d.label for d in Dimension if d.exponents == unit.exponents), "another dimension")
        fix = _in_dimension(match.group(1), match.group(2) + match.group(3), wanted) or _write(wanted, match.group(1))
        raise InputError(f"'{text}' is {label}; expected {wanted.label}", at=at, fix=fix)
    if wanted is Dimension.SIZE and unit.bits:
        in_bytes = re.sub(r"b(it)?$", "B", text)
        fix = f"Sizes are written in bytes: '{in_bytes}', or an eighth of it if bits were meant."
        raise InputError(f"'{text}' is a size in bits", at=at, fix=fix)


def _in_dimension(number: str, name: str, wanted: Dimension) -> str | None:
    """The same number per second, or no longer so: ``1 TB`` for a rate was likely ``1 TB/s``, ``2 kWh`` ``2 kW``."""
    for near in (name.removesuffix("/s"), name.removesuffix("h"), f"{name}/s"):
        unit = read_unit(near)
        if unit is not None and unit.exponents == wanted.exponents:
            return f"Write it as '{number} {near}'."
    return None


def _hint_of_number(text: str) -> str | None:
    if re.match(r"\s*[+-]?[0-9]+_[0-9]", text):
        return "Leave out the underscores."
    if re.match(r"\s*[+-]?[0-9.]+,[0-9]", text):
        return "Decimals follow a point, thousands a comma: 1,250.5."
    return None


_PER_SECOND = re.compile(r"([KkMGTPE]i?)([bB])(?:ps|/sec|/S)")
_ANY_CASE = re.compile(r"([kmgtpeKMGTPE])(i?)([bB])(ps|/s|)", re.IGNORECASE)


def _hint_of_unit(name: str, dimension: Dimension, number: str) -> str:
    """What an unknown unit may have meant; where case decides between bits and bytes, both."""
    spelled = _PER_SECOND.fullmatch(name)
    if spelled:
        prefix = spelled.group(1)
        return f"Did you mean '{'k' if prefix == 'K' else prefix}{spelled.group(2)}/s'? (b is a bit, B a byte)"
    if name in ("m", "M") and dimension is Dimension.TIME:
        return "Did you mean 'min' (minutes) or 'ms' (milliseconds)?"
    if name.startswith(("KB", "Kb")):
        return f"Did you mean 'k{name[1:]}' (1,000) or 'Ki{name[1:]}' (1,024)?"
    if name.startswith("month"):
        return "A month has no fixed length: write days."
    loose = _ANY_CASE.fullmatch(name)
    if loose and dimension in (Dimension.SIZE, Dimension.RATE):
        return _hint_of_bits_or_bytes(loose, dimension)
    return _nearest_unit(name, dimension, number)


def _nearest_unit(name: str, dimension: Dimension, number: str) -> str:
    known = unit_names(dimension)
    same_letters = [unit for unit in known if unit.lower() == name.lower()]
    if same_letters:
        return f"Did you mean '{same_letters[0]}'?"
    near = did_you_mean(name, known)
    return near if "mean" in near else _write(dimension, number)


def _hint_of_bits_or_bytes(loose: re.Match[str], dimension: Dimension) -> str:
    prefix, binary, _, per_second = loose.groups()
    prefix = prefix.upper() if binary else prefix.upper().replace("K", "k")
    end = "/s" if per_second or dimension is Dimension.RATE else ""
    in_bytes, in_bits = f"{prefix}{binary.lower()}B{end}", f"{prefix}{binary.lower()}b{end}"
    if dimension is Dimension.SIZE:
        return f"Did you mean '{in_bytes}'?"
    return f"Did you mean '{in_bytes}' (bytes) or '{in_bits}' (bits)?"


def _best_exponent(value: Fraction, prefixes: dict[int, str], digits: int) -> int:
    """The largest prefix below the value as it will be printed: 999.99 GB prints as 1 TB."""
    if value == 0:
        return 0
    fitting = [e for e in sorted(prefixes) if abs(_round(value / Fraction(10) ** e, digits)) >= 1]
    exponent = fitting[-1] if fitting else min(prefixes)
    shown = abs(_round(value / Fraction(10) ** exponent, digits))
    return exponent + 3 if shown >= 1000 and exponent + 3 in prefixes else exponent


def _round(value: Fraction, digits: int) -> Fraction:
    """To ``digits`` significant digits, whole numbers exact."""
    return round(value, max(digits - _magnitude(value) - 1, 0)) if value else value


def _magnitude(value: Fraction) -> int:
    """Power of ten of the first digit: 2 of 999, -1 of 0.5; not below -12, where figures print as zero."""
    size = abs(value)
    if size >= 1:
        return len(str(int(size))) - 1
    return next((power for power in range(-1, -12, -1) if size >= Fraction(1, 10**-power)), -12)


def _decimal(value: Fraction, digits: int) -> str:
    """Exact decimal digits, so that a long figure is not bent by a float."""
    rounded = _round(value, digits)
    places = max(digits - _magnitude(value) - 1, 0) if value else 0
    whole, part = divmod(abs(rounded.numerator) * 10**places // rounded.denominator, 10**places)
    sign = "-" if rounded < 0 else ""
    decimals = f"{part:0{places}d}".rstrip("0") if places else ""
    return f"{sign}{whole:,}" + (f".{decimals}" if decimals else "")


def _format_long_time(value: Fraction, digits: int) -> str:
    for seconds, name in ((31_557_600, "years"), (86_400, "d"), (3600, "h"), (60, "min")):
        if abs(value) >= seconds:
            number = _decimal(value / seconds, digits)
            return f"{number} {'year' if number == '1' and name == 'years' else name}"
    raise AssertionError(f"{value} s is under a minute")
