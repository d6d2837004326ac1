"""Grouping by bits read, and tests that remember."""

from __future__ import annotations

from cmxverify.checking.python.packed.support import (
    GROUP_BITS,
    NARROW_BITS,
    RememberedTest,
    WideTest,
    grouped,
)


def test_every_item_has_one_place() -> None:
    """Narrow items are in one group each, wide ones apart."""
    masks = [0b11 << shift for shift in range(0, 60, 2)] + [(1 << NARROW_BITS + 1) - 1]
    groups, wide = grouped(masks, lambda mask: mask)
    assert sorted(mask for _, group in groups for mask in group) == sorted(masks[:-1])
    assert wide == masks[-1:]


def test_groups_read_what_their_items_read() -> None:
    """The bits of a group are those of its items, and stay few."""
    groups, _ = grouped([0b111 << shift for shift in range(60)], lambda mask: mask)
    for bits, items in groups:
        assert all(item & ~bits == 0 for item in items)
        assert bits.bit_count() <= GROUP_BITS


def test_an_item_joins_those_that_read_the_same() -> None:
    """What reads nothing new costs no further look-up."""
    groups, _ = grouped([(1 << NARROW_BITS) - 1, 0b1, 0b110], lambda mask: mask)
    assert len(groups) == 1


def test_a_remembered_test_is_evaluated_once_for_each_value() -> None:
    """Bits outside the mask do not matter."""
    asked: list[int] = []
    test = RememberedTest(0b11, [lambda bits: asked.append(bits) or bits != 2])  # type: ignore[func-returns-value]
    assert test.failures([0b100, 0b110, 0b1110, 0b001]) == {0b110, 0b1110}
    assert test.failures([0b010]) == {0b010}
    assert sorted(asked) == [0, 1, 2]


def test_a_wide_test_looks_at_each_state() -> None:
    """It gives the same answer without remembering."""
    assert WideTest(lambda state: state != 6).failures([5, 6, 7]) == {6}
