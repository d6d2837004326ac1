"""Plain text for the console: words and alignment carry meaning, no colours, no box drawing, no line too long."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

PIPE_WIDTH = 120
"""Columns of text when the output is no terminal; the widest that any table may become."""
_WORDS = re.compile(r"(\s*)(\(?~?\d[\d,.]* [A-Za-z%/]{1,4}(?!\w)\S*|\S+)")
"""Blanks and the word after them; a number stays with its unit."""
_DEEP = 4
"""Blanks before further lines, where these would not fit below the beginning of their text."""
_ROOM = 30
"""Columns that are room enough for them there."""


class Align(Enum):
    """Side on which a column's cells line up; numbers go right, so that digits stand under digits."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its heading, the side that it lines up on, and the least width."""

    title: str
    align: Align = Align.LEFT
    least: int = 0


def output_width() -> int:
    """Columns to print in: those of the terminal, at most ``PIPE_WIDTH``, which also holds for a pipe."""
    return min(shutil.get_terminal_size((PIPE_WIDTH, 24)).columns, PIPE_WIDTH)


def error_width() -> int | None:
    """Columns of the terminal that errors go to; None where they go elsewhere, so that a message stays one line."""
    if os.environ.get("COLUMNS", "").isdecimal():
        return output_width()
    try:
        return min(os.get_terminal_size(sys.__stderr__.fileno()).columns, PIPE_WIDTH) if sys.__stderr__ else None
    except (OSError, ValueError):
        return None


def format_table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    width: int = PIPE_WIDTH,
    indent: int = 2,
    continued: bool = False,
) -> list[str]:
    """Lines of a table, the heading first, without trailing blanks; the first column always stays.

    Args:
        continued: Right-hand columns that do not fit ``width`` follow below, with the first column once more;
            otherwise they are left out.

    >>> format_table([Column("tier"), Column("places", Align.RIGHT)], [["G1", "72"]])
    ['  tier  places', '  G1        72']
    """
    widths = [
        max(column.least, len(column.title), *(len(row[at]) for row in rows), 0)
        for at, column in enumerate(columns)
    ]
    lines = [[column.title for column in columns], *rows]
    blocks = _blocks(widths, width - indent)
    shown = [block for block in blocks if len(block) > 1]
    if not continued or not shown:
        shown = blocks[:1]
    return [" " * indent + _line(columns, widths, line, block) for block in shown for line in lines]


def wrap_items(
    head: str, items: Sequence[str], *, width: int = PIPE_WIDTH, separator: str = "; "
) -> list[str]:
    """A head and its items on one line, or on several of at most ``width``; only an item that needs it is split.

    >>> wrap_items("limits:", ["2 switches", "shelf 2 kW"], width=20)
    ['limits: 2 switches;', '  shelf 2 kW']
    """
    lines, current = [], head
    for index, item in enumerate(items):
        joint = " " if index == 0 else separator
        more = len(separator.rstrip()) if index < len(items) - 1 else 0
        if index and len(current) + len(joint) + len(item) + more > width:
            lines.append(current + separator.rstrip())
            current = "  " + item
        else:
            current += joint + item
        *full, current = fold(current, width=width - more, indent=2)
        lines += full
    return [*lines, current]


def hang(head: str, text: str, *, width: int = PIPE_WIDTH) -> list[str]:
    """A text after its head; further lines stand below the text, or a little in where that leaves too little room.

    >>> hang("note  ", "a text of many words", width=18)
    ['note  a text of', '      many words']
    """
    has_room = width - len(head) >= min(_ROOM, width // 2)
    return fold(head + text, width=width, indent=len(head) if has_room else _DEEP)


def fold(line: str, *, width: int, indent: int = _DEEP) -> list[str]:
    """A line in lines of at most ``width``, split at blanks, and in lists of names after a comma.

    Other words stay whole: half a path or an address is of no use.

    >>> fold("wrote  tray[00-03,07,09] here", width=16, indent=2)
    ['wrote', '  tray[00-03,07,', '  09] here']
    """
    if len(line) <= width:
        return [line]
    lines, current = [], ""
    for gap, word in _pieces(line, width - indent):
        if current.strip() and len(current) + len(gap) + len(word) > width:
            lines.append(current.rstrip())
            current = " " * indent + word
        else:
            current += gap + word
    return [*lines, current]


def at_right(head: str, end: str, *, width: int) -> list[str]:
    """A line, or several, with a few words at the right end of the first, such as the time taken."""
    first, *more = fold(head, width=width - len(end) - 2, indent=2)
    return [first + "  " + end.rjust(width - len(first) - 2), *more]


def _pieces(line: str, room: int) -> Iterator[tuple[str, str]]:
    """Blanks and the word after them, in order; a word longer than ``room`` is parted after its commas."""
    for gap, word in _WORDS.findall(line):
        parts = re.findall(r"[^,]+,*|,+", word) if len(word) > room else [word]
        yield from zip([gap, *[""] * (len(parts) - 1)], parts, strict=True)


def _blocks(widths: Sequence[int], room: int) -> list[list[int]]:
    """Columns that fit beside each other, two blanks apart, the first one in each block."""
    blocks, used = [[0]], widths[0]
    for at in range(1, len(widths)):
        if used + 2 + widths[at] > room:
            blocks.append([0])
            used = widths[0]
        blocks[-1].append(at)
        used += 2 + widths[at]
    return blocks


def _line(columns: Sequence[Column], widths: Sequence[int], cells: Sequence[str], chosen: Sequence[int]) -> str:
    padded = [
        cells[at].rjust(widths[at]) if columns[at].align is Align.RIGHT else cells[at].ljust(widths[at])
        for at in chosen
    ]
    return "  ".join(padded).rstrip()
