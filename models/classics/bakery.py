"""Lamport's bakery: mutual exclusion of any number of processes, each writing only variables of its own.

Source: L. Lamport, "A new solution of Dijkstra's concurrent programming problem", CACM 17(8), 1974.

The tickets of the bakery grow without end. Here at most ``entries`` tickets are drawn in all, a budget that
is part of the state; that no ticket exceeds it is checked by the range of the tickets. Left out: reads that
overlap a write.
"""

from __future__ import annotations

from enum import Enum

from cmxverify.modeling import Bound, Map, Model, Range, action, invariant, reachable, require

Process = Range(0, Bound("process") - 1)
Ticket = Range(0, Bound("entries"))


class At(Enum):
    """What a process does next."""

    REST = "rest"
    LOOK_ROUND = "look round"
    DRAW = "draw a ticket"
    SHOW = "show the ticket"
    AWAIT_DRAW = "await the other's draw"
    AWAIT_TURN = "await the turn"
    CRITICAL = "critical"


class Bakery(Model):
    """Processes that draw tickets; the lowest ticket enters, ties by the order of processes."""

    at: Map[Process, At]
    other: Map[Process, Process] = 0
    """Whom the process looks at."""
    highest: Map[Process, Ticket] = 0
    """Highest ticket seen while it looks round."""
    drawing: Map[Process, bool]
    ticket: Map[Process, Ticket] = 0
    """0: none."""
    drawn: Ticket = 0
    """Tickets drawn so far, by all."""

    @action
    def starts(self, p: Process) -> None:
        """Enter the doorway."""
        require(self.at[p] == At.REST and self.drawn < len(Ticket) - 1)
        self.drawn += 1
        self.drawing[p] = True
        self.at[p] = At.LOOK_ROUND

    @action
    def looks_at_ticket(self, p: Process) -> None:
        """Read one ticket."""
        require(self.at[p] == At.LOOK_ROUND)
        self.highest[p] = max(self.highest[p], self.ticket[self.other[p]])
        self.turns_to_next(p, At.LOOK_ROUND, At.DRAW)

    @action
    def draws(self, p: Process) -> None:
        """Take a ticket above all that were seen."""
        require(self.at[p] == At.DRAW)
        self.ticket[p] = self.highest[p] + 1
        self.highest[p] = 0
        self.at[p] = At.SHOW

    @action
    def shows(self, p: Process) -> None:
        """Leave the doorway."""
        require(self.at[p] == At.SHOW)
        self.drawing[p] = False
        self.at[p] = At.AWAIT_DRAW

    @action
    def awaits_draw(self, p: Process) -> None:
        """Wait until the other is not in the doorway."""
        require(self.at[p] == At.AWAIT_DRAW and not self.drawing[self.other[p]])
        self.at[p] = At.AWAIT_TURN

    @action
    def awaits_turn(self, p: Process) -> None:
        """Wait until the other does not come first."""
        require(self.at[p] == At.AWAIT_TURN and not self.precedes(self.other[p], p))
        self.turns_to_next(p, At.AWAIT_DRAW, At.CRITICAL)

    @action
    def leaves(self, p: Process) -> None:
        """Throw the ticket away."""
        require(self.at[p] == At.CRITICAL)
        self.ticket[p] = 0
        self.at[p] = At.REST

    def turns_to_next(self, p: Process, again: At, done: At) -> None:
        """Look at the next process, or go on when all were looked at."""
        if self.other[p] == len(Process) - 1:
            self.other[p] = 0
            self.at[p] = done
        else:
            self.other[p] += 1
            self.at[p] = again

    def precedes(self, q: Process, p: Process) -> bool:
        """Whether ``q`` holds a ticket that comes before that of ``p``."""
        earlier = self.ticket[q] < self.ticket[p] or (self.ticket[q] == self.ticket[p] and q < p)
        return self.ticket[q] != 0 and earlier

    def quiescent(self) -> bool:
        """The budget is spent and everybody rests."""
        return all(self.at[p] == At.REST for p in Process)

    @invariant("MUTUAL-EXCLUSION")
    def one_at_most_is_inside(self) -> bool:
        """No two processes are in their critical sections together."""
        return not any(
            p != q and self.at[p] == At.CRITICAL and self.at[q] == At.CRITICAL
            for p in Process
            for q in Process
        )

    @reachable("TIE")
    def two_draw_the_same(self) -> bool:
        """Two may draw the same ticket: then their order decides."""
        return any(
            p != q and self.ticket[p] != 0 and self.ticket[p] == self.ticket[q]
            for p in Process
            for q in Process
        )

    @reachable("INSIDE-WITH-LATER-TICKET")
    def enters_after_another(self) -> bool:
        """A ticket above 1 is served."""
        return any(self.at[p] == At.CRITICAL and self.ticket[p] > 1 for p in Process)
