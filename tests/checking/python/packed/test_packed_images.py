"""Permutations of packed states are those of the reference."""

from __future__ import annotations

from random import Random

import pytest
from symmetric_systems import random_symmetric_system

from cmxverify.checking.python.packed import images
from cmxverify.checking.python.packed.images import PackedSymmetry
from cmxverify.checking.python.packed.places import places_of
from cmxverify.checking.symmetry import symmetry_of
from cmxverify.modeling.ir.evaluate import State


def agree(seed: int) -> None:
    system, draw = random_symmetric_system(Random(seed)), Random(1)
    places, symmetry = places_of(system.cells), symmetry_of(system)
    packed = PackedSymmetry(symmetry, places)
    for _ in range(20):
        state: State = tuple(draw.randint(cell.low, cell.high) for cell in system.cells)
        expected = [places.pack(image) for image in symmetry.images(state)]
        assert list(packed.images(places.pack(state))) == expected
        assert packed.canonical(places.pack(state)) == min(expected)


def test_images_agree() -> None:
    """One after the other, in the order of the permutations; the canonical one is the least integer."""
    for seed in range(30):
        agree(seed)


def test_small_parts_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """However a state is cut into parts, the images are the same."""
    monkeypatch.setattr(images, "_REMEMBERED", 1 << 6)
    for seed in range(10):
        agree(seed)
