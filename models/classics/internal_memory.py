"""A linearisable memory: each processor has one request at a time, which is done at one moment before the reply.

Source: L. Lamport, "Specifying Systems", 2002, section 5.3.

The interface shows the processor and the request or reply that passed last; at first, a reply without value
to the first processor. Left out: that requests are answered (liveness).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from cmxverify.modeling import (
    Bound,
    Index,
    Map,
    Model,
    Range,
    action,
    environment,
    invariant,
    reachable,
    require,
    step,
)

Processor = Range(0, Bound("processor") - 1)
Address = Index("address")
Value = Index("value")


class Phase(Enum):
    """Where a processor's request is."""

    READY = "ready"
    BUSY = "busy"
    DONE = "done"


@dataclass(frozen=True)
class Read:
    """Request."""

    address: Address


@dataclass(frozen=True)
class Write:
    """Request."""

    address: Address
    value: Value


@dataclass(frozen=True)
class Found:
    """Reply to a read; that to a write is None."""

    value: Value


class InternalMemory(Model):
    """Memory, and for each processor its request or reply."""

    memory: Map[Address, Value]
    phase: Map[Processor, Phase]
    buffer: Map[Processor, Read | Write | Found | None]
    speaker: Processor = 0
    spoken: Read | Write | Found | None

    @environment
    def asks_to_read(self, p: Processor, address: Address) -> None:
        """Send a request."""
        require(self.phase[p] == Phase.READY)
        self.buffer[p] = Read(address)
        self.passes(p, Phase.BUSY)

    @environment
    def asks_to_write(self, p: Processor, address: Address, value: Value) -> None:
        """Send a request."""
        require(self.phase[p] == Phase.READY)
        self.buffer[p] = Write(address, value)
        self.passes(p, Phase.BUSY)

    @action
    def memory_does(self, p: Processor) -> None:
        """Do what is asked, at once."""
        require(self.phase[p] == Phase.BUSY)
        request = self.buffer[p]
        match request:
            case Read(address):
                self.buffer[p] = Found(self.memory[address])
            case Write(address, value):
                self.memory[address] = value
                self.buffer[p] = None
        self.phase[p] = Phase.DONE

    @action
    def memory_replies(self, p: Processor) -> None:
        """Send the reply."""
        require(self.phase[p] == Phase.DONE)
        self.passes(p, Phase.READY)

    def passes(self, p: Processor, phase: Phase) -> None:
        """Show at the interface what passes it."""
        self.speaker = p
        self.spoken = self.buffer[p]
        self.phase[p] = phase

    def quiescent(self) -> bool:
        """Nothing is asked."""
        return all(self.phase[p] == Phase.READY for p in Processor)

    @invariant("BUSY-WITH-A-REQUEST")
    def requests_stay_until_done(self) -> bool:
        """A busy processor's buffer holds its request."""
        return all(self.phase[p] != Phase.BUSY or self.holds_request(p) for p in Processor)

    def holds_request(self, p: Processor) -> bool:
        """Whether the buffer of ``p`` holds a request rather than a reply."""
        held = self.buffer[p]
        return held is not None and not isinstance(held, Found)

    @step("WRITTEN-ON-REQUEST")
    def memory_changes_on_request(self, old: InternalMemory) -> bool:
        """An address changes only when a request to write it is done."""
        return all(
            self.memory[a] == old.memory[a]
            or any(
                old.phase[p] == Phase.BUSY
                and self.phase[p] == Phase.DONE
                and old.buffer[p] == Write(a, self.memory[a])
                for p in Processor
            )
            for a in Address
        )

    @reachable("OVERTAKEN")
    def a_reply_may_be_stale(self) -> bool:
        """A value may be overwritten between the read and its reply."""
        return any(
            self.phase[p] == Phase.DONE
            and self.buffer[p] == Found(v)
            and all(self.memory[a] != v for a in Address)
            for p in Processor
            for v in Value
        )
