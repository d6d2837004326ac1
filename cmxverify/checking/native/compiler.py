"""From LLVM IR text to functions that run: links a model's text with the search loop and compiles both together."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from enum import Enum
from functools import cache
from importlib import resources
from typing import Any

import llvmlite.binding as llvm

_PASSES = (
    *("sroa", "new_gvn", "simplify_cfg", "instruction_combine"),
    *("loop_unroll", "simplify_cfg", "instruction_combine"),
)
"""What gains most on these texts. LLVM's own level 2 takes three times as long and gains nothing more."""


class Effort(Enum):
    """How much the compiler does: for small searches its own time is what counts."""

    QUICK = 0
    """Translate instruction by instruction."""
    FULL = 1
    """Six times slower to compile, the code about twice as fast."""


class Program:
    """Machine code in memory; lives as long as this object."""

    def __init__(self, text: str, libraries: Sequence[str], effort: Effort) -> None:
        """Compile ``text`` linked with some of the texts that are shipped."""
        machine = _machine(effort)
        module = llvm.parse_assembly(text)
        for name in libraries:
            module.link_in(llvm.parse_assembly(_library(name)))
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        if effort is Effort.FULL:
            _run_passes(module, machine)
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        """A function by its name, callable; it runs without the interpreter lock."""
        return ctypes.CFUNCTYPE(result, *arguments)(self._engine.get_function_address(name))


def _run_passes(module: Any, machine: Any) -> None:
    manager = llvm.create_new_module_pass_manager()
    for name in _PASSES:
        getattr(manager, f"add_{name}_pass")()
    manager.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(2)))


@cache
def _library(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8")


@cache
def _target() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple()


def _machine(effort: Effort) -> Any:
    """This computer, with all that its processor can do."""
    return _target().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=effort.value,
        jit=True,
    )
