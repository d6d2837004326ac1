"""Every engine gives the oracle's answer, on hundreds of random systems; thousands with ``-m slow``."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from directory_by_hand import directory
from engines import ENGINES, ORACLE, comparable
from hypothesis import given, settings
from random_systems import random_system, systems
from symmetric_systems import random_symmetric_system, symmetric_systems

from cmxverify.checking.exploration import Ending, Engine, Request
from cmxverify.modeling.ir.system import Property, PropertyKind, System

PLAIN = Request(graph_hash=True)
REDUCED = Request(symmetry=True)


def agree(system: System, request: Request) -> None:
    """The answer of each engine is the oracle's."""
    expected = comparable(ORACLE.explore(system, request), system)
    for engine in ENGINES:
        actual = comparable(engine.explore(system, request), system)
        assert actual == expected, engine.name


@settings(max_examples=60)
@given(system=systems(most_states=200))
def test_small_systems(system: System) -> None:
    """S1: all fields are equal, the hash of the graph included; what fails is shrunk."""
    agree(system, PLAIN)


@settings(max_examples=40)
@given(system=symmetric_systems(most_states=200))
def test_small_symmetric_systems(system: System) -> None:
    """Counts of orbits, breaches and layers are equal, whoever stands for an orbit."""
    agree(system, REDUCED)


@pytest.mark.parametrize("seed", range(8))
def test_seeded_systems(seed: int) -> None:
    """Larger systems, of a word and of several, twenty a seed."""
    draw = Random(seed)
    for _ in range(20):
        agree(random_system(draw, most_states=400), PLAIN)


@pytest.mark.parametrize("seed", range(4))
def test_seeded_symmetric_systems(seed: int) -> None:
    """Larger symmetric systems, ten a seed, in full and reduced."""
    draw = Random(seed)
    for _ in range(10):
        system = random_symmetric_system(draw, most_states=600)
        agree(system, PLAIN)
        agree(system, REDUCED)


def test_some_properties_only() -> None:
    """What a request does not name is not checked, and deadlock only if it is asked for."""
    for seed in range(40):
        system = random_system(Random(seed), most_states=100)
        agree(system, Request(properties=(0,) if system.properties else (), deadlock=seed % 2 == 0))


def test_a_property_that_tells_values_apart_is_never_reduced() -> None:
    """Reduction would skip states that only such a property tells apart."""
    system = random_symmetric_system(Random(4), most_states=100)
    apart = replace(system, properties=(Property("P", PropertyKind.INVARIANT, (), symmetric=False),))
    for engine in (ORACLE, *ENGINES):
        assert engine.explore(apart, REDUCED).reduced == (), engine.name
        assert engine.explore(system, REDUCED).reduced != (), engine.name


@pytest.mark.parametrize(
    ("nodes", "symmetry", "states", "transitions"),
    [(2, False, 5078, 15_988), (2, True, 2558, 8068), (3, True, 22_124, 102_152)],
)
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_directory(engine: Engine, nodes: int, symmetry: bool, states: int, transitions: int) -> None:
    """A real protocol has the counts that rumur finds for its Murphi model, in full and reduced."""
    found = engine.explore(directory(nodes), Request(symmetry=symmetry))
    assert (found.ending, found.states, found.transitions) == (Ending.COMPLETE, states, transitions)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_thousands_of_systems(seed: int) -> None:
    """The deep profile: plain and wide systems, and symmetric ones both ways."""
    draw = Random(seed)
    for _ in range(50):
        agree(random_system(draw, most_states=1500), PLAIN)
        system = random_symmetric_system(draw, most_states=2000)
        agree(system, PLAIN)
        agree(system, REDUCED)
