"""One line of progress of a solve, in the units of its levels."""

from __future__ import annotations

from fractions import Fraction

from cmxverify.placement.model.compile import PlacementModel
from cmxverify.placement.solving.solve import Progress
from cmxverify.report.amounts import millis, percent
from cmxverify.units import Dimension, format_quantity


class ProgressLines:
    """Words for the progress of one model's solve."""

    def __init__(self, model: PlacementModel) -> None:
        self._units = {objective.key: objective.unit for objective in model.program.objectives}
        self._turns = sum((each.reads for each in model.sets), Fraction(0))

    def line(self, progress: Progress) -> str:
        """``  3.1 s  restore: level done, 28.2 ms, proved to be at least 28.1 ms``."""
        text = f"{progress.elapsed_s:5.1f} s  {progress.level}: {progress.phase}"
        if progress.value is None or progress.bound is None:
            return text
        text += f", {self._amount(progress.level, progress.value)}"
        if progress.bound < progress.value:
            return f"{text}, proved to be at least {self._amount(progress.level, progress.bound)}"
        return f"{text}, proved"

    def _amount(self, key: str, units: int) -> str:
        value = units * self._units[key]
        match key:
            case "late":
                return f"{float(value):,.1f} late turns/s"
            case "restore":
                return f"{millis(value / self._turns if self._turns else Fraction(0))} ms a turn"
            case "power":
                return format_quantity(value, Dimension.POWER)
            case "cost":
                return format_quantity(value, Dimension.MONEY)
            case _:
                return percent(value, 1)
