"""A buffer between two handshake channels: sender, first-in first-out queue, receiver.

Source: L. Lamport, "Specifying Systems", 2002, chapters 3 and 4.

A channel has a value and two wires: it is free while they are equal. The queue holds at most ``length``
messages; a full one takes no further message, so the sender waits.
"""

from __future__ import annotations

from cmxverify.modeling import (
    Bound,
    Index,
    Model,
    Queue,
    Range,
    action,
    environment,
    initial,
    reachable,
    require,
    step,
)

Message = Index("message")
Length = Range(0, Bound("length"))


class InnerFifo(Model):
    """Two channels, each a value with its wires, and the queue between them."""

    in_value: Message
    in_ready: bool
    in_acknowledged: bool
    out_value: Message
    out_ready: bool
    out_acknowledged: bool
    queue: Queue[Message](cap=Bound("length"), overflow="block")

    @initial
    def start(self, in_ready: bool, out_ready: bool) -> None:
        """Both channels free, with any values on them."""
        self.in_ready = in_ready
        self.in_acknowledged = in_ready
        self.out_ready = out_ready
        self.out_acknowledged = out_ready

    @environment
    def sender_sends(self, message: Message) -> None:
        """Put a message on the free channel."""
        require(self.in_ready == self.in_acknowledged)
        self.in_value = message
        self.in_ready = not self.in_ready

    @action
    def buffer_receives(self) -> None:
        """Take the message from the channel into the queue."""
        require(self.in_ready != self.in_acknowledged)
        self.queue.send(self.in_value)
        self.in_acknowledged = not self.in_acknowledged

    @action
    def buffer_sends(self) -> None:
        """Put the oldest message on the free channel."""
        require(len(self.queue) > 0 and self.out_ready == self.out_acknowledged)
        self.out_value = self.queue.pop()
        self.out_ready = not self.out_ready

    @action
    def receiver_receives(self) -> None:
        """Take the message from the channel."""
        require(self.out_ready != self.out_acknowledged)
        self.out_acknowledged = not self.out_acknowledged

    def quiescent(self) -> bool:
        """Nothing is under way."""
        idle = self.in_ready == self.in_acknowledged and self.out_ready == self.out_acknowledged
        return idle and len(self.queue) == 0

    @step("VALUE-KEPT")
    def a_value_stays_while_it_is_under_way(self, old: InnerFifo) -> bool:
        """A value on a channel does not change before it is taken."""
        kept_in = old.in_ready == old.in_acknowledged or self.in_value == old.in_value
        kept_out = old.out_ready == old.out_acknowledged or self.out_value == old.out_value
        return kept_in and kept_out

    @reachable("FULL")
    def everything_is_full(self) -> bool:
        """Queue and both channels may be full at once."""
        full = self.in_ready != self.in_acknowledged and self.out_ready != self.out_acknowledged
        return full and len(self.queue) == len(Length) - 1
