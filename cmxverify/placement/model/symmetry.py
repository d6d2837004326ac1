"""Which parts of a topology are interchangeable, so that one unknown can stand for many of them.

Colour refinement on nodes, containers, power limits and who runs where gives an equitable partition: parts of
one colour see the same colours around them, so a placement that is spread evenly over them loads equal links
equally, and averaging any placement over them keeps it feasible. Evenness is therefore no restriction on the
divisible part of the problem.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from cmxverify.placement.model.demand import WorkingSet
from cmxverify.placement.model.passing import find_passed_units
from cmxverify.topology.hostlist import compress_names
from cmxverify.topology.model import NodeKind, Place, Tier, Topology
from cmxverify.topology.routes import Router

_SWITCHED = (Tier.G35, Tier.G4)


@dataclass(frozen=True, slots=True)
class Box:
    """What a turn returns to: the innermost container of GPUs (a tray), or the GPU itself without one."""

    path: str
    gpus: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoxClass:
    """Interchangeable boxes; memory and disks of their own serve their own GPUs only."""

    boxes: tuple[Box, ...]
    label: str
    """Names of the boxes as ranges; unique."""

    @property
    def gpus(self) -> tuple[str, ...]:
        """All GPUs, box by box."""
        return tuple(gpu for box in self.boxes for gpu in box.gpus)


@dataclass(frozen=True, slots=True)
class Pool:
    """Interchangeable shared places, by like cables on the same outer nodes; any subset of their units may be on.

    A unit is an enclosure, or a place by itself; each holds ``per_unit`` of the places, listed unit by unit.
    """

    places: tuple[Place, ...]
    label: str
    """Names of the places as ranges; unique."""
    units: tuple[str, ...]
    units_label: str
    """Names of the units as ranges; pools of places that share their enclosures have it in common."""
    is_passed: bool = False
    """Whether bytes of other places pass its only unit, on or not: its cables and DPUs are then limited like any."""

    @property
    def first(self) -> Place:
        """The place that stands for all."""
        return self.places[0]

    @property
    def size(self) -> int:
        """How many units there are."""
        return len(self.units)

    @property
    def per_unit(self) -> int:
        """Places that are switched on as one."""
        return len(self.places) // len(self.units)

    @property
    def one_unit(self) -> tuple[Place, ...]:
        """Places of the first unit, whose routes stand for those of all units."""
        return self.places[: self.per_unit]


@dataclass(frozen=True)
class Symmetry:
    """Classes of boxes and pools of shared places, in the order of the file, and the colours behind them."""

    box_classes: tuple[BoxClass, ...]
    pools: tuple[Pool, ...]
    local: Mapping[str, tuple[Place, ...]]
    """Places by the box whose GPUs alone may read them."""
    colours: Mapping[str, int]
    """Colour of every node: equal colours are interchangeable."""


def find_symmetry(
    topology: Topology, sets: Iterable[WorkingSet], *, aggregate: bool = True, router: Router | None = None
) -> Symmetry:
    """Group boxes and shared places; with ``aggregate`` False each stands alone (the full model)."""
    sets = tuple(sets)
    colours = _refine(topology, _initial(topology, sets)) if aggregate else _all_different(topology)
    shared = tuple(place for place in topology.places.values() if is_shared(place))
    pools = _pools(topology, colours, shared, find_passed_units(topology, shared, router or Router(topology)))
    if aggregate:
        # pools are told apart by name, so boxes that lie nearer to one of two like pools must be told apart too
        unit_pool = {name: pool.label for pool in pools for p in pool.places for name in topology.members(p.unit)}
        keys: dict[str, Hashable] = {name: (colour, unit_pool.get(name)) for name, colour in colours.items()}
        colours = _refine(topology, _numbered(keys))
    classes: dict[Hashable, list[Box]] = {}
    for box in _boxes(topology):
        inner = tuple(sorted(colours[gpu] for gpu in box.gpus))
        classes.setdefault((colours.get(box.path), inner), []).append(box)
    return Symmetry(
        tuple(BoxClass(tuple(g), compress_names(box.path or "all" for box in g)) for g in classes.values()),
        pools,
        _local_places(topology),
        colours,
    )


def find_colours(topology: Topology, sets: Iterable[WorkingSet]) -> Mapping[str, int]:
    """Colour of every node, container and power limit; like pools and what lies around them are not told apart."""
    return _refine(topology, _initial(topology, tuple(sets)))


def _all_different(topology: Topology) -> dict[str, int]:
    return {name: index for index, name in enumerate((*topology.nodes, *topology.containers))}


def is_shared(place: Place) -> bool:
    """Whether a place is a member of a pool; others are memory and disks of boxes, perhaps of several."""
    return place.tier in _SWITCHED or (place.tier is Tier.G3 and place.scope is None)


def _pools(
    topology: Topology, colours: Mapping[str, int], shared: Iterable[Place], passed: frozenset[str]
) -> tuple[Pool, ...]:
    """Pools of places by colour; those of one enclosure are alike in the full model, too, for they are on as one."""
    groups: dict[Hashable, list[Place]] = {}
    beside: dict[str, list[tuple[str, Hashable]]] = {name: [] for name in topology.nodes}
    for link in topology.links:
        cable = (link.rate, link.latency, link.count)
        beside[link.a].append((link.b, (colours[link.a], cable)))
        beside[link.b].append((link.a, (colours[link.b], cable)))
    for place in shared:
        alone = place.unit if place.unit in passed else None
        key = (colours[place.node], place.scope, alone, *_outside(topology, place, beside))
        groups.setdefault(key, []).append(place)
    return tuple(_pool(group, is_passed=group[0].unit in passed) for group in groups.values())


def _pool(places: list[Place], *, is_passed: bool) -> Pool:
    by_unit: dict[str, list[Place]] = {}
    for place in places:
        by_unit.setdefault(place.unit, []).append(place)
    ordered = tuple(place for group in by_unit.values() for place in group)
    label = compress_names(place.node for place in places)
    return Pool(ordered, label, tuple(by_unit), compress_names(by_unit), is_passed)


def _local_places(topology: Topology) -> dict[str, tuple[Place, ...]]:
    readers = _readers(topology)
    local: dict[str, list[Place]] = {}
    for place in topology.places.values():
        if not is_shared(place):
            for box in readers[place.scope or ""]:
                local.setdefault(box, []).append(place)
    return {box: tuple(places) for box, places in local.items()}


def _boxes(topology: Topology) -> list[Box]:
    found: dict[str, list[str]] = {}
    for name, node in topology.nodes.items():
        if node.kind is NodeKind.GPU:
            found.setdefault(node.container, []).append(name)
    return [Box(path, tuple(gpus)) for path, gpus in found.items()]


def _readers(topology: Topology) -> dict[str, list[str]]:
    """Boxes with GPUs inside each scope that some place names."""
    scopes = {place.scope or "" for place in topology.places.values() if not is_shared(place)}
    found: dict[str, list[str]] = {scope: [] for scope in scopes}
    for box in _boxes(topology):
        for scope in scopes:
            if scope in ("", box.path) or box.path.startswith(scope + "."):
                found[scope].append(box.path)
    return found


def _outside(
    topology: Topology, place: Place, beside: Mapping[str, Iterable[tuple[str, Hashable]]]
) -> tuple[Hashable, ...]:
    """What tells pools apart though colours agree: the unit's cables to outer nodes, and what is around it.

    Two leaves may be alike, yet an enclosure with its thick cable at the first is not one with it at the second:
    either may be on alone.
    """
    unit = set(topology.members(place.unit))
    cables = Counter(cable for name in unit for cable in beside[name] if cable[0] not in unit)
    around = tuple(c.path for c in topology.ancestors(place.node) if c.path != place.unit)
    limits = tuple(i for i, limit in enumerate(topology.power) if covers(topology, limit.members, place.node))
    return frozenset(cables.items()), around, limits


def covers(topology: Topology, members: Iterable[str], node: str) -> bool:
    """Whether one of the named nodes or containers is, or holds, the node."""
    return any(member == node or node.startswith(member + ".") for member in members)


def _refine(topology: Topology, colour: dict[str, int]) -> dict[str, int]:
    """Refine colours of nodes, containers and power limits until equal colours see equal colours around them."""
    edges = _surroundings(topology)
    while True:
        refined = _numbered({name: (colour[name], _seen(around, colour)) for name, around in edges.items()})
        if len(set(refined.values())) == len(set(colour.values())):
            return refined
        colour = refined


def _numbered(keys: Mapping[str, Hashable]) -> dict[str, int]:
    numbers: dict[Hashable, int] = {}
    return {name: numbers.setdefault(key, len(numbers)) for name, key in keys.items()}


def _surroundings(topology: Topology) -> dict[str, Counter[tuple[str, Hashable]]]:
    """What each part sees: cables by rate and latency, and what it lies in, holds or is powered by."""
    names = [*topology.nodes, *topology.containers, *(f"power:{i}" for i in range(len(topology.power)))]
    edges: dict[str, Counter[tuple[str, Hashable]]] = {name: Counter() for name in names}
    kinds: dict[Hashable, int] = {}
    for link in topology.links:
        label = kinds.setdefault((link.rate, link.latency), len(kinds))
        edges[link.a][(link.b, label)] += link.count
        edges[link.b][(link.a, label)] += link.count
    for inner, outer, relation in _containment(topology):
        edges[inner][(outer, f"{relation} this")] += 1
        edges[outer][(inner, f"holds, {relation}")] += 1
    return edges


def _seen(around: Counter[tuple[str, Hashable]], colour: Mapping[str, int]) -> Hashable:
    seen: Counter[Hashable] = Counter()
    for (other, label), number in around.items():
        seen[(colour[other], label)] += number
    return frozenset(seen.items())


def _initial(topology: Topology, sets: tuple[WorkingSet, ...]) -> dict[str, int]:
    running: dict[str, list[object]] = {}
    for each in sets:
        for gpu in each.gpus:
            running.setdefault(gpu, []).append(each.name)
    key: dict[str, Hashable] = {}
    for name, node in topology.nodes.items():
        place = topology.places.get(name)
        figures = _place_figures(place) if place else None
        key[name] = ("node", node.kind, node.device, node.rate, node.latency, tuple(running.get(name, ())), figures)
    for path, container in topology.containers.items():
        key[path] = ("container", container.template)
    for index, limit in enumerate(topology.power):
        key[f"power:{index}"] = ("power", limit.at, limit.budget_w)
    return _numbered(key)


def _place_figures(place: Place) -> Hashable:
    scope = None if place.scope is None else place.node.removeprefix(place.scope).count(".")
    numbers = (place.capacity, place.read, place.write, place.first_byte, place.idle_w, place.full_w, place.dwpd)
    # of HBM, weights leave less than the capacity, unless the file states the room
    return (place.tier, scope, place.drives, "kv" in place.key_at, *numbers)


def _containment(topology: Topology) -> list[tuple[str, str, str]]:
    pairs = [(name, node.container, "in") for name, node in topology.nodes.items() if node.container]
    pairs += [(path, c.parent, "in") for path, c in topology.containers.items() if c.parent]
    for index, limit in enumerate(topology.power):
        pairs += [(member, f"power:{index}", "powered") for member in limit.members]
    return pairs


def unit_template(topology: Topology, pool: Pool) -> str:
    """Template of what is switched on as one, or the device of a place by itself."""
    container = topology.containers.get(pool.first.unit)
    return container.template if container else topology.nodes[pool.first.node].device
