"""The whole LLVM IR text of one search: a model's functions, and the constants that core.c asks for."""

from __future__ import annotations

from dataclasses import dataclass

from cmxverify.checking.native.canonical import IDENTITY, canonical_text
from cmxverify.checking.native.flags import FlagTable
from cmxverify.checking.native.functions import FunctionWriter
from cmxverify.checking.native.packing import packing_of
from cmxverify.modeling.ir.layout import Layout, layout_of
from cmxverify.modeling.ir.system import System

BATCH = 256
"""Successors looked up together: enough to hide memory latency, few enough to stay in the nearest cache."""

_NO_EDGES = "define ptr @expand_edges(ptr %state, ptr %out, ptr %instances) nounwind { ret ptr %out }\n"


@dataclass(frozen=True, slots=True)
class ModelText:
    """What is compiled for a search.

    Args:
        text: LLVM IR.
        layout: How it packs states.
        libraries: Names of the shipped texts it is linked with.
    """

    text: str
    layout: Layout
    libraries: tuple[str, ...]


def model_text(system: System, flags: FlagTable, *, sorts: tuple[str, ...], edges: bool) -> ModelText:
    """Text for a search reduced by some symmetric types; with ``edges`` also what the graph hash needs."""
    if sorts:
        packing = packing_of(system, sorts)
        layout, (canonical, related) = packing.layout, canonical_text(system, packing, sorts)
    else:
        layout, canonical, related = layout_of(system.cells), IDENTITY, False
    writer = FunctionWriter(system, layout, flags)
    parts = [
        _constants(WORDS=layout.words, INSTANCES=len(system.instances), BATCH=BATCH, REDUCED=len(sorts)),
        writer.text(),
        writer.edges() if edges else _NO_EDGES,
        canonical,
    ]
    return ModelText("\n".join(parts), layout, ("core.ll", "relate.ll") if related else ("core.ll",))


def _constants(**values: int) -> str:
    return "".join(f"@{name} = constant i64 {value}\n" for name, value in values.items())
