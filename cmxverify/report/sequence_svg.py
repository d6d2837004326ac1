"""A message sequence as an SVG drawing: lifelines, slanted arrows from the step that sends to the one that takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from cmxverify.checking.sequence import Message, MessageSequence, Row
from cmxverify.checking.trace import Failure
from cmxverify.report.tables import fold

_INK, _QUIET, _PAPER, _LINE = "#10171f", "#4d5a68", "#ffffff", "#b5bfc9"
_MESSAGE, _BAD, _BAND = "#0072b2", "#c0392b", "#f2f5f8"
_CHARACTER = 6.7
"""Width of one character of the 11-pixel monospaced font, in pixels, a little more than it takes."""
_LINE_HEIGHT, _MARGIN, _HEAD = 15, 16, 44
_LEAST_GAP, _LARGEST_GAP = 120, 320
_TEXT_COLUMNS = 58
_STYLE = f"""\
text {{ font: 11px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: {_INK}; white-space: pre; }}
.note {{ fill: {_QUIET}; }} .lane {{ font-weight: bold; text-anchor: middle; }} .bad {{ fill: {_BAD}; }}
.label {{ fill: {_MESSAGE}; text-anchor: middle; paint-order: stroke; stroke: {_PAPER}; stroke-width: 4px; }}
.life {{ stroke: {_LINE}; }} .message {{ stroke: {_MESSAGE}; stroke-width: 1.4; fill: none; }}
.open {{ stroke-dasharray: 5 3; }} .act {{ fill: {_INK}; }}"""


@dataclass(frozen=True, slots=True)
class _Page:
    """Where things are: columns of the lanes, the middle of each row's first line, and the bottom of the chart."""

    columns: dict[str, float]
    rows: tuple[float, ...]
    texts: tuple[list[str], ...]
    bottom: float
    width: float


def sequence_svg(sequence: MessageSequence, failure: Failure, *, title: str = "") -> str:
    """The whole drawing; ``title`` is its accessible name."""
    page = _page(sequence)
    footer = _footer(failure)
    width = max([page.width, *(2 * _MARGIN + len(line) * _CHARACTER for line in footer)])
    height = page.bottom + _LINE_HEIGHT * len(footer) + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{escape(_STYLE, quote=False)}</style>",
        '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
        f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="{_MESSAGE}"/></marker></defs>',
        f'<rect width="100%" height="100%" fill="{_PAPER}"/>',
        *_bands(page),
        *_lanes(page),
        *(part for row in sequence.rows for message in row.sends for part in _message(message, page)),
        *(part for number, row in enumerate(sequence.rows) for part in _row(row, number, page)),
        *_lines(footer, _MARGIN, page.bottom + _MARGIN + _LINE_HEIGHT, "bad"),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _page(sequence: MessageSequence) -> _Page:
    texts = tuple(_text(row) for row in sequence.rows)
    longest = max((len(line) for lines in texts for line in lines), default=0)
    left = _MARGIN + longest * _CHARACTER + 2 * _MARGIN
    gap = _gap(sequence)
    half = max([40.0, *(len(lane) * _CHARACTER / 2 for lane in sequence.lanes)])
    columns = {lane: left + half + gap * at for at, lane in enumerate(sequence.lanes)}
    rows, down = [], float(_HEAD)
    for lines in texts:
        rows.append(down + _LINE_HEIGHT)
        down += _LINE_HEIGHT * (len(lines) + 1)
    width = max(columns.values(), default=left) + half + _MARGIN
    return _Page(columns, tuple(rows), texts, down + _LINE_HEIGHT, width)


def _gap(sequence: MessageSequence) -> float:
    """Pixels between lanes, so that a label fits between two of them."""
    labels = [len(message.text) * _CHARACTER + 40 for row in sequence.rows for message in row.sends]
    names = [len(lane) * _CHARACTER + 24 for lane in sequence.lanes]
    return min(max([_LEAST_GAP, *labels, *names]), _LARGEST_GAP)


