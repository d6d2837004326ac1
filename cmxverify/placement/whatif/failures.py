"""What can fail as one, which failures are alike, and the cluster that a failure leaves.

A failure takes whole parts away: an enclosure, a switch, a tray, a DPU of a tray that has several, or a wider
container such as a rack. Lesser failures inside an enclosure need no question of their own: a plan that leaves
the enclosure off does without any part of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from cmxverify.placement.model.compile import default_chunk
from cmxverify.placement.model.demand import WorkingSet, resolve_demand
from cmxverify.placement.model.symmetry import Symmetry, find_colours, find_symmetry
from cmxverify.topology.hostlist import compress_names
from cmxverify.topology.model import NodeKind, PowerLimit, Topology
from cmxverify.workload.schema import WorkloadSpec


class FailureKind(Enum):
    """What fails; the value is its word in messages."""

    STORE = "enclosure"
    SWITCH = "switch"
    BOX = "tray"
    DPU = "DPU"
    CONTAINER = "container"


@dataclass(frozen=True, slots=True)
class FailureClass:
    """Parts that fail alike: names of nodes or containers, equal in colour."""

    kind: FailureKind
    members: tuple[str, ...]

    @property
    def label(self) -> str:
        """Their names as ranges."""
        return compress_names(self.members)


def find_failure_classes(topology: Topology, sets: Iterable[WorkingSet]) -> tuple[FailureClass, ...]:
    """All parts that can fail as one, alike ones together: stores first, then switches, trays, DPUs, containers."""
    sets = tuple(sets)
    parts = _parts(topology, find_symmetry(topology, sets))
    groups: dict[Hashable, list[str]] = {}
    for name, key in _keys(topology, sets, parts).items():
        groups.setdefault((parts[name], key), []).append(name)
    found = (FailureClass(parts[names[0]], tuple(names)) for names in groups.values())
    order = list(FailureKind)
    return tuple(sorted(found, key=lambda each: order.index(each.kind)))


def ways_to_lose(topology: Topology, sets: Iterable[WorkingSet], members: Iterable[str]) -> tuple[str, ...]:
    """One of several parts for each way in which they differ: what may follow from losing any one of them."""
    keys = _keys(topology, tuple(sets), members)
    return tuple({key: name for name, key in reversed(keys.items())}.values())[::-1]


def _keys(topology: Topology, sets: tuple[WorkingSet, ...], names: Iterable[str]) -> dict[str, Hashable]:
    """What tells failures apart: the colour, and how many instances of each set would lose a GPU."""
    colours = find_colours(topology, sets)
    instance_of: dict[str, list[tuple[str, int]]] = {}
    for each in sets:
        for index, gpu in enumerate(each.gpus):
            instance_of.setdefault(gpu, []).append((each.name, index // each.entry.spec.tp))
    keys: dict[str, Hashable] = {}
    for name in names:
        hit = {instance for gpu in topology.members(name) for instance in instance_of.get(gpu, ())}
        keys[name] = (colours[name], frozenset(Counter(each for each, _ in hit).items()))
    return keys


def without(topology: Topology, lost: Iterable[str]) -> Topology:
    """The cluster without some nodes or containers and what they hold; its workload is still that of the whole.

    The chunk stays that of the whole cluster, so that demand is rounded alike.
    """
    lost = tuple(lost)
    nodes = {name: node for name, node in topology.nodes.items() if not _is_lost(name, lost)}
    return replace(
        topology,
        nodes=nodes,
        links=tuple(link for link in topology.links if link.a in nodes and link.b in nodes),
        containers={path: c for path, c in topology.containers.items() if not _is_lost(path, lost)},
        places={name: place for name, place in topology.places.items() if name in nodes},
        power=tuple(_powered(topology.power, lost)),
        chunk=topology.chunk or default_chunk(topology, resolve_demand(topology)),
    )


def with_readers(reduced: Topology, sets: Iterable[WorkingSet]) -> Topology:
    """A reduced cluster whose sets run on what is left of them; those of which nothing is left are left out."""
    entries = []
    for each in sets:
        gpus = surviving_readers(reduced, each)
        if gpus:
            spec = each.entry.spec.model_copy(update={"runs_on": ",".join(gpus)})
            entries.append(replace(each.entry, spec=spec))
    return replace(reduced, workload=WorkloadSpec(tuple(entries)))


def surviving_readers(reduced: Topology, each: WorkingSet) -> tuple[str, ...]:
    """GPUs of the instances of a set that have lost none: an instance that loses a GPU is lost whole."""
    ranks = each.entry.spec.tp
    instances = (each.gpus[first : first + ranks] for first in range(0, len(each.gpus), ranks))
    return tuple(gpu for gpus in instances if all(name in reduced.nodes for name in gpus) for gpu in gpus)


def _is_lost(name: str, lost: Iterable[str]) -> bool:
    return any(name == each or name.startswith(each + ".") for each in lost)


def _powered(limits: Iterable[PowerLimit], lost: tuple[str, ...]) -> Iterator[PowerLimit]:
    for limit in limits:
        members = tuple(name for name in limit.members if not _is_lost(name, lost))
        if members:
            yield replace(limit, members=members)


def _parts(topology: Topology, symmetry: Symmetry) -> Mapping[str, FailureKind]:
    """Everything that fails as one; a name has one kind."""
    found: dict[str, FailureKind] = {}
    for pool in symmetry.pools:
        found |= dict.fromkeys(pool.units, FailureKind.STORE)
    boxes = [box.path for group in symmetry.box_classes for box in group.boxes if box.path]
    for path in boxes:
        found.setdefault(path, FailureKind.BOX)
    inner = frozenset(found)
    for name, node in topology.nodes.items():
        if node.kind is NodeKind.SWITCH and not _inside(name, inner):
            found[name] = FailureKind.SWITCH
    for path in topology.containers:
        if path not in inner and not _inside(path, inner) and _holds(path, found):
            found[path] = FailureKind.CONTAINER
    return found | dict.fromkeys(_dpus(topology, inner, frozenset(boxes)), FailureKind.DPU)


def _dpus(topology: Topology, inner: frozenset[str], boxes: frozenset[str]) -> Iterator[str]:
    """DPUs and NICs of trays that have several, and those outside; the only one of a tray fails as the tray does."""
    beside: dict[str, list[str]] = {}
    for name, node in topology.nodes.items():
        if node.kind in (NodeKind.DPU, NodeKind.NIC):
            around = _inside(name, inner)
            if around in boxes or not around:
                beside.setdefault(around, []).append(name)
    for around, names in beside.items():
        if not around or len(names) > 1:
            yield from names


def _inside(name: str, paths: frozenset[str]) -> str:
    """The one of some containers that a name lies in; '' for none."""
    parts = name.split(".")
    around = (".".join(parts[:depth]) for depth in range(1, len(parts)))
    return next((path for path in around if path in paths), "")


def _holds(path: str, names: Iterable[str]) -> bool:
    return any(name.startswith(path + ".") for name in names)
