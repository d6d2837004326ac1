"""Clients that ask for sets of resources, and an allocator that grants them piecemeal.

Source: S. Merz, "The specification language TLA+", in "Logics of Specification Languages", 2008, the resource
allocator.

The naive allocator of that text: it may let clients wait for each other, which its liveness properties, left
out here, tell apart; two resources held crosswise are reachable.
"""

from __future__ import annotations

from cmxverify.modeling import (
    Index,
    Map,
    Model,
    Set,
    action,
    count,
    environment,
    invariant,
    reachable,
    require,
)

Client = Index("client")
Resource = Index("resource")


class SimpleAllocator(Model):
    """What each client still waits for, and what it holds."""

    wanted: Map[Client, Set[Resource]]
    held: Map[Client, Set[Resource]]

    @environment
    def client_asks(self, c: Client, some: Set[Resource]) -> None:
        """A client that has and wants nothing asks for some resources."""
        require(len(self.wanted[c]) == 0 and len(self.held[c]) == 0 and len(some) > 0)
        self.wanted[c] = some

    @action
    def allocator_grants(self, c: Client, some: Set[Resource]) -> None:
        """Give a client some of what it wants and nobody holds."""
        require(len(some) > 0 and some <= self.wanted[c])
        require(not any(r in self.held[other] for r in some for other in Client))
        self.held[c] = self.held[c] | some
        self.wanted[c] = self.wanted[c] - some

    @action
    def client_returns(self, c: Client, some: Set[Resource]) -> None:
        """Give some resources back."""
        require(len(some) > 0 and some <= self.held[c])
        self.held[c] = self.held[c] - some

    def quiescent(self) -> bool:
        """Nobody waits and nobody holds."""
        return all(len(self.wanted[c]) == 0 and len(self.held[c]) == 0 for c in Client)

    @invariant("RESOURCE-MUTEX")
    def no_resource_is_shared(self) -> bool:
        """A resource is held by one client at most."""
        return all(count(r in self.held[c] for c in Client) <= 1 for r in Resource)

    @invariant("WANTS-NOT-WHAT-IT-HOLDS")
    def nothing_is_wanted_and_held(self) -> bool:
        """A client waits only for what it does not hold."""
        return not any(r in self.wanted[c] and r in self.held[c] for c in Client for r in Resource)

    @reachable("CROSSWISE")
    def two_wait_for_each_other(self) -> bool:
        """Two clients may each hold what the other waits for."""
        return any(
            r in self.held[c] and r in self.wanted[other] and s in self.held[other] and s in self.wanted[c]
            for c in Client
            for other in Client
            for r in Resource
            for s in Resource
        )
