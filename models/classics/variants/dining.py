"""The dining philosophers with mistakes, one a class."""

from __future__ import annotations

from cmxverify.modeling import action, require
from models.classics.dining import DiningPhilosophers, DiningWithForksPickedUp, Doing, Seat


class DiningGrabbed(DiningPhilosophers):
    """Takes both forks when hungry, whoever holds them."""

    @action
    def looks(self, p: Seat) -> None:
        """Sit down to eat."""
        require(self.doing[p] == Doing.LOOK)
        self.holder[p] = p
        self.holder[self.right(p)] = p
        self.doing[p] = Doing.EAT


class DiningAllLeftFirst(DiningWithForksPickedUp):
    """Everybody takes the left fork first: each may wait for the next one for ever."""

    def first(self, p: Seat) -> Seat:
        """The left fork."""
        return p

    def second(self, p: Seat) -> Seat:
        """The right fork."""
        return (p + 1) % len(Seat)
