"""A clock that shows the hour: the smallest model there is.

Source: L. Lamport, "Specifying Systems", 2002, chapter 2. That the clock keeps ticking is a liveness
property, left out.
"""

from __future__ import annotations

from cmxverify.modeling import Model, Range, action, initial, invariant, reachable, step

Hour = Range(1, 12)


class HourClock(Model):
    """Shows 1 to 12, and may start anywhere."""

    hour: Hour

    @initial
    def start(self, hour: Hour) -> None:
        """Show any hour."""
        self.hour = hour

    @action
    def ticks(self) -> None:
        """Show the next hour."""
        self.hour = self.hour % 12 + 1

    @step("ONE-HOUR-ON")
    def advances_by_one(self, old: HourClock) -> bool:
        """A step shows the next hour or changes nothing."""
        return self.hour == old.hour or self.hour == old.hour + 1 or (old.hour == 12 and self.hour == 1)

    @invariant("ON-THE-DIAL")
    def hour_is_on_the_dial(self) -> bool:
        """No hour before 1 or after 12."""
        return 1 <= self.hour <= 12

    @reachable("TWELVE")
    def twelve(self) -> bool:
        """It strikes twelve."""
        return self.hour == 12
