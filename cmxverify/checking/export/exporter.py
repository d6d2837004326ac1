"""The one interface of every exporter: a system in, the text of another checker's input out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from cmxverify.modeling.ir.system import System


@dataclass(frozen=True, slots=True)
class ExportChoices:
    """What an exported model shall contain.

    Args:
        properties: Indices into ``System.properties``; None: all.
        deadlock: Check L25 (where the system says what is quiescent).
        symmetry: Let the other checker reduce by ``System.sorts``.
    """

    properties: tuple[int, ...] | None = None
    deadlock: bool = True
    symmetry: bool = False


class Exporter(Protocol):
    """Writes systems in the language of one checker, for the same states and transitions (L13)."""

    @property
    def language(self) -> str:
        """Name of the language."""
        ...

    @property
    def suffix(self) -> str:
        """Of the files: ``.m``."""
        ...

    def export(self, system: System, choices: ExportChoices) -> str:
        """Text of the model.

        Raises:
            InputError: If the system cannot be said in the language with these choices.
        """
        ...
