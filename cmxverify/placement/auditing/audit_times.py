"""The auditor's restore times, hops and deliverable rates, from the raw graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction

from cmxverify.placement.auditing.audit_flows import Group, PlanError, is_within, readers, served
from cmxverify.placement.auditing.audit_network import Network, largest_flow
from cmxverify.topology.model import NodeKind, Place, Tier, Topology


class Times:
    """Seconds to bring one object back, slowest instance first; ways are measured once."""

    def __init__(self, topology: Topology, network: Network) -> None:
        self.topology, self.network = topology, network
        self._ways: dict[tuple[str, tuple[str, ...]], tuple[Fraction | None, Fraction]] = {}
        self._known: dict[Hashable, Fraction] = {}

    def home(self, group: Group) -> Fraction:
        """Slowest restore from the home of a group."""
        if group.shared:
            return max(self._slowest(group, {}, place) for place in group.shared)
        return self._from_boxes(group, group.home)

    def copy(self, group: Group) -> Fraction:
        """Slowest restore from the copies in the boxes."""
        return self._from_boxes(group, group.copy)

    def worst(self, group: Group) -> Fraction:
        """Slowest of the turns that find their KV."""
        if group.line.home is None:
            return Fraction(0)
        if not group.copy:
            return self.home(group)
        whole, near = served(group)
        return max(self.copy(group), self.home(group) if whole > near else Fraction(0))

    def mean(self, group: Group) -> Fraction:
        """Seconds a turn, each turn at the time of the slowest instance; 0 for turns that find nothing."""
        if group.line.home is None:
            return Fraction(0)
        whole, near = served(group)
        return (near * self.copy(group) if group.copy else 0) + (whole - near) * self.home(group)

    def _from_boxes(self, group: Group, places: Mapping[str, tuple[Place, ...]]) -> Fraction:
        return max(self._slowest(group, own) for own in _choices(places))

    def _slowest(self, group: Group, own: Mapping[str, Place], shared: Place | None = None) -> Fraction:
        """Slowest instance with a rank in the boxes, where the GPUs of each box read one place.

        It is the same for all bands of a set. Ranks in other boxes read the shared place, too, if there is one.
        """
        places = [place.node for place in ([shared] if shared else own.values())]
        key = (group.working_set.name, group.line.boxes, *places)
        if key not in self._known:
            box_of = {gpu: box for box, gpus in group.boxes.items() for gpu in gpus}
            slowest = Fraction(0)
            for receiving in readers(group.working_set):
                if box_of.keys().isdisjoint(receiving):
                    continue
                sources: dict[str, list[str]] = {}
                for gpu in receiving:
                    place = shared or (own[box_of[gpu]] if gpu in box_of else None)
                    if place is not None:
                        sources.setdefault(place.node, []).append(gpu)
                slowest = max(slowest, self._restore(group, sources, len(receiving)))
            self._known[key] = slowest
        return self._known[key]

    def _restore(self, group: Group, sources: Mapping[str, list[str]], parts: int) -> Fraction:
        places = [self.topology.places[name] for name in sources]
        first_byte = max(place.first_byte for place in places)
        if all(place.tier is Tier.G1 for place in places):
            return first_byte
        transfer = latency = Fraction(0)
        for place in places:
            gpus = sources[place.node]
            rate, delay = self._way(place, tuple(gpus))
            latency = max(latency, delay)
            if rate is not None:
                transfer = max(transfer, group.working_set.object_bytes * len(gpus) / parts / rate)
        return first_byte + latency + transfer / self.topology.plan_to

    def _way(self, place: Place, gpus: tuple[str, ...]) -> tuple[Fraction | None, Fraction]:
        """Bytes/s of one transfer to GPUs that share it evenly, and its latency."""
        key = (place.node, gpus)
        if key not in self._ways:
            rates = [rate for rate in (self.network.transfer_rate(*key), place.read) if rate is not None]
            latency = max(self.network.distance(place.node, gpu).latency for gpu in gpus)
            self._ways[key] = (min(rates, default=None), latency)
        return self._ways[key]


def _choices(places: Mapping[str, tuple[Place, ...]]) -> Iterator[dict[str, Place]]:
    """One place of each box, the first ones, then the second ones, and so on."""
    for index in range(max(len(own) for own in places.values())):
        yield {box: own[index % len(own)] for box, own in places.items()}


def pairs(group: Group) -> Iterator[tuple[Place, str]]:
    """Every place that the group uses with every GPU that reads it."""
    for place in group.shared:
        yield from ((place, gpu) for gpu in group.gpus)
    for places in (group.home, group.copy):
        for box, own in places.items():
            for place in own:
                users = (place.node,) if place.tier is Tier.G1 else group.boxes[box]
                yield from ((place, gpu) for gpu in users)


def hops(topology: Topology, network: Network, place: Place, gpu: str) -> int:
    """Hops in the metric of the topology's limit."""
    distance = network.distance(place.node, gpu)
    return int(getattr(distance, topology.hops.metric.value))


def refuse_unreachable(topology: Topology, network: Network, group: Group) -> None:
    """Raise ``PlanError`` if some GPU of a group cannot read a place that the group uses."""
    for place, gpu in pairs(group):
        box = topology.nodes[gpu].container
        if place.node != gpu and not network.joined(place.node, gpu):
            raise PlanError(f"{group.line.working_set} {group.line.band}: {gpu} cannot reach {place.node}")
        if place.scope is not None and not is_within(box, place.scope):
            raise PlanError(f"{group.line.working_set} {group.line.band}: {gpu} may not read {place.node}")


def joules_per_byte(topology: Topology, network: Network, place: Place) -> Fraction:
    """(full - idle) power over what the place can deliver: its medium, or what can leave its box."""
    out = _leaving(topology, network, place)
    rate = out if place.read is None else min(place.read, out)
    return (place.full_w - place.idle_w) / rate if rate else Fraction(0)


def _leaving(topology: Topology, network: Network, place: Place) -> Fraction:
    """Most bytes/s that can flow from a place out of its box; from a disk of a box, to the GPUs next to it."""
    box = topology.nodes[place.node].container
    inside = {name for name, node in topology.nodes.items() if node.container == box} if box else {place.node}
    is_local = place.tier is Tier.G3
    edges: dict[tuple[str, str], Fraction] = {}
    unbounded = sum((sum(rates, Fraction(0)) for name in inside for rates in network.rates[name].values()), Fraction(1))
    for name in inside:
        own = topology.nodes[name].rate
        edges[f"{name} in", f"{name} out"] = unbounded if own is None else own
        for other, rates in network.rates[name].items():
            receives = topology.nodes[other].kind is NodeKind.GPU if is_local else other not in inside
            end = "outside" if receives else f"{other} in" if other in inside else ""
            if end:
                key = (f"{name} out", end)
                edges[key] = sum(rates, edges.get(key, Fraction(0)))
    return largest_flow(edges, f"{place.node} in", "outside")
