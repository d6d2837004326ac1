"""A bounded buffer behind a monitor: producers wait while it is full, consumers while it is empty.

Source: C. A. R. Hoare, "Monitors: an operating system structuring concept", CACM 17(10), 1974, its bounded
buffer with the conditions nonfull and nonempty.

Only how much the buffer holds is modelled, not what. A step runs with the monitor's lock held; a signal wakes all that
wait for its condition, and they test again.
"""

from __future__ import annotations

from cmxverify.modeling import Bound, Index, Map, Model, Range, action, invariant, reachable, require

Producer = Index("producer")
Consumer = Index("consumer")
Filling = Range(0, Bound("capacity"))


class BoundedBuffer(Model):
    """Threads that put and take for ever."""

    filling: Filling
    producer_waits: Map[Producer, bool]
    consumer_waits: Map[Consumer, bool]

    @action
    def puts(self, p: Producer) -> None:
        """Put something in and wake the consumers, or wait."""
        require(not self.producer_waits[p])
        if self.filling == len(Filling) - 1:
            self.producer_waits[p] = True
        else:
            self.filling += 1
            self.signals_nonempty()

    @action
    def takes(self, c: Consumer) -> None:
        """Take something out and wake the producers, or wait."""
        require(not self.consumer_waits[c])
        if self.filling == 0:
            self.consumer_waits[c] = True
        else:
            self.filling -= 1
            self.signals_nonfull()

    def signals_nonempty(self) -> None:
        """Let the consumers try again."""
        for c in Consumer:
            self.consumer_waits[c] = False

    def signals_nonfull(self) -> None:
        """Let the producers try again."""
        for p in Producer:
            self.producer_waits[p] = False

    @invariant("SOMEBODY-RUNS")
    def not_all_wait(self) -> bool:
        """At least one thread is not waiting."""
        return any(not self.producer_waits[p] for p in Producer) or any(
            not self.consumer_waits[c] for c in Consumer
        )

    @reachable("FULL")
    def all_producers_wait(self) -> bool:
        """The buffer may fill up."""
        return all(self.producer_waits[p] for p in Producer)

    @reachable("EMPTY")
    def all_consumers_wait(self) -> bool:
        """The buffer may be empty for everybody."""
        return all(self.consumer_waits[c] for c in Consumer)
