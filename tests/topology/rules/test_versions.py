"""Versions compare as numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmxverify.topology.rules.versions import Version, parse_version

numbers = st.lists(st.integers(0, 30), min_size=1, max_size=4)


def read(text: str) -> Version:
    version = parse_version(text)
    assert version is not None, text
    return version


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("2.9", "2.10"),
        ("2.1", "2.10"),
        ("1.6.9", "2"),
        ("2.0-rc1", "2.0"),
        ("2.0.dev3", "2.0"),
        ("1.9", "2.0b1"),
    ],
)
def test_order(earlier: str, later: str) -> None:
    """Parts are numbers, not digits of a decimal; a candidate comes before its release."""
    assert read(earlier) < read(later)


@pytest.mark.parametrize(
    ("left", "right"), [("2", "2.0"), ("v2.0.0", "2.0"), ("2.0-enterprise", "2.0"), ("2.0+cu13", "2")]
)
def test_the_same_version_in_other_words(left: str, right: str) -> None:
    """Trailing zeros, a leading v and a build's name change nothing."""
    assert read(left) == read(right)


@pytest.mark.parametrize("text", ["latest", "", "2.x", "v", "1..2", "main", "9" * 5000])
def test_no_version(text: str) -> None:
    """What is no version is not guessed at."""
    assert parse_version(text) is None


@given(numbers, numbers)
def test_order_is_that_of_the_numbers(left: list[int], right: list[int]) -> None:
    """Comparison agrees with that of the number lists, filled with zeros."""
    filled = [tuple(each + [0] * (4 - len(each))) for each in (left, right)]
    versions = [read(".".join(str(part) for part in each)) for each in (left, right)]

    assert (versions[0] < versions[1]) == (filled[0] < filled[1])


def test_series_fills_with_zeros() -> None:
    """2 belongs to the series 2.0, and 1.6.3 to 1.6."""
    assert (read("2").series(2), read("1.6.3").series(2)) == ((2, 0), (1, 6))
