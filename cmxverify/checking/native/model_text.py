"""The whole LLVM IR text of one search: a model's functions, and the constants that core.c asks for."""

from __future__ import annotations

from dataclasses import dataclass

from cmxverify.checking.native.flags import FlagTable
from cmxverify.checking.native.functions import FunctionWriter
from cmxverify.modeling.ir.layout import Layout
from cmxverify.modeling.ir.system import System

BATCH = 512
"""Successors looked up together: enough to hide memory latency, few enough to stay in the nearest cache."""

_NO_SYMMETRY = "define void @canonicalise(ptr %state) alwaysinline nounwind { ret void }\n"
_NO_EDGES = "define ptr @expand_edges(ptr %state, ptr %out, ptr %instances) nounwind { ret ptr %out }\n"


@dataclass(frozen=True, slots=True)
class ModelText:
    """What is compiled for a search.

    Args:
        text: LLVM IR.
        layout: How it packs states.
    """

    text: str
    layout: Layout


def model_text(system: System, layout: Layout, flags: FlagTable, *, edges: bool) -> ModelText:
    """Text for a search without symmetry; with ``edges`` also what the graph hash needs."""
    writer = FunctionWriter(system, layout, flags)
    parts = [
        _constants(WORDS=layout.words, INSTANCES=len(system.instances), BATCH=BATCH),
        writer.text(),
        writer.edges() if edges else _NO_EDGES,
        _NO_SYMMETRY,
    ]
    return ModelText("\n".join(parts), layout)


def _constants(**values: int) -> str:
    return "".join(f"@{name} = constant i64 {value}\n" for name, value in values.items())
