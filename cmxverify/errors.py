"""Errors of cmxverify: one base class; input errors say what, where and how to fix."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

_LONGEST = 400
_LONGEST_WORD = 80
_MOST_COMPARED = 2_000
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")
_CONTROLS_BUT_NEWLINE = re.compile(_CONTROLS.pattern.replace(r"\x00-\x1f", r"\x00-\x09\x0b-\x1f"))


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in an input file; ``line`` and ``column`` count from 1, 0 means the whole file."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}" + (f":{self.column}" if self.column else "")


class CmxError(Exception):
    """Base of every error that cmxverify raises on purpose. The command line exits with 2."""


class InputError(CmxError):
    """Bad input: what is wrong, where, and how to put it right.

    Names and values from a file may be quoted as they are: control and invisible characters are printed as escapes, so
    that no file can write to the terminal or hide what it says, and an overlong text is cut.

    >>> print(InputError("unknown key 'rat'", at=Location("rack.yaml", 14), fix="Did you mean 'rate'?"))
    rack.yaml:14: unknown key 'rat'
      Did you mean 'rate'?
    """

    def __init__(self, what: str, *, at: Location | None = None, fix: str | None = None) -> None:
        self.what = _cut(_CONTROLS.sub(_escape, what))
        self.at = at
        self.fix = _CONTROLS_BUT_NEWLINE.sub(_escape, fix) if fix else fix
        super().__init__(self.what)

    def __str__(self) -> str:
        text = f"{_CONTROLS.sub(_escape, str(self.at))}: {self.what}" if self.at else self.what
        return f"{text}\n  {self.fix}" if self.fix else text


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Name the nearest known word, else list the known ones (at most 12).

    Of more than 2,000 words only the nearest in the alphabet are compared, which keeps it fast.

    >>> did_you_mean("rat", ["rate", "count"])
    "Did you mean 'rate'?"
    """
    words = sorted(known)
    compared = words
    if len(words) > _MOST_COMPARED:
        position = bisect_left(words, word)
        compared = words[max(position - _MOST_COMPARED // 2, 0) : position + _MOST_COMPARED // 2]
    near = get_close_matches(word[:_LONGEST_WORD], compared, n=1, cutoff=0.6)
    if near:
        return f"Did you mean '{near[0]}'?"
    shown = ", ".join(_cut(each, _LONGEST_WORD) for each in words[:12])
    more = f" and {len(words) - 12:,} more" if len(words) > 12 else ""
    return f"Known: {shown}{more}." if words else "Nothing is known here."


def _escape(character: re.Match[str]) -> str:
    return character.group().encode("unicode_escape").decode()


def _cut(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else f"{text[:longest]}..."
