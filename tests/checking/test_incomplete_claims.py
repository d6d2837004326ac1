"""What a stopped check claims is true: no violation within the steps that it names."""

from __future__ import annotations

import pytest

from cmxverify.checking.check import Choices, check
from cmxverify.checking.verdict import Incomplete, Violated
from models.classics.variants.german import GermanHastyGrant


@pytest.mark.parametrize("engine", ["packed", "numpy", "interpret", "explore"])
@pytest.mark.parametrize("memory_bytes", [1, 20_000, 60_000, 200_000])
def test_a_stopped_search_never_claims_the_depth_of_a_violation(engine: str, memory_bytes: int) -> None:
    """S5: the fault is 8 steps away, so whatever was seen before the memory ended, at most 7 steps may be cleared."""
    verdict = check(GermanHastyGrant, {"node": 2}, Choices(engine=engine, memory_bytes=memory_bytes))

    if isinstance(verdict, Incomplete):
        assert verdict.depth < 8
    else:
        assert isinstance(verdict, Violated)
        assert verdict.trace is not None
        assert len(verdict.trace.steps) == 8
