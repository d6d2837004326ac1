"""Commitment, termination, allocation and counting with one mistake each."""

from __future__ import annotations

from cmxverify.modeling import Set, action, environment, require
from models.classics import barrier, prisoners, safra, simple_allocator, token_ring, transaction_commit, two_phase
from models.classics.barrier import Barrier
from models.classics.hour_clock import HourClock
from models.classics.prisoners import Prisoners
from models.classics.safra import SafraRing
from models.classics.simple_allocator import SimpleAllocator
from models.classics.token_ring import TokenRing
from models.classics.transaction_commit import TransactionCommit
from models.classics.two_phase import TwoPhaseCommit


class TransactionCommitBlindAbort(TransactionCommit):
    """A prepared participant aborts without regard to the others."""

    @environment
    def aborts(self, m: transaction_commit.Manager) -> None:
        """Abort alone."""
        require(self.stage[m] in (transaction_commit.Stage.WORKING, transaction_commit.Stage.PREPARED))
        self.stage[m] = transaction_commit.Stage.ABORTED


class TwoPhaseFirstPromise(TwoPhaseCommit):
    """The coordinator commits on the first promise."""

    @action(at="home")
    def coordinator_commits(self) -> None:
        """Decide to commit once one can."""
        require(self.decision == two_phase.Decision.OPEN and any(self.prepared[m] for m in two_phase.Manager))
        self.decision = two_phase.Decision.COMMIT
        self.wire.send(two_phase.Commit())


class HourClockThirteen(HourClock):
    """Forgets to begin again after twelve."""

    @action
    def ticks(self) -> None:
        """Show the next hour, should there be one."""
        self.hour = self.hour + 1


class BarrierOpensEarly(Barrier):
    """Opens for the first that arrives."""

    @action
    def opens(self) -> None:
        """Let those that wait pass."""
        require(any(self.arrived[p] for p in barrier.Process))
        for p in barrier.Process:
            self.arrived[p] = False


class AllocatorForgetsHolders(SimpleAllocator):
    """Grants what is wanted, whoever holds it."""

    @action
    def allocator_grants(self, c: simple_allocator.Client, some: Set[simple_allocator.Resource]) -> None:
        """Give a client some of what it wants."""
        require(len(some) > 0 and some <= self.wanted[c])
        self.held[c] = self.held[c] | some
        self.wanted[c] = self.wanted[c] - some


class PrisonersCountOnce(Prisoners):
    """Announces after one signal for each of the others; the first may be how the switch was set at the beginning."""

    def announced(self) -> bool:
        """As many signals as other prisoners."""
        return self.tally >= len(prisoners.Prisoner)


class TokenRingUnstained(TokenRing):
    """A node that wakes another stays white, even when the token has passed that one."""

    @environment
    def activates(self, n: token_ring.Node, other: token_ring.Node) -> None:
        """Wake another node."""
        require(n != other and self.active[n])
        self.active[other] = True


class SafraUnstained(SafraRing):
    """A node that receives a message stays white."""

    @action
    def receives(self, n: safra.Node) -> None:
        """A message wakes the node."""
        require(self.pending[n] > 0)
        self.pending[n] -= 1
        self.surplus[n] -= 1
        self.active[n] = True


class SafraUncounted(SafraRing):
    """The token sums nothing, as if messages took no time."""

    @action
    def passes_token(self, n: safra.Node) -> None:
        """A passive node hands the token on, with its colour alone."""
        require(n > 0 and self.token == n and not self.active[n])
        self.token = n - 1
        self.token_black = self.token_black or self.black[n]
        self.black[n] = False
