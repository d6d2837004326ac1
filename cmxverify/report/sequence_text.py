"""A message sequence in the terminal: one lane a place, one row a step, arrows for messages."""

from __future__ import annotations

from cmxverify.checking.sequence import Message, MessageSequence, Row
from cmxverify.report.tables import PIPE_WIDTH, fold

_LEAST_GAP = 14
_LARGEST_GAP = 30
_CHANGES = 34
"""Columns that the changes need beside the lanes; with less they go below."""


def sequence_lines(sequence: MessageSequence, *, width: int = PIPE_WIDTH) -> list[str]:
    """Lines of the chart, the names of the lanes first."""
    names = max((len(row.step.name) for row in sequence.rows), default=0)
    left = min(names, 36) + 6
    gap = _gap(sequence, width - left)
    centres = [left + gap * (1 + 2 * at) // 2 for at in range(len(sequence.lanes))]
    edge = left + gap * len(sequence.lanes) + 1
    lines = [_heading(sequence.lanes, centres)]
    for row in sequence.rows:
        lines += _row(sequence.lanes, row, centres, left, edge, width)
    return lines


def _gap(sequence: MessageSequence, room: int) -> int:
    longest = max((len(each.text) for row in sequence.rows for each in row.messages), default=0)
    lanes = max(len(sequence.lanes), 1)
    wanted = min(max(longest + 6, _LEAST_GAP, *(len(lane) + 2 for lane in sequence.lanes), 0), _LARGEST_GAP)
    return max(min(wanted, room // lanes), 6)


def _heading(lanes: tuple[str, ...], centres: list[int]) -> str:
    line: list[str] = []
    for lane, centre in zip(lanes, centres, strict=True):
        _put(line, max(centre - len(lane) // 2, 0), lane)
    return "".join(line)


def _row(lanes: tuple[str, ...], row: Row, centres: list[int], left: int, edge: int, width: int) -> list[str]:
    at = dict(zip(lanes, centres, strict=True))
    drawn = []
    for message in row.messages or (None,):
        line: list[str] = []
        for lane in lanes:
            _put(line, at[lane], "|")
        _put(line, at[row.lane], "*")
        if message is not None:
            _arrow(line, at[message.sender], at[message.receiver], message)
        drawn.append("".join(line))
    name = row.step.name if len(row.step.name) <= left - 6 else row.step.name[: left - 7] + "~"
    drawn[0] = f" {row.step.number:3d}  {name}".ljust(left) + drawn[0][left:]
    return _with_changes(drawn, _notes(row), edge, width)


def _notes(row: Row) -> list[str]:
    notes = [f"takes {text}" for text in row.takes]
    notes += [f"{each.cell}: {each.before} -> {each.after}" for each in row.changes]
    return [*notes, "breaches a duty"] if row.step.breaching else notes


def _with_changes(drawn: list[str], notes: list[str], edge: int, width: int) -> list[str]:
    """Notes beside the lanes where there is room, else below."""
    if not notes:
        return [line.rstrip() for line in drawn]
    if width - edge < _CHANGES:
        below = fold("      " + "; ".join(notes), width=width, indent=8)
        return [*(line.rstrip() for line in drawn), *below]
    folded = [line for note in notes for line in fold(note, width=width - edge - 1, indent=2)]
    while len(drawn) < len(folded):
        drawn.append(
            "".join(
                "|" if mark in "|*<>-o" and at >= 0 else " " for at, mark in enumerate(_lanes_only(drawn[0]))
            )
        )
    lines = [
        line.ljust(edge) + " " + (folded[at] if at < len(folded) else "") for at, line in enumerate(drawn)
    ]
    return [line.rstrip() for line in lines]


def _lanes_only(line: str) -> str:
    return "".join(mark if mark in "|*" else " " for mark in line)


def _arrow(line: list[str], start: int, end: int, message: Message) -> None:
    low, high = min(start, end), max(start, end)
    if low == high:
        _put(line, start + 2, f"({message.text})")
        return
    head = "o" if message.lost else (">" if end > start else "<")
    body = ["-"] * (high - low - 1)
    room = len(body) - 4
    text = message.text if len(message.text) <= room else message.text[: max(room - 1, 0)] + "~"
    label = f" {text} "
    begin = (len(body) - len(label)) // 2
    body[begin : begin + len(label)] = list(label)
    body[-1 if end > start else 0] = head
    _put(line, low + 1, "".join(body))


def _put(line: list[str], at: int, text: str) -> None:
    line.extend(" " * (at + len(text) - len(line)))
    line[at : at + len(text)] = list(text)
