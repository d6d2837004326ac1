"""Coherence, leases, memories and channels with one mistake each."""

from __future__ import annotations

from cmxverify.modeling import action, environment, fault, require
from models.classics import alternating_bit, directory, fifo, german, internal_memory, lease
from models.classics.alternating_bit import AlternatingBit
from models.classics.directory import Directory
from models.classics.fifo import InnerFifo
from models.classics.german import German
from models.classics.internal_memory import InternalMemory
from models.classics.lease import Lease


class GermanHastyGrant(German):
    """The home lets one write as soon as nobody else may, without waiting for the sharers to go."""

    @action
    def home_grants_exclusive(self, n: german.Node) -> None:
        """Answer a request to write."""
        require(self.current == german.Request.EXCLUSIVE and self.requester == n)
        require(self.orders[n].order == german.Order.NONE and not self.granted_exclusive)
        self.orders[n] = german.ToNode(german.Order.GRANT_EXCLUSIVE, self.memory)
        self.sharers[n] = True
        self.granted_exclusive = True
        self.ends_request()


class GermanLosesData(German):
    """A node drops its copy without sending back what it wrote."""

    @action
    def node_acknowledges(self, n: german.Node) -> None:
        """Drop the copy."""
        require(self.orders[n].order == german.Order.INVALIDATE and not self.acknowledgements[n].sent)
        self.acknowledgements[n] = german.Acknowledgement(True)
        self.orders[n] = german.ToNode()
        self.cache[n] = german.Copy()


class DirectoryHastyGrant(Directory):
    """The home lets one write once all others were sent a recall, without waiting for their answers."""

    @action
    def home_grants_modified(self, n: directory.Node) -> None:
        """Give what should be the only copy."""
        require(self.requester == n and self.exclusive and not self.dirty)
        require(self.orders[n].kind == directory.OrderKind.NONE)
        require(all(m == n or not self.sharers[m] for m in directory.Node))
        self.orders[n] = directory.Order(directory.OrderKind.GRANT_MODIFIED, self.memory)
        self.sharers[n] = True
        self.dirty = True
        self.requester = None
        self.exclusive = False


class DirectoryForgetsAwaited(Directory):
    """The home takes a write-back for the answer to the recall that it crossed."""

    @action
    def home_takes_written_back(self, n: directory.Node) -> None:
        """A modified copy is back, and nothing more is awaited, or so the home thinks."""
        require(self.answers[n].kind == directory.AnswerKind.WRITTEN_BACK)
        self.sharers[n] = False
        self.awaited[n] = False
        self.keeps(n)


class LeaseAcceptsAnyGrant(Lease):
    """A node accepts a grant however old: one that was given back and comes again."""

    @action(at="n")
    def node_receives_grant(self, n: lease.Node, number: lease.Number) -> None:
        """Accept a lease."""
        require(lease.Grant(n, number) in self.wire)
        self.seen[n] = number
        self.holds[n] = True


class LeaseForgetfulCrash(Lease):
    """A crash takes the number last seen with it, so that old grants look new."""

    @fault(budget=1)
    def node_crashes(self, n: lease.Node) -> None:
        """Forget everything."""
        self.holds[n] = False
        self.seen[n] = 0


class AlternatingBitAcceptsAll(AlternatingBit):
    """The receiver does not look at the bit: what is sent again is delivered again."""

    @action
    def receiver_receives(self) -> None:
        """Accept every packet."""
        require(len(self.packets) > 0)
        packet = self.packets.pop()
        self.accepts(packet)


class AlternatingBitAnyAck(AlternatingBit):
    """The sender takes any acknowledgement for that of its item."""

    @action
    def sender_hears(self) -> None:
        """Be done with the item."""
        require(len(self.acks) > 0)
        self.acks.pop()
        self.item = None


class MemoryWritesEarly(InternalMemory):
    """The memory is written when the request arrives, and once more when it is done."""

    @environment
    def asks_to_write(
        self, p: internal_memory.Processor, address: internal_memory.Address, value: internal_memory.Value
    ) -> None:
        """Send a request, and do it at once."""
        require(self.phase[p] == internal_memory.Phase.READY)
        self.memory[address] = value
        self.buffer[p] = internal_memory.Write(address, value)
        self.passes(p, internal_memory.Phase.BUSY)


class FifoImpatient(InnerFifo):
    """The sender changes the value on the channel before it was taken."""

    @environment
    def sender_sends(self, message: fifo.Message) -> None:
        """Put a message on the channel, free or not."""
        self.in_value = message
        self.in_ready = not self.in_acknowledged
