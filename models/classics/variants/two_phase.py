"""Two-phase commit with a mistake."""

from __future__ import annotations

from cmxverify.modeling import action, require
from models.classics.two_phase import Commit, Decision, Manager, TwoPhaseCommit


class TwoPhaseFirstPromise(TwoPhaseCommit):
    """The coordinator commits on the first promise."""

    @action(at="home")
    def coordinator_commits(self) -> None:
        """Decide to commit once one can."""
        require(self.decision == Decision.OPEN and any(self.prepared[m] for m in Manager))
        self.decision = Decision.COMMIT
        self.wire.send(Commit())
