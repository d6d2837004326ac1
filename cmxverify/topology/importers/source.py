"""Reading the files to import as text, with limits: one clear message for anything that is not text."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from cmxverify.errors import InputError, Location
from cmxverify.yaml_tree import read_text

MAX_BYTES = 64_000_000
MAX_FILES = 10_000
_QUOTED = re.compile(r'"([^"\\]{1,200})"')


@dataclass(frozen=True, slots=True)
class SourceText:
    """The text of one file and the name that messages use for it."""

    name: str
    text: str

    def at(self, line: int = 0) -> Location:
        """A position in this file; 0 is the whole file."""
        return Location(self.name, line)

    def lines(self) -> list[str]:
        """The lines, without their ends."""
        return [line.rstrip("\r") for line in self.text.removesuffix("\n").split("\n")]

    def line_of(self, word: str) -> Location:
        """Where a text in double quotes first stands, for JSON, whose parser drops positions."""
        return self.at(_lines_of_words(self.text).get(word, 0))

    @property
    def stem(self) -> str:
        """File name without folder and suffix."""
        return Path(self.name).name.split(".")[0]


@lru_cache(maxsize=4)
def _lines_of_words(text: str) -> dict[str, int]:
    """First line of each quoted word; one pass, because a search for each would take the square of the size."""
    first: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for word in _QUOTED.findall(line):
            first.setdefault(word, number)
    return first


def read_source(path: Path) -> SourceText:
    """Read one UTF-8 text file of at most 64 MB.

    Raises:
        InputError: If it is missing, a folder, too large, not UTF-8, binary or empty.
    """
    text = read_text(path, limit=MAX_BYTES)
    source = SourceText(str(path), text)
    if "\0" in text:
        at = source.at(text.count("\n", 0, text.index("\0")) + 1)
        raise InputError("this is a binary file", at=at, fix="Name a text file (UTF-8).")
    if not text.strip():
        raise InputError("file is empty", at=source.at(), fix="Write it again with the tool that made it.")
    return source


def list_files(paths: Sequence[Path]) -> list[Path]:
    """Replace each folder by the files in it, sorted by name; hidden files are left out.

    Raises:
        InputError: If a folder is empty or there are too many files.
    """
    found: list[Path] = []
    for path in paths:
        if not os.path.isdir(path):  # noqa: PTH112  # False, where Path.is_dir raises, for a name that is too long
            found.append(path)
            continue
        try:
            inside = sorted(p for p in path.iterdir() if p.is_file() and not p.name.startswith("."))
        except OSError as error:
            what = f"folder cannot be read: {error.strerror}"
            raise InputError(what, at=Location(str(path)), fix="Check its permissions.") from None
        if not inside:
            raise InputError("folder holds no files", at=Location(str(path)), fix="Name the files to import.")
        found += inside
    if len(found) > MAX_FILES:
        raise InputError(f"{len(found):,} files", at=Location(str(paths[0])), fix=f"Import at most {MAX_FILES:,}.")
    return found


def read_json(source: SourceText) -> Any:
    """Parse JSON; numbers with a fraction stay text, so that nothing is rounded.

    Raises:
        InputError: With the line, if the text is not JSON or nested too deeply.
    """
    try:
        return json.loads(source.text, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as error:
        fix = "Is the file complete? Write it again with the tool that made it."
        raise InputError(f"not valid JSON: {error.msg}", at=source.at(error.lineno), fix=fix) from None
    except RecursionError:
        raise InputError("JSON is nested too deeply", at=source.at(), fix="Is this the right file?") from None
    except ValueError:
        raise InputError("a number in this JSON is too long", at=source.at(), fix="Is this the right file?") from None
