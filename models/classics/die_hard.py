"""The puzzle of the film "Die Hard 3": measure four gallons with jugs of three and five.

Source: the film (1995); its use as a first model follows L. Lamport's TLA+ lectures.

The way to pour is the shortest witness of FOUR-GALLONS; nothing is left out.
"""

from __future__ import annotations

from cmxverify.modeling import Model, Range, action, invariant, reachable

SMALL = 3
BIG = 5


class DieHard(Model):
    """Two jugs without marks, a tap and a drain."""

    small: Range(0, SMALL) = 0
    big: Range(0, BIG) = 0

    @action
    def fills_small(self) -> None:
        """From the tap."""
        self.small = SMALL

    @action
    def fills_big(self) -> None:
        """From the tap."""
        self.big = BIG

    @action
    def empties_small(self) -> None:
        """Down the drain."""
        self.small = 0

    @action
    def empties_big(self) -> None:
        """Down the drain."""
        self.big = 0

    @action
    def pours_small_into_big(self) -> None:
        """Until the one is empty or the other full."""
        poured = min(self.small, BIG - self.big)
        self.small -= poured
        self.big += poured

    @action
    def pours_big_into_small(self) -> None:
        """Until the one is empty or the other full."""
        poured = min(self.big, SMALL - self.small)
        self.big -= poured
        self.small += poured

    @invariant("A-JUG-EMPTY-OR-FULL")
    def one_jug_is_empty_or_full(self) -> bool:
        """Every step leaves one of the jugs empty or full, which is why the puzzle is one."""
        return self.small in (0, SMALL) or self.big in (0, BIG)

    @reachable("FOUR-GALLONS")
    def four_gallons(self) -> bool:
        """What the heroes need."""
        return self.big == 4
