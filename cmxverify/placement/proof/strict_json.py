"""Reading JSON in which everything must have one meaning.

Refused: a key that stands twice, ``NaN``, ``Infinity``, numbers with a point or an exponent, anything but
UTF-8, numbers of more than 1,000 digits, files above 256 MB, deeper nesting than the parser bears, unknown
and missing keys, values of the wrong kind. Each becomes one ``InputError`` with the file and, where the text
is JSON at all, the path of the value, such as ``proofs[0].levels[1].bound``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import NoReturn

from cmxverify.errors import InputError, Location, did_you_mean

MAX_BYTES = 256 * 1024 * 1024
MAX_DIGITS = 1_000
"""Digits of one number: the checker multiplies up to three, and Python prints no more than 4,300 digits."""

_FRACTION = re.compile(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?")


@dataclass(frozen=True, slots=True)
class NotWhole:
    """Stands where a file has a number that is not a plain whole one: ``1.0``, ``1e3``, ``NaN``."""

    written: str

    def __repr__(self) -> str:
        return self.written if len(self.written) <= 40 else self.written[:40] + "..."


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A value with its path in the file, so that every refusal can say where."""

    value: object
    file: str
    path: str = ""

    def refuse(self, what: str, fix: str) -> NoReturn:
        """Raise the ``InputError`` for this place."""
        raise InputError(f"{self.path or 'the document'}: {what}", at=Location(self.file), fix=fix)

    def fields(self, *names: str) -> dict[str, JsonValue]:
        """An object with exactly these keys."""
        entries = self.entries()
        for name in entries:
            if name not in names:
                self.refuse(f"unknown key {_cut(repr(name))}", did_you_mean(name, names))
        for name in names:
            if name not in entries:
                self.refuse(f"key {name!r} is missing", f"Known: {', '.join(sorted(names))}.")
        return entries

    def entries(self) -> dict[str, JsonValue]:
        """An object with keys of any name, in the order of the file."""
        if not isinstance(self.value, dict):
            self.refuse(f"expected an object, found {self.kind()}", "Write it as {...}.")
        prefix = f"{self.path}." if self.path else ""
        return {name: JsonValue(entry, self.file, prefix + _step(name)) for name, entry in self.value.items()}

    def items(self) -> Iterator[JsonValue]:
        """A list, entry by entry."""
        if not isinstance(self.value, list):
            self.refuse(f"expected a list, found {self.kind()}", "Write it as [...].")
        return (JsonValue(entry, self.file, f"{self.path}[{i}]") for i, entry in enumerate(self.value))

    def whole(self) -> int:
        """A whole number; ``true`` is none, nor is ``1.0``."""
        if type(self.value) is not int:
            self.refuse(f"expected a whole number, found {self.kind()}", "Write it as 17.")
        return self.value

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            self.refuse(f"expected a string, found {self.kind()}", 'Write it as "...".')
        return self.value

    def fraction(self) -> Fraction:
        """An exact fraction in lowest terms, as a string: ``"17"``, ``"-17/3"``."""
        written = self.text()
        fix = 'Write it in lowest terms, as "17" or "-17/3".'
        if not _FRACTION.fullmatch(written) or len(written) > 4 * MAX_DIGITS:
            self.refuse(f"expected a fraction, found {_cut(repr(written))}", fix)
        fraction = Fraction(written)
        if str(fraction) != written:
            self.refuse(f"{_cut(repr(written))} is not the shortest form of this fraction", fix)
        return fraction

    def kind(self) -> str:
        """What stands here, for a message."""
        match self.value:
            case dict():
                return "an object"
            case list():
                return "a list"
            case None | bool():
                return json.dumps(self.value)
            case _:
                return _cut(repr(self.value))


def load_json(path: str | Path) -> JsonValue:
    """Read one file.

    Raises:
        InputError: The file cannot be read, is too large, or is not JSON of this strict kind.
    """
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise InputError(what, at=Location(str(path)), fix="Check the path.") from None
    return parse_json(content, file=str(path))


def parse_json(content: bytes, *, file: str) -> JsonValue:
    """The same for bytes at hand; ``file`` is the name for messages."""
    if len(content) > MAX_BYTES:
        fix = "Was it written by 'cmxverify solve'?"
        raise InputError(f"is larger than {MAX_BYTES // 2**20} MB", at=Location(file), fix=fix)
    try:
        document = json.loads(
            content.decode("utf-8"),
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_float=NotWhole,
            parse_constant=NotWhole,
        )
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError("is not UTF-8", at=Location(file, line), fix="Save it as UTF-8.") from None
    except json.JSONDecodeError as error:
        at = Location(file, error.lineno, error.colno)
        raise InputError(
            f"is not JSON: {error.msg}", at=at, fix="Write the file anew, or restore it."
        ) from None
    except RecursionError:
        fix = "No file of cmxverify nests deeper than about ten levels."
        raise InputError("is nested too deeply", at=Location(file), fix=fix) from None
    except _FaultInText as fault:
        raise InputError(fault.what, at=Location(file), fix=fault.fix) from None
    return JsonValue(document, file)


class _FaultInText(Exception):  # noqa: N818  # it never leaves this file
    def __init__(self, what: str, fix: str) -> None:
        self.what, self.fix = what, fix
        super().__init__(what)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise _FaultInText(f"key {_cut(repr(twice))} stands twice in one object", "Keep one of the two.")
    return entries


def _whole(written: str) -> int:
    if len(written) > MAX_DIGITS:
        fix = f"Numbers have at most {MAX_DIGITS:,} digits."
        raise _FaultInText(f"a number has {len(written):,} digits", fix)
    return int(written)


def _step(name: str) -> str:
    """A key as part of a path; line ends, control characters and half characters are escaped."""
    return _cut(name if name.isprintable() else ascii(name))


def _cut(text: str) -> str:
    return text if len(text) <= 80 else text[:80] + "..."
