"""Digest of a system: two systems with one digest are the same to every engine, whatever source they came from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from cmxverify.modeling.ir.expression import Expr, walk
from cmxverify.modeling.ir.system import System


def digest_of(system: System) -> str:
    """SHA-256 over cells, initial states, instances, properties and quiescence, each formula node once."""
    numbers: dict[Expr, int] = {}
    total = hashlib.sha256()
    for line in _lines(system, numbers):
        total.update(line.encode())
        total.update(b"\n")
    return total.hexdigest()


def _lines(system: System, numbers: dict[Expr, int]) -> Iterator[str]:
    formulas = list(_formulas(system))
    for number, node in enumerate(walk(each for _, each in formulas)):
        numbers[node] = number
        arguments = ",".join(str(numbers[each]) for each in node.args)
        yield f"{node.op.value} {node.value} {node.is_bool} {node.low} {node.high} {arguments}"
    for cell in system.cells:
        yield f"{cell.name} {cell.codes} {cell.low} {cell.is_bool} {cell.sort} {cell.ghost}"
    yield from map(str, system.initial)
    for what, formula in formulas:
        yield f"{what} {numbers[formula]}"
    yield str(sorted(system.sorts.items()))


def _formulas(system: System) -> Iterator[tuple[str, Expr]]:
    """Every formula with what it is, in order."""
    for instance in system.instances:
        yield f"guard {instance.kind.value} {instance.name}", instance.guard
        yield from ((f"update {index}", each) for index, each in instance.updates)
        yield from ((f"duty {each.kind.value}", each.breach) for each in instance.obligations)
    for each in system.properties:
        for part in each.parts:
            yield f"{each.kind.value} {each.name} {each.symmetric}", part.holds
            if part.premise is not None:
                yield "premise", part.premise
        yield from ((f"duty {duty.kind.value}", duty.breach) for duty in each.obligations)
    if system.quiescent is not None:
        yield "quiescent", system.quiescent
