"""The queue lock with mistakes, one a class."""

from __future__ import annotations

from cmxverify.modeling import action, require
from models.classics.mcs import At, McsLock, Process


class McsLinksFirst(McsLock):
    """Links itself behind its predecessor before it sets its flag: the hand-over in between is lost, and all wait."""

    @action
    def sets_locked(self, p: Process) -> None:
        """Link, too early."""
        require(self.at[p] == At.SET_LOCKED)
        before = self.predecessor[p]
        if before is not None:
            self.successor[before] = p
        self.at[p] = At.LINK

    @action
    def links(self, p: Process) -> None:
        """Prepare to spin, too late."""
        require(self.at[p] == At.LINK)
        self.locked[p] = True
        self.at[p] = At.SPIN


class McsForgetsToLock(McsLock):
    """Does not set its flag before it spins on it."""

    @action
    def sets_locked(self, p: Process) -> None:
        """Go on."""
        require(self.at[p] == At.SET_LOCKED)
        self.at[p] = At.LINK
