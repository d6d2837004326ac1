"""The alternating bit protocol: reliable transfer over channels that lose messages.

Source: K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson, "A note on reliable full-duplex transmission over
half-duplex links", CACM 12(5), 1969.

Channels keep order; they lose any message at any time, and a message sent into a full channel is lost as
well. Duplicates come from sending again. Left out: fairness, so it is not shown that anything is ever
delivered.
"""

from __future__ import annotations

from dataclasses import dataclass

from cmxverify.modeling import (
    Bound,
    Ghost,
    Index,
    Model,
    Queue,
    action,
    environment,
    fault,
    invariant,
    reachable,
    require,
)

Item = Index("item")


@dataclass(frozen=True)
class Packet:
    """From the sender."""

    bit: bool
    item: Item


@dataclass(frozen=True)
class Ack:
    """From the receiver: the bit of the packet it accepted last."""

    bit: bool


class AlternatingBit(Model):
    """One sender, one receiver."""

    item: Item | None
    """What the sender has to send; None when all is acknowledged."""
    send_bit: bool
    received_bit: bool
    """Bit of the packet accepted last."""
    packets: Queue[Packet](cap=Bound("capacity"), overflow="drop")
    acks: Queue[Ack](cap=Bound("capacity"), overflow="drop")
    due: Ghost[bool]
    """The item was given to the sender and not yet accepted by the receiver."""
    repeated: Ghost[bool]
    """Something was accepted that was not due."""
    mistaken: Ghost[bool]
    """Something else was accepted than was given to the sender."""

    @environment
    def sender_is_given(self, item: Item) -> None:
        """The next item, once the last one is acknowledged."""
        require(self.item is None)
        self.item = item
        self.send_bit = not self.send_bit
        self.due = True

    @action
    def sender_sends(self) -> None:
        """Send the item, and again until it is acknowledged."""
        item = self.item
        require(item is not None)
        self.packets.send(Packet(self.send_bit, item))

    @action
    def receiver_receives(self) -> None:
        """Accept a packet with a new bit, ignore others."""
        require(len(self.packets) > 0)
        packet = self.packets.pop()
        if packet.bit != self.received_bit:
            self.accepts(packet)

    @action
    def receiver_acknowledges(self) -> None:
        """Tell the bit accepted last, again and again."""
        self.acks.send(Ack(self.received_bit))

    @action
    def sender_hears(self) -> None:
        """Be done with the item if the acknowledgement is for its bit."""
        require(len(self.acks) > 0)
        ack = self.acks.pop()
        if ack.bit == self.send_bit:
            self.item = None

    @fault
    def packet_is_lost(self) -> None:
        """The oldest one: of others, losing them later comes to the same."""
        require(len(self.packets) > 0)
        self.packets.pop()

    @fault
    def ack_is_lost(self) -> None:
        """The oldest one."""
        require(len(self.acks) > 0)
        self.acks.pop()

    def accepts(self, packet: Packet) -> None:
        """Hand a packet's item to the user."""
        self.received_bit = packet.bit
        self.repeated = self.repeated or not self.due
        self.mistaken = self.mistaken or self.item is None or packet.item != self.item
        self.due = False

    @invariant("AT-MOST-ONCE")
    def nothing_is_delivered_twice(self) -> bool:
        """Each item is accepted once."""
        return not self.repeated

    @invariant("IN-ORDER")
    def the_item_delivered_is_the_item_sent(self) -> bool:
        """What is accepted is what the sender is busy with."""
        return not self.mistaken

    @invariant("ACKNOWLEDGED-IS-DELIVERED")
    def an_idle_sender_has_delivered(self) -> bool:
        """The sender is done with an item only after it was accepted."""
        return self.item is not None or not self.due

    @reachable("SECOND-ITEM")
    def a_second_item_arrives(self) -> bool:
        """Bits come round: an item with the first bit again is accepted."""
        return self.item is not None and not self.send_bit and not self.received_bit
