"""Safra's termination detection with mistakes, one a class."""

from __future__ import annotations

from cmxverify.modeling import action, require
from models.classics.safra import Node, SafraRing


class SafraUnstained(SafraRing):
    """A node that receives a message stays white."""

    @action
    def receives(self, n: Node) -> None:
        """A message wakes the node."""
        require(self.pending[n] > 0)
        self.pending[n] -= 1
        self.surplus[n] -= 1
        self.active[n] = True


class SafraUncounted(SafraRing):
    """The token sums nothing, as if messages took no time."""

    @action
    def passes_token(self, n: Node) -> None:
        """A passive node hands the token on, with its colour alone."""
        require(n > 0 and self.token == n and not self.active[n])
        self.token = n - 1
        self.token_black = self.token_black or self.black[n]
        self.black[n] = False
