"""A lease protocol, first try: the home lends the block, and drops it when it likes."""

from dataclasses import dataclass

from cmxverify.modeling import Index, Model, Net, Owned, action, invariant, require

Node = Index("node")


@dataclass(frozen=True)
class Grant:
    """The home tells node ``n`` that it may read."""

    n: Node


class Lease(Model):
    """One block at one home, any number of readers."""

    resident: bool = True  # at the home
    holds: Owned[Node, bool] = False  # at each node: it may read the block
    wire: Net[Grant]  # every message ever sent: lost, repeated, reordered at will

    @action(at="home")
    def home_grants(self, n: Node) -> None:
        """Lend the block to a node."""
        require(self.resident)
        self.wire.send(Grant(n))

    @action(at="n")
    def node_receives_grant(self, n: Node) -> None:
        """Begin to read."""
        require(Grant(n) in self.wire)
        self.holds[n] = True

    @action(at="home")
    def home_evicts(self) -> None:
        """Drop the block."""
        self.resident = False

    def quiescent(self) -> bool:
        """Once the block is gone nothing is due."""
        return not self.resident

    @invariant("PIN-SAFE")
    def a_held_block_stays(self) -> bool:
        """While some node may read the block, it is there."""
        return self.resident or not any(self.holds[n] for n in Node)
