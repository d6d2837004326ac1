"""A directory of sharers with a dirty bit, for one line of memory; a write-back may cross a recall.

Source: the full-map directory with presence bits and a dirty bit of L. M. Censier, P. Feautrier, "A new
solution to coherence problems in multicache systems", IEEE Transactions on Computers C-27(12), 1978; the
channels, the held lines and the races are this project's.

Each node has three channels of one slot: asks to the home, orders from it, answers to it. Both ends touch a
slot, so the actions are not declared local to a node. A node may hold its copy while it uses it, and then
obeys no recall; while an order waits it asks and holds no more. It may ask again before it is answered, which
costs a grant more. Dead data have the first value of their type. Left out: other lines, loss of messages, and
that asks are served (liveness).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from cmxverify.modeling import (
    Ghost,
    Index,
    Map,
    Model,
    Owned,
    Range,
    action,
    implies,
    invariant,
    reachable,
    require,
)

Node = Index("node")
Value = Range(0, 1)


class CacheState(Enum):
    """What a node may do with its copy; HELD: it reads and cannot let go now."""

    INVALID = "invalid"
    SHARED = "shared"
    HELD = "held"
    MODIFIED = "modified"


class Ask(Enum):
    """What a node wants of the home."""

    NONE = "none"
    SHARED = "shared"
    MODIFIED = "modified"


class OrderKind(Enum):
    """What the home tells a node."""

    NONE = "none"
    RECALL = "recall"
    GRANT_SHARED = "grant shared"
    GRANT_MODIFIED = "grant modified"


class AnswerKind(Enum):
    """What a node tells the home of its copy."""

    NONE = "none"
    DROPPED = "dropped"
    FLUSHED = "flushed"
    WRITTEN_BACK = "written back"


@dataclass(frozen=True)
class Line:
    """A node's copy."""

    state: CacheState = CacheState.INVALID
    value: Value = 0


@dataclass(frozen=True)
class Order:
    """The slot from the home to a node."""

    kind: OrderKind = OrderKind.NONE
    value: Value = 0


@dataclass(frozen=True)
class Answer:
    """The slot from a node to the home, for what becomes of copies."""

    kind: AnswerKind = AnswerKind.NONE
    value: Value = 0


