"""Peterson's algorithm with a mistake."""

from __future__ import annotations

from cmxverify.modeling import action, require
from models.classics.peterson import At, Peterson, Process


class PetersonTurnFirst(Peterson):
    """Gives way before it raises its flag: both may then find the other's flag down."""

    @action
    def raises_flag(self, p: Process) -> None:
        """Give way, too early."""
        require(self.at[p] == At.RAISE_FLAG)
        self.turn = 1 - p
        self.at[p] = At.GIVE_WAY

    @action
    def gives_way(self, p: Process) -> None:
        """Raise the flag, too late."""
        require(self.at[p] == At.GIVE_WAY)
        self.flag[p] = True
        self.at[p] = At.WAIT
