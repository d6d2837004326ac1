"""Plain tables for the console: words and alignment carry meaning, no colours, no box drawing."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

PIPE_WIDTH = 120
"""Columns of text when the output is no terminal; the widest that any table may become."""


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


def format_table(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], *, width: int = PIPE_WIDTH, indent: int = 2
) -> list[str]:
    """Lines of a table, the heading first; right-hand columns that do not fit ``width`` are left out.

    The first column always stays. Lines carry no trailing blanks.

    >>> format_table([Column("tier"), Column("places", Align.RIGHT)], [["G1", "72"]])
    ['  tier  places', '  G1        72']
    """
    widths = [
        max(column.least, len(column.title), *(len(row[at]) for row in rows), 0)
        for at, column in enumerate(columns)
    ]
    shown = _fitting(widths, width - indent)
    lines = [[column.title for column in columns], *rows]
    return [" " * indent + _line(columns[:shown], widths, line) for line in lines]


def wrap_items(
    head: str, items: Sequence[str], *, width: int = PIPE_WIDTH, separator: str = "; "
) -> list[str]:
    """A head and its items on one line, or on several of at most ``width`` where words allow.

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
    return [*lines, current]


def _fitting(widths: Sequence[int], room: int) -> int:
    """How many columns from the left fit, with two blanks between them; at least one."""
    used = 0
    for index, width in enumerate(widths):
        used += width + (2 if index else 0)
        if used > room:
            return max(index, 1)
    return len(widths)


def _line(columns: Sequence[Column], widths: Sequence[int], cells: Sequence[str]) -> str:
    padded = [
        cell.rjust(width) if column.align is Align.RIGHT else cell.ljust(width)
        for column, width, cell in zip(columns, widths, cells, strict=False)
    ]
    return "  ".join(padded).rstrip()
