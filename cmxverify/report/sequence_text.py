"""A message sequence in the terminal: the steps on the left, their lanes on the right, arrows for messages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from cmxverify.checking.sequence import Message, MessageSequence, Row
from cmxverify.report.tables import PIPE_WIDTH, fold

_LEAST_TEXT, _MOST_TITLE = 34, 44
"""Columns that steps and changes get before labels get any; steps with long names get a few more."""
_LEAST_GAP = 9
_NUMBER = 6
"""Columns of the step's number."""
_AROUND_LABEL = 5
"""Columns of an arrow beside its label: a dash and a blank on both sides, and the head."""
_LEGEND = {"o": "o: nobody takes the message in this trace", "x": "x: the message is lost"}


@dataclass(frozen=True, slots=True)
class _Frame:
    """Columns of the chart: width of the text, and of each lane the column of its line."""

    left: int
    centres: dict[str, int]


def sequence_lines(sequence: MessageSequence, *, width: int = PIPE_WIDTH) -> list[str]:
    """Lines of the chart, the names of the lanes first; empty where the lanes do not fit the width."""
    frame = _frame(sequence, width)
    if frame is None:
        return []
    lines = [_heading(frame)]
    for row in sequence.rows:
        lines += _row(row, frame)
    heads = {head for row in sequence.rows for each in row.sends for _, head in _arrows(each)}
    legend = [text for head, text in _LEGEND.items() if head in heads]
    return [*lines, *(["  " + "; ".join(legend)] if legend else [])]


def _frame(sequence: MessageSequence, width: int) -> _Frame | None:
    lanes = sequence.lanes
    ends = (len(lanes[0]) + 1) // 2 + 1, (len(lanes[-1]) + 1) // 2 + 1
    text = _NUMBER + max(
        (len(each) for row in sequence.rows for each in (row.title, *row.notes())), default=0
    )
    titles = _NUMBER + max((len(row.title) for row in sequence.rows), default=0)
    room = width - sum(ends) - min(text, max(_LEAST_TEXT, min(titles, _MOST_TITLE))) - 2
    spans = max(len(lanes) - 1, 1)
    gap = min(_gap_wanted(sequence), room // spans)
    if gap < max(_LEAST_GAP, *(len(lane) + 2 for lane in lanes)):
        return None
    left = min(text + 2, width - sum(ends) - gap * spans)
    return _Frame(left, {lane: left + ends[0] + gap * at for at, lane in enumerate(lanes)})


def _gap_wanted(sequence: MessageSequence) -> int:
    """Columns between two lanes that every label needs on its arrow."""
    lanes = sequence.lanes
    wanted = [_LEAST_GAP, *(len(lane) + 2 for lane in lanes)]
    for row in sequence.rows:
        for message in row.sends:
            spans = [abs(lanes.index(message.sender) - lanes.index(each)) for each in message.receivers]
            wanted += [-(-(len(message.text) + _AROUND_LABEL + 1) // span) for span in spans if span]
    return max(wanted)


def _heading(frame: _Frame) -> str:
    line: list[str] = []
    for lane, centre in frame.centres.items():
        _put(line, centre - len(lane) // 2, lane)
    return "".join(line)


def _row(row: Row, frame: _Frame) -> list[str]:
    drawn = list(_drawn(row, frame))
    room = frame.left - 2
    texts = [*_title(row, room), *_notes([*_unlabelled(row, frame), *row.notes()], room)]
    while len(drawn) < len(texts):
        drawn.append(_lifelines(frame))
    texts += [""] * (len(drawn) - len(texts))
    return [
        (text.ljust(frame.left) + line[frame.left :]).rstrip()
        for text, line in zip(texts, drawn, strict=True)
    ]


def _title(row: Row, room: int) -> list[str]:
    """Number and step; what does not fit goes on below, the arguments first."""
    head = f" {row.step.number:3d}  {row.step.action}"
    if len(head) + len(row.arguments) <= room:
        return [head + row.arguments]
    more = room - _NUMBER - 2
    pieces = [row.step.action[at : at + more] for at in range(0, len(row.step.action), more)]
    pieces += textwrap.wrap(row.arguments, more)
    return [f" {row.step.number:3d}  {pieces[0]}", *(f"        {each}" for each in pieces[1:])]


def _notes(notes: list[str], room: int) -> list[str]:
    """Notes one after the other, as many on a line as fit; only one that needs it is split."""
    lines: list[str] = []
    for note in notes:
        if lines and len(lines[-1]) + len(note) + 2 <= room:
            lines[-1] += f"; {note}"
        else:
            lines += fold(f"      {note}", width=room, indent=8)
    return lines


def _drawn(row: Row, frame: _Frame) -> Iterator[str]:
    """Lifelines of a row, one line for each arrow; the first has the mark of who acts."""
    arrows = [(message, *arrow) for message in row.sends for arrow in _arrows(message)]
    for number, (message, receiver, head) in enumerate(arrows):
        line = list(_lifelines(frame))
        _put(line, frame.centres[row.lane], "*" if number == 0 else "|")
        _arrow(line, frame.centres[message.sender], frame.centres[receiver], head, message.text)
        yield "".join(line)
    if not arrows:
        line = list(_lifelines(frame))
        if row.lane:
            _put(line, frame.centres[row.lane], "*")
        yield "".join(line)


def _arrows(message: Message) -> list[tuple[str, str]]:
    """Where the arrows of a message end, and their heads; empty for ``>`` or ``<``."""
    head = "" if message.taken else "x" if message.lost else "o"
    return [(receiver, head) for receiver in message.receivers if receiver != message.sender]


def _unlabelled(row: Row, frame: _Frame) -> list[str]:
    """Messages whose arrow has no room for a label, or that have none."""
    notes = []
    for message in row.sends:
        arrows = _arrows(message)
        if not arrows:
            notes.append(f"sends {message.text}" + ("" if message.taken else ", which nobody takes"))
        elif not any(_has_room(message, receiver, frame) for receiver, _ in arrows):
            notes.append(f"sends {message.text}")
    return notes


def _has_room(message: Message, receiver: str, frame: _Frame) -> bool:
    length = abs(frame.centres[message.sender] - frame.centres[receiver]) - 1
    return len(message.text) + _AROUND_LABEL <= length


def _lifelines(frame: _Frame) -> str:
    line: list[str] = []
    for centre in frame.centres.values():
        _put(line, centre, "|")
    return "".join(line)


def _arrow(line: list[str], start: int, end: int, head: str, text: str) -> None:
    low, high = min(start, end), max(start, end)
    body = ["-"] * (high - low - 1)
    if len(text) + _AROUND_LABEL <= len(body):
        label = f" {text} "
        begin = (len(body) - len(label)) // 2
        body[begin : begin + len(label)] = label
    body[-1 if end > start else 0] = head or (">" if end > start else "<")
    _put(line, low + 1, "".join(body))


def _put(line: list[str], at: int, text: str) -> None:
    line.extend(" " * (at + len(text) - len(line)))
    line[at : at + len(text)] = text
