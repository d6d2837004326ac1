"""How large cards must be for what is printed in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from cmxverify.report.drawing.fonts import NAME, SMALL, text_width
from cmxverify.report.drawing.scene import Card, Cell, InnerBundle, Row, Zone, row_order
from cmxverify.report.drawing.trunks import SIDE, side_ways

CELL_PAD, CELL_GAP, LINE = 0.07, 0.05, 0.155
CARD_PAD, CARD_GAP, TITLE_HEIGHT = 0.09, 0.14, 0.3
ROW_GAP, BAND_PAD = 0.3, 0.1
STACK_STEP = 0.05
_WIDEST_ZONE = 15.5
_COLUMNS = (8, 6, 4, 3, 2, 1)


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells of one row of a card: columns, and width and height of each cell in inches."""

    columns: int
    cell_width: float
    cell_height: float
    cells: int

    @property
    def width(self) -> float:
        """Width of all columns."""
        return self.columns * (self.cell_width + CELL_GAP) - CELL_GAP

    @property
    def height(self) -> float:
        """Height of all lines."""
        return ceil(self.cells / self.columns) * (self.cell_height + CELL_GAP) - CELL_GAP


@dataclass(frozen=True, slots=True)
class CardSize:
    """Width of a card and the grid of each of its rows."""

    width: float
    room: float
    """Width for its cells; more than that is for cables that pass rows."""
    rows: dict[Row, Grid]


@dataclass(frozen=True, slots=True)
class ZoneSize:
    """Sizes of all cards of a zone, and the height of each row over all of them."""

    zone: Zone
    cards: tuple[CardSize, ...]
    heights: dict[Row, float]

    @property
    def width(self) -> float:
        """Width of all cards side by side."""
        return sum(size.width + CARD_GAP for size in self.cards) - CARD_GAP

    @property
    def height(self) -> float:
        """Height of all rows with the gaps between them and the titles; 0 for an empty zone."""
        if not self.heights:
            return 0.0
        return sum(self.heights.values()) + ROW_GAP * (len(self.heights) - 1) + TITLE_HEIGHT + 2 * BAND_PAD


def size_zone(zone: Zone, cards: Sequence[Card], inner: Sequence[InnerBundle]) -> ZoneSize:
    """The widest arrangement of cells that keeps the picture on a page."""
    mine = [card for card in cards if card.zone is zone]
    for columns in _COLUMNS:
        found = _zone(zone, mine, columns, inner)
        if found.width <= _WIDEST_ZONE:
            return found
    return found


def _zone(zone: Zone, cards: Sequence[Card], columns: int, inner: Sequence[InnerBundle]) -> ZoneSize:
    sizes = tuple(_card(card, columns, SIDE * len(side_ways(card, inner))) for card in cards)
    rows = [row for row in row_order(zone) if any(row in size.rows for size in sizes)]
    heights = {row: max(s.rows[row].height for s in sizes if row in s.rows) for row in rows}
    return ZoneSize(zone, sizes, {row: max(height, 3 * LINE) for row, height in heights.items()})


def _card(card: Card, columns: int, side: float) -> CardSize:
    grids = {row: _grid(card.row(row), columns) for row in card.rows}
    title = text_width(card_title(card), NAME, bold=True)
    room = max(title - side, *(grid.width for grid in grids.values()))
    return CardSize(
        room + side + 2 * CARD_PAD, room, {row: _stretched(grid, room) for row, grid in grids.items()}
    )


def card_title(card: Card) -> str:
    """Its name, and how many it stands for."""
    return f"{card.title}  x {card.count:,}" if card.count > 1 else card.title


def _grid(cells: Sequence[Cell], columns: int) -> Grid:
    widest = max(text_width(cell.title, NAME) for cell in cells)
    widest = max(widest, *(text_width(cell.detail, SMALL) for cell in cells))
    lines = max(len(cell.lines) for cell in cells)
    used = min(columns, len(cells))
    used = ceil(len(cells) / ceil(len(cells) / used))
    return Grid(used, widest + 2 * CELL_PAD, lines * LINE + 0.1, len(cells))


def _stretched(grid: Grid, room: float) -> Grid:
    """Cells as wide as the card allows, up to twice what they need."""
    width = (room + CELL_GAP) / grid.columns - CELL_GAP
    return Grid(grid.columns, min(width, max(2 * grid.cell_width, 0.9)), grid.cell_height, grid.cells)
