"""Mutual exclusion with one mistake each."""

from __future__ import annotations

from cmxverify.modeling import action, invariant, require
from models.classics import bakery, dekker, mcs, peterson
from models.classics.bakery import Bakery
from models.classics.dekker import Dekker
from models.classics.die_hard import DieHard
from models.classics.dining import DiningPhilosophers, DiningWithForksPickedUp, Doing, Seat
from models.classics.mcs import McsLock
from models.classics.peterson import Peterson


class PetersonTurnFirst(Peterson):
    """Gives way before it raises its flag: both may then find the other's flag down."""

    @action
    def raises_flag(self, p: peterson.Process) -> None:
        """Give way, too early."""
        require(self.at[p] == peterson.At.RAISE_FLAG)
        self.turn = 1 - p
        self.at[p] = peterson.At.GIVE_WAY

    @action
    def gives_way(self, p: peterson.Process) -> None:
        """Raise the flag, too late."""
        require(self.at[p] == peterson.At.GIVE_WAY)
        self.flag[p] = True
        self.at[p] = peterson.At.WAIT


class DekkerTurnAdmits(Dekker):
    """Takes the turn for leave to enter, although the other may have entered before the flag was raised."""

    @action
    def looks_at_turn(self, p: dekker.Process) -> None:
        """Enter on the turn alone."""
        require(self.at[p] == dekker.At.LOOK_AT_TURN)
        self.at[p] = dekker.At.CRITICAL if self.turn == p else dekker.At.STEP_BACK


class BakeryWithoutDoorway(Bakery):
    """Does not wait for those that are drawing: one may yet draw the same ticket and come first."""

    @action
    def awaits_draw(self, p: bakery.Process) -> None:
        """Go on at once."""
        require(self.at[p] == bakery.At.AWAIT_DRAW)
        self.at[p] = bakery.At.AWAIT_TURN


class McsLinksFirst(McsLock):
    """Links itself behind its predecessor before it sets its flag: the hand-over in between is lost, and all wait."""

    @action
    def sets_locked(self, p: mcs.Process) -> None:
        """Link, too early."""
        require(self.at[p] == mcs.At.SET_LOCKED)
        before = self.predecessor[p]
        if before is not None:
            self.successor[before] = p
        self.at[p] = mcs.At.LINK

    @action
    def links(self, p: mcs.Process) -> None:
        """Prepare to spin, too late."""
        require(self.at[p] == mcs.At.LINK)
        self.locked[p] = True
        self.at[p] = mcs.At.SPIN


class McsForgetsToLock(McsLock):
    """Does not set its flag before it spins on it."""

    @action
    def sets_locked(self, p: mcs.Process) -> None:
        """Go on."""
        require(self.at[p] == mcs.At.SET_LOCKED)
        self.at[p] = mcs.At.LINK


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


class DieHardNeverFour(DieHard):
    """Claims that four gallons cannot be measured; the counterexample is the heroes' way out."""

    @invariant("NEVER-FOUR")
    def never_four_gallons(self) -> bool:
        """Not true."""
        return self.big != 4


class DieHardSpills(DieHard):
    """Pours without minding the room in the other jug."""

    @action
    def pours_big_into_small(self) -> None:
        """All of it."""
        self.small += self.big
        self.big = 0
