"""Termination detection by a token on a ring, for nodes that activate each other at once.

Source: E. W. Dijkstra, W. H. J. Feijen, A. J. M. van Gasteren, "Derivation of a termination detection
algorithm for distributed computations" (EWD 840), Information Processing Letters 16(5), 1983.

A message is received in the step that sends it; ``safra.py`` lifts that. The token may be anywhere at first,
and nodes may be of any colour: the algorithm recovers. Left out: that termination is detected in the end
(liveness).
"""

from __future__ import annotations

from cmxverify.modeling import (
    Bound,
    Map,
    Model,
    Range,
    Set,
    action,
    environment,
    implies,
    initial,
    invariant,
    reachable,
    require,
)

Node = Range(0, Bound("node") - 1)


class TokenRing(Model):
    """Nodes 0 .. n - 1; the token goes down from n - 1 to 0. Node 0 detects termination."""

    active: Map[Node, bool]
    black: Map[Node, bool]
    """Has activated a node that the token had left behind."""
    token: Node
    token_black: bool

    @initial
    def start(self, active: Set[Node], black: Set[Node], token: Node) -> None:
        """Anything, but with a black token: the first round proves nothing."""
        for n in Node:
            self.active[n] = n in active
            self.black[n] = n in black
        self.token = token
        self.token_black = True

    @action
    def starts_probe(self) -> None:
        """Node 0 sends a white token round, unless the last one has proved termination."""
        require(self.token == 0 and (self.token_black or self.black[0]))
        self.token = len(Node) - 1
        self.token_black = False
        self.black[0] = False

    @action
    def passes_token(self, n: Node) -> None:
        """Hand the token on, blackened by a black node; an active node keeps it while that could prove something."""
        require(n > 0 and self.token == n)
        require(not self.active[n] or self.black[n] or self.token_black)
        self.token = n - 1
        self.token_black = self.token_black or self.black[n]
        self.black[n] = False

    @environment
    def activates(self, n: Node, other: Node) -> None:
        """An active node wakes another; one above it may lie behind the token."""
        require(n != other and self.active[n])
        self.active[other] = True
        if other > n:
            self.black[n] = True

    @environment
    def finishes(self, n: Node) -> None:
        """Become passive."""
        require(self.active[n])
        self.active[n] = False

    def detected(self) -> bool:
        """What node 0 takes for the end."""
        return self.token == 0 and not self.token_black and not self.black[0] and not self.active[0]

    def quiescent(self) -> bool:
        """The end was detected, or the token rests at an active node."""
        return self.detected() or self.active[self.token]

    @invariant("TERMINATED-WHEN-DETECTED")
    def detection_is_true(self) -> bool:
        """What node 0 detects has happened."""
        return implies(self.detected(), all(not self.active[n] for n in Node))

    @invariant("INDUCTIVE")
    def token_leaves_passive_nodes(self) -> bool:
        """Behind the token all are passive, or a node before it is black, or the token is (P0 to P2 of the paper)."""
        return (
            all(not self.active[n] for n in Node if n > self.token)
            or any(self.black[n] for n in Node if n <= self.token)
            or self.token_black
        )

    @reachable("DETECTED")
    def the_end_is_detected(self) -> bool:
        """Termination can be detected."""
        return self.detected()
