"""The allocator with a mistake."""

from __future__ import annotations

from cmxverify.modeling import Set, action, require
from models.classics.simple_allocator import Client, Resource, SimpleAllocator


class AllocatorForgetsHolders(SimpleAllocator):
    """Grants what is wanted, whoever holds it."""

    @action
    def allocator_grants(self, c: Client, some: Set[Resource]) -> None:
        """Give a client some of what it wants."""
        require(len(some) > 0 and some <= self.wanted[c])
        self.held[c] = self.held[c] | some
        self.wanted[c] = self.wanted[c] - some
