"""The figures that ``show`` prints: counts, and per tier its places, room, rates, hops and what to watch.

All figures are exact and speak of the hardware as the file describes it: rates at 100 %, not ``plan_to``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.topology.delivery import deliverable_read
from cmxverify.topology.gpu_memory import GpuMemory, gpu_memory
from cmxverify.topology.headcount import head_counts
from cmxverify.topology.inlets import Inlet, narrowest_inlet
from cmxverify.topology.model import HopLimit, NodeKind, Place, PowerLimit, Tier, Topology
from cmxverify.topology.routes import Router


@dataclass(frozen=True, slots=True)
class TierSummary:
    """One tier. Sizes in bytes, rates in bytes/s; ``read`` is what each place delivers to its readers.

    ``hops`` are the least and the most over all pairs of a place and a GPU that may read it, in the metric
    of the file; None if no GPU reads any.
    """

    tier: Tier
    places: int
    room: Fraction
    read: tuple[Fraction, Fraction]
    """Least and most bytes/s of one place."""
    room_a_gpu: Fraction | None
    read_a_gpu: Fraction | None
    hops: tuple[int, int] | None
    shared: bool
    """Whether all GPUs read it over the network, so that the way into their box is worth watching."""


@dataclass(frozen=True, slots=True)
class AssumedNote:
    """An assumed figure as the topology uses it: of a whole place, not of one drive."""

    device: str
    of: str
    """Template or node that draws the power, '' where the figure is of the device alone."""
    key: str
    value: Fraction | None
    text: str
    """What the catalog says, with its range."""


@dataclass(frozen=True, slots=True)
class TopologySummary:
    """What a reader wants to know of a topology before anything is solved."""

    name: str
    gpus: int
    counts: tuple[tuple[int, str], ...]
    """How many there are of each template and kind of switch, compute side first: ``(18, "tray")``."""
    places: int
    tiers: tuple[TierSummary, ...]
    memory: GpuMemory
    inlet: Inlet | None
    plan_to: Fraction
    hops: HopLimit
    power: tuple[PowerLimit, ...]
    assumed: tuple[AssumedNote, ...]


def summarise(topology: Topology) -> TopologySummary:
    """Work the figures out; a second or less for a pod of a thousand GPUs."""
    router = Router(topology)
    memory = gpu_memory(topology)
    gpus = [name for name, node in topology.nodes.items() if node.kind is NodeKind.GPU]
    groups = _alike(topology, topology.places)
    by_tier: dict[Tier, list[Place]] = {}
    for place in topology.places.values():
        by_tier.setdefault(place.tier, []).append(place)
    tiers = [_tier(topology, router, by_tier[t], gpus, groups, memory) for t in Tier if t in by_tier]
    return TopologySummary(
        name=topology.name,
        gpus=len(gpus),
        counts=head_counts(topology),
        places=len(topology.places),
        tiers=tuple(tiers),
        memory=memory,
        inlet=narrowest_inlet(topology) if any(t.shared for t in tiers) else None,
        plan_to=topology.plan_to,
        hops=topology.hops,
        power=topology.power,
        assumed=tuple(_assumed(topology)),
    )


def _tier(
    topology: Topology,
    router: Router,
    places: list[Place],
    gpus: list[str],
    groups: Mapping[str, str],
    memory: GpuMemory,
) -> TierSummary:
    tier = places[0].tier
    delivered = {
        key: deliverable_read(topology, topology.places[key]) for key in {groups[p.node] for p in places}
    }
    reads = [delivered[groups[place.node]] for place in places]
    room = memory.room if tier is Tier.G1 else sum((place.capacity for place in places), Fraction(0))
    return TierSummary(
        tier=tier,
        places=len(places),
        room=room,
        read=(min(reads), max(reads)),
        room_a_gpu=room / len(gpus) if gpus else None,
        read_a_gpu=sum(reads, Fraction(0)) / len(gpus) if gpus else None,
        hops=_hops(topology, router, {groups[place.node] for place in places}, gpus),
        shared=any(place.scope is None for place in places),
    )


def _hops(
    topology: Topology, router: Router, places: Iterable[str], gpus: list[str]
) -> tuple[int, int] | None:
    """Least and most hops from these places to the GPUs that may read them."""
    found: set[int] = set()
    for place in sorted(places):
        if topology.nodes[place].kind is NodeKind.GPU:
            found.add(0)
            continue
        hops = router.hops_from(place)
        found |= {hops[gpu].by(topology.hops.metric) for gpu in gpus if router.reaches(place, gpu)}
    return (min(found), max(found)) if found else None


def _alike(topology: Topology, names: Iterable[str]) -> dict[str, str]:
    """For each node a representative that hangs in the network in the same way.

    Alike are nodes of the same short name and figures, in instances of one template that are cabled to the
    same nodes outside; without a template, nodes with the same neighbours.
    """
    outside = _outer_cables(topology)
    first: dict[object, str] = {}
    found: dict[str, str] = {}
    for name in names:
        node, place = topology.nodes[name], topology.places.get(name)
        box = topology.containers.get(node.container)
        figures = (place.capacity, place.read, place.scope is None) if place else ()
        within = (box.template, node.short, outside[node.container]) if box else (outside[name],)
        found[name] = first.setdefault((node.kind, node.device, figures, within), name)
    return found


def _outer_cables(topology: Topology) -> dict[str, frozenset[object]]:
    """Cables that leave each innermost container (or lone node): from which node inside, to where, how fast."""
    found: dict[str, set[object]] = {}
    for name, node in topology.nodes.items():
        found.setdefault(node.container or name, set())
    for link in topology.links:
        for one, other in ((link.a, link.b), (link.b, link.a)):
            node, box = topology.nodes[one], topology.nodes[one].container
            if not box or topology.nodes[other].container != box:
                found[box or one].add((node.short if box else "", other, link.rate, link.count))
    return {key: frozenset(cables) for key, cables in found.items()}


_PLACE_FIGURES = {
    "idle": "idle_w",
    "full": "full_w",
    "first_byte": "first_byte",
    "kv": "capacity",
    "capacity": "capacity",
    "read": "read",
    "write": "write",
    "dwpd": "dwpd",
}


def _unit_name(topology: Topology, place: Place) -> str:
    box = topology.containers.get(place.unit)
    return box.template if box else topology.nodes[place.node].short


def _assumed(topology: Topology) -> Iterable[AssumedNote]:
    order = list(_PLACE_FIGURES)
    known = [figure for figure in topology.assumed if figure.key in _PLACE_FIGURES]
    others = [figure for figure in topology.assumed if figure.key not in _PLACE_FIGURES]
    for figure in [*sorted(known, key=lambda f: (f.device, order.index(f.key))), *others]:
        of_device = [p for p in topology.places.values() if topology.nodes[p.node].device == figure.device]
        attribute = _PLACE_FIGURES.get(figure.key)
        values = {getattr(place, attribute) for place in of_device} if attribute else set()
        value = values.pop() if len(values) == 1 else None
        units = {_unit_name(topology, place) for place in of_device}
        powered = figure.key in ("idle", "full") and len(units) == 1 and value is not None
        yield AssumedNote(figure.device, units.pop() if powered else "", figure.key, value, figure.text)
