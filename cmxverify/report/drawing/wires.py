"""Lines between boxes: out of a card at its edge, then straight to the box at the other end."""

from __future__ import annotations

from collections.abc import Sequence

from cmxverify.report.drawing.geometry import Box, PlacedCard, PlacedSwitch, Point, Wire
from cmxverify.report.drawing.scene import End, Line, Scene, Zone

_MOST_LINES_A_BUNDLE = 100


class Anchors:
    """Where lines leave boxes; several at one switch are spread along its edge."""

    def __init__(self, cards: Sequence[PlacedCard], switches: Sequence[PlacedSwitch]) -> None:
        self.cards, self.switches = cards, switches

    def centre_x(self, end: End) -> float:
        """Horizontal middle of the box or cell at an end."""
        if end.is_switch:
            return self.switches[end.box].box.centre[0]
        return self.cards[end.box].cells[end.cell].box.centre[0]

    def level(self, end: End) -> float:
        """Vertical middle, which tells what lies above what."""
        if end.is_switch:
            return self.switches[end.box].box.centre[1]
        return self.cards[end.box].frame.centre[1]

    def leave(self, end: End, *, downwards: bool, share: float) -> list[Point]:
        """Points from a box to where it is clear of its zone; ``share`` runs along a switch's edge, 0 to 1."""
        if end.is_switch:
            box = self.switches[end.box].box
            return [(box.x + box.width * (0.06 + 0.88 * share), box.bottom if downwards else box.y)]
        placed = self.cards[end.box]
        cell, frames = placed.cells[end.cell].box, self.frames(placed.card.zone)
        x = cell.centre[0]
        edge = max(f.bottom for f in frames) if downwards else min(f.y for f in frames)
        return [(x, cell.bottom if downwards else cell.y), (x, edge)]

    def frames(self, zone: Zone) -> list[Box]:
        """Frames of all cards of a zone."""
        return [placed.frame for placed in self.cards if placed.card.zone is zone]

    def past_levels(self, start: Point, finish: Point) -> list[Point]:
        """Points that lead a line downwards past the switches between its ends, through the gaps beside them."""
        levels: dict[float, list[Box]] = {}
        for placed in self.switches:
            if start[1] < placed.box.y and placed.box.bottom < finish[1]:
                levels.setdefault(placed.box.y, []).append(placed.box)
        points: list[Point] = []
        for y, boxes in sorted(levels.items()):
            x = start[0] + (finish[0] - start[0]) * (y - start[1]) / (finish[1] - start[1])
            clear = _clear_of(x, boxes)
            points += [(clear, y - _CLEAR), (clear, boxes[0].bottom + _CLEAR)]
        return points


_CLEAR = 0.07


def _clear_of(x: float, boxes: Sequence[Box]) -> float:
    """The nearest position that no box covers."""
    for box in boxes:
        if box.x - _CLEAR < x < box.right + _CLEAR:
            return box.x - _CLEAR if x < box.centre[0] else box.right + _CLEAR
    return x


def route_wires(scene: Scene, anchors: Anchors) -> list[Wire]:
    """All lines of all bundles; a bundle of very many is drawn once for every card instead of every cell."""
    wires = []
    lines = [line for bundle in scene.bundles for line in _thinned(bundle.lines)]
    shares = _edge_shares(lines, anchors)
    for at, line in enumerate(lines):
        same_row = abs(anchors.level(line.a) - anchors.level(line.b)) < 1e-6
        a_above = anchors.level(line.a) < anchors.level(line.b)
        down_a = _faces_down(scene, line.a) if same_row else a_above
        down_b = _faces_down(scene, line.b) if same_row else not a_above
        start = anchors.leave(line.a, downwards=down_a, share=shares[(at, line.a)])
        finish = anchors.leave(line.b, downwards=down_b, share=shares[(at, line.b)])
        upper, lower = (start, finish) if start[-1][1] <= finish[-1][1] else (finish, start)
        past = [] if same_row else anchors.past_levels(upper[-1], lower[-1])
        wires.append(Wire((*upper, *past, *reversed(lower)), line.cables))
    return wires


def _faces_down(scene: Scene, end: End) -> bool:
    return end.is_switch or scene.cards[end.box].zone is Zone.COMPUTE


def _thinned(lines: Sequence[Line]) -> list[Line]:
    if len(lines) <= _MOST_LINES_A_BUNDLE:
        return list(lines)
    kept: dict[tuple[object, object], Line] = {}
    for line in lines:
        key = (line.a.is_switch, line.a.box), (line.b.is_switch, line.b.box)
        known = kept.get(key)
        kept[key] = Line(line.a, line.b, line.cables + known.cables) if known else line
    return list(kept.values())


def _edge_shares(lines: Sequence[Line], anchors: Anchors) -> dict[tuple[int, End], float]:
    """Position of each line along the edge of its switch: in the order of what is at the other end."""
    edges: dict[tuple[End, bool], list[tuple[float, int]]] = {}
    for at, line in enumerate(lines):
        for end, other in ((line.a, line.b), (line.b, line.a)):
            upwards = anchors.level(other) < anchors.level(end)
            edges.setdefault((end, upwards), []).append((anchors.centre_x(other), at))
    shares: dict[tuple[int, End], float] = {}
    for (end, _), arrivals in edges.items():
        for position, (_, at) in enumerate(sorted(arrivals)):
            shares[(at, end)] = (position + 0.5) / len(arrivals)
    return shares
