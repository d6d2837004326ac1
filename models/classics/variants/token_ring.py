"""Termination detection on a ring with a mistake."""

from __future__ import annotations

from cmxverify.modeling import environment, require
from models.classics.token_ring import Node, TokenRing


class TokenRingUnstained(TokenRing):
    """A node that wakes another stays white, even when the token has passed that one."""

    @environment
    def activates(self, n: Node, other: Node) -> None:
        """Wake another node."""
        require(n != other and self.active[n])
        self.active[other] = True
