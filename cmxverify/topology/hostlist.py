"""Hostlist ranges: ``gpu[000-071]``, ``tray[00-03,07].dpu[0-1]``; expanded with a limit, compressed for printing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

from cmxverify.errors import InputError, Location

MAX_NAMES = 100_000
_PIECE = re.compile(r"\[([^\[\]]*)\]")
_SPAN = re.compile(r"^(\d+)(?:-(\d+))?$")
_PLAIN = re.compile(r"^[A-Za-z0-9_.\-]*$")
_NUMBERED = re.compile(r"(\d+)")


def expand_ranges(pattern: str, at: Location | None = None, *, limit: int = MAX_NAMES) -> list[str]:
    """List the names of a pattern, in order.

    Raises:
        InputError: If a bracket is malformed, a range runs backwards, or more than ``limit`` names result.

    >>> expand_ranges("tray[08-10].gpu[0-1]")[:3]
    ['tray08.gpu0', 'tray08.gpu1', 'tray09.gpu0']
    """
    pieces = _PIECE.split(pattern)
    for text in pieces[::2]:
        if not _PLAIN.match(text):
            fix = "Names hold letters, digits, '-', '_' and '.'; ranges look like gpu[0-3,7]."
            raise InputError(f"'{pattern[:80]}' is not a name or a range", at=at, fix=fix)
    count = 1
    spans: list[list[str]] = []
    for index, text in enumerate(pieces):
        names = [text] if index % 2 == 0 else _expand_bracket(text, pattern, at, limit)
        count *= len(names)
        if count > limit:
            raise _too_many(pattern, at, limit)
        spans.append(names)
    return ["".join(parts) for parts in product(*spans)]


def _too_many(pattern: str, at: Location | None, limit: int) -> InputError:
    fix = "Describe one part as a template, or split the cluster into several files."
    return InputError(f"'{pattern[:80]}' stands for more than {limit:,} names", at=at, fix=fix)


def _expand_bracket(text: str, pattern: str, at: Location | None, limit: int) -> list[str]:
    names: list[str] = []
    for part in text.split(","):
        match = _SPAN.match(part.strip())
        if match is None or len(part) > 20:
            fix = "Write ranges as [0-3], [00-17] or [0-3,7]."
            raise InputError(f"'[{text[:40]}]' in '{pattern[:80]}' is not a range", at=at, fix=fix)
        first, last = match.group(1), match.group(2) or match.group(1)
        if int(last) < int(first):
            raise InputError(f"range '{part}' in '{pattern[:80]}' runs backwards", at=at, fix=f"Write [{last}-{first}].")
        if int(last) - int(first) + 1 + len(names) > limit:
            raise _too_many(pattern, at, limit)
        names += [str(n).zfill(len(first)) for n in range(int(first), int(last) + 1)]
    return names


def compress_names(names: Iterable[str]) -> str:
    """Write names as ranges, for messages and tables: one bracket per run of digits that varies.

    >>> compress_names(["cmx0.flash", "cmx1.flash", "cmx3.flash"])
    'cmx[0-1,3].flash'
    """
    return ", ".join(_fold(sorted(set(names), key=_natural)))


def _natural(name: str) -> list[tuple[int, int, str]]:
    return [(1, int(p), p) if p.isdigit() else (0, 0, p) for p in _NUMBERED.split(name)]


def _fold(names: list[str]) -> list[str]:
    """Merge names that differ in one number, from the last number to the first, until nothing changes."""
    items = [tuple(_NUMBERED.split(name)) for name in names]
    for position in range(1, max((len(i) for i in items), default=0), 2):
        items = _fold_at(items, position)
    return ["".join(item) for item in items]


def _fold_at(items: list[tuple[str, ...]], position: int) -> list[tuple[str, ...]]:
    groups: dict[tuple[object, ...], list[str]] = {}
    for item in items:
        if position < len(item):
            key = (item[:position], item[position + 1 :], len(item[position]))
        else:
            key = (item, None, 0)
        groups.setdefault(key, []).append(item[position] if position < len(item) else "")
    folded: list[tuple[str, ...]] = []
    for (before, after, _), numbers in groups.items():
        if after is None:
            folded.append(before)  # type: ignore[arg-type]  # an item too short to have this number
        else:
            folded.append((*before, _spans(numbers), *after))  # type: ignore[misc]  # tuples of str by construction
    return folded


def _spans(numbers: list[str]) -> str:
    unique = sorted(set(numbers), key=int)
    if len(unique) == 1:
        return unique[0]
    runs: list[list[str]] = []
    for number in unique:
        if runs and int(number) == int(runs[-1][-1]) + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return "[" + ",".join(r[0] if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in runs) + "]"
