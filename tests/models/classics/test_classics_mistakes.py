"""Every mistake of the table breaks what it is said to break, in as many steps, and the original does not."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import models.classics
from cmxverify.checking.exploration import Breach, BreachKind, Exploration, Request
from cmxverify.checking.native.engine import NativeEngine
from cmxverify.modeling import Model
from cmxverify.modeling.compile import system_of
from cmxverify.modeling.ir.system import System
from models.classics.table import LARGE_RUNS, MISTAKES, RUNS, Mistake

FOLDER = Path(models.classics.__file__).parent


def label(mistake: Mistake) -> str:
    """Name of a row."""
    return f"{mistake.model.split(':')[1]}-{mistake.breaks}"


def search(system: System, property_name: str) -> Exploration:
    """Search with this one property."""
    indices = tuple(at for at, each in enumerate(system.properties) if each.name == property_name)
    return NativeEngine().explore(system, Request(properties=indices, deadlock=property_name == "DEADLOCK"))


def broken(system: System, breach: Breach | None) -> str:
    """Name of what is breached."""
    assert breach is not None
    if breach.kind is BreachKind.OBLIGATION:
        return system.instances[breach.instance].obligations[breach.obligation].kind.value
    return system.properties[breach.property].name if breach.property >= 0 else breach.kind.value.upper()


@pytest.mark.parametrize("mistake", MISTAKES, ids=label)
def test_mistake_is_found(mistake: Mistake) -> None:
    """The search finds a shortest counterexample of the length pinned, to the property named."""
    system = system_of(mistake.load(), mistake.bounds)
    breach = search(system, mistake.breaks).breach
    assert (broken(system, breach), breach and breach.steps) == (mistake.breaks, mistake.steps)


@pytest.mark.parametrize("mistake", MISTAKES, ids=label)
def test_original_has_no_counterexample(mistake: Mistake) -> None:
    """Under the same bounds the model without the mistake breaks nothing."""
    original = mistake.load().__bases__[0]
    found = NativeEngine().explore(system_of(original, mistake.bounds), Request())
    assert found.breach is None


def classes(folder: Path, package: str) -> set[type[Model]]:
    """Models defined in the modules of a folder."""
    found = set()
    for path in folder.glob("*.py"):
        module = import_module(f"{package}.{path.stem}" if path.stem != "__init__" else package)
        found |= {each for each in vars(module).values() if isinstance(each, type)}
    return {
        each for each in found if issubclass(each, Model) and each.__module__.rpartition(".")[0] == package
    }


def test_every_model_has_a_run() -> None:
    """The table has a run of every model in the folder."""
    assert {row.load() for row in (*RUNS, *LARGE_RUNS)} == classes(FOLDER, "models.classics")


def test_every_variant_is_listed() -> None:
    """The table has a row for every variant in the folder."""
    assert {row.load() for row in MISTAKES} == classes(FOLDER / "variants", "models.classics.variants")


def test_every_model_has_a_mistake() -> None:
    """Every model, or the one it extends, has a variant that breaks it."""
    spoiled = {row.load().__bases__[0] for row in MISTAKES}
    assert [row.model for row in RUNS if not spoiled & set(row.load().__mro__)] == []
