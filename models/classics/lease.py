"""One block at one home, lent to readers: a small protocol to learn the language with.

Source: the idea of leases, C. G. Gray, D. R. Cheriton, "Leases: an efficient fault-tolerant mechanism for
distributed file cache consistency", SOSP 1989, without their clock: a lease here ends when it is given back.

Messages may be lost, repeated and reordered without limit, so each lease bears a number that is never used
again for that node; ``lease`` is the highest, a budget. Left out: expiry, and so what helps if a node never
comes back.
"""

from __future__ import annotations

from dataclasses import dataclass

from cmxverify.modeling import (
    Bound,
    Index,
    Map,
    Model,
    Net,
    Owned,
    Range,
    action,
    fault,
    implies,
    invariant,
    reachable,
    require,
)

Node = Index("node")
Number = Range(0, Bound("lease"))


@dataclass(frozen=True)
class Grant:
    """From the home: lease ``number`` of node ``n``."""

    n: Node
    number: Number


@dataclass(frozen=True)
class Release:
    """From node ``n``: lease ``number`` is over."""

    n: Node
    number: Number


class Lease(Model):
    """One block at one home, any number of readers."""

    resident: bool = True
    """The block is at the home."""
    leased: Map[Node, bool]
    """At the home: granted and not given back."""
    granted: Map[Node, Number]
    """At the home: number of the last lease."""
    holds: Owned[Node, bool]
    """At each node: may read the block."""
    seen: Owned[Node, Number]
    """At each node, on stable storage: highest number received."""
    wire: Net[Grant | Release]

    @action(at="home")
    def home_grants(self, n: Node) -> None:
        """Lend the block to a node that has no lease."""
        require(self.resident and not self.leased[n] and self.granted[n] < len(Number) - 1)
        self.leased[n] = True
        self.granted[n] += 1
        self.wire.send(Grant(n, self.granted[n]))

    @action(at="n")
    def node_receives_grant(self, n: Node, number: Number) -> None:
        """Accept a lease that is newer than all before."""
        require(Grant(n, number) in self.wire and number > self.seen[n])
        self.seen[n] = number
        self.holds[n] = True

    @action(at="n")
    def node_gives_back(self, n: Node) -> None:
        """Stop reading and say so, if need be again."""
        require(self.seen[n] > 0)
        self.holds[n] = False
        self.wire.send(Release(n, self.seen[n]))

    @action(at="home")
    def home_receives_release(self, n: Node) -> None:
        """End the present lease; releases of earlier ones say nothing."""
        require(self.leased[n] and Release(n, self.granted[n]) in self.wire)
        self.leased[n] = False

    @action(at="home")
    def home_evicts(self) -> None:
        """Drop the block once nobody has a lease."""
        require(self.resident and not any(self.leased[n] for n in Node))
        self.resident = False

    @fault(budget=1)
    def node_crashes(self, n: Node) -> None:
        """Forget what one was reading."""
        self.holds[n] = False

    def quiescent(self) -> bool:
        """The block is gone."""
        return not self.resident

    @invariant("PIN-SAFE")
    def a_held_block_stays(self) -> bool:
        """While a node may read the block, it is resident."""
        return implies(any(self.holds[n] for n in Node), self.resident)

    @invariant("HELD-IS-LEASED")
    def the_home_knows_who_reads(self) -> bool:
        """Whoever may read has a lease at the home."""
        return all(implies(self.holds[n], self.leased[n]) for n in Node)

    @reachable("ALL-HOLD")
    def all_hold(self) -> bool:
        """All nodes may read at once."""
        return all(self.holds[n] for n in Node)

    @reachable("EVICTED")
    def evicted_after_use(self) -> bool:
        """A block that was lent is evicted in the end."""
        return not self.resident and any(self.seen[n] > 0 for n in Node)
