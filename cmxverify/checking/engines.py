"""The engines by name; each is imported only when it is asked for."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import cast

from cmxverify.checking.exploration import Engine
from cmxverify.errors import InputError, did_you_mean

ENGINES = {
    "explore": ("cmxverify.checking.native.engine", "NativeEngine"),
    "packed": ("cmxverify.checking.python.packed.search", "PackedEngine"),
    "numpy": ("cmxverify.checking.python.vector.search", "NumpyEngine"),
    "interpret": ("cmxverify.checking.python.interpret", "InterpretEngine"),
}


def engine_named(name: str) -> Engine:
    """The engine of that name; ``auto`` is the native one where llvmlite is installed, else that on arrays.

    Raises:
        InputError: If there is no such engine.
    """
    if name == "auto":
        name = "explore" if find_spec("llvmlite") else "numpy"
    if name not in ENGINES:
        raise InputError(f"there is no engine '{name}'", fix=did_you_mean(name, ["auto", *ENGINES]))
    module, engine = ENGINES[name]
    return cast(Engine, getattr(import_module(module), engine)())
