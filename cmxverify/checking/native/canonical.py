"""The function that replaces a state by the representative of its orbit."""

from __future__ import annotations

from collections.abc import Sequence

from cmxverify.checking.native.emitter import Emitter
from cmxverify.checking.native.packing import Packing
from cmxverify.checking.native.relating import RelationWriter
from cmxverify.checking.native.sorting import BlockSorter
from cmxverify.modeling.ir.system import System

IDENTITY = "define void @canonicalise(ptr %state) alwaysinline nounwind { ret void }\n"
"""Without symmetry every state stands for itself."""


def related_sorts(packing: Packing, sorts: Sequence[str]) -> list[str]:
    """Types of which some cell relates two values, of the same type or of two: sorting alone is not exact there."""
    related = {sort for each in packing.mentions if len(each.sorts) > 1 for sort in each.sorts}
    return [sort for sort in sorts if sort in related]


def canonical_text(system: System, packing: Packing, sorts: Sequence[str]) -> tuple[str, bool]:
    """Text of the function, and whether it needs relate.c."""
    related = related_sorts(packing, sorts)
    emitter = Emitter(packing.layout.slots, [])
    words = [emitter.let(f"load i64, ptr {_at(emitter, number)}") for number in range(packing.layout.words)]
    for sort in sorts:
        if sort not in related and any(sort in each.sorts for each in packing.mentions):
            words = BlockSorter(packing, sort, system.sorts[sort]).write(emitter, words)
    for number, word in enumerate(words):
        emitter.do(f"store i64 {word}, ptr {_at(emitter, number)}")
    if related:
        emitter.do("call void @canonicalise_related(ptr %state)")
    emitter.do("ret void")
    function = "\n".join(["define void @canonicalise(ptr %state) nounwind {", *emitter.lines, "}"])
    declarations = "declare i64 @llvm.umin.i64(i64, i64)\ndeclare i64 @llvm.umax.i64(i64, i64)\n"
    if not related:
        return f"{declarations}{function}\n", False
    writer = RelationWriter(packing, {sort: system.sorts[sort] for sort in related})
    return f"{declarations}declare void @canonicalise_related(ptr)\n{function}\n{writer.text()}", True


def _at(emitter: Emitter, number: int) -> str:
    return emitter.let(f"getelementptr i64, ptr %state, i64 {number}")
