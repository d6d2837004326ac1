"""Dining philosophers after Chandy and Misra: dirty forks are given away, clean ones are kept until the meal.

Source: K. M. Chandy, J. Misra, "The drinking philosophers problem", ACM TOPLAS 6(4), 1984, section on dining.

Everybody is always about to be hungry, so forks are given without being asked for: the messages that ask are
left out. The forks lie so that the graph of precedence has no cycle: philosopher 0 holds two, the last one
none of its right.
"""

from __future__ import annotations

from enum import Enum

from cmxverify.modeling import Bound, Map, Model, Range, action, count, initial, invariant, reachable, require

Seat = Range(0, Bound("philosopher") - 1)


class Doing(Enum):
    """What a philosopher does next."""

    LOOK = "look at the forks"
    EAT = "eat"
    THINK = "think"


class DiningPhilosophers(Model):
    """Philosophers round a table; fork ``k`` lies between philosophers ``k - 1`` and ``k``."""

    doing: Map[Seat, Doing]
    hungry: Map[Seat, bool] = True
    holder: Map[Seat, Seat]
    """Of each fork."""
    clean: Map[Seat, bool]

    @initial
    def lay_table(self) -> None:
        """Each fork, dirty, at the philosopher on its right; the second at the one on its left."""
        for fork in Seat:
            self.holder[fork] = 0 if fork == 1 else fork

    @action
    def looks(self, p: Seat) -> None:
        """Wash one dirty fork and give it to the neighbour; then, with two clean forks, sit down to eat."""
        require(self.doing[p] == Doing.LOOK)
        if self.holder[p] == p and not self.clean[p]:
            self.holder[p] = (p - 1) % len(Seat)
            self.clean[p] = True
        elif self.holder[self.right(p)] == p and not self.clean[self.right(p)]:
            self.holder[self.right(p)] = self.right(p)
            self.clean[self.right(p)] = True
        if not self.hungry[p]:
            self.doing[p] = Doing.THINK
        elif self.may_eat(p):
            self.doing[p] = Doing.EAT

    @action
    def eats(self, p: Seat) -> None:
        """Eat: both forks get dirty."""
        require(self.doing[p] == Doing.EAT)
        self.hungry[p] = False
        self.clean[p] = False
        self.clean[self.right(p)] = False
        self.doing[p] = Doing.LOOK

    @action
    def thinks(self, p: Seat) -> None:
        """Get hungry again."""
        require(self.doing[p] == Doing.THINK)
        self.hungry[p] = True
        self.doing[p] = Doing.LOOK

    def right(self, p: Seat) -> Seat:
        """The fork on the right, and the philosopher beyond it."""
        return (p + 1) % len(Seat)

    def may_eat(self, p: Seat) -> bool:
        """Holds two clean forks."""
        mine = self.holder[p] == p and self.holder[self.right(p)] == p
        return mine and self.clean[p] and self.clean[self.right(p)]

    @invariant("NEIGHBOURS-DO-NOT-EAT-TOGETHER")
    def neighbours_take_turns(self) -> bool:
        """A fork serves one philosopher at a time."""
        return not any(self.doing[p] == Doing.EAT and self.doing[self.right(p)] == Doing.EAT for p in Seat)

    @invariant("FORK-AT-ITS-SIDES")
    def forks_stay_between_neighbours(self) -> bool:
        """A fork is held by one of its two neighbours."""
        return all(self.holder[self.right(p)] in (p, self.right(p)) for p in Seat)

    @reachable("LAST-EATS")
    def the_last_one_eats(self) -> bool:
        """The philosopher that holds no fork at first gets to eat."""
        return self.doing[len(Seat) - 1] == Doing.EAT


class DiningWithForksPickedUp(Model):
    """The problem as Dijkstra posed it: each takes one fork, then the other, and puts both down after the meal.

    Source: E. W. Dijkstra, "Hierarchical ordering of sequential processes", Acta Informatica 1, 1971. Nobody gets
    stuck: the lower fork is taken first, so that the last philosopher reaches to its right.
    """

    taken: Map[Seat, bool]
    """Of each fork."""
    forks: Map[Seat, Range(0, 2)]
    """How many each philosopher holds."""
    done: Map[Seat, bool]
    """Has eaten and puts its forks down."""

    @action
    def takes_fork(self, p: Seat) -> None:
        """Take the next fork, if it lies on the table."""
        require(not self.done[p] and self.forks[p] < 2 and not self.taken[self.wanted(p)])
        self.taken[self.wanted(p)] = True
        self.forks[p] += 1

    @action
    def eats(self, p: Seat) -> None:
        """Eat with both forks."""
        require(not self.done[p] and self.forks[p] == 2)
        self.done[p] = True

    @action
    def puts_forks_down(self, p: Seat) -> None:
        """Put both forks back."""
        require(self.done[p])
        self.taken[p] = False
        self.taken[(p + 1) % len(Seat)] = False
        self.forks[p] = 0
        self.done[p] = False

    def wanted(self, p: Seat) -> Seat:
        """The fork that is taken next."""
        return self.second(p) if self.forks[p] == 1 else self.first(p)

    def first(self, p: Seat) -> Seat:
        """The fork that is taken first: the lower one."""
        return min(p, (p + 1) % len(Seat))

    def second(self, p: Seat) -> Seat:
        """The fork that is taken second: the higher one."""
        return max(p, (p + 1) % len(Seat))

    @invariant("FORKS-COUNTED")
    def every_fork_in_hand_is_off_the_table(self) -> bool:
        """As many forks are off the table as are held."""
        return count(self.taken[k] for k in Seat) == sum(self.forks[p] for p in Seat)

    @reachable("ALL-BUT-ONE-HOLD-ONE")
    def nearly_stuck(self) -> bool:
        """The table comes within one fork of being stuck."""
        return count(self.forks[p] == 1 for p in Seat) == len(Seat) - 1
