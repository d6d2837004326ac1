"""Hostlist ranges: ``gpu[000-071]``, ``tray[00-03,07].dpu[0-1]``; expanded with a limit, compressed for printing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from math import prod

from cmxverify.errors import InputError, Location

MAX_NAMES = 100_000
MAX_PATTERN = 20_000
"""Characters of one pattern; a long list of single numbers needs some thousands."""
_PIECE = re.compile(r"\[([^\[\]]*)\]")
_SPAN = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")
_PLAIN = re.compile(r"[A-Za-z0-9_.\-]*")
_PLAIN_OR_GLOB = re.compile(r"[A-Za-z0-9_.\-*?]*")
_NUMBERED = re.compile(r"([0-9]{1,18})")


def expand_ranges(
    pattern: str, at: Location | None = None, *, limit: int = MAX_NAMES, globs: bool = False
) -> list[str]:
    """List the names of a pattern, in order.

    Args:
        limit: Most names that may result; nothing is built beyond it.
        globs: Let ``*`` and ``?`` stand in the names.

    Raises:
        InputError: If a bracket is malformed, a range runs backwards, a number is named twice, or more than
            ``limit`` names result.

    >>> expand_ranges("tray[08-10].gpu[0-1]")[:3]
    ['tray08.gpu0', 'tray08.gpu1', 'tray09.gpu0']
    """
    pieces = _split(pattern, at, _PLAIN_OR_GLOB if globs else _PLAIN)
    brackets = _brackets(pieces, pattern, at, limit)
    spans = [next(brackets) if index % 2 else [text] for index, text in enumerate(pieces)]
    return ["".join(parts) for parts in product(*spans)]


def count_names(pattern: str, at: Location | None = None, *, limit: int = MAX_NAMES) -> int:
    """How many names a pattern stands for, without building the product.

    Raises:
        InputError: As ``expand_ranges``.

    >>> count_names("tray[08-10].gpu[0-1]")
    6
    """
    return prod(len(names) for names in _brackets(_split(pattern, at, _PLAIN), pattern, at, limit))


def _brackets(pieces: list[str], pattern: str, at: Location | None, limit: int) -> Iterator[list[str]]:
    """Names in each bracket, as long as their product stays within the limit."""
    count = 1
    for text in pieces[1::2]:
        names = _bracket_names(text, pattern, at, limit)
        count *= len(names)
        if count > limit:
            raise _too_many(pattern, at, limit)
        yield names


def _split(pattern: str, at: Location | None, plain: re.Pattern[str]) -> list[str]:
    """Plain text and insides of brackets, alternating."""
    pieces = _PIECE.split(pattern) if len(pattern) <= MAX_PATTERN else [" "]
    if not all(plain.fullmatch(text) for text in pieces[::2]):
        fix = "Names hold letters, digits, '-', '_' and '.'; ranges look like gpu[0-3,7]."
        raise InputError(f"'{pattern[:80]}' is not a name or a range", at=at, fix=fix)
    return pieces


def _too_many(pattern: str, at: Location | None, limit: int) -> InputError:
    fix = "Describe one part as a template, or split the cluster into several files."
    return InputError(f"'{pattern[:80]}' stands for more than {limit:,} names", at=at, fix=fix)


def _bracket_names(text: str, pattern: str, at: Location | None, limit: int) -> list[str]:
    names: dict[str, None] = {}
    for first, last in _spans(text, pattern, at):
        if int(last) - int(first) + 1 + len(names) > limit:
            raise _too_many(pattern, at, limit)
        for number in range(int(first), int(last) + 1):
            name = str(number).zfill(len(first))
            if name in names:
                fix = "Let the ranges not overlap."
                raise InputError(f"'[{text[:40]}]' in '{pattern[:80]}' names {name} twice", at=at, fix=fix)
            names[name] = None
    return list(names)


def _spans(text: str, pattern: str, at: Location | None) -> Iterator[tuple[str, str]]:
    """First and last number of each part of a bracket, as they are spelled."""
    for part in text.split(","):
        match = _SPAN.fullmatch(part.strip())
        if match is None:
            fix = "Write ranges as [0-3], [00-17] or [0-3,7]."
            raise InputError(f"'[{text[:40]}]' in '{pattern[:80]}' is not a range", at=at, fix=fix)
        first, last = match.group(1), match.group(2) or match.group(1)
        if int(last) < int(first):
            what = f"range '{part.strip()}' in '{pattern[:80]}' runs backwards"
            raise InputError(what, at=at, fix=f"Write [{last}-{first}].")
        yield first, last


def compress_names(names: Iterable[str]) -> str:
    """Write names as ranges, for messages and tables: one bracket per run of digits that varies.

    >>> compress_names(["cmx0.flash", "cmx1.flash", "cmx3.flash"])
    'cmx[0-1,3].flash'
    """
    items = [tuple(_NUMBERED.split(name)) for name in sorted(set(names), key=_natural)]
    for position in range(1, max((len(item) for item in items), default=0), 2):
        items = _fold_at(items, position)
    return ", ".join("".join(item) for item in items)


def _natural(name: str) -> list[tuple[int, str]]:
    """Sort key: texts as they are, numbers by value; the split alternates between the two."""
    return [(int(part), part) if i % 2 else (0, part) for i, part in enumerate(_NUMBERED.split(name))]


def _fold_at(items: list[tuple[str, ...]], position: int) -> list[tuple[str, ...]]:
    """Merge the items that differ in the number at one position only, and have it equally wide."""
    groups: dict[tuple[object, ...], list[tuple[str, ...]]] = {}
    for item in items:
        around = (item[:position], item[position + 1 :])
        key = (*around, len(item[position])) if position < len(item) else (item,)
        groups.setdefault(key, []).append(item)
    return [_merged(members, position) for members in groups.values()]


def _merged(members: list[tuple[str, ...]], position: int) -> tuple[str, ...]:
    first = members[0]
    if len(members) == 1:
        return first
    return (*first[:position], _bracket([item[position] for item in members]), *first[position + 1 :])


def _bracket(numbers: list[str]) -> str:
    runs: list[list[str]] = []
    for number in sorted(numbers, key=int):
        if runs and int(number) == int(runs[-1][-1]) + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return "[" + ",".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs) + "]"
