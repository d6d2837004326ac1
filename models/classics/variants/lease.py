"""The lease protocol with mistakes, one a class."""

from __future__ import annotations

from cmxverify.modeling import action, fault, require
from models.classics.lease import Grant, Lease, Node, Number


class LeaseAcceptsAnyGrant(Lease):
    """A node accepts a grant however old: one that was given back and comes again."""

    @action(at="n")
    def node_receives_grant(self, n: Node, number: Number) -> None:
        """Accept a lease."""
        require(Grant(n, number) in self.wire)
        self.seen[n] = number
        self.holds[n] = True


class LeaseForgetfulCrash(Lease):
    """A crash takes the number last seen with it, so that old grants look new."""

    @fault(budget=1)
    def node_crashes(self, n: Node) -> None:
        """Forget everything."""
        self.holds[n] = False
        self.seen[n] = 0
