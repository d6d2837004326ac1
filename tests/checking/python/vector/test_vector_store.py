"""The store: every state once, found again, in the order found."""

from __future__ import annotations

import numpy as np
import pytest

from cmxverify.checking.python.vector.program import Words
from cmxverify.checking.python.vector.store import Store


def random_words(rows: int, count: int, *, distinct: int) -> Words:
    """States drawn with repetition from few."""
    draw = np.random.default_rng(1)
    pool = draw.integers(0, 1 << 62, size=(rows, distinct), dtype=np.uint64)
    return pool[:, draw.integers(0, distinct, size=count)]


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_each_state_is_stored_once(rows: int) -> None:
    """Repeated within a batch and between batches, it has one place."""
    store, words = Store(rows), random_words(rows, 5000, distinct=700)
    for start in range(0, 5000, 1000):
        store.add(words[:, start : start + 1000])
    expected = {tuple(column) for column in words.T.tolist()}
    assert {tuple(column) for column in store.words[:, : store.size].T.tolist()} == expected
    assert store.size == len(expected)


@pytest.mark.parametrize("rows", [1, 3])
def test_stored_states_are_found(rows: int) -> None:
    """An index leads back to the state."""
    store, words = Store(rows), random_words(rows, 3000, distinct=900)
    store.add(words)
    assert (store.words[:, store.find(words)] == words).all()


def test_the_table_grows() -> None:
    """Far more states than the first table has slots."""
    store = Store(1)
    for start in range(0, 60_000, 6_000):
        store.add(np.arange(start, start + 6_000, dtype=np.uint64)[None, :])
    every = np.arange(60_000, dtype=np.uint64)[None, :]
    assert store.size == 60_000
    assert (store.words[:, store.find(every)] == every).all()


def test_older_states_keep_their_indices() -> None:
    """The states of earlier batches come first: the store is the queue."""
    store = Store(1)
    store.add(np.array([[7, 3, 9]], np.uint64))
    first = store.words[:, :3].copy()
    store.add(np.array([[3, 1, 9, 1]], np.uint64))
    assert store.size == 4
    assert (store.words[:, :3] == first).all()


def test_an_empty_batch_adds_nothing() -> None:
    """Levels without successors are no special case."""
    store = Store(2)
    store.add(np.empty((2, 0), np.uint64))
    assert store.size == 0
