"""What another checker found, in the words of our own result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from cmxverify.checking.export.exporter import ExportChoices
from cmxverify.modeling.ir.system import System


@dataclass(frozen=True, slots=True)
class PeerFinding:
    """The answer of a checker that ran to its end.

    Args:
        states: Distinct states (of orbits, where reduced).
        transitions: Counted as in ruling L13.
        levels: States first reached at each depth; empty where the checker does not tell.
        error: What is breached, in the checker's words; empty: nothing.
        steps: Length of the counterexample, -1 without one.
        reached: For each ``@reachable`` property by name, whether there is a witness.
        seconds: CPU time by stage: "generate", "compile", "run".
    """

    states: int
    transitions: int
    levels: tuple[int, ...] = ()
    error: str = ""
    steps: int = -1
    reached: Mapping[str, bool] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NotRun:
    """Why a checker gave no answer: not installed, out of time. Never a pass."""

    reason: str


@dataclass(frozen=True, slots=True)
class PeerLimits:
    """How long a checker may take, and how hard its C compiler shall try (0 to 3)."""

    seconds: float = 600.0
    optimize: int = 1


class Peer(Protocol):
    """Another checker."""

    @property
    def name(self) -> str:
        """Of the program."""
        ...

    @property
    def counting(self) -> str:
        """How its counts are made comparable, in a sentence."""
        ...

    def search(
        self, system: System, choices: ExportChoices, limits: PeerLimits, *, depth: int
    ) -> PeerFinding | NotRun:
        """Export, build and run; ``depth`` is the greatest depth expected.

        Raises:
            InputError: If the system cannot be exported with these choices.
            CmxError: If the checker refuses what was exported, which is a bug of ours.
        """
        ...
