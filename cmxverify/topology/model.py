"""What a topology is once it is read: nodes, cables, places, limits, and the networkx graph of it all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from cmxverify.errors import Location

if TYPE_CHECKING:
    import networkx as nx

    from cmxverify.workload.schema import WorkloadSpec


class NodeKind(Enum):
    """What a node is; only gpu, host, flash and store can hold KV blocks."""

    GPU = "gpu"
    HOST = "host"
    DPU = "dpu"
    NIC = "nic"
    SWITCH = "switch"
    FLASH = "flash"
    STORE = "store"

    @property
    def passes_traffic(self) -> bool:
        """Whether routes may lead through it; GPUs, flash and stores end them."""
        return self in (NodeKind.HOST, NodeKind.DPU, NodeKind.NIC, NodeKind.SWITCH)


class Tier(Enum):
    """Where KV blocks live, nearest to the GPU first."""

    G1 = "G1"
    G2 = "G2"
    G3 = "G3"
    G35 = "G3.5"
    G4 = "G4"

    @property
    def title(self) -> str:
        """Tier with its everyday name: ``G3.5 CMX``."""
        return _TIER_TITLES[self]


_TIER_TITLES = {
    Tier.G1: "G1 HBM",
    Tier.G2: "G2 host",
    Tier.G3: "G3 SSD",
    Tier.G35: "G3.5 CMX",
    Tier.G4: "G4 shared",
}


class HopMetric(Enum):
    """What "a hop" counts; the three differ, so a limit must name its metric."""

    SWITCHES = "switches"
    SWITCH_LINKS = "switch_links"
    LINKS = "links"

    @property
    def label(self) -> str:
        """Name for messages: ``switch links``."""
        return self.value.replace("_", " ")

    def count(self, number: int) -> str:
        """A count with its noun: ``1 switch``, ``2 switch links``."""
        singular = {"switches": "switch", "switch_links": "switch link", "links": "link"}[self.value]
        return f"{number} {singular if number == 1 else self.label}"


@dataclass(frozen=True, slots=True)
class Hops:
    """The three hop counts of one route."""

    switches: int
    switch_links: int
    links: int

    def by(self, metric: HopMetric) -> int:
        """The count in one metric."""
        return int(getattr(self, metric.value))


@dataclass(frozen=True, slots=True)
class HopLimit:
    """``hops: {metric, max}``; ``maximum`` None means no limit, the metric is then used in print only."""

    metric: HopMetric = HopMetric.SWITCHES
    maximum: int | None = None
    at: Location | None = None


@dataclass(frozen=True, slots=True)
class AssumedUse:
    """A line of a file that relies on an assumed figure, and what would state it there: ``idle: 250 W``."""

    at: Location
    stated: str


@dataclass(frozen=True, slots=True)
class AssumedFigure:
    """A figure that nobody published, taken from the catalog's range; ``uses`` has each line that relies on it."""

    device: str
    key: str
    text: str
    uses: tuple[AssumedUse, ...] = ()


_NOWHERE = Location("")


