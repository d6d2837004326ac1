"""Cables inside a card: bars between neighbouring rows, a way round the side for rows further apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cmxverify.report.drawing.geometry import Box, Point
from cmxverify.report.drawing.scene import Card, InnerBundle, Row

Trunk = tuple[Point, ...]
SIDE = 0.11
"""Width at the right of a card for each pair of rows whose cables pass by others."""


def inner_pairs(card: Card, inner: Sequence[InnerBundle]) -> list[tuple[Row, Row]]:
    """Pairs of rows of a card between which cables run."""
    mine = [bundle for bundle in inner if bundle.zone is card.zone and bundle.kind == card.kind]
    shown = set(card.rows)
    return [(bundle.upper, bundle.lower) for bundle in mine if {bundle.upper, bundle.lower} <= shown]


def side_ways(card: Card, inner: Sequence[InnerBundle]) -> list[tuple[Row, Row]]:
    """Pairs that are not neighbours in this card."""
    order = {row: at for at, row in enumerate(card.rows)}
    return [(a, b) for a, b in inner_pairs(card, inner) if order[b] - order[a] > 1]


def card_trunks(
    card: Card, inner: Sequence[InnerBundle], boxes: Mapping[Row, Sequence[Box]], right: float
) -> list[Trunk]:
    """Lines to draw inside a card; ``right`` is the right edge of its cells."""
    aside = side_ways(card, inner)
    trunks: list[Trunk] = []
    for upper, lower in inner_pairs(card, inner):
        if upper is lower:
            trunks += _within(boxes[upper])
        elif (upper, lower) not in aside:
            trunks += _bar(boxes[upper], boxes[lower])
    for at, (upper, lower) in enumerate(aside):
        trunks.append(_round(boxes[upper], boxes[lower], right + SIDE * (at + 0.6)))
    return trunks


def _bar(upper: Sequence[Box], lower: Sequence[Box]) -> list[Trunk]:
    """From the lowest boxes above, over a bar, to the highest boxes below."""
    above = [box for box in upper if box.bottom == max(b.bottom for b in upper)]
    below = [box for box in lower if box.y == min(b.y for b in lower)]
    bar = (above[0].bottom + below[0].y) / 2
    xs = [box.centre[0] for box in (*above, *below)]
    drops: list[Trunk] = [((box.centre[0], box.bottom), (box.centre[0], bar)) for box in above]
    rises: list[Trunk] = [((box.centre[0], bar), (box.centre[0], box.y)) for box in below]
    across: list[Trunk] = [((min(xs), bar), (max(xs), bar))] if max(xs) - min(xs) > 1e-9 else []
    return [*drops, *across, *rises]


def _within(boxes: Sequence[Box]) -> list[Trunk]:
    """Behind the boxes of one row, seen in the gaps between them."""
    first, last = boxes[0].centre, boxes[-1].centre
    return [(first, (last[0], first[1]))] if len(boxes) > 1 else []


def _round(upper: Sequence[Box], lower: Sequence[Box], x: float) -> Trunk:
    start, finish = (max(boxes, key=lambda box: (box.right, box.y)) for boxes in (upper, lower))
    y1, y2 = start.centre[1], finish.centre[1]
    return ((start.right, y1), (x, y1), (x, y2), (finish.right, y2))
