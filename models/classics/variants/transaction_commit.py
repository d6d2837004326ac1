"""Transaction commit with a mistake."""

from __future__ import annotations

from cmxverify.modeling import environment, require
from models.classics.transaction_commit import Manager, Stage, TransactionCommit


class TransactionCommitBlindAbort(TransactionCommit):
    """A prepared participant aborts without regard to the others."""

    @environment
    def aborts(self, m: Manager) -> None:
        """Abort alone."""
        require(self.stage[m] in (Stage.WORKING, Stage.PREPARED))
        self.stage[m] = Stage.ABORTED
