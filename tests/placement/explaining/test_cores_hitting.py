"""Minimum hitting sets against brute force."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmxverify.placement.explaining.cores_hitting import OutOfTime, minimum_hitting_set

NEVER = float("inf")
NAMES = "abcdefgh"


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.frozensets(st.sampled_from(NAMES), min_size=1, max_size=4), max_size=12),
    st.fixed_dictionaries({name: st.integers(1, 7) for name in NAMES}),
    st.integers(0, 3),
)
def test_lightest_and_first_of_the_lightest(
    sets: list[frozenset[str]], weights: dict[str, int], at_least: int
) -> None:
    """The answer is the least by weight, then by sorted ids, of all choices that meet every set."""
    choices = chain.from_iterable(combinations(NAMES, size) for size in range(len(NAMES) + 1))
    meeting = [c for c in choices if all(each.intersection(c) for each in sets)]
    best = min(meeting, key=lambda c: (sum(weights[n] for n in c), c))
    known = min(at_least, sum(weights[n] for n in best))
    assert minimum_hitting_set(sets, weights, at_least=known, deadline=NEVER) == frozenset(best)


def test_the_deadline_is_kept() -> None:
    """A search that may not start says so."""
    with pytest.raises(OutOfTime):
        minimum_hitting_set([frozenset("ab")], dict.fromkeys("ab", 1), deadline=0.0)
