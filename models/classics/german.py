"""German's cache coherence: a home that serves one request at a time, for one line of memory.

Source: S. German's protocol, as published in C.-T. Chou, P. K. Mannava, S. Park, "A simple method for
parameterized verification of cache coherence protocols", FMCAD 2004.

Each node has three channels of one slot: requests to the home, orders from it, acknowledgements to it. Both
ends touch a slot, so the actions are not declared local to a node. Data are the two values of ``Value``; a
dead one is 0. Left out: other lines, loss of messages, and that requests are served (liveness).
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
    initial,
    invariant,
    reachable,
    require,
)

Node = Index("node")
Value = Range(0, 1)


class Permission(Enum):
    """What a node may do with its copy."""

    INVALID = "invalid"
    SHARED = "shared"
    EXCLUSIVE = "exclusive"


class Request(Enum):
    """What is asked of the home."""

    NONE = "none"
    SHARED = "shared"
    EXCLUSIVE = "exclusive"


class Order(Enum):
    """What the home tells a node."""

    NONE = "none"
    INVALIDATE = "invalidate"
    GRANT_SHARED = "grant shared"
    GRANT_EXCLUSIVE = "grant exclusive"


@dataclass(frozen=True)
class Copy:
    """A node's copy of the line."""

    permission: Permission = Permission.INVALID
    value: Value = 0


@dataclass(frozen=True)
class ToNode:
    """The slot from the home to a node."""

    order: Order = Order.NONE
    value: Value = 0


@dataclass(frozen=True)
class Acknowledgement:
    """The slot by which a node says that its copy is gone; the value matters if it was exclusive."""

    sent: bool = False
    value: Value = 0


class German(Model):
    """One home, any number of nodes."""

    cache: Owned[Node, Copy]
    requests: Owned[Node, Request]
    orders: Owned[Node, ToNode]
    acknowledgements: Owned[Node, Acknowledgement]
    memory: Value
    invalidate: Map[Node, bool]
    """Whom the present request may still have to invalidate."""
    sharers: Map[Node, bool]
    """Who may have a copy."""
    granted_exclusive: bool
    current: Request
    requester: Node | None
    latest: Ghost[Value]
    """The value stored last."""

    @initial
    def start(self, value: Value) -> None:
        """Only the memory has the line, with any value."""
        self.memory = value
        self.latest = value

    @action
    def node_requests_shared(self, n: Node) -> None:
        """Ask to read."""
        require(self.requests[n] == Request.NONE and self.cache[n].permission == Permission.INVALID)
        self.requests[n] = Request.SHARED

    @action
    def node_requests_exclusive(self, n: Node) -> None:
        """Ask to write."""
        require(self.requests[n] == Request.NONE and self.cache[n].permission != Permission.EXCLUSIVE)
        self.requests[n] = Request.EXCLUSIVE

    @action
    def home_accepts(self, n: Node) -> None:
        """Take up a request: all sharers may have to go."""
        require(self.current == Request.NONE and self.requests[n] != Request.NONE)
        self.current = self.requests[n]
        self.requester = n
        self.requests[n] = Request.NONE
        for other in Node:
            self.invalidate[other] = self.sharers[other]

    @action
    def home_invalidates(self, n: Node) -> None:
        """Tell a sharer to drop its copy, if the request needs that."""
        require(self.orders[n].order == Order.NONE and self.invalidate[n])
        require(
            self.current == Request.EXCLUSIVE or (self.current == Request.SHARED and self.granted_exclusive)
        )
        self.orders[n] = ToNode(Order.INVALIDATE)
        self.invalidate[n] = False

    @action
    def node_acknowledges(self, n: Node) -> None:
        """Drop the copy; one that may have been written goes back."""
        require(self.orders[n].order == Order.INVALIDATE and not self.acknowledgements[n].sent)
        copy = self.cache[n]
        self.acknowledgements[n] = Acknowledgement(
            True, copy.value if copy.permission == Permission.EXCLUSIVE else 0
        )
        self.orders[n] = ToNode()
        self.cache[n] = Copy()

    @action
    def home_takes_acknowledgement(self, n: Node) -> None:
        """Strike a sharer off; what an exclusive one had is the memory's value."""
        require(self.acknowledgements[n].sent and self.current != Request.NONE)
        self.sharers[n] = False
        if self.granted_exclusive:
            self.granted_exclusive = False
            self.memory = self.acknowledgements[n].value
        self.acknowledgements[n] = Acknowledgement()

    @action
    def home_grants_shared(self, n: Node) -> None:
        """Answer a request to read, unless one may be writing."""
        require(self.current == Request.SHARED and self.requester == n)
        require(self.orders[n].order == Order.NONE and not self.granted_exclusive)
        self.orders[n] = ToNode(Order.GRANT_SHARED, self.memory)
        self.sharers[n] = True
        self.ends_request()

    @action
    def home_grants_exclusive(self, n: Node) -> None:
        """Answer a request to write, once nobody has a copy."""
        require(self.current == Request.EXCLUSIVE and self.requester == n)
        require(self.orders[n].order == Order.NONE and not self.granted_exclusive)
        require(not any(self.sharers[other] for other in Node))
        self.orders[n] = ToNode(Order.GRANT_EXCLUSIVE, self.memory)
        self.sharers[n] = True
        self.granted_exclusive = True
        self.ends_request()

    @action
    def node_takes_shared(self, n: Node) -> None:
        """Read from now on."""
        require(self.orders[n].order == Order.GRANT_SHARED)
        self.cache[n] = Copy(Permission.SHARED, self.orders[n].value)
        self.orders[n] = ToNode()

    @action
    def node_takes_exclusive(self, n: Node) -> None:
        """Write from now on."""
        require(self.orders[n].order == Order.GRANT_EXCLUSIVE)
        self.cache[n] = Copy(Permission.EXCLUSIVE, self.orders[n].value)
        self.orders[n] = ToNode()

    @action
    def node_stores(self, n: Node, v: Value) -> None:
        """Write any value."""
        require(self.cache[n].permission == Permission.EXCLUSIVE)
        self.cache[n] = Copy(Permission.EXCLUSIVE, v)
        self.latest = v

    def ends_request(self) -> None:
        """Be free for the next request."""
        self.current = Request.NONE
        self.requester = None

    @invariant("COHERENCE")
    def a_writer_is_alone(self) -> bool:
        """While one may write, no other may read or write."""
        return all(
            implies(
                self.cache[n].permission == Permission.EXCLUSIVE,
                all(m == n or self.cache[m].permission == Permission.INVALID for m in Node),
            )
            for n in Node
        )

    @invariant("FRESH-COPY")
    def copies_are_fresh(self) -> bool:
        """Whoever may read reads what was written last."""
        return all(
            implies(self.cache[n].permission != Permission.INVALID, self.cache[n].value == self.latest)
            for n in Node
        )

    @invariant("FRESH-MEMORY")
    def memory_is_fresh(self) -> bool:
        """While nobody may write, the memory has what was written last."""
        return implies(not self.granted_exclusive, self.memory == self.latest)

    @reachable("ALL-SHARE")
    def all_share(self) -> bool:
        """All nodes may read at once."""
        return all(self.cache[n].permission == Permission.SHARED for n in Node)

    @reachable("INVALIDATION-CROSSES-REQUEST")
    def a_sharer_asks_while_it_is_invalidated(self) -> bool:
        """A node may ask to write its copy while an order to drop it is on the way."""
        return any(
            self.orders[n].order == Order.INVALIDATE
            and self.requests[n] == Request.EXCLUSIVE
            and self.cache[n].permission == Permission.SHARED
            for n in Node
        )
