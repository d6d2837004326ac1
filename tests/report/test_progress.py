"""Progress of a solve in the units of its levels."""

from __future__ import annotations

import pytest

from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.solving.solve import Progress
from cmxverify.report.progress import ProgressLines
from cmxverify.topology.load import load_topology


@pytest.fixture(scope="module")
def lines() -> ProgressLines:
    return ProgressLines(compile_placement(load_topology("cmx-rack")))


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (Progress("late", 0, 0, 0.1, "level done"), "  0.1 s  late: level done, 0.0 late turns/s, proved"),
        (
            Progress("restore", 5_567_876_573, 5_500_000_000, 1.25, "level done"),
            "  1.2 s  restore: level done, 29.9 ms a turn, proved to be at least 29.6 ms a turn",
        ),
        (
            Progress("power", 1_571_850_000, 1_571_850_000, 2, "level done"),
            "  2.0 s  power: level done, 1.572 kW, proved",
        ),
        (Progress("power", None, None, 3, "level done"), "  3.0 s  power: level done"),
    ],
)
def test_progress_speaks_of_milliseconds_and_watts(lines: ProgressLines, progress: Progress, text: str) -> None:
    """Value and proved bound are printed as the levels line prints them, never as whole units of the program."""
    assert lines.line(progress) == text
