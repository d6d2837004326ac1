"""Progress of a search on one line."""

from __future__ import annotations

from cmxverify.checking.exploration import Progress
from cmxverify.report.search_progress import SearchProgress


def progress(level: int, frontier: int) -> Progress:
    """A search of two seconds."""
    return Progress(states=1_000_000, frontier=frontier, level=level, seconds=2.0, memory_bytes=21_000_000)


def test_states_rate_level_and_memory() -> None:
    """In that order."""
    line = "    2.0 s  1,000,000 states, 500,000/s, level 3: 1,000, 0.02 GB"
    assert SearchProgress().line(progress(3, 1_000)) == line


def test_levels_that_grow_allow_no_estimate() -> None:
    """It says so."""
    search = SearchProgress()
    search.line(progress(3, 1_000))
    assert search.line(progress(4, 2_000)).endswith(", growing")


def test_levels_that_shrink_are_summed() -> None:
    """By half each: as many are to come as the level has."""
    search = SearchProgress()
    search.line(progress(3, 2_000))
    assert search.line(progress(4, 1_000)).endswith(", about 1,000 to come")
