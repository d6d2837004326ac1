"""The native canonical form as a Python function."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from cmxverify.checking.exploration import Request
from cmxverify.checking.native.compiler import Effort, Program
from cmxverify.checking.native.flags import FlagTable
from cmxverify.checking.native.memory import Region
from cmxverify.checking.native.model_text import model_text
from cmxverify.modeling.ir.evaluate import State
from cmxverify.modeling.ir.system import Atom, Cell, System


def native_canonical(system: System) -> Callable[[State], State]:
    """Representative of a state's orbit under all sorts of a system."""
    flags = FlagTable(system, Request(properties=()))
    text = model_text(system, flags, sorts=tuple(system.sorts), edges=False)
    program = Program(text.text, text.libraries, Effort.FULL)
    function = program.function("canonicalise", None, ctypes.c_void_p)
    memory = Region(8 * text.layout.words)

    def canonical(state: State) -> State:
        assert program is not None, "the program lives as long as the function"
        memory.write_words(list(text.layout.pack(state)))
        function(memory.address)
        return text.layout.unpack(memory.words(0, text.layout.words))

    return canonical


def still(cells: list[Cell], **sorts: int) -> System:
    """A system in which nothing happens, with some symmetric types."""
    start = tuple(cell.low for cell in cells)
    return System("Still", tuple(cells), (start,), (), (), sorts=sorts)


def keyed(
    cells: list[Cell], field: str, *keys: tuple[str, int], codes: int = 2, sort: str = "", low: int = 0
) -> None:
    """Append a cell in a place that names some values."""
    place = tuple(Atom(name, ordinal, f"{name}{ordinal}") for name, ordinal in keys)
    cells.append(Cell(len(cells), field, place, f"{field}{keys}", codes, low=low, sort=sort))
