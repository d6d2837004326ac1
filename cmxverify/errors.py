"""Errors of cmxverify: one base class; input errors say what, where and how to fix."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches


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

    >>> print(InputError("unknown key 'rat'", at=Location("rack.yaml", 14), fix="Did you mean 'rate'?"))
    rack.yaml:14: unknown key 'rat'
      Did you mean 'rate'?
    """

    def __init__(self, what: str, *, at: Location | None = None, fix: str | None = None) -> None:
        self.what, self.at, self.fix = what, at, fix
        super().__init__(what)

    def __str__(self) -> str:
        text = f"{self.at}: {self.what}" if self.at else self.what
        return f"{text}\n  {self.fix}" if self.fix else text


class MissingExtraError(CmxError):
    """An optional library is not installed; names the extra that brings it."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed.\n  Run: pip install 'cmxverify[{extra}]'")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Name the nearest known word, else list the known ones (at most 12)."""
    words = sorted(known)
    near = get_close_matches(word, words, n=1, cutoff=0.6)
    if near:
        return f"Did you mean '{near[0]}'?"
    shown = ", ".join(words[:12]) + (", ..." if len(words) > 12 else "")
    return f"Known: {shown}." if words else "Nothing is known here."
