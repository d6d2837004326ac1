"""Small protocols, one for each kind of channel, each with a property that fails by design."""

from __future__ import annotations

from dataclasses import dataclass

from cmxverify.modeling import Bag, Index, Model, Owned, Queue, action, fault, invariant, require, step

Node = Index("node")


@dataclass(frozen=True)
class Ping:
    """To a node."""

    n: Node


class LossyBag(Model):
    """A home sends to nodes over a bag that loses and duplicates."""

    wire: Bag[Ping](cap=2, loss=1, dup=1)
    heard: Owned[Node, bool]

    @action
    def home_sends(self, n: Node) -> None:
        """Send once."""
        require(Ping(n) not in self.wire and not self.heard[n])
        self.wire.send(Ping(n))

    @action
    def node_hears(self, n: Node) -> None:
        """Take it."""
        require(Ping(n) in self.wire)
        self.wire.receive(Ping(n))
        self.heard[n] = True

    def quiescent(self) -> bool:
        """Always."""
        return True

    @step("NEVER-LOST")
    def never_lost(self, old: LossyBag) -> bool:
        """Not true: the bag loses."""
        return all(Ping(n) not in old.wire or Ping(n) in self.wire or self.heard[n] for n in Node)


class LossyQueue(Model):
    """A sender and a receiver with a queue that loses its oldest."""

    line: Queue[Node](cap=2)
    sent: bool
    lost: bool

    @action
    def sender_sends(self, n: Node) -> None:
        """Once."""
        require(not self.sent)
        self.line.send(n)
        self.sent = True

    @action
    def receiver_hears(self) -> None:
        """Take the oldest."""
        require(len(self.line) > 0)
        self.line.pop()

    @fault(budget=1)
    def message_is_lost(self) -> None:
        """The oldest."""
        require(len(self.line) > 0)
        self.line.pop()
        self.lost = True

    def quiescent(self) -> bool:
        """Always."""
        return True

    @invariant("NEVER-LOST")
    def never_lost(self) -> bool:
        """Not true."""
        return not self.lost
