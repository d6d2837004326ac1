"""The bakery with a mistake."""

from __future__ import annotations

from cmxverify.modeling import action, require
from models.classics.bakery import At, Bakery, Process


class BakeryWithoutDoorway(Bakery):
    """Does not wait for those that are drawing: one may yet draw the same ticket and come first."""

    @action
    def awaits_draw(self, p: Process) -> None:
        """Go on at once."""
        require(self.at[p] == At.AWAIT_DRAW)
        self.at[p] = At.AWAIT_TURN
