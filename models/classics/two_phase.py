"""Two-phase commit: a coordinator asks all participants, then tells all of them.

Source: J. Gray, L. Lamport, "Consensus on transaction commit", ACM TODS 31(1), 2006, section 3.

Messages may be lost, repeated and reordered without limit. Left out: the request to prepare (participants
prepare of their own accord), crashes, and what makes the protocol block: a coordinator that never decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from cmxverify.modeling import Index, Map, Model, Net, Owned, action, invariant, reachable, require

Manager = Index("manager")


class Stage(Enum):
    """How far a participant, a resource manager, is."""

    WORKING = "working"
    PREPARED = "prepared"
    COMMITTED = "committed"
    ABORTED = "aborted"


class Decision(Enum):
    """What the coordinator, the transaction manager, has decided."""

    OPEN = "open"
    COMMIT = "commit"
    ABORT = "abort"


@dataclass(frozen=True)
class Prepared:
    """From a participant: it can commit."""

    m: Manager


@dataclass(frozen=True)
class Commit:
    """From the coordinator, to all."""


@dataclass(frozen=True)
class Abort:
    """From the coordinator, to all."""


class TwoPhaseCommit(Model):
    """One transaction: a coordinator, the home, and its participants."""

    stage: Owned[Manager, Stage]
    decision: Decision
    prepared: Map[Manager, bool]
    """At the coordinator: whom it has heard from."""
    wire: Net[Prepared | Commit | Abort]

    @action(at="home")
    def coordinator_hears_prepared(self, m: Manager) -> None:
        """Note that a participant can commit."""
        require(self.decision == Decision.OPEN and Prepared(m) in self.wire)
        self.prepared[m] = True

    @action(at="home")
    def coordinator_commits(self) -> None:
        """Decide to commit once all can."""
        require(self.decision == Decision.OPEN and all(self.prepared[m] for m in Manager))
        self.decision = Decision.COMMIT
        self.wire.send(Commit())

    @action(at="home")
    def coordinator_aborts(self) -> None:
        """Decide to abort, at any moment before."""
        require(self.decision == Decision.OPEN)
        self.decision = Decision.ABORT
        self.wire.send(Abort())

    @action(at="m")
    def participant_prepares(self, m: Manager) -> None:
        """Promise to commit if told so."""
        require(self.stage[m] == Stage.WORKING)
        self.stage[m] = Stage.PREPARED
        self.wire.send(Prepared(m))

    @action(at="m")
    def participant_gives_up(self, m: Manager) -> None:
        """Abort alone, as long as nothing was promised."""
        require(self.stage[m] == Stage.WORKING)
        self.stage[m] = Stage.ABORTED

    @action(at="m")
    def participant_hears_commit(self, m: Manager) -> None:
        """Obey."""
        require(Commit() in self.wire)
        self.stage[m] = Stage.COMMITTED

    @action(at="m")
    def participant_hears_abort(self, m: Manager) -> None:
        """Obey."""
        require(Abort() in self.wire)
        self.stage[m] = Stage.ABORTED

    def quiescent(self) -> bool:
        """Everybody knows the end."""
        return all(self.stage[m] in (Stage.COMMITTED, Stage.ABORTED) for m in Manager)

    @invariant("CONSISTENT")
    def all_or_nothing(self) -> bool:
        """No participant has aborted while another has committed."""
        return not (
            any(self.stage[m] == Stage.ABORTED for m in Manager)
            and any(self.stage[m] == Stage.COMMITTED for m in Manager)
        )

    @reachable("ALL-COMMIT")
    def all_commit(self) -> bool:
        """The transaction may succeed."""
        return all(self.stage[m] == Stage.COMMITTED for m in Manager)

    @reachable("PREPARED-THEN-ABORTED")
    def abort_after_promises(self) -> bool:
        """The coordinator may abort although all have promised."""
        return self.decision == Decision.ABORT and all(self.stage[m] == Stage.PREPARED for m in Manager)
