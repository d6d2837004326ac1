"""A lease protocol, second try: the home remembers whom it lent the block to."""

from dataclasses import dataclass

from cmxverify.modeling import Index, Map, Model, Net, Owned, action, invariant, require

Node = Index("node")


@dataclass(frozen=True)
class Grant:
    """The home tells node ``n`` that it may read."""

    n: Node


@dataclass(frozen=True)
class Release:
    """Node ``n`` tells the home that it has read."""

    n: Node


class Lease(Model):
    """One block at one home, any number of readers."""

    resident: bool = True  # at the home
    leased: Map[Node, bool] = False  # at the home: granted and not given back
    holds: Owned[Node, bool] = False  # at each node: it may read the block
    wire: Net[Grant | Release]  # every message ever sent: lost, repeated, reordered at will

    @action(at="home")
    def home_grants(self, n: Node) -> None:
        """Lend the block to a node."""
        require(self.resident)
        self.leased[n] = True
        self.wire.send(Grant(n))

    @action(at="n")
    def node_receives_grant(self, n: Node) -> None:
        """Begin to read."""
        require(Grant(n) in self.wire)
        self.holds[n] = True

    @action(at="n")
    def node_releases(self, n: Node) -> None:
        """Stop reading, and say so."""
        require(self.holds[n])
        self.holds[n] = False
        self.wire.send(Release(n))

    @action(at="home")
    def home_receives_release(self, n: Node) -> None:
        """Forget the lease."""
        require(Release(n) in self.wire)
        self.leased[n] = False

    @action(at="home")
    def home_evicts(self) -> None:
        """Drop the block once nobody has it."""
        require(not any(self.leased[n] for n in Node))
        self.resident = False

    def quiescent(self) -> bool:
        """Once the block is gone nothing is due."""
        return not self.resident

    @invariant("PIN-SAFE")
    def a_held_block_stays(self) -> bool:
        """While some node may read the block, it is there."""
        return self.resident or not any(self.holds[n] for n in Node)
