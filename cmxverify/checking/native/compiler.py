"""From LLVM IR text to functions that run: links a model's text with the search loop and compiles both together."""

from __future__ import annotations

import ctypes
from functools import cache
from importlib import resources
from typing import Any

import llvmlite.binding as llvm


class Program:
    """Machine code in memory; lives as long as this object."""

    def __init__(self, text: str, *, optimise: int) -> None:
        """Compile ``text``, which defines what core.ll declares; ``optimise`` is 0 to 3."""
        machine = _machine(optimise)
        module = llvm.parse_assembly(text)
        module.link_in(llvm.parse_assembly(_core()))
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        if optimise:
            _run_passes(module, machine, optimise)
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        """A function by its name, callable; it runs without the interpreter lock."""
        return ctypes.CFUNCTYPE(result, *arguments)(self._engine.get_function_address(name))


def _run_passes(module: Any, machine: Any, optimise: int) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=optimise)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


@cache
def _core() -> str:
    return (resources.files(__package__) / "core.ll").read_text(encoding="utf-8")


@cache
def _initialised() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple()


def _machine(optimise: int) -> Any:
    """This computer, with all that its processor can do."""
    return _initialised().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=optimise, jit=True
    )
