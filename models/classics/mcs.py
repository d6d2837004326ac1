"""The queue lock of Mellor-Crummey and Scott: each process spins on a flag of its own.

Source: J. M. Mellor-Crummey, M. L. Scott, "Algorithms for scalable synchronization on shared-memory
multiprocessors", ACM TOCS 9(1), 1991, the lock with fetch-and-store and compare-and-swap.

Each process has one queue node, named as the process. A failed test while spinning is a step that changes
nothing. Left out: weak memory. The release reads its successor and, if there is none, swaps in one step.
"""

from __future__ import annotations

from enum import Enum

from cmxverify.modeling import Index, Map, Model, action, invariant, reachable, require

Process = Index("process")


class At(Enum):
    """What a process does next."""

    CLEAR_NEXT = "clear next"
    SWAP_TAIL = "swap tail"
    LOOK_AT_PREDECESSOR = "look at predecessor"
    SET_LOCKED = "set locked"
    LINK = "link behind predecessor"
    SPIN = "spin"
    CRITICAL = "critical"
    RELEASE = "release"
    AWAIT_SUCCESSOR = "await successor"
    HAND_OVER = "hand over"


class McsLock(Model):
    """Processes that acquire and release one lock for ever."""

    at: Map[Process, At]
    tail: Process | None
    successor: Map[Process, Process | None]
    predecessor: Map[Process, Process | None]
    locked: Map[Process, bool]

    @action
    def clears_next(self, p: Process) -> None:
        """Begin to acquire."""
        require(self.at[p] == At.CLEAR_NEXT)
        self.successor[p] = None
        self.at[p] = At.SWAP_TAIL

    @action
    def swaps_tail(self, p: Process) -> None:
        """Join the queue: fetch-and-store."""
        require(self.at[p] == At.SWAP_TAIL)
        self.predecessor[p] = self.tail
        self.tail = p
        self.at[p] = At.LOOK_AT_PREDECESSOR

    @action
    def looks_at_predecessor(self, p: Process) -> None:
        """The first in the queue has the lock."""
        require(self.at[p] == At.LOOK_AT_PREDECESSOR)
        self.at[p] = At.CRITICAL if self.predecessor[p] is None else At.SET_LOCKED

    @action
    def sets_locked(self, p: Process) -> None:
        """Prepare to spin."""
        require(self.at[p] == At.SET_LOCKED)
        self.locked[p] = True
        self.at[p] = At.LINK

    @action
    def links(self, p: Process) -> None:
        """Tell the predecessor who comes next."""
        require(self.at[p] == At.LINK)
        before = self.predecessor[p]
        if before is not None:
            self.successor[before] = p
        self.at[p] = At.SPIN

    @action
    def spins(self, p: Process) -> None:
        """Test once whether the lock was handed over."""
        require(self.at[p] == At.SPIN)
        if not self.locked[p]:
            self.at[p] = At.CRITICAL

    @action
    def works(self, p: Process) -> None:
        """Do what needs the lock."""
        require(self.at[p] == At.CRITICAL)
        self.at[p] = At.RELEASE

    @action
    def releases(self, p: Process) -> None:
        """With no successor in sight, empty the queue: compare-and-swap; it fails if another has just joined."""
        require(self.at[p] == At.RELEASE)
        if self.successor[p] is not None:
            self.at[p] = At.HAND_OVER
        elif self.tail == p:
            self.tail = None
            self.at[p] = At.CLEAR_NEXT
        else:
            self.at[p] = At.AWAIT_SUCCESSOR

    @action
    def awaits_successor(self, p: Process) -> None:
        """Test once whether the one that joined has linked itself."""
        require(self.at[p] == At.AWAIT_SUCCESSOR)
        if self.successor[p] is not None:
            self.at[p] = At.HAND_OVER

    @action
    def hands_over(self, p: Process) -> None:
        """Let the successor in."""
        require(self.at[p] == At.HAND_OVER)
        following = self.successor[p]
        if following is not None:
            self.locked[following] = False
        self.at[p] = At.CLEAR_NEXT

    @invariant("MUTUAL-EXCLUSION")
    def one_at_most_is_inside(self) -> bool:
        """No two processes are in their critical sections together."""
        return not any(
            p != q and self.at[p] == At.CRITICAL and self.at[q] == At.CRITICAL
            for p in Process
            for q in Process
        )

    @invariant("QUEUED-BEHIND-SOMEBODY")
    def a_link_has_two_ends(self) -> bool:
        """Who links has a predecessor, who hands over has a successor."""
        return all(
            (self.at[p] != At.LINK or self.predecessor[p] is not None)
            and (self.at[p] != At.HAND_OVER or self.successor[p] is not None)
            for p in Process
        )

    @reachable("LATE-LINK")
    def one_leaves_before_another_links(self) -> bool:
        """The race that the compare-and-swap is for: the releaser waits for a successor it cannot see yet."""
        return any(self.at[p] == At.AWAIT_SUCCESSOR and self.successor[p] is None for p in Process)