def _text(row: Row) -> list[str]:
    lines = [f"{row.step.number:3d}  {row.title}"]
    sent = [f"sends {each.text}" for each in row.sends if not _ends(each)]
    for note in [*sent, *row.notes()]:
        lines += fold(f"     {note}", width=_TEXT_COLUMNS, indent=7)
    return lines


def _footer(failure: Failure) -> list[str]:
    where = f" for {failure.where}" if failure.where else ""
    lines = fold(f"{failure.name}{where}: {failure.claim or failure.formula}", width=110, indent=2)
    if failure.values:
        lines += fold(
            "here " + ", ".join(f"{cell} = {value}" for cell, value in failure.values), width=110, indent=2
        )
    return lines


def _bands(page: _Page) -> Iterator[str]:
    """A pale band behind every second row ties the text to its lanes."""
    for number, (middle, lines) in enumerate(zip(page.rows, page.texts, strict=True)):
        if number % 2 == 0:
            top, height = middle - _LINE_HEIGHT, _LINE_HEIGHT * (len(lines) + 1)
            yield f'<rect x="0" y="{top:.1f}" width="100%" height="{height}" fill="{_BAND}"/>'


def _lanes(page: _Page) -> Iterator[str]:
    for lane, x in page.columns.items():
        yield f'<text class="lane" x="{x:.1f}" y="{_HEAD - 18}">{escape(lane)}</text>'
        yield f'<line class="life" x1="{x:.1f}" x2="{x:.1f}" y1="{_HEAD - 10}" y2="{page.bottom:.1f}"/>'


def _row(row: Row, number: int, page: _Page) -> Iterator[str]:
    middle = page.rows[number]
    if row.lane:
        yield f'<circle class="act" cx="{page.columns[row.lane]:.1f}" cy="{middle - 4:.1f}" r="3.5"/>'
    first, *others = page.texts[number]
    yield f'<text x="{_MARGIN}" y="{middle:.1f}">{escape(first)}</text>'
    yield from _lines(others, _MARGIN, middle + _LINE_HEIGHT, "note")


def _lines(lines: list[str], left: float, top: float, kind: str) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f'<text class="{kind}" x="{left}" y="{top + _LINE_HEIGHT * number:.1f}">{escape(line)}</text>'


def _ends(message: Message) -> list[tuple[str, int]]:
    """Lanes and steps that arrows of a message lead to; step 0 where nobody takes it."""
    if message.taken:
        return [(lane, step) for step, lane in message.taken if lane != message.sender]
    return [(lane, 0) for lane in message.receivers if lane != message.sender]


def _message(message: Message, page: _Page) -> Iterator[str]:
    """Arrows of a message; a later receipt of the same one is dashed."""
    start_x, start_y = page.columns[message.sender], page.rows[message.sent - 1] - 4
    labelled: set[str] = set()
    for lane, step in _ends(message):
        end_x, end_y = page.columns[lane], page.rows[step - 1] - 4
        if step:
            kind = "message open" if lane in labelled else "message"
            yield _line(start_x, start_y, end_x, end_y, kind, 'marker-end="url(#head)"')
        else:
            end_x, end_y = start_x + 0.75 * (end_x - start_x), start_y
            yield _line(start_x, start_y, end_x, end_y, "message open", "")
            yield _open_end(end_x, end_y, lost=bool(message.lost))
        if lane not in labelled:
            yield _label(message.text, start_x, start_y, end_x, end_y)
        labelled.add(lane)


def _line(x1: float, y1: float, x2: float, y2: float, kind: str, more: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {more}/>'


def _open_end(x: float, y: float, *, lost: bool) -> str:
    if lost:
        return f'<path class="message" d="M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8" style="stroke: {_BAD}"/>'
    return f'<circle class="message" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'


def _label(text: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """Beside the beginning of the arrow, where other arrows seldom are."""
    away = min((len(text) * _CHARACTER / 2 + 14) / max(abs(x2 - x1), 1), 0.5)
    x, y = x1 + away * (x2 - x1), y1 + away * (y2 - y1)
    return f'<text class="label" x="{x:.1f}" y="{y - 4:.1f}">{escape(text)}</text>'
