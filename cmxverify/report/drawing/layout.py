"""Where everything stands: compute cards on top, the fabric in levels, storage below, labels at the left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cmxverify.report.drawing.fonts import NAME, SMALL, SUBTITLE, text_width, wrap_text
from cmxverify.report.drawing.geometry import (
    Box,
    Drawing,
    Note,
    Pill,
    PlacedBand,
    PlacedCard,
    PlacedCell,
    PlacedSwitch,
)
from cmxverify.report.drawing.legend import place_legend
from cmxverify.report.drawing.scene import (
    Band,
    Bundle,
    Card,
    InnerBundle,
    Row,
    Scene,
    SwitchBox,
    Zone,
    row_order,
)
from cmxverify.report.drawing.sizes import (
    BAND_PAD,
    CARD_GAP,
    CARD_PAD,
    CELL_GAP,
    ROW_GAP,
    TITLE_HEIGHT,
    CardSize,
    ZoneSize,
    size_zone,
)
from cmxverify.report.drawing.trunks import card_trunks
from cmxverify.report.drawing.wires import Anchors, route_wires

MARGIN = 0.3
_LEAST_CONTENT = 6.5
_SWITCH_HEIGHT, _SWITCH_WIDEST = 0.52, 3.2
_PILL_HEIGHT, _PILL_GAP = 0.24, 0.08
_CHANNEL = 0.62
_LABEL_PAD = 0.12


def lay_out(scene: Scene) -> Drawing:
    """Give every part of a scene its place."""
    return _Layout(scene).drawing()


@dataclass
class _Layout:
    scene: Scene
    bands: list[PlacedBand] = field(default_factory=list)
    cards: list[PlacedCard] = field(default_factory=list)
    switches: list[PlacedSwitch] = field(default_factory=list)
    pills: list[Pill] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def drawing(self) -> Drawing:
        zones = [size_zone(zone, self.scene.cards, self.scene.inner) for zone in Zone]
        self.left = self.gutter()
        self.content = max(_LEAST_CONTENT, *(zone.width for zone in zones), self.fabric_width())
        width = self.left + self.content + MARGIN
        header = wrap_text(self.scene.subtitle, SUBTITLE, width - 2 * MARGIN) if self.scene.subtitle else []
        y = MARGIN + 0.4 + 0.2 * len(header) + 0.15
        y = self.zone(zones[0], y)
        y = self.fabric(y, before=bool(zones[0].cards), after=bool(zones[1].cards))
        y = self.zone(zones[1], y)
        anchors = Anchors(self.cards, self.switches)
        wires = route_wires(self.scene, anchors)
        legend = place_legend(self.scene, MARGIN, y + 0.2, width - 2 * MARGIN)
        return Drawing(
            self.scene,
            width,
            (legend[-1].at[1] if legend else y) + MARGIN,
            tuple(header),
            tuple(self.bands),
            tuple(self.cards),
            tuple(self.switches),
            tuple(wires),
            tuple(self.pills),
            tuple(self.notes),
            legend,
        )

    def gutter(self) -> float:
        """Width of the margin for the labels of bands and of the cables between them."""
        bands = [*self.scene.bands.values(), *(self.level_band(level) for level in range(self.scene.levels))]
        titles = [text_width(band.title, NAME, bold=True) for band in bands]
        details = [text_width(line, SMALL) for band in bands for line in band.details]
        notes = [text_width(gap_note(self.scene, *key, rows), SMALL) for rows, key in self.rows()]
        return MARGIN + max([1.0, *titles, *details, *notes]) + 2 * _LABEL_PAD

    def rows(self) -> list[tuple[list[Row], tuple[Zone, Row]]]:
        """Every row shown, with all rows of its zone in order."""
        shown = {zone: [row for row in row_order(zone) if (zone, row) in self.scene.bands] for zone in Zone}
        return [(rows, (zone, row)) for zone, rows in shown.items() for row in rows]

    def zone(self, size: ZoneSize, y: float) -> float:
        """Place the cards of a zone under ``y``; returns where it ends."""
        if not size.cards:
            return y
        top = y + (TITLE_HEIGHT if size.zone is Zone.COMPUTE else 0) + BAND_PAD
        tops = self.strips(size, top)
        cards = [card for card in self.scene.cards if card.zone is size.zone]
        gap = min((self.content - size.width) / len(cards) + CARD_GAP, 0.5)
        x = self.left + (self.content - size.width - (gap - CARD_GAP) * (len(cards) - 1)) / 2
        for card, card_size in zip(cards, size.cards, strict=True):
            self.cards.append(_place_card(card, card_size, x, tops, size.heights, self.scene.inner))
            x += card_size.width + gap
        return y + size.height

    def strips(self, size: ZoneSize, y: float) -> dict[Row, float]:
        """Bands of a zone, and the notes between them; returns the top of each row."""
        tops: dict[Row, float] = {}
        for row, height in size.heights.items():
            tops[row] = y
            self.strip(row, self.scene.bands[(size.zone, row)], y, height)
            note = gap_note(self.scene, size.zone, row, list(size.heights))
            if note:
                self.notes.append(Note(note, (MARGIN + _LABEL_PAD, y + height + ROW_GAP / 2)))
            y += height + ROW_GAP
        return tops

    def strip(self, row: Row | None, band: Band, y: float, height: float) -> None:
        strip = Box(MARGIN, y - BAND_PAD / 2, self.left + self.content - MARGIN + BAND_PAD, height + BAND_PAD)
        label = Box(MARGIN + _LABEL_PAD, y, self.left - MARGIN - 2 * _LABEL_PAD, height)
        self.bands.append(PlacedBand(row, band, strip, label))

    def fabric(self, y: float, *, before: bool, after: bool) -> float:
        """Place switches and the texts of bundles between the zones; returns where storage starts."""
        for level in range(self.scene.levels):
            y = self.channel(y, self.bundles_at(level)) if before or level else y
            self.strip(None, self.level_band(level), y, _SWITCH_HEIGHT)
            self.level([s for s in self.scene.switches if s.level == level], y)
            y += _SWITCH_HEIGHT
        below = self.bundles_at(self.scene.levels)
        return self.channel(y, below) if after and (self.scene.levels or before) else y

    def channel(self, y: float, bundles: Sequence[Bundle]) -> float:
        """Room for lines, with the texts of its bundles one under the other in its middle."""
        named = len(bundles) > 1
        inner = len(bundles) * (_PILL_HEIGHT + _PILL_GAP) - _PILL_GAP if bundles else 0
        height = _CHANNEL + max(inner, 0)
        top = y + (height - inner) / 2
        for bundle in bundles:
            text = f"{bundle.title}   {bundle.text}" if named else bundle.text
            width = text_width(text, NAME) + 0.24
            box = Box(self.left + (self.content - width) / 2, top, width, _PILL_HEIGHT)
            self.pills.append(Pill(bundle, text, box))
            top += _PILL_HEIGHT + _PILL_GAP
        return y + height

    def bundles_at(self, gap: int) -> list[Bundle]:
        """Bundles told in the gap above level ``gap``: above their lower end, or below all levels for storage."""
        return [bundle for bundle in self.scene.bundles if self.gap_of(bundle) == gap]

    def gap_of(self, bundle: Bundle) -> int:
        ends = [end for line in bundle.lines for end in (line.a, line.b)]
        if any(not end.is_switch and self.scene.cards[end.box].zone is Zone.STORAGE for end in ends):
            return self.scene.levels
        levels = [self.scene.switches[end.box].level for end in ends if end.is_switch]
        return max(levels, default=self.scene.levels)

    def level_band(self, level: int) -> Band:
        boxes = [box for box in self.scene.switches if box.level == level]
        kinds = list(dict.fromkeys(box.kind for box in boxes))
        count = sum(len(box.names) for box in boxes)
        word = "switch" if count == 1 else "switches"
        title = f"{kinds[0]} {word}" if len(kinds) == 1 and "switch" not in kinds[0] else word
        return Band(title, (f"{count:,} on this level",) if count > 1 else ())

    def fabric_width(self) -> float:
        levels: dict[int, float] = {}
        for box in self.scene.switches:
            levels[box.level] = levels.get(box.level, -CARD_GAP) + _switch_least(box) + CARD_GAP
        return max(levels.values(), default=0.0)

    def level(self, boxes: Sequence[SwitchBox], y: float) -> None:
        """Spread the switches of one level evenly over the width."""
        slot = self.content / len(boxes)
        least = max(_switch_least(box) for box in boxes)
        even = slot - CARD_GAP >= least
        x = self.left
        for box in boxes:
            room = slot if even else _switch_least(box) + CARD_GAP
            width = min(max(0.55 * slot, least), _SWITCH_WIDEST) if even else room - CARD_GAP
            self.switches.append(PlacedSwitch(box, Box(x + (room - width) / 2, y, width, _SWITCH_HEIGHT)))
            x += room


def gap_note(scene: Scene, zone: Zone, row: Row, rows: Sequence[Row]) -> str:
    """Cables told under a row: within it, to the next one, and those that pass rows and end at the next one."""
    after = rows[rows.index(row) + 1] if row is not rows[-1] else None
    texts: dict[str, None] = {}
    for bundle in scene.inner:
        if bundle.zone is not zone:
            continue
        if bundle.upper is bundle.lower:
            if bundle.upper is row:
                texts[f"within: {bundle.text}"] = None
        elif bundle.lower is after:
            texts[bundle.text] = None
    shown = list(texts)
    return "; ".join(shown[:2]) + ("; ..." if len(shown) > 2 else "")


def _switch_least(box: SwitchBox) -> float:
    return max(text_width(box.title, NAME, bold=True), text_width(box.detail, SMALL)) + 0.24


def _place_card(
    card: Card,
    size: CardSize,
    x: float,
    tops: dict[Row, float],
    heights: dict[Row, float],
    inner: Sequence[InnerBundle],
) -> PlacedCard:
    cells: list[PlacedCell] = []
    for row in card.rows:
        grid = size.rows[row]
        top = tops[row] + (heights[row] - grid.height) / 2
        left = x + CARD_PAD + (size.room - grid.width) / 2
        for at, cell in enumerate(card.row(row)):
            line, column = divmod(at, grid.columns)
            corner = (
                left + column * (grid.cell_width + CELL_GAP),
                top + line * (grid.cell_height + CELL_GAP),
            )
            cells.append(PlacedCell(cell, Box(*corner, grid.cell_width, grid.cell_height)))
    top, bottom = tops[card.rows[0]], tops[card.rows[-1]] + heights[card.rows[-1]]
    above, below = (TITLE_HEIGHT, 0.0) if card.zone is Zone.COMPUTE else (0.0, TITLE_HEIGHT)
    frame = Box(x, top - CARD_PAD - above, size.width, bottom - top + 2 * CARD_PAD + TITLE_HEIGHT)
    title_y = frame.y if above else bottom + CARD_PAD - 0.02
    boxes = {row: [placed.box for placed in cells if placed.cell.row is row] for row in card.rows}
    trunks = card_trunks(card, inner, boxes, x + CARD_PAD + size.room)
    assert below + above == TITLE_HEIGHT, "a title stands above or below"
    return PlacedCard(card, frame, Box(x, title_y, size.width, TITLE_HEIGHT), tuple(cells), tuple(trunks))
