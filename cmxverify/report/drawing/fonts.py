"""Widths of texts in inches, so that boxes are made to fit them and nothing overlaps."""

from __future__ import annotations

from functools import lru_cache

FAMILY = "DejaVu Sans"
"""Ships with matplotlib, so a picture is the same on every machine."""

TITLE, SUBTITLE, NAME, SMALL = 16.0, 10.5, 9.5, 8.5
"""Font sizes in points. Nothing is smaller than ``SMALL``."""

_SLACK = 1.03
"""Screens round the widths of letters; a little room keeps texts inside their boxes."""


@lru_cache(maxsize=8192)
def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Width of one line in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    if not text.strip():
        return 0.0
    font = FontProperties(family=FAMILY, weight="bold" if bold else "normal", size=size)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width) / 72 * _SLACK


def wrap_text(text: str, size: float, width: float) -> list[str]:
    """Break a text at blanks so that no line is wider than ``width`` inches, if its words allow."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines
