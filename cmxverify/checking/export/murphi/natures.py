"""What the numbers of an expression stand for: enum members, values of a symmetric type, or plain numbers.

The intermediate representation knows only integers. Murphi wants to be told; a name may be written for a number only
where both sides of each comparison and assignment agree. Where they do not, the cells concerned become numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cmxverify.modeling.ir.expression import Expr, Op, walk
from cmxverify.modeling.ir.system import Cell, System


@dataclass(frozen=True, slots=True)
class Labelled:
    """Members of an enum, in order; the first stands for the number ``low``."""

    labels: tuple[str, ...]
    low: int


@dataclass(frozen=True, slots=True)
class OfSort:
    """Values of a symmetric type, by ordinal; -1 is none."""

    sort: str


Nature = Labelled | OfSort | None
"""None: plain numbers (or a bool)."""


class Natures:
    """Nature of every cell and, through the cells in it, of every expression of a system."""

    def __init__(self, system: System) -> None:
        self._cells: dict[int, Nature] = {cell.index: _declared(cell, system) for cell in system.cells}
        self._found: dict[Expr, frozenset[Nature]] = {}
        while refused := self._disagreements(system):
            self._cells = {at: None if each in refused else each for at, each in self._cells.items()}
            self._found.clear()

    def of_cell(self, index: int) -> Nature:
        """Nature of a cell's values."""
        return self._cells[index]

    def of(self, *exprs: Expr) -> Nature:
        """Nature that integer expressions share; constants take that of the others."""
        found = frozenset[Nature]().union(*(self._leaves(each) for each in exprs)) - {None}
        return next(iter(found), None)

    def _leaves(self, expr: Expr) -> frozenset[Nature]:
        """Natures of the cells whose value an expression may take; numbers where it computes; nothing of constants."""
        pending = [expr]
        while pending:
            node = pending[-1]
            unknown = [arg for arg in node.args if arg not in self._found] if node not in self._found else []
            if not unknown:
                self._found[pending.pop()] = self._of_node(node)
            pending += unknown
        return self._found[expr]

    def _of_node(self, node: Expr) -> frozenset[Nature]:
        match node.op:
            case Op.CONST:
                return frozenset()
            case Op.CELL | Op.NEXT:
                return frozenset({self._cells[node.value]})
            case Op.ITE:
                return self._found[node.args[1]] | self._found[node.args[2]]
        return frozenset({None})

    def _disagreements(self, system: System) -> set[Nature]:
        refused: set[Nature] = set()
        for meeting in self._meetings(system):
            leaves = frozenset[Nature]().union(*(self._leaves(each) for each in meeting.sides))
            if meeting.computed:
                leaves |= {None}
            if len(leaves) > 1 or any(not _covers(each, meeting.sides) for each in leaves):
                refused |= leaves - {None}
        return refused

    def _meetings(self, system: System) -> Iterator[_Meeting]:
        for instance in system.instances:
            for index, expr in instance.updates:
                if not expr.is_bool:
                    yield _Meeting((system.cells[index].read(), expr), False)
        for node in walk(expressions_of(system)):
            if node.op in (Op.EQ, Op.ITE) and not node.args[-1].is_bool:
                yield _Meeting(node.args[-2:], False)
            elif node.op is Op.LT and is_none_test(node):
                continue
            elif node.op in (Op.LT, Op.ADD, Op.MUL, Op.FLOORDIV, Op.MOD):
                yield _Meeting(node.args, True)


def is_none_test(node: Expr) -> bool:
    """Whether a comparison asks only if something is none: ``x < 0`` or ``-1 < x``."""
    left, right = node.args
    return (right.constant == 0 and left.low >= -1) or (left.constant == -1 and right.low >= -1)


@dataclass(frozen=True, slots=True)
class _Meeting:
    """Expressions that must be of one nature; numbers if something is computed of them."""

    sides: tuple[Expr, ...]
    computed: bool


def expressions_of(system: System) -> Iterator[Expr]:
    """Every expression of a system."""
    for instance in system.instances:
        yield instance.guard
        yield from (expr for _, expr in instance.updates)
        yield from (each.breach for each in instance.obligations)
    for each in system.properties:
        yield from (part.holds for part in each.parts)
        yield from (duty.breach for duty in each.obligations)
    if system.quiescent is not None:
        yield system.quiescent


def _declared(cell: Cell, system: System) -> Nature:
    if cell.is_bool:
        return None
    if cell.sort in system.sorts:
        return OfSort(cell.sort)
    if cell.labels and not all(label == "none" or label.lstrip("-").isdigit() for label in cell.labels):
        return Labelled(cell.labels, cell.low)
    return None


def _covers(nature: Nature, sides: tuple[Expr, ...]) -> bool:
    """Whether each side's constants have a name."""
    if not isinstance(nature, Labelled):
        return True
    high = nature.low + len(nature.labels) - 1
    return all(nature.low <= side.low and side.high <= high for side in sides)
