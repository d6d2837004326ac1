"""The barrier with a mistake."""

from __future__ import annotations

from cmxverify.modeling import action, require
from models.classics.barrier import Barrier, Process


class BarrierOpensEarly(Barrier):
    """Opens for the first that arrives."""

    @action
    def opens(self) -> None:
        """Let those that wait pass."""
        require(any(self.arrived[p] for p in Process))
        for p in Process:
            self.arrived[p] = False
