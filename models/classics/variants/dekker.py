"""Dekker's algorithm with a mistake."""

from __future__ import annotations

from cmxverify.modeling import action, require
from models.classics.dekker import At, Dekker, Process


class DekkerTurnAdmits(Dekker):
    """Takes the turn for leave to enter, although the other may have entered before the flag was raised."""

    @action
    def looks_at_turn(self, p: Process) -> None:
        """Enter on the turn alone."""
        require(self.at[p] == At.LOOK_AT_TURN)
        self.at[p] = At.CRITICAL if self.turn == p else At.STEP_BACK
