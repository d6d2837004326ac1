"""The prisoners with a mistake."""

from __future__ import annotations

from models.classics.prisoners import Prisoner, Prisoners


class PrisonersCountOnce(Prisoners):
    """Announces after one signal for each of the others; the first may be how the switch was set at the beginning."""

    def announced(self) -> bool:
        """As many signals as other prisoners."""
        return self.tally >= len(Prisoner)
