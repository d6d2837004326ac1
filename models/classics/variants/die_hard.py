"""The jugs with mistakes, one a class."""

from __future__ import annotations

from cmxverify.modeling import action, invariant
from models.classics.die_hard import DieHard


class DieHardNeverFour(DieHard):
    """Claims that four gallons cannot be measured; the counterexample is the heroes' way out."""

    @invariant("NEVER-FOUR")
    def never_four_gallons(self) -> bool:
        """Four gallons cannot be measured."""
        return self.big != 4


class DieHardSpills(DieHard):
    """Pours without minding the room in the other jug."""

    @action
    def pours_big_into_small(self) -> None:
        """All of it."""
        self.small += self.big
        self.big = 0
