"""The alternating bit protocol with mistakes, one a class."""

from __future__ import annotations

from cmxverify.modeling import action, require
from models.classics.alternating_bit import AlternatingBit


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
