"""Many states at once give what one at a time gives: expressions, hashes, images."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from random_systems import random_bool, random_int, random_system
from symmetric_systems import random_symmetric_system

from cmxverify.checking.python.vector.images import VectorSymmetry
from cmxverify.checking.python.vector.mixing import GraphSums, hash_words
from cmxverify.checking.python.vector.program import Program, Words
from cmxverify.checking.symmetry import symmetry_of
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.evaluate import State, evaluate
from cmxverify.modeling.ir.fingerprint import GraphHash
from cmxverify.modeling.ir.fingerprint import hash_words as one_hash
from cmxverify.modeling.ir.layout import layout_of
from cmxverify.modeling.ir.system import Atom, Cell, System


def random_states(system: System, count: int) -> tuple[list[State], Words]:
    """States, and the same packed."""
    draw, pack = Random(1), layout_of(system.cells).pack
    states = [tuple(draw.randint(cell.low, cell.high) for cell in system.cells) for _ in range(count)]
    return states, np.array([pack(state) for state in states], np.uint64).T


@pytest.mark.parametrize("wide", [False, True])
def test_expressions_agree(wide: bool) -> None:
    """S2: every operation, in states that nothing reaches, too."""
    draw = Random(2)
    for seed in range(60):
        system = random_system(Random(seed), wide=wide)
        states, words = random_states(system, 20)
        small = [cell for cell in system.cells if cell.codes <= 8]
        roots = [random_bool(draw, small, 3), random_int(draw, small, 3)]
        results = Program(roots, layout_of(system.cells)).run(words)
        for root in roots:
            assert results.vector(root).tolist() == [evaluate(root, state) for state in states]


def test_the_next_state_is_another() -> None:
    """Step properties read both."""
    draw = Random(3)
    for seed in range(30):
        system = random_system(Random(seed), wide=False)
        states, words = random_states(system, 20)
        root = random_bool(draw, system.cells, 3, lambda cell: draw.choice((cell.read, cell.read_next))())
        results = Program([root], layout_of(system.cells)).run(words, words[:, ::-1])
        pairs = zip(states, reversed(states), strict=True)
        assert results.vector(root).tolist() == [bool(evaluate(root, *pair)) for pair in pairs]


def test_constants_are_as_long_as_the_batch() -> None:
    """A property that folds to a constant still has a value in each state."""
    _, words = random_states(random_system(Random(1)), 5)
    assert Program([ex.TRUE], layout_of([])).run(words).vector(ex.TRUE).tolist() == [True] * 5


@pytest.mark.parametrize("lane", [0, 1])
def test_hashes_agree(lane: int) -> None:
    """S1: columns hash as the reference hashes them."""
    _, words = random_states(random_system(Random(2), wide=True), 30)
    assert hash_words(words, lane).tolist() == [one_hash(column, lane) for column in words.T.tolist()]


def test_sums_agree() -> None:
    """States and edges add up to the same hash of the graph."""
    _, words = random_states(random_system(Random(4), wide=True), 30)
    actual, expected = GraphSums(), GraphHash.empty()
    actual.add_states(words)
    actual.add_edges(words, 7, words[:, ::-1])
    columns = words.T.tolist()
    for source, target in zip(columns, reversed(columns), strict=True):
        expected.add_state(source)
        expected.add_edge(source, 7, target)
    assert [each % (1 << 64) for each in actual.states] == expected.states
    assert [each % (1 << 64) for each in actual.edges] == expected.edges


def test_images_agree_with_the_reference() -> None:
    """Each permutation, each state; and the least of an orbit is one of its states, the same for all."""
    for seed in range(30):
        system = random_symmetric_system(Random(seed))
        symmetry, layout = symmetry_of(system), layout_of(system.cells)
        states, words = random_states(system, 10)
        vectors = VectorSymmetry(symmetry, layout)
        for action, image in zip(symmetry.actions, vectors.images(words), strict=True):
            assert [layout.unpack(column) for column in image.T.tolist()] == [
                action.image(each) for each in states
            ]
        least = vectors.canonical(words).T.tolist()
        expected = [min(map(layout.pack, symmetry.images(state))) for state in states]
        assert [tuple(column) for column in least] == expected


def test_the_least_of_an_orbit_is_found_over_several_words() -> None:
    """Three large cells of three nodes lie in a word each; words are compared one after the other."""
    nodes = [Atom("node", n, f"node{n}") for n in range(3)]
    cells = tuple(Cell(n, "x", (node,), f"x{n}", 1 << 40) for n, node in enumerate(nodes))
    symmetry = symmetry_of(System("large", cells, ((0, 0, 0),), (), (), sorts={"node": 3}))
    states = [[5, 5, 1], [7, 3, 5], [2, 9, 2], [4, 4, 4], [1, 3, 2]]
    least = VectorSymmetry(symmetry, layout_of(cells)).canonical(np.array(states, np.uint64).T)
    assert least.T.tolist() == [sorted(state) for state in states]
