"""Colours: Okabe and Ito's set, which people with colour-blindness tell apart; text always says the same."""

from __future__ import annotations

from cmxverify.report.drawing.scene import Row

Colour = tuple[float, float, float]


def _colour(text: str) -> Colour:
    return (int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255)


INK = _colour("#10171f")
QUIET = _colour("#4d5a68")
WIRE = _colour("#6b7a89")
FRAME = _colour("#8795a3")
PAPER = _colour("#ffffff")
SWITCH = _colour("#3c4a59")
ADAPTER = _colour("#c3ccd5")
FABRIC = _colour("#dde3e9")

TIERS: dict[Row, Colour] = {
    Row.G1: _colour("#0072B2"),
    Row.G2: _colour("#56B4E9"),
    Row.G3: _colour("#009E73"),
    Row.G35: _colour("#E69F00"),
    Row.G4: _colour("#CC79A7"),
}


def blend(colour: Colour, amount: float) -> Colour:
    """A colour on white paper: 0 is white, 1 the colour itself."""
    red, green, blue = (1 - amount + amount * part for part in colour)
    return (red, green, blue)


def cell_colour(row: Row, share: float | None) -> Colour:
    """Fill of a cell; with a placement, the fuller the stronger."""
    if row is Row.SWITCH:
        return SWITCH
    if row is Row.ADAPTER:
        return ADAPTER
    return blend(TIERS[row], 0.42 if share is None else 0.08 + 0.92 * min(max(share, 0.0), 1.0))


def band_colour(row: Row | None) -> Colour:
    """Strip behind a row of cells."""
    return blend(TIERS[row], 0.13) if row in TIERS and row is not None else blend(FABRIC, 0.45)


def text_colour(fill: Colour) -> Colour:
    """Dark or white, whichever has more contrast on the fill."""
    return max((INK, PAPER), key=lambda ink: contrast(fill, ink))


def contrast(one: Colour, other: Colour) -> float:
    """Contrast ratio of WCAG 2, from 1 to 21; small text wants 4.5."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(part) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return float(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
