"""The buffer with a mistake."""

from __future__ import annotations

from cmxverify.modeling import environment
from models.classics.fifo import InnerFifo, Message


class FifoImpatient(InnerFifo):
    """The sender changes the value on the channel before it was taken."""

    @environment
    def sender_sends(self, message: Message) -> None:
        """Put a message on the channel, free or not."""
        self.in_value = message
        self.in_ready = not self.in_acknowledged
