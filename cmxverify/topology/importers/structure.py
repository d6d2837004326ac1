"""What every reader returns: nodes and cables as the file states them, before any overlay or catalog figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction

from cmxverify.errors import InputError, Location

MAX_NODES = 100_000
MAX_CABLES = 1_000_000
MAX_NAME = 200


class Kind(Enum):
    """What a reader takes a node for; the last three have no counterpart in a topology file."""

    GPU = "gpu"
    HOST = "host"
    DPU = "dpu"
    NIC = "nic"
    SWITCH = "switch"
    FLASH = "flash"
    STORE = "store"
    PCIE_SWITCH = "PCIe switch"
    NVSWITCH = "NVSwitch"
    UNKNOWN = "unknown"


def counted(count: int, noun: str) -> str:
    """A count with its noun: ``1 cable``, ``39 switches``, ``12 unknown nodes``.

    >>> counted(1, "switch"), counted(33, "gpu"), counted(2, "unknown")
    ('1 switch', '33 GPUs', '2 unknown nodes')
    """
    plain = f"{noun} node" if noun in ("unknown", "flash") else noun.upper() if len(noun) == 3 else noun
    return f"{count:,} {plain}" + ("" if count == 1 else "es" if plain.endswith("ch") else "s")


@dataclass(frozen=True, slots=True)
class FoundNode:
    """A node of the file. ``container`` is the path of what it stands in (rack, machine), outermost first."""

    name: str
    kind: Kind
    at: Location
    container: tuple[str, ...] = ()
    model: str = ""
    """What the file says the device is, in its own words; never an address or a name."""
    size: int = 0
    """Bytes of a host's memory or of a drive, where the file says so."""
    adapter: str = ""
    """What the file says of the card between a host and the fabric; a host is written without one."""


@dataclass(frozen=True, slots=True)
class Cable:
    """``count`` equal cables; ``rate`` in bytes/s per direction and cable, None where the file is silent."""

    a: str
    b: str
    rate: Fraction | None
    at: Location
    count: int = 1
    latency: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Structure:
    """One imported file, or several merged ones: ``source`` names them, ``skipped`` counts what was left out."""

    source: str
    format: str
    nodes: tuple[FoundNode, ...]
    cables: tuple[Cable, ...]
    warnings: tuple[str, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    box: str = "group"
    """What a container of this file is: ``rack``, ``machine``."""

    def left_out(self) -> str:
        """What was skipped, in one line; '' for nothing."""
        return ", ".join(f"{what} ({count:,})" for what, count in self.skipped.items())

    def summary(self) -> str:
        """Nodes by kind, and cables, in one line."""
        kinds = ", ".join(counted(count, kind) for kind, count in self.kinds().items())
        return f"{kinds}; {counted(self.cable_count, 'cable')}"

    @property
    def cable_count(self) -> int:
        """Number of cables, parallel ones counted one by one."""
        return sum(cable.count for cable in self.cables)

    def kinds(self) -> dict[str, int]:
        """How many nodes there are of each kind, in the order of ``Kind``."""
        counts = Counter(node.kind for node in self.nodes)
        return {kind.value: counts[kind] for kind in Kind if counts[kind]}


class StructureBuilder:
    """Collects nodes and cables; joins nodes by name, adds up parallel cables and keeps the size limits."""

    def __init__(self, source: str, format_name: str, *, box: str = "group") -> None:
        self.source, self.format_name, self.box = source, format_name, box
        self._nodes: dict[str, FoundNode] = {}
        self._cables: dict[tuple[object, ...], Cable] = {}
        self._warnings: list[str] = []
        self._skipped: Counter[str] = Counter()

    def node(
        self,
        name: str,
        kind: Kind,
        at: Location,
        *,
        container: tuple[str, ...] = (),
        model: str = "",
        size: int = 0,
        adapter: str = "",
    ) -> str:
        """Add a node, or refine the one of that name; returns its name.

        What is stated first stays, and beats silence.

        Raises:
            InputError: If the name is empty or too long, the file has too many nodes, or it names two containers.
        """
        known = self._nodes.get(name)
        if known is None:
            self._check_new(name, at)
            self._nodes[name] = FoundNode(name, kind, at, container, model, size, adapter)
            return name
        if container and known.container and container != known.container:
            here, there = "/".join(container), "/".join(known.container)
            fix = f"{known.at} puts it into '{there}'; give the two nodes different names."
            raise InputError(f"node '{name}' stands in '{here}' here", at=at, fix=fix)
        better = kind if known.kind is Kind.UNKNOWN else known.kind
        self._nodes[name] = replace(
            known,
            kind=better,
            container=known.container or container,
            model=known.model or model,
            size=known.size or size,
            adapter=known.adapter or adapter,
        )
        return name

    def _check_new(self, name: str, at: Location) -> None:
        if not name.strip():
            raise InputError("a node has no name", at=at, fix="Give every node a name.")
        if len(name) > MAX_NAME:
            what = f"node name '{name[:30]}...' has {len(name)} characters"
            raise InputError(what, at=at, fix="Is this the right format?")
        if len(self._nodes) >= MAX_NODES:
            fix = "Import a part of the cluster, and repeat it with a template."
            raise InputError(f"more than {MAX_NODES:,} nodes", at=at, fix=fix)

    def cable(
        self, a: str, b: str, rate: Fraction | None, at: Location, *, count: int = 1, latency: Fraction | None = None
    ) -> None:
        """Add cables between two nodes that are there already; equal parallel ones add up."""
        assert a in self._nodes, a
        assert b in self._nodes, b
        if a == b:
            self.skip("cables from a node to itself")
            return
        a, b = sorted((a, b))
        key = (a, b, rate, latency)
        known = self._cables.get(key)
        if known is None and len(self._cables) >= MAX_CABLES:
            raise InputError(f"more than {MAX_CABLES:,} cables", at=at, fix="Import a part of the cluster.")
        if count < 1 or count > MAX_CABLES:
            raise InputError(f"{count} parallel cables", at=at, fix=f"Write a count from 1 to {MAX_CABLES:,}.")
        total = count + (known.count if known else 0)
        self._cables[key] = Cable(a, b, rate, known.at if known else at, total, latency)

    def has(self, name: str) -> bool:
        """Whether a node of that name was added."""
        return name in self._nodes

    def warn(self, text: str) -> None:
        """Keep one line for the user: something in the file does not agree with itself."""
        self._warnings.append(text)

    def skip(self, what: str, count: int = 1) -> None:
        """Count things of the file that a topology does not hold."""
        self._skipped[what] += count

    def build(self) -> Structure:
        """The finished structure.

        Raises:
            InputError: If no node was found.
        """
        if not self._nodes:
            what = f"no nodes found in this {self.format_name} file"
            raise InputError(what, at=Location(self.source), fix="Check that the file is complete, or pass --format.")
        nodes, cables = tuple(self._nodes.values()), tuple(self._cables.values())
        skipped = dict(sorted(self._skipped.items()))
        return Structure(self.source, self.format_name, nodes, cables, tuple(self._warnings), skipped, self.box)
