"""The bounded buffer with a mistake."""

from __future__ import annotations

from models.classics.bounded_buffer import BoundedBuffer, Consumer


class BufferWakesOwnKind(BoundedBuffer):
    """A take wakes the other consumers instead of the producers: in the end all wait."""

    def signals_nonfull(self) -> None:
        """Let the consumers try again."""
        for c in Consumer:
            self.consumer_waits[c] = False
