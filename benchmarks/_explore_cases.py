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
        states: To be found, by all who take part; orbits where symmetric. 0: not known, they must agree.
        transitions: Pairs of an expanded state and an enabled instance; 0: not known, they must agree.
        contestants: Who takes part.
        groups: Targets it belongs to: "unreduced", "symmetric", "small", "threads", "large", "fallback".
        symmetric: Count orbits.
    """

    key: str
    protocol: str
    nodes: int
    states: int
    transitions: int
    contestants: tuple[str, ...]
    groups: tuple[str, ...] = ()
    symmetric: bool = False

    @property
    def title(self) -> str:
        """In words, with what is counted."""
        size = f", {self.states:,} {'orbits' if self.symmetric else 'states'}" if self.states else ""
        return f"{self.protocol}, {self.nodes} nodes{size}"


def cases(*, quick: bool, large: bool) -> list[Case]:
    """The full set, or a small one that every target but that of size has a row in."""
    return [*(_QUICK if quick else _FULL), *(_LARGE if large else ())]


_OWN = (OURS, PACKED, NUMPY)

_FULL = (
    Case(
        "directory-3-symmetric", "directory", 3, 22_124, 102_152, (OURS, *RUMUR), ("small",), symmetric=True
    ),
    Case("german-4-symmetric", "german", 4, 56_176, 301_168, (OURS, *RUMUR), ("small",), symmetric=True),
    Case("german-3", "german", 3, 58_104, 235_872, (*_OWN, *RUMUR, *SPIN, *TLC), ("small", "fallback")),
    Case("directory-3", "directory", 3, 125_408, 577_554, (*_OWN, *RUMUR), ("fallback",)),
    Case("german-4", "german", 4, 1_105_434, 5_922_288, (OURS, *RUMUR, *SPIN)),
    Case(
        key="directory-4",
        protocol="directory",
        nodes=4,
        states=4_031_402,
        transitions=25_029_288,
        contestants=(OURS, TWO_THREADS, *RUMUR, *SPIN, *TLC),
        groups=("unreduced", "threads"),
    ),
    Case(
        key="directory-5-symmetric",
        protocol="directory",
        nodes=5,
        states=1_441_174,
        transitions=11_280_026,
        contestants=(OURS, TWO_THREADS, *RUMUR),
        groups=("symmetric", "threads"),
        symmetric=True,
    ),
    Case("german-5", "german", 5, 22_031_028, 147_274_200, (OURS, TWO_THREADS), ("threads",)),
)

_LARGE = (Case("directory-5", "directory", 5, 0, 0, (OURS,), ("large",)),)

_QUICK = (
    Case(
        key="directory-2-symmetric",
        protocol="directory",
        nodes=2,
        states=2_558,
        transitions=8_068,
        contestants=(OURS, TWO_THREADS, *RUMUR),
        groups=("symmetric", "threads", "small"),
        symmetric=True,
    ),
    Case("german-2", "german", 2, 3_390, 9_912, (*_OWN, *RUMUR, *SPIN, *TLC), ("unreduced", "fallback")),
)