@dataclass(frozen=True, slots=True)
class Node:
    """One device. ``container`` is the path of the innermost template instance around it, '' for none."""

    name: str
    kind: NodeKind
    device: str
    container: str
    at: Location
    idle_w: Fraction | None = None
    full_w: Fraction | None = None
    rate: Fraction | None = None
    """Bytes/s that a DPU or NIC passes in one direction; None means not a bottleneck of its own."""
    ports: int | None = None
    port_rate: Fraction | None = None
    latency: Fraction = Fraction(0)
    """Seconds added to a route through this node."""
    device_at: Location = _NOWHERE
    """Where the file names its device: the value beside the name, or the key ``is``."""

    @property
    def short(self) -> str:
        """Name without its container."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Link:
    """``count`` equal cables between two nodes: rate in bytes/s per direction and cable, latency in seconds."""

    a: str
    b: str
    rate: Fraction
    latency: Fraction
    count: int
    at: Location


@dataclass(frozen=True, slots=True)
class Place:
    """A node that can hold KV blocks. Sizes in bytes, rates in bytes/s, powers in watts, ``dwpd`` per day."""

    node: str
    tier: Tier
    capacity: Fraction
    read: Fraction | None
    write: Fraction | None
    first_byte: Fraction
    idle_w: Fraction
    full_w: Fraction
    dwpd: Fraction | None
    warranty: Fraction | None
    scope: str | None
    """Container whose GPUs alone may read it ('' = the whole file is one box); None means all GPUs."""
    unit: str
    """What is switched on and fails as one: the innermost container, or the node itself."""
    at: Location
    key_at: Mapping[str, Location] = field(default_factory=dict)
    drives: int = 1
    """Drives of a flash node: capacity, rates and power are of all of them together."""


@dataclass(frozen=True, slots=True)
class Container:
    """One template instance: ``tray03`` of template ``tray``."""

    path: str
    template: str
    parent: str
    at: Location


@dataclass(frozen=True, slots=True)
class PowerLimit:
    """A budget in watts over containers or nodes; ``each`` in the file gives one of these per member."""

    name: str
    members: tuple[str, ...]
    budget_w: Fraction
    at: Location
    file_text: str | None = None


@dataclass(frozen=True, slots=True)
class Tenant:
    """``isolation`` is '' for the shared namespace, else the template whose instances it must own alone."""

    name: str
    isolation: str
    at: Location


@dataclass(frozen=True, slots=True)
class Prices:
    """The user's prices: US dollars that a device or an instance of a template costs to buy.

    ``uncounted`` are keys that were read and add to no cost: rents, ``energy`` and ``life``.
    """

    devices: Mapping[str, Fraction]
    uncounted: tuple[str, ...]
    at: Location


@dataclass(frozen=True)
class Topology:
    """A whole cluster file."""

    name: str
    file: str
    nodes: Mapping[str, Node]
    links: tuple[Link, ...]
    containers: Mapping[str, Container]
    places: Mapping[str, Place]
    plan_to: Fraction
    plan_to_at: Location
    chunk: Fraction | None
    """Bytes of one chunk that placement counts in; None for the default."""
    hops: HopLimit
    software: Mapping[str, tuple[str, Location]]
    power: tuple[PowerLimit, ...]
    tenants: Mapping[str, Tenant]
    prices: Prices | None
    workload: WorkloadSpec | None
    assumed: tuple[AssumedFigure, ...]
    texts: Mapping[str, str]
    """Text of each YAML file read, by shown name."""
    overrides: tuple[str, ...] = ()
    """``--set`` arguments, verbatim."""
    only: tuple[str, ...] = ()
    """Working sets that ``--only`` kept; empty for all."""
    chunk_at: Location = _NOWHERE
    digests: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each file that was read, by shown name, those that working sets name included."""

    @cached_property
    def graph(self) -> nx.MultiGraph[str]:
        """The networkx graph, built when first asked for: importing networkx takes longer than reading a rack.

        Nodes carry ``kind``, ``device``, ``tier`` and ``container``; there is one edge per cable, with ``rate``
        (bytes/s) and ``latency`` (seconds).
        """
        import networkx

        graph: nx.MultiGraph[str] = networkx.MultiGraph()
        for name, node in self.nodes.items():
            tier = self.places[name].tier.value if name in self.places else None
            graph.add_node(name, kind=node.kind.value, device=node.device, tier=tier, container=node.container)
        for link in self.links:
            graph.add_edges_from([(link.a, link.b, {"rate": link.rate, "latency": link.latency})] * link.count)
        return graph

    def members(self, path: str) -> list[str]:
        """Names of the nodes under a container, or the node itself."""
        if path in self.nodes:
            return [path]
        prefix = path + "."
        return [name for name in self.nodes if name.startswith(prefix)]

    def ancestors(self, name: str) -> list[Container]:
        """Containers around a node or container, innermost first."""
        found: list[Container] = []
        path = self.nodes[name].container if name in self.nodes else self.containers[name].parent
        while path:
            found.append(self.containers[path])
            path = self.containers[path].parent
        return found
