"""Which parts of a topology become cards: containers, opened while they stay few, and loose machines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import networkx as nx

from cmxverify.report.drawing.scene import MOST_OF_A_KIND, Row, Zone, row_of
from cmxverify.topology.hostlist import compress_names
from cmxverify.topology.model import NodeKind, Topology

REST = "others"


@dataclass(frozen=True, slots=True)
class Unit:
    """A container, or machines that only cables hold together; ``path`` is '' for the latter."""

    title: str
    kind: str
    path: str
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Equal units that share one card; ``mixed`` if they are only what was left over."""

    units: tuple[Unit, ...]
    mixed: bool = False


@dataclass
class Parts:
    """A topology cut into what is drawn as cards, by zone, and the switches between them."""

    groups: dict[Zone, list[Group]] = field(default_factory=dict)
    switches: list[str] = field(default_factory=list)


def cut_topology(topology: Topology) -> Parts:
    """Cut a topology into at most about twenty cards a zone."""
    parts = Parts()
    units, parts.switches = _members(topology, "")
    for zone in Zone:
        mine = [unit for unit in units if _zone(topology, unit) is zone]
        mine, switches = _opened(topology, mine)
        parts.switches += switches
        parts.groups[zone] = _merged(topology, mine)
    return parts


def _members(topology: Topology, path: str) -> tuple[list[Unit], list[str]]:
    """Units directly inside a container ('' = the file), and the switches beside them."""
    units: list[Unit] = []
    switches: list[str] = []
    for container in topology.containers.values():
        if container.parent == path:
            nodes = tuple(topology.members(container.path))
            if all(topology.nodes[name].kind is NodeKind.SWITCH for name in nodes):
                switches += nodes
            else:
                units.append(Unit(container.path, container.template, container.path, nodes))
    direct = [name for name, node in topology.nodes.items() if node.container == path]
    switches += [name for name in direct if topology.nodes[name].kind is NodeKind.SWITCH]
    loose = [name for name in direct if topology.nodes[name].kind is not NodeKind.SWITCH]
    return [*units, *_machines(topology, loose)], switches


def _machines(topology: Topology, loose: Sequence[str]) -> list[Unit]:
    """Nodes that hang together without a switch are one machine."""
    order = {name: at for at, name in enumerate(loose)}
    parts = [
        sorted(part, key=order.__getitem__)
        for part in nx.connected_components(topology.graph.subgraph(loose))
    ]
    units = []
    for nodes in sorted(parts, key=lambda part: order[part[0]]):
        hosts = [name for name in nodes if topology.nodes[name].kind is NodeKind.HOST]
        alike = [name for name in nodes if topology.nodes[name].kind is topology.nodes[nodes[0]].kind]
        title = hosts[0] if hosts else compress_names(alike)
        kind = topology.nodes[nodes[0]].kind.value if len(nodes) == 1 else "machine"
        units.append(Unit(title, kind, "", tuple(nodes)))
    return units


def _zone(topology: Topology, unit: Unit) -> Zone:
    kinds = {topology.nodes[name].kind for name in unit.nodes}
    stores = kinds & {NodeKind.FLASH, NodeKind.STORE}
    return Zone.STORAGE if stores and NodeKind.GPU not in kinds else Zone.COMPUTE


def _opened(topology: Topology, units: list[Unit]) -> tuple[list[Unit], list[str]]:
    """Replace containers by what they hold while that gives at most ``MOST_OF_A_KIND`` cards."""
    outer: list[str] = []
    while True:
        inside: list[Unit] = []
        switches: list[str] = []
        for unit in units:
            held = any(container.parent == unit.path for container in topology.containers.values())
            found = _members(topology, unit.path) if unit.path and held else ([unit], [])
            inside += found[0]
            switches += found[1]
        if inside == units or len(inside) > MOST_OF_A_KIND:
            return units, outer
        units, outer = inside, outer + switches


def _merged(topology: Topology, units: list[Unit]) -> list[Group]:
    """Merge equal units only where there are too many, and then only as far as needed."""
    if len(units) <= MOST_OF_A_KIND:
        return [Group((unit,)) for unit in units]
    for key in (_with_neighbours, _signature):
        groups: dict[object, list[Unit]] = {}
        for unit in units:
            groups.setdefault(key(topology, unit), []).append(unit)
        if len(groups) <= MOST_OF_A_KIND:
            return [Group(tuple(members)) for members in groups.values()]
    kept = sorted(groups.values(), key=lambda members: -len(members))[: MOST_OF_A_KIND - 1]
    rest = [unit for members in groups.values() if members not in kept for unit in members]
    return [*(Group(tuple(members)) for members in kept), Group(tuple(rest), mixed=True)]


def _signature(topology: Topology, unit: Unit) -> object:
    rows: dict[Row, list[object]] = {}
    for name in unit.nodes:
        place = topology.places.get(name)
        look = (topology.nodes[name].device, place.capacity if place else None)
        rows.setdefault(row_of(topology.nodes[name], place), []).append(look)
    return unit.kind, tuple(
        (row, tuple(looks)) for row, looks in sorted(rows.items(), key=lambda r: r[0].value)
    )


def _with_neighbours(topology: Topology, unit: Unit) -> object:
    inside = set(unit.nodes)
    outside = {other for name in unit.nodes for other in topology.graph.adj[name] if other not in inside}
    return _signature(topology, unit), frozenset(outside)


def unit_titles(units: Iterable[Unit]) -> list[str]:
    """Short names, or whole paths where short names repeat."""
    paths = [unit.title for unit in units]
    short = [path.rpartition(".")[2] for path in paths]
    return short if len(set(short)) == len(short) else paths
