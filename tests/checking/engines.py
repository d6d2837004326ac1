"""Every engine there is, and what of their answers must be equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from cmxverify.checking.exploration import Engine, Exploration
from cmxverify.checking.native.engine import NativeEngine
from cmxverify.checking.python.interpret import InterpretEngine
from cmxverify.checking.python.packed.search import PackedEngine
from cmxverify.checking.python.vector.search import NumpyEngine
from cmxverify.checking.symmetry import symmetry_of
from cmxverify.modeling.ir.system import System

ORACLE: Engine = InterpretEngine()
ENGINES: tuple[Engine, ...] = (
    PackedEngine(),
    NumpyEngine(),
    NativeEngine(),
)


def comparable(found: Exploration, system: System) -> dict[str, object]:
    """Everything that does not depend on engine, machine, or (under symmetry) on who stands for an orbit."""
    bare = replace(found, engine="", seconds=0, memory_bytes=0)
    fields = {name: getattr(bare, name) for name in Exploration.__slots__}
    if found.reduced:
        canonical = symmetry_of(system, found.reduced).canonical
        fields["layers"] = [frozenset(map(canonical, layer)) for layer in found.layers]
        fields["fired"] = by_action(found.fired, system)
        fields["changed"] = by_action(found.changed, system)
    return fields


def by_action(counts: Sequence[int], system: System) -> Counter[str]:
    """Counts of instances summed over the instances of an action."""
    total: Counter[str] = Counter()
    for instance, count in zip(system.instances, counts, strict=True):
        total[instance.action] += count
    return total
