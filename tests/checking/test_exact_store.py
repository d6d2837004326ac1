"""States are kept exactly (S5): where every state has the same hash, none is lost and none is counted twice."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from engines import ORACLE, comparable
from random_systems import random_system
from symmetric_systems import random_symmetric_system

from cmxverify.checking.exploration import Engine, Request
from cmxverify.checking.native import compiler
from cmxverify.checking.native.engine import NativeEngine
from cmxverify.checking.python.vector import store
from cmxverify.checking.python.vector.search import NumpyEngine
from cmxverify.modeling.ir.system import System

FIRST_FACTOR = "4658895280553007687"
"""Of the multiplication with which the native hash begins, negated: 0xBF58476D1CE4E5B9 as a signed number."""


def systems() -> Iterator[System]:
    """Small ones, of a word and of several, and symmetric ones."""
    draw = Random(5)
    for _ in range(6):
        yield random_system(draw, most_states=300)
        yield random_symmetric_system(draw, most_states=300)


def agrees_with_the_oracle(engine: Engine, **choices: int) -> None:
    """In everything that can be compared."""
    for system in systems():
        for symmetry in (False, True):
            request = Request(symmetry=symmetry, **choices)  # type: ignore[arg-type]
            expected = comparable(ORACLE.explore(system, request), system)
            assert comparable(engine.explore(system, request), system) == expected


@pytest.mark.parametrize("threads", [1, 2])
def test_s05_native_states_are_compared_in_full(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """One hash, so one bucket and one tag for all: only the comparison of whole states tells them apart."""
    shipped = compiler._library

    def colliding(name: str) -> str:
        text = shipped(name)
        if name != "core.ll":
            return text
        assert f", -{FIRST_FACTOR}" in text
        return text.replace(f", -{FIRST_FACTOR}", ", 0")

    monkeypatch.setattr(compiler, "_library", colliding)
    agrees_with_the_oracle(NativeEngine(), threads=threads)


def test_s05_states_in_columns_are_compared_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same of the engine in numpy, where all states ask for one slot."""
    monkeypatch.setattr(store, "hash_words", lambda words, _: np.zeros(words.shape[1], np.uint64))
    agrees_with_the_oracle(NumpyEngine())
