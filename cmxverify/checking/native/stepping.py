"""Single steps in native code, from any well-typed state: to compare it with other readings of a model (ruling S2)."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

from cmxverify.checking.exploration import Request
from cmxverify.checking.native.compiler import Effort, Program
from cmxverify.checking.native.flags import FlagTable
from cmxverify.checking.native.memory import Region
from cmxverify.checking.native.model_text import BATCH, model_text
from cmxverify.modeling.ir.evaluate import State
from cmxverify.modeling.ir.system import System

_POINTER = ctypes.c_void_p


class NativeSteps:
    """Successors of single states, as the native explorer computes them.

    Args:
        system: Whose steps.
        effort: How it is compiled.
    """

    def __init__(self, system: System, effort: Effort = Effort.FULL) -> None:
        text = model_text(system, FlagTable(system, Request(properties=())), sorts=(), edges=True)
        self._layout, self._program = text.layout, Program(text.text, text.libraries, effort)
        self._expand = self._program.function("expand_edges", _POINTER, _POINTER, _POINTER, _POINTER)
        self._state = Region(8 * self._layout.words)
        self._successors = Region(8 * self._layout.words * (BATCH + len(system.instances)))
        self._instances = Region(8 * len(system.instances))

    def of(self, state: State) -> Iterator[tuple[int, State]]:
        """Every enabled instance with the state it leads to, in instance order; obligations are not looked at."""
        self._state.write_words(list(self._layout.pack(state)))
        end = self._expand(self._state.address, self._successors.address, self._instances.address)
        words = self._layout.words
        for number in range((end - self._successors.address) // (8 * words)):
            successor = self._layout.unpack(self._successors.words(number * words, words))
            yield self._instances.words(number, 1)[0], successor
