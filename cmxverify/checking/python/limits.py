"""Limits of a search in Python: time, memory, and a person's Ctrl-C."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from cmxverify.checking.exploration import Progress, Request
from cmxverify.checking.sizes import sized

_REPORT_EVERY_S = 0.2


class Stopped(Exception):  # noqa: N818 - an ending, not an error
    """A limit was met; its text is the reason, for people."""


@dataclass(slots=True)
class Watch:
    """Compares a running search with its limits and reports progress; ask it between batches."""

    request: Request
    began: float = field(default_factory=time.monotonic)
    reported: float = 0.0

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self.began

    def look(self, *, states: int, frontier: int, level: int, memory_bytes: int) -> None:
        """Report progress if it is time to.

        Raises:
            Stopped: If a limit is exceeded.
            KeyboardInterrupt: If the person who watches wants no more.
        """
        now = self.seconds
        if self.request.progress is not None and now - self.reported >= _REPORT_EVERY_S:
            self.reported = now
            self.request.progress(Progress(states, frontier, level, now, memory_bytes))
        if self.request.seconds is not None and now > self.request.seconds:
            raise Stopped(f"the time limit of {self.request.seconds:g} s was reached")
        limit = self.request.memory_bytes
        if limit is not None and memory_bytes > limit:
            raise Stopped(f"the memory limit of {sized(limit)} was reached")
