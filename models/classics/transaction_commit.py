"""What committing a transaction means: all participants commit, or all abort.

Source: J. Gray, L. Lamport, "Consensus on transaction commit", ACM TODS 31(1), 2006, section 2.

The specification that commit protocols are held to: each participant sees the state of all the others.
"""

from __future__ import annotations

from enum import Enum

from cmxverify.modeling import Index, Map, Model, environment, invariant, reachable, require

Manager = Index("manager")


class Stage(Enum):
    """How far a participant, a resource manager, is."""

    WORKING = "working"
    PREPARED = "prepared"
    COMMITTED = "committed"
    ABORTED = "aborted"


class TransactionCommit(Model):
    """Participants of one transaction, whose steps are the environment's: nobody owes a decision."""

    stage: Map[Manager, Stage]

    @environment
    def prepares(self, m: Manager) -> None:
        """Finish the work and be ready for either end."""
        require(self.stage[m] == Stage.WORKING)
        self.stage[m] = Stage.PREPARED

    @environment
    def commits(self, m: Manager) -> None:
        """Commit, once everybody is prepared or has committed."""
        require(self.stage[m] == Stage.PREPARED)
        require(all(self.stage[other] in (Stage.PREPARED, Stage.COMMITTED) for other in Manager))
        self.stage[m] = Stage.COMMITTED

    @environment
    def aborts(self, m: Manager) -> None:
        """Abort, as long as nobody has committed."""
        require(self.stage[m] in (Stage.WORKING, Stage.PREPARED))
        require(all(self.stage[other] != Stage.COMMITTED for other in Manager))
        self.stage[m] = Stage.ABORTED

    def quiescent(self) -> bool:
        """Nothing is ever due."""
        return True

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

    @reachable("ALL-ABORT")
    def all_abort(self) -> bool:
        """The transaction may fail."""
        return all(self.stage[m] == Stage.ABORTED for m in Manager)
