"""How far a search is, on one line that is written over and over."""

from __future__ import annotations

from dataclasses import dataclass, field

from cmxverify.checking.exploration import Progress


@dataclass(slots=True)
class SearchProgress:
    """Remembers the sizes of levels, for an estimate of what is to come."""

    frontiers: dict[int, int] = field(default_factory=dict)

    def line(self, progress: Progress) -> str:
        """Seconds, states, rate, level and its size, memory, estimate."""
        self.frontiers[progress.level] = progress.frontier
        rate = progress.states / progress.seconds if progress.seconds else 0.0
        return (
            f"  {progress.seconds:5.1f} s  {progress.states:,} states, {rate:,.0f}/s, "
            f"level {progress.level}: {progress.frontier:,}, {progress.memory_bytes / 1e9:.2f} GB"
            f"{self._estimate(progress)}"
        )

    def _estimate(self, progress: Progress) -> str:
        """Levels grow, then shrink; once they shrink, by the same factor each, their sum is known."""
        before = self.frontiers.get(progress.level - 1, 0)
        if not before or not progress.frontier:
            return ""
        factor = progress.frontier / before
        if factor >= 1:
            return ", growing"
        return f", about {progress.frontier * factor / (1 - factor):,.0f} to come"
