"""The hour clock with a mistake."""

from __future__ import annotations

from cmxverify.modeling import action
from models.classics.hour_clock import HourClock


class HourClockThirteen(HourClock):
    """Forgets to begin again after twelve."""

    @action
    def ticks(self) -> None:
        """Show the next hour, should there be one."""
        self.hour = self.hour + 1
