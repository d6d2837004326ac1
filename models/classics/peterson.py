"""Peterson's algorithm: mutual exclusion of two processes with two flags and a turn.

Source: G. L. Peterson, "Myths about the mutual exclusion problem", Information Processing Letters 12(3),
1981.

Left out: weak memory. Each read and write of a shared variable is one atomic step, seen by both at once; the
test of flag and turn together is one step, as in the paper.
"""

from __future__ import annotations

from enum import Enum

from cmxverify.modeling import Map, Model, Range, action, initial, invariant, reachable, require

Process = Range(0, 1)


class At(Enum):
    """What a process does next."""

    REST = "rest"
    RAISE_FLAG = "raise flag"
    GIVE_WAY = "give way"
    WAIT = "wait"
    CRITICAL = "critical"
    LEAVE = "leave"


class Peterson(Model):
    """Two processes that compete for ever; one that waits spins, and a failed test is a step of its own."""

    at: Map[Process, At] = At.RAISE_FLAG
    flag: Map[Process, bool] = False
    turn: Process = 0

    @action
    def raises_flag(self, p: Process) -> None:
        """Say that one wants to enter."""
        require(self.at[p] == At.RAISE_FLAG)
        self.flag[p] = True
        self.at[p] = At.GIVE_WAY

    @action
    def gives_way(self, p: Process) -> None:
        """Let the other go first, should both want to."""
        require(self.at[p] == At.GIVE_WAY)
        self.turn = 1 - p
        self.at[p] = At.WAIT

    @action
    def waits(self, p: Process) -> None:
        """Test once whether one may enter."""
        require(self.at[p] == At.WAIT)
        if self.may_enter(p):
            self.at[p] = At.CRITICAL

    @action
    def works(self, p: Process) -> None:
        """Do what needs the lock."""
        require(self.at[p] == At.CRITICAL)
        self.at[p] = At.LEAVE

    @action
    def leaves(self, p: Process) -> None:
        """Withdraw, and compete again at once."""
        require(self.at[p] == At.LEAVE)
        self.flag[p] = False
        self.at[p] = At.RAISE_FLAG

    def may_enter(self, p: Process) -> bool:
        """The other does not want to, or it is one's turn."""
        return not self.flag[1 - p] or self.turn == p

    @invariant("MUTUAL-EXCLUSION")
    def one_at_most_is_inside(self) -> bool:
        """The two are never in their critical sections together."""
        return not all(self.at[p] == At.CRITICAL for p in Process)

    @reachable("BOTH-WANT")
    def both_wait(self) -> bool:
        """Both may wait at once: the turn decides."""
        return all(self.at[p] == At.WAIT for p in Process)

    @reachable("SECOND-ENTERS")
    def the_second_enters(self) -> bool:
        """Neither process is shut out."""
        return self.at[1] == At.CRITICAL


class PetersonWithRest(Peterson):
    """The same with a remainder section; one that waits is blocked until it may enter."""

    @initial
    def rest(self) -> None:
        """Nobody wants to enter yet."""
        for p in Process:
            self.at[p] = At.REST

    @action
    def starts(self, p: Process) -> None:
        """Want to enter."""
        require(self.at[p] == At.REST)
        self.at[p] = At.RAISE_FLAG

    @action
    def waits(self, p: Process) -> None:
        """Enter as soon as one may."""
        require(self.at[p] == At.WAIT and self.may_enter(p))
        self.at[p] = At.CRITICAL

    @action
    def leaves(self, p: Process) -> None:
        """Withdraw, and rest."""
        require(self.at[p] == At.LEAVE)
        self.flag[p] = False
        self.at[p] = At.REST
