"""Positions of everything in a picture, in inches from its top left corner."""

from __future__ import annotations

from dataclasses import dataclass

from cmxverify.report.drawing.legend import LegendEntry
from cmxverify.report.drawing.scene import Band, Bundle, Card, Cell, Row, Scene, SwitchBox

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle; ``y`` grows downwards."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + self.height

    @property
    def centre(self) -> Point:
        """Its middle."""
        return (self.x + self.width / 2, self.y + self.height / 2)

    def overlaps(self, other: Box) -> bool:
        """Whether the two share more than an edge."""
        apart = (
            self.right <= other.x + 1e-9
            or other.right <= self.x + 1e-9
            or self.bottom <= other.y + 1e-9
            or other.bottom <= self.y + 1e-9
        )
        return not apart


@dataclass(frozen=True, slots=True)
class PlacedCell:
    """A cell and its box."""

    cell: Cell
    box: Box


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card, its frame, the strip of its title, its cells in the order of the card, and its inner trunks."""

    card: Card
    frame: Box
    title: Box
    cells: tuple[PlacedCell, ...]
    trunks: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True, slots=True)
class PlacedSwitch:
    """A switch box and where it stands."""

    switch: SwitchBox
    box: Box


@dataclass(frozen=True, slots=True)
class PlacedBand:
    """A strip across the picture, with the box that its label may fill; ``row`` None for the fabric."""

    row: Row | None
    band: Band
    strip: Box
    label: Box


@dataclass(frozen=True, slots=True)
class Note:
    """A small text in the margin: the cables between two rows."""

    text: str
    at: Point


@dataclass(frozen=True, slots=True)
class Pill:
    """The text of a bundle on its lines."""

    bundle: Bundle
    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class Wire:
    """A line to draw through these points; ``cables`` it stands for."""

    points: tuple[Point, ...]
    cables: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """A scene with positions."""

    scene: Scene
    width: float
    height: float
    header: tuple[str, ...]
    """Lines under the title."""
    bands: tuple[PlacedBand, ...]
    cards: tuple[PlacedCard, ...]
    switches: tuple[PlacedSwitch, ...]
    wires: tuple[Wire, ...]
    pills: tuple[Pill, ...]
    notes: tuple[Note, ...]
    legend: tuple[LegendEntry, ...]
