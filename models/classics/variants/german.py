"""German's protocol with mistakes, one a class."""

from __future__ import annotations

from cmxverify.modeling import action, require
from models.classics.german import Acknowledgement, Copy, German, Node, Order, Request, ToNode


class GermanHastyGrant(German):
    """The home lets one write as soon as nobody else may, without waiting for the sharers to go."""

    @action
    def home_grants_exclusive(self, n: Node) -> None:
        """Answer a request to write."""
        require(self.current == Request.EXCLUSIVE and self.requester == n)
        require(self.orders[n].order == Order.NONE and not self.granted_exclusive)
        self.orders[n] = ToNode(Order.GRANT_EXCLUSIVE, self.memory)
        self.sharers[n] = True
        self.granted_exclusive = True
        self.ends_request()


class GermanLosesData(German):
    """A node drops its copy without sending back what it wrote."""

    @action
    def node_acknowledges(self, n: Node) -> None:
        """Drop the copy."""
        require(self.orders[n].order == Order.INVALIDATE and not self.acknowledgements[n].sent)
        self.acknowledgements[n] = Acknowledgement(True)
        self.orders[n] = ToNode()
        self.cache[n] = Copy()
