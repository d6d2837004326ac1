"""Random models as Python source: CPython, representation and engines agree on them (S2, S3)."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from engines import ENGINES, ORACLE, comparable

from cmxverify.checking.agreement import property_disagreements, random_states, step_disagreements
from cmxverify.checking.exploration import Request
from cmxverify.checking.native.engine import NativeEngine
from cmxverify.checking.symmetry import symmetry_of
from cmxverify.modeling.compile import Compiled, compiled
from cmxverify.modeling.ir.evaluate import State, enabled, evaluate, successor
from cmxverify.modeling.ir.system import Instance, System

sys.path.insert(0, str(Path(__file__).parent))
from random_models import load_source, random_source


def model_of(seed: int, *, symmetric: bool = False, node: int = 2) -> Compiled:
    """The random model of a seed, compiled."""
    return compiled(
        load_source(random_source(seed, symmetric=symmetric), f"random_{seed}").Random, {"node": node}
    )


def disagreements(seed: int) -> list[str]:
    """What CPython and the representation judge differently in some states of a model."""
    model = model_of(seed)
    states = list(random_states(model, 8, seed))
    found = [*step_disagreements(model, states), *property_disagreements(model, states)]
    return [f"seed {seed}: {each}" for each in found]


@pytest.mark.parametrize("first", range(0, 240, 40))
def test_s02_source_and_representation_agree(first: int) -> None:
    """In any well-typed state every step and property means the same to CPython and in the representation."""
    assert [each for seed in range(first, first + 40) for each in disagreements(seed)] == []


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 6000, 100))
def test_s02_source_and_representation_agree_at_length(first: int) -> None:
    """The same, on 5,000 models."""
    assert [each for seed in range(first, first + 100) for each in disagreements(seed)] == []


def bounded(system: System) -> System:
    """The system, started in one state, so that small searches end."""
    return replace(system, initial=system.initial[:1])


@pytest.mark.parametrize("seed", range(300, 312))
def test_s01_engines_agree(seed: int) -> None:
    """All engines find the same graph, hash by hash, in models written in Python."""
    system = bounded(model_of(seed).system)
    request = Request(graph_hash=True, deadlock=False, seconds=2)
    expected = ORACLE.explore(system, request)
    if "time" in expected.reason:
        pytest.skip("too large for the reference engine")
    for engine in (*ENGINES, NativeEngine()):
        assert comparable(engine.explore(system, replace(request, seconds=None)), system) == comparable(
            expected, system
        )


def outcome(instance: Instance, state: State) -> tuple[str, State | None]:
    """What an instance does in a state."""
    if any(evaluate(each.breach, state) for each in instance.obligations):
        return "breach", None
    return ("step", successor(instance, state)) if enabled(instance, state) else ("disabled", None)


def asymmetries(model: Compiled, seed: int) -> list[str]:
    """Instances that do not commute with a permutation of the symmetric types, in some states."""
    system, symmetry = model.system, symmetry_of(model.system)
    by_name = {each.name: each for each in system.instances}
    found = []
    for state in (model.encode(each) for each in random_states(model, 3, seed)):
        for action in symmetry.actions[1:]:
            for each in system.instances:
                moved = [
                    f"{a.name}={a.sort}{action.permutation[a.sort][a.ordinal]}"
                    if a.sort
                    else f"{a.name}={a.text}"
                    for a in each.arguments
                ]
                image = by_name[f"{each.action}({', '.join(moved)})"]
                kind, after = outcome(each, state)
                if outcome(image, action.image(state)) != (kind, after and action.image(after)):
                    found.append(f"seed {seed}: {each.name} in {state}")
    return found


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_s06_what_is_certified_symmetric_commutes(first: int) -> None:
    """A model whose types are certified symmetric commutes with every permutation of them."""
    found = []
    for seed in range(first, first + 20):
        model = model_of(seed, symmetric=True, node=3)
        if model.system.sorts and not any("." in each.action for each in model.system.instances):
            found += asymmetries(model, seed)
    assert found == []


def test_s06_some_random_models_are_symmetric_and_some_are_not() -> None:
    """The tests above see both."""
    certified = [bool(model_of(seed, symmetric=True).system.sorts) for seed in range(20)]
    assert any(certified)
    assert not all(certified)
