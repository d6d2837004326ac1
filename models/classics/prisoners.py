"""The prisoners and the two switches: one of them counts, and announces that all have been in the room.

Source: the puzzle as told on the radio programme "Car Talk"; its solution by counting is folklore.

One switch matters, the other only gives a prisoner something to do. The prisoners other than the counter are
alike. How often the counter turns the switch off is bounded by ``tally``, and that this suffices is checked
by the range. Left out: that each prisoner enters again and again, so that the announcement comes.
"""

from __future__ import annotations

from cmxverify.modeling import (
    Bound,
    Index,
    Map,
    Model,
    Range,
    action,
    implies,
    initial,
    invariant,
    reachable,
)

Prisoner = Index("prisoner")
Tally = Range(0, Bound("tally"))


class Prisoners(Model):
    """The counter and the others; the switches may be either way at first."""

    signal: bool
    """The switch that matters."""
    spare: bool
    signalled: Map[Prisoner, Range(0, 2)]
    """How often each of the others turned the signal on."""
    tally: Tally
    """How often the counter turned it off."""

    @initial
    def start(self, signal: bool, spare: bool) -> None:
        """Nobody knows how the switches are set."""
        self.signal = signal
        self.spare = spare

    @action
    def prisoner_enters(self, p: Prisoner) -> None:
        """Turn the signal on if it is off and one has done so less than twice, else touch the other switch."""
        if not self.signal and self.signalled[p] < 2:
            self.signal = True
            self.signalled[p] += 1
        else:
            self.spare = not self.spare

    @action
    def counter_enters(self) -> None:
        """Turn the signal off and count, else touch the other switch."""
        if self.signal:
            self.signal = False
            self.tally += 1
        else:
            self.spare = not self.spare

    def announced(self) -> bool:
        """The counter has counted two for each of the others: one of them may be the first setting of the switch."""
        return self.tally >= sum(2 for p in Prisoner)

    @invariant("ALL-WERE-INSIDE")
    def announcement_is_true(self) -> bool:
        """Once the counter announces it, everybody has been in the room."""
        return implies(self.announced(), all(self.signalled[p] > 0 for p in Prisoner))

    @invariant("COUNTED")
    def tally_is_what_was_signalled(self) -> bool:
        """What was signalled and what was counted differ by the switch, and by how it was set at first."""
        signals = sum(self.signalled[p] for p in Prisoner)
        pending = 1 if self.signal else 0
        return self.tally + pending in (signals, signals + 1)

    @reachable("ANNOUNCED")
    def the_end_comes(self) -> bool:
        """The announcement can be made."""
        return self.announced()
