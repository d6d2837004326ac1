"""What is measured: protocols, sizes, and who takes part in each."""

from __future__ import annotations

from dataclasses import dataclass

RUMUR = ("rumur, by hand", "rumur, exported")
SPIN = ("SPIN, depth first", "SPIN, breadth first")
TLC = ("TLC",)
OURS = "cmxverify"
TWO_THREADS = "cmxverify, 2 threads"
PACKED = "cmxverify, pure Python"
NUMPY = "cmxverify, numpy"


@dataclass(frozen=True)
class Case:
    """One graph, searched by several.

    Args:
        key: Its name in tables.
        protocol: ``german`` or ``directory``.
        nodes: How many.
        symmetric: Count orbits.
        states: To be found, by all who take part.
        transitions: Pairs of an expanded state and an enabled instance; 0: not known, those who run must agree.
        contestants: Who takes part.
        groups: Targets it belongs to: "unreduced", "symmetric", "small", "threads", "large", "fallback".
    """

    key: str
    protocol: str
    nodes: int
    symmetric: bool
    states: int
    transitions: int
    contestants: tuple[str, ...]
    groups: tuple[str, ...]

    @property
    def title(self) -> str:
        """In words, with what is counted."""
        counted = "orbits" if self.symmetric else "states"
        return f"{self.protocol}, {self.nodes} nodes, {self.states:,} {counted}"


def cases(*, quick: bool, large: bool) -> list[Case]:
    """The full set, or a small one that every target but that of size has a row in."""
    return [*(_QUICK if quick else _FULL), *(_LARGE if large else ())]


_FULL = (
    Case(
        *("directory-3-symmetric", "directory", 3, True, 22_124, 103_083, (OURS, *RUMUR), ("small",)),
    ),
    Case(
        *("german-4-symmetric", "german", 4, True, 56_176, 0, (OURS, *RUMUR), ("small",)),
    ),
    Case(
        *("german-3", "german", 3, False, 58_104, 235_872),
        *((OURS, PACKED, NUMPY, *RUMUR, *SPIN, *TLC), ("small", "fallback")),
    ),
    Case(
        *("directory-3", "directory", 3, False, 125_408, 577_554, (OURS, PACKED, NUMPY, *RUMUR)),
        ("fallback",),
    ),
    Case(
        *("german-4", "german", 4, False, 1_105_434, 5_922_288, (OURS, *RUMUR, *SPIN), ("agreement",)),
    ),
    Case(
        *("directory-4", "directory", 4, False, 4_031_402, 25_029_288),
        *((OURS, TWO_THREADS, *RUMUR, *SPIN, *TLC), ("unreduced", "threads")),
    ),
    Case(
        *("directory-5-symmetric", "directory", 5, True, 1_441_174, 11_280_026),
        *((OURS, TWO_THREADS, *RUMUR), ("symmetric", "threads")),
    ),
)

_LARGE = (Case("directory-5", "directory", 5, False, 0, 0, (OURS,), ("large",)),)

_QUICK = (
    Case(
        *("directory-2-symmetric", "directory", 2, True, 2_558, 0, (OURS, TWO_THREADS, *RUMUR)),
        ("symmetric", "threads", "small"),
    ),
    Case(
        *("german-2", "german", 2, False, 3_390, 9_912),
        *((OURS, PACKED, NUMPY, *RUMUR, *SPIN, *TLC), ("unreduced", "fallback")),
    ),
)
