"""What a picture shows, before anything has a position: cards with cells, switch boxes, bundles of cables."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from cmxverify.topology.model import Node, NodeKind, Place, Tier

MOST_OF_A_KIND = 20
"""Boxes of one kind that are drawn one by one; more are merged, with their count."""


class Row(Enum):
    """A line of cells in a card, and the band behind it."""

    G1 = "G1"
    G2 = "G2"
    G3 = "G3"
    G35 = "G3.5"
    G4 = "G4"
    ADAPTER = "adapter"
    SWITCH = "switch"

    @property
    def tier(self) -> Tier | None:
        """The tier of its places; None for network rows."""
        return None if self in (Row.ADAPTER, Row.SWITCH) else Tier(self.value)


def row_of(node: Node, place: Place | None) -> Row:
    """The row that a node is drawn in."""
    if place is not None:
        return Row(place.tier.value)
    return Row.SWITCH if node.kind is NodeKind.SWITCH else Row.ADAPTER


class Zone(Enum):
    """Part of the picture: what computes is drawn above the fabric, what stores below it."""

    COMPUTE = "compute"
    STORAGE = "storage"


@dataclass(frozen=True, slots=True)
class PlaceFill:
    """How full a place is in a placement: a share of one, and the text to print in its box."""

    share: Fraction
    label: str = ""

    @property
    def text(self) -> str:
        """The label, or the share as a percentage."""
        return self.label or percent(self.share)


def percent(share: Fraction) -> str:
    """Whole per cent, but never 0 % of something nor 100 % of what is not full."""
    rounded = round(share * 100)
    if share > 0 and rounded == 0:
        return "<1 %"
    return f"{99 if rounded == 100 and share < 1 else rounded} %"


@dataclass(frozen=True, slots=True)
class Cell:
    """One box in a card: a node, or several merged. ``share`` is None where no placement is shown."""

    row: Row
    title: str
    detail: str
    names: tuple[str, ...]
    share: Fraction | None = None

    @property
    def lines(self) -> tuple[str, ...]:
        """What is printed in the box."""
        return (self.title, self.detail) if self.detail else (self.title,)


@dataclass(frozen=True, slots=True)
class Card:
    """One container, or ``count`` equal ones drawn as a stack."""

    title: str
    kind: str
    zone: Zone
    count: int
    cells: tuple[Cell, ...]

    def row(self, row: Row) -> tuple[Cell, ...]:
        """Its cells in one row."""
        return tuple(cell for cell in self.cells if cell.row is row)

    @property
    def rows(self) -> tuple[Row, ...]:
        """Rows in which it has cells, from its top to its bottom."""
        return tuple(row for row in row_order(self.zone) if self.row(row))


_TIERS = (Row.G1, Row.G2, Row.G3, Row.G35, Row.G4)


def row_order(zone: Zone) -> tuple[Row, ...]:
    """Rows of a card from top to bottom: the side that faces the fabric is the network's."""
    return (*_TIERS, Row.ADAPTER, Row.SWITCH) if zone is Zone.COMPUTE else (Row.SWITCH, Row.ADAPTER, *_TIERS)


@dataclass(frozen=True, slots=True)
class SwitchBox:
    """One switch of the fabric, or all of a level that share a name."""

    title: str
    detail: str
    kind: str
    level: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class End:
    """Where a line ends: a cell of a card, or (cell -1) the switch box of that index."""

    box: int
    cell: int = -1

    @property
    def is_switch(self) -> bool:
        """Whether it is a switch of the fabric."""
        return self.cell < 0


@dataclass(frozen=True, slots=True)
class Line:
    """All cables between two ends."""

    a: End
    b: End
    cables: int


@dataclass(frozen=True, slots=True)
class Bundle:
    """Lines of one kind, with the text that tells their number and rate."""

    title: str
    text: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class InnerBundle:
    """Cables inside the cards of one kind, from one row to another or within one."""

    zone: Zone
    kind: str
    upper: Row
    lower: Row
    text: str


@dataclass(frozen=True, slots=True)
class Band:
    """A tier or a part of the network across the picture: what it is, and what it amounts to."""

    title: str
    details: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything in a picture. ``levels`` counts rows of switch boxes between the zones."""

    title: str
    subtitle: str
    cards: tuple[Card, ...]
    switches: tuple[SwitchBox, ...]
    levels: int
    bundles: tuple[Bundle, ...]
    inner: tuple[InnerBundle, ...]
    bands: dict[tuple[Zone, Row], Band]
    filled: bool

    @property
    def tiers(self) -> tuple[Row, ...]:
        """Rows of places that it shows, nearest to the GPU first."""
        shown = {cell.row for card in self.cards for cell in card.cells}
        return tuple(row for row in Row if row in shown and row.tier is not None)
