"""Versions compared as numbers: 2.10 is later than 2.9, 2 equals 2.0, and 2.0-rc1 is earlier than 2.0."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBERS = r"\d{1,9}(?:\.\d{1,9}){0,9}"
_NAME = r"(?:[-+_ ]|\.(?=[a-z]+\d))?([A-Za-z]+)[\w.+-]*"  # -rc1, .dev3, +cu13; but 2.x is no version
_VERSION = re.compile(rf"\s*v?({_NUMBERS})(?:{_NAME})?\s*$")
_BEFORE_RELEASE = frozenset({"a", "alpha", "b", "beta", "c", "rc", "pre", "preview", "dev"})


@dataclass(frozen=True, slots=True, order=True)
class Version:
    """Numbers without trailing zeros, and whether it is the release itself rather than a candidate of it."""

    numbers: tuple[int, ...]
    released: bool = True

    def series(self, length: int) -> tuple[int, ...]:
        """The first numbers, filled with zeros: 1.6.3 belongs to the series (1, 6)."""
        return (*self.numbers, *[0] * length)[:length]


def parse_version(text: str) -> Version | None:
    """Read a version, None if it is not one.

    >>> parse_version("2.10") > parse_version("2.9.1")
    True
    """
    match = _VERSION.match(text)
    if match is None:
        return None
    numbers = [int(part) for part in match.group(1).split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return Version(tuple(numbers), (match.group(2) or "").lower() not in _BEFORE_RELEASE)
