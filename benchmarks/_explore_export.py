"""Write a model for rumur: ``_explore_export.py MODEL NODES SYMMETRIC FILE``; prints the type it computes in."""

from __future__ import annotations

import sys
from pathlib import Path

from cmxverify.checking.export.exporter import ExportChoices
from cmxverify.checking.export.murphi.program import MurphiExporter
from cmxverify.checking.export.murphi.width import value_type
from cmxverify.modeling.compile import compiled
from cmxverify.modeling.ir.system import PropertyKind
from cmxverify.modeling.loading import load_model


def main(model: str, nodes: str, symmetric: str, file: str) -> None:
    """Invariants only, and deadlock left to rumur: what the models written by hand check."""
    system = compiled(load_model(model).model, {"node": int(nodes)}).system
    invariants = tuple(
        index for index, each in enumerate(system.properties) if each.kind is PropertyKind.INVARIANT
    )
    choices = ExportChoices(properties=invariants, symmetry=symmetric == "yes", deadlock=False)
    Path(file).write_text(MurphiExporter().export(system, choices), encoding="utf-8")
    print(value_type(system))


if __name__ == "__main__":
    main(*sys.argv[1:])
