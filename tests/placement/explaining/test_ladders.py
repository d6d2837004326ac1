"""The least amount that helps, found by halves: what is known of it, and what it costs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmxverify.placement.explaining.ladders import Ladder, Remedy, fixed, least_rung, two_digits


def ladder(count: int, *, rising: bool = False) -> Ladder:
    return Ladder("figure", count, lambda index: Remedy(f"figure={index}", f"figure = {index}", "figure"), rising)


def number(remedy: Remedy) -> int:
    return int(remedy.override.partition("=")[2])


@given(st.integers(1, 700), st.data(), st.booleans())
def test_the_least_that_suffices_is_found(count: int, data: st.DataObject, rising: bool) -> None:
    """Whatever suffices, the rung that comes back does, and the one below it does not."""
    needed = data.draw(st.integers(0, count - 1))
    found, helps, least = least_rung(ladder(count, rising=rising), lambda each: number(each) >= needed)
    assert (number(found), helps, least) == (needed, True, True)


@pytest.mark.parametrize("rising", [False, True])
def test_few_rungs_are_tried(rising: bool) -> None:
    """Five hundred amounts take at most fifteen solves."""
    tried: list[int] = []

    def helps(each: Remedy) -> bool:
        tried.append(number(each))
        return number(each) >= 321

    least_rung(ladder(500, rising=rising), helps)
    assert len(tried) == len(set(tried)) <= 15


def test_what_is_undecided_below_is_not_called_least() -> None:
    """Where the amount below was not decided in time, the one that helps is not said to be the least."""
    found, helps, least = least_rung(ladder(10), lambda each: True if number(each) >= 7 else None)
    assert (number(found), helps, least) == (7, True, False)


@pytest.mark.parametrize(("rising", "told"), [(False, 9), (True, 0)])
def test_a_ladder_that_does_not_help_is_told_by_one_rung(rising: bool, told: int) -> None:
    """By the highest; of one that is tried from the lowest up, by that one."""
    found, helps, _ = least_rung(ladder(10, rising=rising), lambda _: False)
    assert (number(found), helps) == (told, False)


def test_what_is_dear_at_the_top_may_help_lower_down() -> None:
    """More drives draw more power: a rising ladder finds what helps though the highest does not."""
    found, helps, least = least_rung(ladder(30, rising=True), lambda each: 2 <= number(each) <= 6)
    assert (number(found), helps, least) == (2, True, True)


@pytest.mark.parametrize("verdict", [True, False, None])
def test_a_change_without_amount_is_tried_once(verdict: bool | None) -> None:
    """A fixed change comes back with its verdict."""
    change = Remedy("hops.max=1", "hops.max = 1", "hops.max")
    assert least_rung(fixed(change), lambda _: verdict)[:2] == (change, verdict)


@given(st.fractions(0, 5000), st.integers(0, 5000))
def test_offered_numbers_have_two_digits(above: Fraction, upto: int) -> None:
    """They rise, lie above what there is, within what there can be, and their rest is zeros."""
    offered = two_digits(above, Fraction(upto))
    assert offered == sorted(set(offered))
    assert all(above < each <= upto and len(str(each).rstrip("0")) <= 2 for each in offered)
