"""Ink on paper: a drawing with positions, painted by matplotlib without a display or global state."""

from __future__ import annotations

from io import BytesIO
from math import log2
from typing import Any

from cmxverify.report.drawing.fonts import FAMILY, NAME, SMALL, SUBTITLE, TITLE
from cmxverify.report.drawing.geometry import Box, Drawing, Pill, PlacedBand, PlacedCard, PlacedSwitch, Wire
from cmxverify.report.drawing.legend import SWATCH, Mark
from cmxverify.report.drawing.palette import (
    ADAPTER,
    FRAME,
    INK,
    PAPER,
    QUIET,
    SWITCH,
    TIERS,
    WIRE,
    Colour,
    band_colour,
    blend,
    cell_colour,
    text_colour,
)
from cmxverify.report.drawing.scene import Row, Scene
from cmxverify.report.drawing.sizes import LINE, STACK_STEP, card_title

CREATOR = "cmxverify"
"""Written into every picture, so that a later one may replace it."""

_PNG_DPI = 110
_SALT = "cmxverify"


def paint(drawing: Drawing, form: str) -> bytes:
    """The picture as SVG or PNG (``form`` 'svg' or 'png'); the same drawing gives the same bytes."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(
        {"svg.hashsalt": _SALT, "svg.fonttype": "path", "font.family": FAMILY, "text.hinting": "no_hinting"}
    ):
        figure = Figure(figsize=(drawing.width, drawing.height), facecolor=PAPER)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_xlim(0, drawing.width)
        axes.set_ylim(drawing.height, 0)
        axes.set_axis_off()
        _Painter(axes).all(drawing)
        out = BytesIO()
        about = {"Creator": CREATOR, "Date": None} if form == "svg" else {"Software": CREATOR}
        figure.savefig(out, format=form, dpi=_PNG_DPI, metadata=about)
    return out.getvalue()


class _Painter:
    """Draws parts of a drawing on one pair of axes whose unit is an inch."""

    def __init__(self, axes: Any) -> None:
        self.axes = axes

    def all(self, drawing: Drawing) -> None:
        self.header(drawing)
        for band in drawing.bands:
            self.band(band)
        for card in drawing.cards:
            self.frame(card)
        for wire in drawing.wires:
            self.wire(wire)
        for card in drawing.cards:
            self.card(card)
        for switch in drawing.switches:
            self.switch(switch)
        for pill in drawing.pills:
            self.pill(pill)
        for note in drawing.notes:
            self.text(*note.at, note.text, SMALL, colour=QUIET, side="left")
        self.legend(drawing)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        colour: Colour = INK,
        bold: bool = False,
        side: str = "center",
    ) -> None:
        weight = "bold" if bold else "normal"
        settings: dict[str, Any] = {"ha": side, "va": "center_baseline", "zorder": 9, "parse_math": False}
        self.axes.text(x, y, text, size=size, color=colour, weight=weight, **settings)

    def box(
        self,
        box: Box,
        fill: Colour,
        *,
        edge: Colour | None = None,
        line: float = 0.8,
        round_: float = 0.04,
        z: int = 2,
    ) -> None:
        from matplotlib.patches import FancyBboxPatch

        style = f"round,pad=0,rounding_size={round_}"
        corner = (box.x, box.y)
        outline: dict[str, Any] = {"edgecolor": edge or "none", "linewidth": line if edge else 0, "zorder": z}
        self.axes.add_patch(
            FancyBboxPatch(corner, box.width, box.height, boxstyle=style, facecolor=fill, **outline)
        )

    def header(self, drawing: Drawing) -> None:
        left = drawing.bands[0].strip.x if drawing.bands else 0.3
        self.text(left, 0.42, drawing.scene.title, TITLE, bold=True, side="left")
        for at, line in enumerate(drawing.header):
            self.text(left, 0.74 + 0.2 * at, line, SUBTITLE, colour=QUIET, side="left")

    def band(self, band: PlacedBand) -> None:
        self.box(band.strip, band_colour(band.row), round_=0.06, z=0)
        lines = [(band.band.title, NAME, True), *((line, SMALL, False) for line in band.band.details)]
        y = band.label.centre[1] - (len(lines) - 1) * LINE / 2
        for at, (text, size, bold) in enumerate(lines):
            colour = INK if bold else QUIET
            self.text(band.label.x, y + at * LINE, text, size, bold=bold, side="left", colour=colour)

    def frame(self, placed: PlacedCard) -> None:
        """Paper of a card, translucent so that the bands go on behind it; a stack shows two more edges."""
        frame = placed.frame
        for step in (2, 1) if placed.card.count > 1 else ():
            shifted = Box(frame.x + step * STACK_STEP, frame.y - step * STACK_STEP, frame.width, frame.height)
            self.box(shifted, PAPER, edge=FRAME, round_=0.07, z=1)
        self.box(frame, PAPER, edge=FRAME, round_=0.07, z=1)

    def card(self, placed: PlacedCard) -> None:
        x, y = placed.title.centre
        self.text(x, y, card_title(placed.card), NAME, bold=True)
        for points in placed.trunks:
            self.axes.plot(
                *zip(*points, strict=True), color=WIRE, linewidth=1.4, zorder=3, solid_capstyle="projecting"
            )
        for cell in placed.cells:
            share = None if cell.cell.share is None else float(cell.cell.share)
            fill = cell_colour(cell.cell.row, share)
            edge = TIERS.get(cell.cell.row, FRAME) if cell.cell.row is not Row.SWITCH else SWITCH
            self.box(cell.box, fill, edge=edge, line=0.9, z=4)
            self.lines(cell.box, cell.cell.lines, text_colour(fill), bold=False)

    def lines(self, box: Box, lines: tuple[str, ...], colour: Colour, *, bold: bool) -> None:
        x, y = box.centre
        top = y - (len(lines) - 1) * LINE / 2
        for at, line in enumerate(lines):
            self.text(x, top + at * LINE, line, SMALL if at else NAME, colour=colour, bold=bold and not at)

    def switch(self, placed: PlacedSwitch) -> None:
        many = len(placed.switch.names) > 1
        for step in (2, 1) if many else ():
            box = placed.box
            shifted = Box(box.x + step * STACK_STEP, box.y - step * STACK_STEP, box.width, box.height)
            self.box(shifted, blend(SWITCH, 0.55), edge=PAPER, z=3)
        self.box(placed.box, SWITCH, edge=PAPER, z=4)
        self.lines(placed.box, (placed.switch.title, placed.switch.detail), PAPER, bold=True)

    def wire(self, wire: Wire) -> None:
        xs, ys = zip(*wire.points, strict=True)
        width = min(0.7 + 0.35 * log2(wire.cables), 2.6)
        self.axes.plot(xs, ys, color=WIRE, linewidth=width, alpha=0.55, zorder=2, solid_joinstyle="round")

    def pill(self, pill: Pill) -> None:
        self.box(pill.box, PAPER, edge=WIRE, line=0.7, round_=pill.box.height / 2, z=7)
        self.text(*pill.box.centre, pill.text, NAME)

    def legend(self, drawing: Drawing) -> None:
        for entry in drawing.legend:
            (x, y), colours = entry.at, _swatch(drawing.scene, entry.mark)
            height = 0.03 if entry.mark is Mark.CABLES else 0.16
            width = SWATCH / len(colours)
            for at, colour in enumerate(colours):
                part = Box(x + at * width, y - height / 2, width, height)
                self.box(part, colour, round_=0.01, z=4)
            self.text(x + SWATCH + 0.08, y, entry.text, SMALL, colour=QUIET, side="left")


def _swatch(scene: Scene, mark: Mark) -> tuple[Colour, ...]:
    """Colours of a legend entry, side by side."""
    tiers = scene.tiers
    if mark is Mark.FILL:
        return tuple(cell_colour(tiers[-1], step / 8) for step in range(9))
    if mark is Mark.PLACE:
        return tuple(cell_colour(row, None) for row in tiers)
    return ({Mark.ADAPTER: ADAPTER, Mark.SWITCH: SWITCH, Mark.CABLES: WIRE}[mark],)
