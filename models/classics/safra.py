"""Safra's termination detection: a token on a ring, with messages that take time.

Source: E. W. Dijkstra, "Shmuel Safra's version of termination detection" (EWD 998), 1987.

At most ``messages`` messages are sent in all, a budget that is part of the state. Messages under way are
counted per receiver, unordered. Left out: that termination is detected in the end (liveness).
"""

from __future__ import annotations

from cmxverify.modeling import (
    Bound,
    Map,
    Model,
    Range,
    action,
    environment,
    implies,
    invariant,
    reachable,
    require,
)

Node = Range(0, Bound("node") - 1)
Sent = Range(0, Bound("messages"))
Balance = Range(-8, 8)
"""Room for eight messages; a larger budget breaches the range, and the run says so."""


class SafraRing(Model):
    """Nodes 0 .. n - 1; the token goes down from n - 1 to 0 and sums what each has sent less what it has received."""

    active: Map[Node, bool] = True
    black: Map[Node, bool]
    """Has received a message since the token was here."""
    surplus: Map[Node, Balance]
    """Sent less received."""
    pending: Map[Node, Sent]
    """Messages under way to the node."""
    sent: Sent
    """The budget used so far."""
    token: Node = 0
    token_black: bool = True
    token_sum: Balance

    @action
    def starts_probe(self) -> None:
        """Node 0 sends a white token round, unless the last one has proved termination."""
        require(self.token == 0 and not self.detected())
        require(self.token_black or self.black[0] or self.token_sum + self.surplus[0] != 0)
        self.token = len(Node) - 1
        self.token_black = False
        self.token_sum = 0
        self.black[0] = False

    @action
    def passes_token(self, n: Node) -> None:
        """A passive node hands the token on, with its surplus and its colour."""
        require(n > 0 and self.token == n and not self.active[n])
        self.token = n - 1
        self.token_sum += self.surplus[n]
        self.token_black = self.token_black or self.black[n]
        self.black[n] = False

    @environment
    def sends(self, n: Node, other: Node) -> None:
        """An active node sends a message."""
        require(n != other and self.active[n] and self.sent < len(Sent) - 1)
        self.sent += 1
        self.pending[other] += 1
        self.surplus[n] += 1

    @action
    def receives(self, n: Node) -> None:
        """A message wakes the node and blackens it."""
        require(self.pending[n] > 0)
        self.pending[n] -= 1
        self.surplus[n] -= 1
        self.active[n] = True
        self.black[n] = True

    @environment
    def finishes(self, n: Node) -> None:
        """Become passive."""
        require(self.active[n])
        self.active[n] = False

    def detected(self) -> bool:
        """What node 0 takes for the end."""
        white = not self.token_black and not self.black[0]
        return self.token == 0 and white and not self.active[0] and self.token_sum + self.surplus[0] == 0

    def quiescent(self) -> bool:
        """The end was detected, or the token rests at an active node."""
        return self.detected() or self.active[self.token]

    @invariant("TERMINATED-WHEN-DETECTED")
    def detection_is_true(self) -> bool:
        """What node 0 detects has happened: all are passive and nothing is under way."""
        return implies(self.detected(), all(not self.active[n] and self.pending[n] == 0 for n in Node))

    @invariant("COUNTED")
    def surplus_is_what_is_under_way(self) -> bool:
        """The surpluses add up to the messages under way."""
        return sum(self.surplus[n] for n in Node) == sum(self.pending[n] for n in Node)

    @reachable("DETECTED-AFTER-MESSAGES")
    def the_end_is_detected(self) -> bool:
        """Termination can be detected after the budget is spent."""
        return self.detected() and self.sent == len(Sent) - 1
