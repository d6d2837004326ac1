"""The directory with mistakes, one a class."""

from __future__ import annotations

from cmxverify.modeling import action, require
from models.classics.directory import AnswerKind, Directory, Node, Order, OrderKind


class DirectoryHastyGrant(Directory):
    """The home lets one write once all others were sent a recall, without waiting for their answers."""

    @action
    def home_grants_modified(self, n: Node) -> None:
        """Give what should be the only copy."""
        require(self.requester == n and self.exclusive and not self.dirty)
        require(self.orders[n].kind == OrderKind.NONE)
        require(all(m == n or not self.sharers[m] for m in Node))
        self.orders[n] = Order(OrderKind.GRANT_MODIFIED, self.memory)
        self.sharers[n] = True
        self.dirty = True
        self.requester = None
        self.exclusive = False


class DirectoryForgetsAwaited(Directory):
    """The home takes a write-back for the answer to the recall that it crossed."""

    @action
    def home_takes_written_back(self, n: Node) -> None:
        """A modified copy is back, and nothing more is awaited, or so the home thinks."""
        require(self.answers[n].kind == AnswerKind.WRITTEN_BACK)
        self.sharers[n] = False
        self.awaited[n] = False
        self.keeps(n)
