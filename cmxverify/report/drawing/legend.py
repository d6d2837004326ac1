"""What the colours mean: entries in one or more lines under the picture."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from cmxverify.report.drawing.fonts import SMALL, text_width
from cmxverify.report.drawing.scene import Row, Scene

SWATCH = 0.28
LEGEND_LINE = 0.26
_TEXT_AT, _GAP = SWATCH + 0.08, 0.3


class Mark(Enum):
    """What an entry explains."""

    PLACE = "place for KV blocks, coloured by tier"
    FILL = "place for KV blocks: the stronger the fuller, 0 to 100 %"
    ADAPTER = "DPU or NIC"
    SWITCH = "switch"
    CABLES = "cables: boxes x cables a box x rate of one cable in one direction"


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One entry and where it starts, in inches."""

    mark: Mark
    at: tuple[float, float]

    @property
    def text(self) -> str:
        """What is printed."""
        return self.mark.value


def place_legend(scene: Scene, left: float, top: float, width: float) -> tuple[LegendEntry, ...]:
    """Entries side by side, in as many lines as ``width`` asks for."""
    entries: list[LegendEntry] = []
    x, y = left, top + LEGEND_LINE / 2
    for mark in _marks(scene):
        needed = _TEXT_AT + text_width(mark.value, SMALL)
        if entries and x + needed > left + width:
            x, y = left, y + LEGEND_LINE
        entries.append(LegendEntry(mark, (x, y)))
        x += needed + _GAP
    return tuple(entries)


def _marks(scene: Scene) -> list[Mark]:
    rows = {cell.row for card in scene.cards for cell in card.cells}
    marks = [Mark.FILL if scene.filled else Mark.PLACE] if scene.tiers else []
    marks += [Mark.ADAPTER] if Row.ADAPTER in rows else []
    marks += [Mark.SWITCH] if scene.switches or Row.SWITCH in rows else []
    return [*marks, Mark.CABLES] if scene.bundles or scene.inner else marks
