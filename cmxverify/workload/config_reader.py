"""Reading a Hugging Face ``config.json``: checked values with file and line, and a record of what was read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from cmxverify.errors import InputError, Location

MAX_FILE_BYTES = 8 * 2**20
MAX_COUNT = 10**8


class ConfigReader:
    """One JSON object of a config file. ``null`` counts as absent, as in the configuration classes."""

    def __init__(self, table: Mapping[str, Any], text: str, file: str, start: int = 0) -> None:
        self._table, self._text, self._file, self._start = table, text, file, start
        self._read: set[str] = set()
        self.notes: list[str] = []

    def at(self, key: str | None = None) -> Location:
        """Where ``key`` stands in the file; the whole file when it is absent."""
        match = re.compile(rf'"{re.escape(key)}"\s*:').search(self._text, self._start) if key else None
        return Location(self._file, self._text.count("\n", 0, match.start()) + 1 if match else 0)

    def has(self, key: str) -> bool:
        """Whether ``key`` is there and not null."""
        self._read.add(key)
        return self._table.get(key) is not None

    def first_of(self, *keys: str) -> str | None:
        """The first of several spellings that is there."""
        return next((key for key in keys if self.has(key)), None)

    def ignore(self, *keys: str) -> None:
        """Mark keys as understood to say nothing new here."""
        self._read.update(keys)

    def count(self, *keys: str, default: int | None = None, least: int = 1) -> int:
        """A whole number under the first of ``keys`` that is there.

        Raises:
            InputError: If none is there and there is no default, or the value is no count of ``least`` or more.
        """
        key = self.first_of(*keys)
        if key is None:
            if default is None:
                self.fail(f"'{keys[0]}' is missing", f'Add "{keys[0]}" to the file.')
            return default
        value = self._table[key]
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(
                f"'{key}' is {_shown(value)}, not a whole number", "Write it without quotes or point.", key
            )
        if not least <= value <= MAX_COUNT:
            self.fail(f"'{key}' is {value}", f"It must lie between {least} and {MAX_COUNT:,}.", key)
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """A true or false.

        Raises:
            InputError: If it is something else.
        """
        value = self._table[key] if self.has(key) else default
        if not isinstance(value, bool):
            self.fail(f"'{key}' is {_shown(value)}", "Write true or false.", key)
        return value

    def word(self, key: str, default: str = "") -> str:
        """A string.

        Raises:
            InputError: If it is something else.
        """
        value = self._table[key] if self.has(key) else default
        if not isinstance(value, str):
            self.fail(f"'{key}' is {_shown(value)}, not a string", "Write it in quotes.", key)
        return value

    def items(self, key: str, kind: type[str] | type[int]) -> tuple[Any, ...]:
        """A list of strings or of whole numbers; empty when absent.

        Raises:
            InputError: If it is no list, or holds anything else.
        """
        value = self._table[key] if self.has(key) else []
        if not isinstance(value, list) or any(type(item) is not kind for item in value):
            wanted = "strings" if kind is str else "whole numbers"
            self.fail(
                f"'{key}' is {_shown(value)}, not a list of {wanted}", f"Write a list of {wanted}.", key
            )
        return tuple(value)

    def section(self, key: str) -> ConfigReader | None:
        """The object under ``key``, if there.

        Raises:
            InputError: If it is something else.
        """
        if not self.has(key):
            return None
        value = self._table[key]
        if not isinstance(value, dict):
            self.fail(f"'{key}' is {_shown(value)}, not an object", "Write it in braces.", key)
        match = re.compile(rf'"{re.escape(key)}"\s*:').search(self._text, self._start)
        return ConfigReader(value, self._text, self._file, match.end() if match else 0)

    def unread(self) -> tuple[str, ...]:
        """Keys with a value that nobody has asked for, in file order; empty ones and ``false`` apart."""
        return tuple(key for key, value in self._table.items() if key not in self._read and value)

    def fail(self, what: str, fix: str, key: str | None = None) -> NoReturn:
        """Raise an ``InputError`` at ``key``."""
        raise InputError(what, at=self.at(key), fix=fix)


def load_config(path: Path) -> ConfigReader:
    """Read a JSON object from a file.

    Raises:
        InputError: If the file is missing, larger than 8 MiB, not UTF-8, not JSON, has a key twice or no object.
    """
    file = str(path)
    text = _read_text(path)
    try:
        table = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise InputError(
            f"not JSON: {error.msg}", at=Location(file, error.lineno, error.colno), fix=_JSON_FIX
        ) from None
    except _DuplicateKeyError as error:
        reader = ConfigReader({}, text, file)
        raise InputError(f"key '{error}' stands twice", at=reader.at(str(error)), fix="Remove one.") from None
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"not usable JSON: {_first_words(error)}", at=Location(file), fix=_JSON_FIX
        ) from None
    if not isinstance(table, dict):
        raise InputError(f"the file holds {_shown(table)}, not an object", at=Location(file), fix=_JSON_FIX)
    return ConfigReader(table, text, file)


_JSON_FIX = "Give the config.json of a Hugging Face model."


class _DuplicateKeyError(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise _DuplicateKeyError(key)
        table[key] = value
    return table


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _read_text(path: Path) -> str:
    at = Location(str(path))
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror}", at=at, fix=_JSON_FIX) from None
    except ValueError:  # a NUL character in the name
        raise InputError("this is not a file name", at=at, fix=_JSON_FIX) from None
    if len(raw) > MAX_FILE_BYTES:
        raise InputError("larger than 8 MiB", at=at, fix=_JSON_FIX)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError("not UTF-8", at=Location(str(path), line), fix="Save it as UTF-8.") from None


def _first_words(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error).split(";")[0][:100]


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
