"""Which model is meant: a shipped name, a file, or ``package.module:Class``; bad input gets one message."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import re
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import ModuleType
from typing import Any

from cmxverify.errors import CmxError, InputError, Location, did_you_mean
from cmxverify.modeling.model import Model

ROOMS = ("models.protocols", "models.classics", "models.classics.variants", "models.variants")
"""Packages that ship models, searched in this order."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model class and the words that name it again: what a saved trace stores."""

    model: type[Model]
    reference: str


def load_model(words: str) -> Loaded:
    """The model class that ``words`` names: ``german``, ``german:GermanHastyGrant``, a file, a module with a class.

    Raises:
        InputError: If there is no such model, its file does not run, or it is not clear which class is meant.
    """
    name, _, wanted = words.partition(":")
    path = Path(name)
    if path.suffix == ".py" or path.is_file():
        module = _from_file(path)
    elif namesakes := _namesakes(name):
        module = _with_class(namesakes, wanted, words)
    elif "." in name and wanted:
        module = _from_package(name, words)
    else:
        raise InputError(f"there is no model '{name}'", fix=_how_to_name(name))
    return Loaded(_chosen(module, wanted, words), words)


def _how_to_name(name: str) -> str:
    shipped = sorted(shipped_models())
    return f"{did_you_mean(name, shipped)} Or give a file (my_model.py) or package.module:Class."


def shipped_models() -> dict[str, str]:
    """Modules of shipped models by the name people type: ``die-hard`` for ``models.classics.die_hard``."""
    return {module.rpartition(".")[2].replace("_", "-"): module for module in reversed(list(_modules()))}


def _modules() -> Iterator[str]:
    root = files("models")
    for room in ROOMS:
        folder = root.joinpath(*room.split(".")[1:])
        if folder.is_dir():
            sources = sorted(
                (each for each in folder.iterdir() if _has_model(each)), key=lambda each: each.name
            )
            yield from (f"{room}.{Path(each.name).stem}" for each in sources)


def _has_model(file: Traversable) -> bool:
    """Whether a file derives a class from another: others beside the models hold figures of theirs."""
    if not file.name.endswith(".py") or file.name.startswith("_"):
        return False
    return re.search(r"^class \w+\(\w+\):", file.read_text(encoding="utf-8"), flags=re.MULTILINE) is not None


def _namesakes(name: str) -> list[str]:
    """Shipped modules of a name: a model's, then that of its variants."""
    stem = name.replace("-", "_")
    return [module for module in _modules() if module.rpartition(".")[2] == stem]


def _with_class(namesakes: list[str], wanted: str, words: str) -> ModuleType:
    """The first module that has the class; ``german:GermanHastyGrant`` is a variant of ``german``."""
    modules = [_imported(each, words) for each in (namesakes if wanted else namesakes[:1])]
    return next((each for each in modules if hasattr(each, wanted)), modules[0])


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise InputError(f"there is no file '{path}'", fix="Check the path.")
    name = f"cmxverify_model_{path.stem}_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"'{path}' is not a Python file", fix="Give a file that ends in .py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        _run(lambda: spec.loader.exec_module(module), str(path))
    finally:
        sys.path.remove(str(path.resolve().parent))
    return module


def _from_package(name: str, words: str) -> ModuleType:
    sys.path.insert(0, str(Path.cwd()))
    try:
        return _imported(name, words)
    finally:
        sys.path.remove(str(Path.cwd()))


def _imported(name: str, words: str) -> ModuleType:
    parents = [".".join(name.split(".")[:length]) for length in range(1, name.count(".") + 2)]
    for parent in parents:
        if _run(partial(importlib.util.find_spec, parent), words) is None:
            raise InputError(
                f"there is no module '{parent}'", fix="Run it from the folder that holds the package."
            )
    module: ModuleType = _run(lambda: importlib.import_module(name), words)
    return module


def _run(load: Any, words: str) -> Any:
    """Run a model's module; whatever its code raises becomes one message with the line."""
    try:
        return load()
    except CmxError:
        raise
    except SyntaxError as error:
        at = Location(error.filename or words, error.lineno or 0, error.offset or 0)
        raise InputError(f"not valid Python: {error.msg}", at=at, fix="Correct the line.") from None
    except (Exception, SystemExit) as error:  # a file that leaves must not look like a check that holds
        raise InputError(
            f"the model's file cannot be loaded: {type(error).__name__}: {error}",
            at=place_of(error, words),
            fix="Run it with python to see the whole error.",
        ) from None


def place_of(error: BaseException, words: str) -> Location:
    """Where an exception was raised: the innermost frame outside of this package and of the import machinery."""
    frames = traceback.extract_tb(error.__traceback__)
    package = str(Path(__file__).parent.parent)
    own = [f for f in frames if not f.filename.startswith((package, "<frozen"))]
    return Location(own[-1].filename, own[-1].lineno or 0) if own else Location(words)


def _chosen(module: ModuleType, wanted: str, words: str) -> type[Model]:
    found = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Model) and value.__module__ == module.__name__
    }
    file = words.partition(":")[0]
    if wanted:
        if wanted not in found:
            raise InputError(f"'{file}' has no model '{wanted}'", fix=did_you_mean(wanted, found))
        return found[wanted]
    if not found:
        raise InputError(f"'{file}' has no model", fix="Derive a class from cmxverify.modeling.Model.")
    likely = module.__name__.rpartition(".")[2].replace("_", "")
    named = [each for name, each in found.items() if name.lower() == likely]
    if len(found) > 1 and not named:
        listed = ", ".join(f"{file}:{name}" for name in found)
        raise InputError(f"'{file}' has {len(found)} models", fix=f"Name one: {listed}.")
    return named[0] if named else next(iter(found.values()))
