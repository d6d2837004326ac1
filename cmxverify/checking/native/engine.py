"""The native explorer: the model compiled to machine code, exhaustive, exact, and fast."""

from __future__ import annotations

from cmxverify.checking.exploration import Exploration, Request
from cmxverify.checking.native.search import NAME, Search
from cmxverify.modeling.ir.system import System


class NativeEngine:
    """Search in native code; the processor's own, made by llvmlite while it runs."""

    name = NAME

    def explore(self, system: System, request: Request) -> Exploration:
        """Search until complete, breached or stopped."""
        return Search(system, request).run()
