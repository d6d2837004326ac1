"""A lease protocol, third try: every lease has a number of its own."""

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
    invariant,
    reachable,
    require,
)

Node = Index("node")
Number = Range(0, Bound("lease"))


@dataclass(frozen=True)
class Grant:
    """The home tells node ``n`` that it may read, by lease ``number``."""

    n: Node
    number: Number


@dataclass(frozen=True)
class Release:
    """Node ``n`` tells the home that lease ``number`` is over."""

    n: Node
    number: Number


class Lease(Model):
    """One block at one home, any number of readers."""

    resident: bool = True  # at the home
    leased: Map[Node, bool] = False  # at the home: granted and not given back
    granted: Map[Node, Number]  # at the home: number of the last lease
    seen: Owned[Node, Number]  # at each node: highest number received
    holds: Owned[Node, bool] = False  # at each node: it may read the block
    wire: Net[Grant | Release]  # every message ever sent: lost, repeated, reordered at will

    @action(at="home")
    def home_grants(self, n: Node) -> None:
        """Lend the block to a node."""
        require(self.resident and not self.leased[n] and self.granted[n] < len(Number) - 1)
        self.leased[n] = True
        self.granted[n] += 1
        self.wire.send(Grant(n, self.granted[n]))

    @action(at="n")
    def node_receives_grant(self, n: Node, number: Number) -> None:
        """Begin to read, by a lease newer than all before."""
        require(Grant(n, number) in self.wire and number > self.seen[n])
        self.seen[n] = number
        self.holds[n] = True

    @action(at="n")
    def node_releases(self, n: Node) -> None:
        """Stop reading, and say so."""
        require(self.seen[n] > 0)
        self.holds[n] = False
        self.wire.send(Release(n, self.seen[n]))

    @action(at="home")
    def home_receives_release(self, n: Node) -> None:
        """Forget the lease, if it is this one that is over."""
        require(Release(n, self.granted[n]) in self.wire)
        self.leased[n] = False

    @action(at="home")
    def home_evicts(self) -> None:
        """Drop the block once nobody has it."""
        require(not any(self.leased[n] for n in Node))
        self.resident = False

    @fault(budget=1)
    def node_crashes(self, n: Node) -> None:
        """Forget what one was reading."""
        self.holds[n] = False

    def quiescent(self) -> bool:
        """Once the block is gone nothing is due."""
        return not self.resident

    @invariant("PIN-SAFE")
    def a_held_block_stays(self) -> bool:
        """While some node may read the block, it is there."""
        return self.resident or not any(self.holds[n] for n in Node)

    @reachable("SHARED")
    def all_hold(self) -> bool:
        """All nodes may read at once."""
        return all(self.holds[n] for n in Node)