class Directory(Model):
    """One home, any number of nodes."""

    cache: Owned[Node, Line]
    asks: Owned[Node, Ask]
    orders: Owned[Node, Order]
    answers: Owned[Node, Answer]
    memory: Value
    dirty: bool
    """The one sharer may have a newer value than the memory."""
    sharers: Map[Node, bool]
    """Who may have a copy, as far as the home knows."""
    awaited: Map[Node, bool]
    """Who was sent a recall and has not answered it."""
    requester: Node | None
    exclusive: bool
    """What the requester wants."""
    latest: Ghost[Value]
    """The value stored last."""

    @action
    def node_asks_to_read(self, n: Node) -> None:
        """Ask for a copy."""
        require(self.cache[n].state == CacheState.INVALID)
        require(self.asks[n] == Ask.NONE and self.orders[n].kind == OrderKind.NONE)
        self.asks[n] = Ask.SHARED

    @action
    def node_asks_to_write(self, n: Node) -> None:
        """Ask for the only copy."""
        require(self.cache[n].state in (CacheState.INVALID, CacheState.SHARED))
        require(self.asks[n] == Ask.NONE and self.orders[n].kind == OrderKind.NONE)
        self.asks[n] = Ask.MODIFIED

    @action
    def node_holds(self, n: Node) -> None:
        """Begin to use the copy."""
        require(self.cache[n].state == CacheState.SHARED and self.orders[n].kind == OrderKind.NONE)
        self.cache[n] = Line(CacheState.HELD, self.cache[n].value)

    @action
    def node_lets_go(self, n: Node) -> None:
        """Be done with the copy."""
        require(self.cache[n].state == CacheState.HELD)
        self.cache[n] = Line(CacheState.SHARED, self.cache[n].value)

    @action
    def node_drops_copy(self, n: Node) -> None:
        """Forget a clean copy without a word."""
        require(self.cache[n].state == CacheState.SHARED)
        self.cache[n] = Line()

    @action
    def node_writes_back(self, n: Node) -> None:
        """Return a modified copy unasked."""
        require(self.cache[n].state == CacheState.MODIFIED and self.answers[n].kind == AnswerKind.NONE)
        self.answers[n] = Answer(AnswerKind.WRITTEN_BACK, self.cache[n].value)
        self.cache[n] = Line()

    @action
    def node_stores(self, n: Node, v: Value) -> None:
        """Write any value."""
        require(self.cache[n].state == CacheState.MODIFIED)
        self.cache[n] = Line(CacheState.MODIFIED, v)
        self.latest = v

    @action
    def node_obeys_recall(self, n: Node) -> None:
        """Give the copy up; a modified one goes back."""
        require(self.orders[n].kind == OrderKind.RECALL)
        require(self.cache[n].state != CacheState.HELD and self.answers[n].kind == AnswerKind.NONE)
        self.orders[n] = Order()
        if self.cache[n].state == CacheState.MODIFIED:
            self.answers[n] = Answer(AnswerKind.FLUSHED, self.cache[n].value)
        else:
            self.answers[n] = Answer(AnswerKind.DROPPED)
        self.cache[n] = Line()

    @action
    def node_takes_shared(self, n: Node) -> None:
        """Read from now on; a copy that is held stays held."""
        require(self.orders[n].kind == OrderKind.GRANT_SHARED)
        state = self.cache[n].state
        assert state != CacheState.MODIFIED, "nothing newer is overwritten by what is granted to read"
        kept = CacheState.SHARED if state == CacheState.INVALID else state
        self.cache[n] = Line(kept, self.orders[n].value)
        self.orders[n] = Order()

    @action
    def node_takes_modified(self, n: Node) -> None:
        """Write from now on."""
        require(self.orders[n].kind == OrderKind.GRANT_MODIFIED and self.cache[n].state != CacheState.HELD)
        assert self.cache[n].state != CacheState.MODIFIED, (
            "nothing newer is overwritten by what is granted to write"
        )
        self.cache[n] = Line(CacheState.MODIFIED, self.orders[n].value)
        self.orders[n] = Order()

    @action
    def home_accepts(self, n: Node) -> None:
        """Take up an ask."""
        require(self.requester is None and self.asks[n] != Ask.NONE)
        self.requester = n
        self.exclusive = self.asks[n] == Ask.MODIFIED
        self.asks[n] = Ask.NONE

    @action
    def home_recalls(self, n: Node) -> None:
        """Recall a copy that is in the way of the present ask."""
        require(self.requester is not None and self.sharers[n])
        require(self.dirty or (self.exclusive and self.requester != n))
        require(self.orders[n].kind == OrderKind.NONE)
        self.orders[n] = Order(OrderKind.RECALL)
        self.sharers[n] = False
        self.awaited[n] = True

    @action
    def home_takes_dropped(self, n: Node) -> None:
        """A clean copy is gone."""
        require(self.answers[n].kind == AnswerKind.DROPPED)
        self.awaited[n] = False
        self.answers[n] = Answer()

    @action
    def home_takes_flushed(self, n: Node) -> None:
        """A modified copy is back, as was asked."""
        require(self.answers[n].kind == AnswerKind.FLUSHED)
        self.awaited[n] = False
        self.keeps(n)

    @action
    def home_takes_written_back(self, n: Node) -> None:
        """A modified copy is back; a recall that crossed it stays awaited until it is answered too."""
        require(self.answers[n].kind == AnswerKind.WRITTEN_BACK)
        self.sharers[n] = False
        self.keeps(n)

    @action
    def home_grants_shared(self, n: Node) -> None:
        """Give a copy."""
        require(self.requester == n and not self.exclusive and not self.dirty)
        require(self.orders[n].kind == OrderKind.NONE and not any(self.awaited[m] for m in Node))
        self.orders[n] = Order(OrderKind.GRANT_SHARED, self.memory)
        self.sharers[n] = True
        self.requester = None

    @action
    def home_grants_modified(self, n: Node) -> None:
        """Give the only copy."""
        require(
            self.requester == n
            and self.exclusive
            and not self.dirty
            and self.orders[n].kind == OrderKind.NONE
        )
        require(all(not self.awaited[m] and (m == n or not self.sharers[m]) for m in Node))
        self.orders[n] = Order(OrderKind.GRANT_MODIFIED, self.memory)
        self.sharers[n] = True
        self.dirty = True
        self.requester = None
        self.exclusive = False

    def keeps(self, n: Node) -> None:
        """Put what a node answered into the memory."""
        self.memory = self.answers[n].value
        self.dirty = False
        self.answers[n] = Answer()

    @invariant("SINGLE-WRITER")
    def a_writer_is_alone(self) -> bool:
        """While one may write, no other has a copy."""
        return all(
            implies(
                self.cache[n].state == CacheState.MODIFIED,
                all(m == n or self.cache[m].state == CacheState.INVALID for m in Node),
            )
            for n in Node
        )

    @invariant("FRESH-COPY")
    def copies_are_fresh(self) -> bool:
        """Whoever has a copy has what was written last."""
        return all(
            implies(self.cache[n].state != CacheState.INVALID, self.cache[n].value == self.latest)
            for n in Node
        )

    @invariant("FRESH-MEMORY")
    def memory_is_fresh(self) -> bool:
        """While it is not dirty, the memory has what was written last."""
        return implies(not self.dirty, self.memory == self.latest)

    @reachable("WRITE-BACK-CROSSES-RECALL")
    def write_back_crosses_recall(self) -> bool:
        """The race the protocol is made for."""
        return any(
            self.answers[n].kind == AnswerKind.WRITTEN_BACK and self.orders[n].kind == OrderKind.RECALL
            for n in Node
        )
