"""Every mistake of the table breaks what it is said to break, in as many steps, and the original does not."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import models.classics
from cmxverify.checking.check import Choices, check
from cmxverify.checking.verdict import Violated
from cmxverify.modeling import Model
from models.classics.table import LARGE_RUNS, MISTAKES, RUNS, Mistake

FOLDER = Path(models.classics.__file__).parent
OBLIGATIONS = ("DEADLOCK", "RANGE")
"""Checked in any run, not by name."""


def original(mistake: Mistake) -> type[Model]:
    """The model without the mistake."""
    base: type[Model] = mistake.load().__bases__[0]
    return base


SYMMETRIC = {run.load() for run in RUNS if run.orbits}
ORIGINALS = tuple({(original(row), *row.bounds.items()): row for row in MISTAKES}.values())
"""One row for each model and bounds."""


def label(mistake: Mistake) -> str:
    """Name of a row."""
    return f"{mistake.model.split(':')[1]}-{mistake.breaks}"


def choices(mistake: Mistake, *, symmetry: bool) -> Choices:
    """Only what the mistake is said to break."""
    names = () if mistake.breaks in OBLIGATIONS else (mistake.breaks,)
    return Choices(properties=names, symmetry=symmetry, deadlock=mistake.breaks == "DEADLOCK")


def found(mistake: Mistake, *, symmetry: bool) -> tuple[str, int]:
    """What is broken, and in how many steps."""
    verdict = check(mistake.load(), mistake.bounds, choices(mistake, symmetry=symmetry))
    assert isinstance(verdict, Violated)
    assert verdict.trace is not None
    return verdict.trace.failure.name, len(verdict.trace.steps)


@pytest.mark.parametrize("mistake", MISTAKES, ids=label)
def test_mistake_is_found(mistake: Mistake) -> None:
    """A shortest counterexample, replayed through the source, breaks the property named in the steps pinned."""
    assert found(mistake, symmetry=False) == (mistake.breaks, mistake.steps)


@pytest.mark.parametrize("mistake", [row for row in MISTAKES if original(row) in SYMMETRIC], ids=label)
def test_mistake_is_found_by_symmetry(mistake: Mistake) -> None:
    """Reduced by symmetry, the search finds one of the same length."""
    assert found(mistake, symmetry=True) == (mistake.breaks, mistake.steps)


@pytest.mark.parametrize("mistake", ORIGINALS, ids=label)
def test_original_breaks_nothing(mistake: Mistake) -> None:
    """Under the same bounds the model without the mistake breaks nothing; small bounds may leave out a witness."""
    verdict = check(original(mistake), mistake.bounds)
    assert not isinstance(verdict, Violated) or verdict.trace is None


def classes(folder: Path, package: str) -> set[type[Model]]:
    """Models defined in the modules of a folder."""
    modules = [import_module(f"{package}.{path.stem}") for path in folder.glob("[!_]*.py")]
    found = {each for module in modules for each in vars(module).values() if isinstance(each, type)}
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
    spoiled = {original(row) for row in MISTAKES}
    assert [row.model for row in RUNS if not spoiled & set(row.load().__mro__)] == []
