"""S7: the native canonical form is one and the same for all states of an orbit, and lies in it."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from native_canonical import keyed, native_canonical, still
from symmetric_systems import random_symmetric_system

from cmxverify.checking.native.sorting import network
from cmxverify.checking.symmetry import symmetry_of
from cmxverify.modeling.ir.system import Cell, System


def agrees_with_brute_force(system: System, draw: Random, rounds: int) -> None:
    """On random states: every image has the same form, which is an image itself."""
    canonical, symmetry = native_canonical(system), symmetry_of(system)
    for _ in range(rounds):
        sparse = draw.random() < 0.5
        state = tuple(
            cell.low if sparse and draw.random() < 0.7 else draw.randint(cell.low, cell.high)
            for cell in system.cells
        )
        orbit = symmetry.orbit(state)
        assert len({canonical(image) for image in orbit}) == 1
        assert canonical(state) in orbit


@pytest.mark.parametrize("size", range(10))
def test_networks_sort(size: int) -> None:
    """A network that sorts all sequences of zeros and ones sorts everything (the zero-one principle)."""
    for bits in product((0, 1), repeat=size):
        values = list(bits)
        for left, right in network(size):
            values[left], values[right] = sorted((values[left], values[right]))
        assert values == sorted(bits)


@pytest.mark.parametrize("seed", range(30))
def test_random_symmetric_systems(seed: int) -> None:
    """Cells keyed by one value, by two, by two types; pointers; sets of messages."""
    draw = Random(seed)
    agrees_with_brute_force(random_symmetric_system(draw), draw, 20)


def test_blocks_wider_than_a_word() -> None:
    """Blocks in several parts are compared as a whole, pointers' bits included."""
    cells: list[Cell] = []
    for field, node in product(("a", "b", "c"), range(3)):
        keyed(cells, field, ("node", node), codes=1 << 30)
    keyed(cells, "pointer", codes=4, low=-1, sort="node")
    agrees_with_brute_force(still(cells, node=3), Random(1), 60)


def test_matrices() -> None:
    """A relation between four nodes: graphs, of which many look alike node by node."""
    cells: list[Cell] = []
    for left, right in product(range(4), repeat=2):
        keyed(cells, "edge", ("node", left), ("node", right))
    agrees_with_brute_force(still(cells, node=4), Random(2), 100)


def test_rings() -> None:
    """A successor of each node: permutations have cycles of which no node is special."""
    cells: list[Cell] = []
    for node in range(5):
        keyed(cells, "next", ("node", node), codes=6, low=-1, sort="node")
    system = still(cells, node=5)
    agrees_with_brute_force(system, Random(3), 60)
    canonical = native_canonical(system)
    assert canonical((1, 2, 3, 4, 0)) == canonical((4, 0, 1, 2, 3))
    assert canonical((1, 2, 3, 4, 0)) != canonical((1, 0, 3, 4, 2))


def test_two_related_types_over_several_words() -> None:
    """Matrix between two types, a successor within one, and pointers to both."""
    cells: list[Cell] = []
    for node, block in product(range(3), range(2)):
        keyed(cells, "holds", ("node", node), ("block", block), codes=1 << 12)
    for node in range(3):
        keyed(cells, "next", ("node", node), codes=3, sort="node")
    keyed(cells, "home", codes=4, low=-1, sort="node")
    keyed(cells, "last", codes=2, sort="block")
    agrees_with_brute_force(still(cells, node=3, block=2), Random(4), 60)


def test_orbits_add_up_to_all_states() -> None:
    """S7: sizes of the orbits of the representatives sum to the unreduced number of states."""
    cells: list[Cell] = []
    for left, right in product(range(3), repeat=2):
        keyed(cells, "edge", ("node", left), ("node", right))
    system = still(cells, node=3)
    canonical, symmetry = native_canonical(system), symmetry_of(system)
    representatives = {canonical(state) for state in product((0, 1), repeat=9)}
    assert len(representatives) == 104, "directed graphs with loops on three nodes, OEIS A000595"
    assert sum(len(symmetry.orbit(state)) for state in representatives) == 2**9
