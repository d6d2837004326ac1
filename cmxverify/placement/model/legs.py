"""Reading and writing over the network: hops, restore time, and the load on cables and DPUs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.placement.model.orbits import Loads, Orbits
from cmxverify.placement.model.stores import Part, Store
from cmxverify.placement.model.symmetry import Pool
from cmxverify.topology.model import HopMetric, Hops, Place, Tier, Topology
from cmxverify.topology.routes import Route

_OneWay = Callable[[str, Iterable[str]], Route]


@dataclass(frozen=True, slots=True)
class Leg:
    """Reading from one store: seconds for one object, hops, and the load on each cable and DPU."""

    loads: Loads
    seconds: Fraction
    hops: Hops


class Legs:
    """Measures legs between the stores and the parts of a topology; each is measured once."""

    def __init__(self, topology: Topology, orbits: Orbits) -> None:
        self.topology, self.orbits, self.router = topology, orbits, orbits.router
        self._reads: dict[tuple[str, str, str], Leg | None] = {}
        self._writes: dict[tuple[str, str, str], Loads] = {}

    def reading(self, part: Part, store: Store) -> Leg | None:
        """Reading from a store; None where some GPU of the part cannot reach it."""
        key = (part.working_set.name, part.boxes.label, store.label)
        if key not in self._reads:
            self._reads[key] = self._measure(part, store)
        return self._reads[key]

    def writing(self, part: Part, home: Store) -> Loads:
        """Load of the part's new KV on its way to a home."""
        key = (part.working_set.name, part.boxes.label, home.label)
        if key not in self._writes:
            route = self._mean_route(part, home, self.router.write_route)
            self._writes[key] = self.orbits.loads(route, home if isinstance(home, Pool) else None)
        return self._writes[key]

    def writing_aside(self, part: Part, copy: Store, home: Store) -> Loads:
        """Load of filling a near copy: bytes pass on to the home anyway, so only on what leads aside from there."""
        used = self.writing(part, home)
        aside = {key: share for key, share in self.writing(part, copy).shared.items() if key not in used.shared}
        return Loads({key: share for key, share in aside.items() if key not in used.own}, {})

    def _measure(self, part: Part, store: Store) -> Leg | None:
        reached = (self.router.reaches(place.node, gpu) for place, gpus in _pairs(part, store) for gpu in gpus)
        if not all(reached):
            return None
        route = self._mean_route(part, store, self.router.read_route)
        loads = self.orbits.loads(route, store if isinstance(store, Pool) else None)
        return Leg(loads, self._seconds(part, store), route.hops)

    def _mean_route(self, part: Part, store: Store, one_way: _OneWay) -> Route:
        """The first box and one unit, or the box's own places, each place an even share; hops are the worst."""
        routes = [one_way(place.node, gpus) for place, gpus in _pairs(part, store)]
        if len(routes) == 1:
            return routes[0]
        edges: dict[tuple[str, str], Fraction] = {}
        nodes: dict[str, Fraction] = {}
        for route in routes:
            for edge, share in route.edges.items():
                edges[edge] = edges.get(edge, Fraction(0)) + share / len(routes)
            for node, share in route.nodes.items():
                nodes[node] = nodes.get(node, Fraction(0)) + share / len(routes)
        hops = Hops(*(max(route.hops.by(metric) for route in routes) for metric in HopMetric))
        return Route(edges, nodes, hops, max(route.latency for route in routes))

    def _seconds(self, part: Part, store: Store) -> Fraction:
        """Restore time: first byte, and the object over the slowest stage at ``plan_to``; the worst that occurs."""
        if store.first.tier is Tier.G1:
            return store.first.first_byte
        return max(
            self._stream(part, store, readers, index) for readers in part.reader_groups for index in _choices(store)
        )

    def _stream(self, part: Part, store: Store, readers: tuple[str, ...], index: int) -> Fraction:
        """One object from place ``index`` of a unit, or of each box of the class, to its readers."""
        by_source: dict[str, list[str]] = {}
        for gpu in readers:
            place = self._source(store, gpu, index)
            if place is not None:
                by_source.setdefault(place.node, []).append(gpu)
        slowest, latency = Fraction(0), Fraction(0)
        for source, gpus in by_source.items():
            route = self.router.read_route(source, gpus)
            limits = [rate for rate in (self.router.rate(route), store.first.read) if rate is not None]
            # each source delivers its part of the object, so its rate counts for that part only
            slowest = max(slowest, Fraction(len(gpus), len(readers)) / min(limits))
            latency = max(latency, route.latency)
        return store.first.first_byte + latency + part.working_set.object_bytes * slowest / self.topology.plan_to

    def _source(self, store: Store, gpu: str, index: int) -> Place | None:
        """The place that a GPU reads from; boxes of another class have stores of their own."""
        if isinstance(store, Pool):
            return store.places[index]
        places = store.places.get(self.topology.nodes[gpu].container)
        return places[index] if places else None


def _choices(store: Store) -> range:
    """Indexes of the places that may hold an object: of a pool's first unit, or of each box."""
    return range(len(store.one_unit) if isinstance(store, Pool) else min(map(len, store.places.values())))


def _pairs(part: Part, store: Store) -> Iterator[tuple[Place, tuple[str, ...]]]:
    """Each place that the first box reads, with its readers: a GPU's memory serves that GPU."""
    if isinstance(store, Pool):
        yield from ((place, part.own_gpus) for place in store.one_unit)
        return
    for place in store.places[part.boxes.boxes[0].path]:
        yield place, (place.node,) if place.tier is Tier.G1 else part.own_gpus
