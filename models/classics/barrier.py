"""A barrier: nobody passes it before everybody has arrived.

Source: the textbook construct, as in A. B. Downey, "The Little Book of Semaphores", sections 3.6 and 3.7. Only what
the barrier promises is modelled, not how semaphores build it: the release is one step.
"""

from __future__ import annotations

from cmxverify.modeling import Index, Map, Model, action, reachable, require, step

Process = Index("process")


class Barrier(Model):
    """Processes that meet again and again."""

    arrived: Map[Process, bool]

    @action
    def arrives(self, p: Process) -> None:
        """Reach the barrier and wait."""
        require(not self.arrived[p])
        self.arrived[p] = True

    @action
    def opens(self) -> None:
        """Let everybody pass."""
        require(all(self.arrived[p] for p in Process))
        for p in Process:
            self.arrived[p] = False

    @step("NOBODY-PASSES-ALONE")
    def all_pass_together(self, old: Barrier) -> bool:
        """Who leaves the barrier leaves it when all had arrived."""
        return all(
            not old.arrived[p] or self.arrived[p] or all(old.arrived[other] for other in Process)
            for p in Process
        )

    @reachable("ALL-ARRIVED")
    def all_arrived(self) -> bool:
        """The barrier opens at times."""
        return all(self.arrived[p] for p in Process)
