"""Where a chunk of a heat band may live: a home, with or without a copy near the GPUs that read it.

A chain is one column of the program: a copy in the box (G2, G3) over a home that is shared (G3.5, G4) or a
disk of the box (G3), or a home alone. Columns, not single places, are the unknowns, so write-through,
endurance and hot copies stay linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from cmxverify.placement.demand import HeatBand, WorkingSet
from cmxverify.placement.orbits import Loads, Orbits
from cmxverify.placement.symmetry import Box, BoxClass, Pool, Symmetry
from cmxverify.topology.hostlist import compress_names
from cmxverify.topology.model import Hops, Place, Tier, Topology
from cmxverify.topology.routes import Route, Router

_NEAR_FIRST = (Tier.G1, Tier.G2, Tier.G3)
_VOLATILE = (Tier.G1, Tier.G2)


@dataclass(frozen=True, slots=True)
class LocalStore:
    """The places of one tier in every box of a class, filled evenly."""

    tier: Tier
    boxes: BoxClass
    places: Mapping[str, tuple[Place, ...]]
    label: str
    """Names of the places as ranges; unique."""


@dataclass(frozen=True, slots=True)
class Part:
    """A heat band on one class of boxes: its share of the band's objects and traffic.

    ``chunks`` is the demand in whole chunks, rounded up; reads per second, writes in bytes/s of one copy.
    """

    working_set: WorkingSet
    band: HeatBand
    boxes: BoxClass
    gpus: tuple[str, ...]
    share: Fraction
    chunks: int

    @property
    def name(self) -> str:
        """``tenant/name band @ boxes``; unique."""
        return f"{self.working_set.name} {self.band.name} @ {self.boxes.label}"

    @property
    def reads(self) -> Fraction:
        """Turns per second."""
        return self.band.reads * self.share

    @property
    def writes(self) -> Fraction:
        """Bytes/s of new KV, for one copy."""
        return self.band.writes * self.share


@dataclass(frozen=True, slots=True)
class Leg:
    """Reading from one source: seconds for one object, hops, and the load on each cable and DPU."""

    loads: Loads
    seconds: Fraction
    hops: Hops


@dataclass(frozen=True, slots=True)
class Chain:
    """A home (or None: recompute) and an optional copy over it, for one part; ``owner`` is the tenant if exclusive."""

    part: Part
    home: Pool | LocalStore | None
    copy: LocalStore | None
    home_leg: Leg | None
    copy_leg: Leg | None
    writes: Loads | None
    owner: str
    served_near: Fraction
    """Share of the turns that find the near copy: those that return to their box."""

    @property
    def name(self) -> str:
        """Unique name of the column."""
        if self.home is None:
            return f"{self.part.name} -> recompute"
        near = f"{self.copy.label} over " if self.copy else ""
        return f"{self.part.name} -> {near}{self.home.label}"

    @property
    def home_label(self) -> str:
        """Names of the home's places."""
        return self.home.label if self.home is not None else "nothing"

    @property
    def worst_seconds(self) -> Fraction:
        """Restore time of the slowest turn that this chain serves."""
        legs = [self.copy_leg] if self.copy_leg else []
        far = self.served_near < 1 and isinstance(self.home, Pool)
        if self.home_leg and (self.copy_leg is None or far):
            legs.append(self.home_leg)
        return max((leg.seconds for leg in legs), default=Fraction(0))


@dataclass(frozen=True, slots=True)
class Rejected:
    """A chain that a user's line rules out; ``fact`` names the line, ``reason`` says it with numbers."""

    chain: Chain
    fact: str
    reason: str


@dataclass
class ChainTable:
    """All chains of all parts: allowed, and rejected with the reason for each."""

    parts: list[Part] = field(default_factory=list)
    allowed: list[Chain] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)


def build_chains(
    topology: Topology, sets: tuple[WorkingSet, ...], symmetry: Symmetry, orbits: Orbits, *, chunk: Fraction
) -> ChainTable:
    """Every chain of every part, judged by tiers, hop limit, restore limit and isolation."""
    builder = _Builder(topology, symmetry, orbits, chunk)
    for working_set in sets:
        builder.add_set(working_set)
    return builder.table


class _Builder:
    def __init__(self, topology: Topology, symmetry: Symmetry, orbits: Orbits, chunk: Fraction) -> None:
        self.topology, self.symmetry, self.chunk = topology, symmetry, chunk
        self.orbits, self.router = orbits, orbits.router
        self.table = ChainTable()
        self.legs: dict[tuple[str, str, str], Leg | None] = {}
        self.writes: dict[tuple[str, str, str], Loads] = {}
        self.stores: dict[tuple[str, str], list[LocalStore]] = {}

    def add_set(self, working_set: WorkingSet) -> None:
        members = frozenset(working_set.gpus)
        for boxes in self.symmetry.box_classes:
            gpus = tuple(gpu for gpu in boxes.gpus if gpu in members)
            if not gpus:
                continue
            share = Fraction(len(gpus), len(working_set.gpus))
            for band in working_set.bands:
                size = band.objects * share * working_set.object_bytes
                part = Part(working_set, band, boxes, gpus, share, -int(-size // self.chunk))
                self.table.parts.append(part)
                self.add_chains(part)

    def add_chains(self, part: Part) -> None:
        spec = part.working_set.entry.spec
        if spec.if_no_room == "recompute":
            self.table.allowed.append(Chain(part, None, None, None, None, None, "", Fraction(0)))
        homes = list(self.homes(part))
        near = [store for store in self.local_stores(part) if self.wanted(part, store.tier)]
        alone = spec.copy_mode == "exclusive" or not any(self.wanted(part, _tier(home)) for home in homes)
        for home in homes:
            copies: list[LocalStore | None] = [None]
            if spec.copy_mode == "through":
                copies += [s for s in near if s is not home and _nearer(s, home) and s.tier is not Tier.G1]
            for copy in copies:
                self.add(part, home, copy)
        if alone and spec.copies == 1:
            for store in near:
                if store.tier in _VOLATILE:
                    self.add(part, store, None)

    def homes(self, part: Part) -> Iterator[Pool | LocalStore]:
        """Shared pools that the part's GPUs reach, and disks of their own boxes."""
        for pool in self.symmetry.pools:
            if all(self.router.reaches(pool.first.node, gpu) for gpu in part.gpus[:1]):
                yield pool
        if part.working_set.entry.spec.copies == 1:
            yield from (store for store in self.local_stores(part) if store.tier not in _VOLATILE)

    def local_stores(self, part: Part) -> list[LocalStore]:
        """Memory and disks of the part's own boxes, by tier."""
        key = (part.working_set.name, part.boxes.label)
        if key not in self.stores:
            self.stores[key] = self.find_local_stores(part)
        return self.stores[key]

    def find_local_stores(self, part: Part) -> list[LocalStore]:
        found = []
        for tier in _NEAR_FIRST:
            places = {box.path: self.own_places(box, tier, part) for box in part.boxes.boxes}
            if all(places.values()):
                label = compress_names(place.node for group in places.values() for place in group)
                found.append(LocalStore(tier, part.boxes, places, label))
        return found

    def own_places(self, box: Box, tier: Tier, part: Part) -> tuple[Place, ...]:
        places = [p for p in self.symmetry.local.get(box.path, ()) if p.tier is tier]
        if tier is Tier.G1:
            mine = frozenset(part.gpus)
            places = [p for p in places if p.node in mine]
        return tuple(places)

    def wanted(self, part: Part, tier: Tier) -> bool:
        """Whether the set's ``tiers`` allow it; HBM only when named, for decoding needs it."""
        tiers = part.working_set.entry.spec.tiers
        return tier is not Tier.G1 if tiers is None else tier.value in tiers

    def add(self, part: Part, home: Pool | LocalStore, copy: LocalStore | None) -> None:
        home_leg = self.leg(part, home)
        copy_leg = self.leg(part, copy) if copy else None
        if home_leg is None or (copy is not None and copy_leg is None):
            return
        local = copy is not None or isinstance(home, LocalStore)
        chain = Chain(
            part=part,
            home=home,
            copy=copy,
            home_leg=home_leg,
            copy_leg=copy_leg,
            writes=self.write_loads(part, home),
            owner=part.working_set.entry.tenant if part.working_set.isolation else "",
            served_near=self.sticky(part) if local else Fraction(0),
        )
        verdict = self.judge(chain)
        if verdict is None:
            self.table.allowed.append(chain)
        else:
            self.table.rejected.append(Rejected(chain, *verdict))

    def judge(self, chain: Chain) -> tuple[str, str] | None:
        """The first of the user's lines that rules a chain out."""
        name = chain.part.working_set.name
        spec = chain.part.working_set.entry.spec
        assert chain.home is not None
        assert chain.home_leg is not None
        for store in (chain.home, chain.copy):
            if store is not None and not self.wanted(chain.part, _tier(store)):
                allowed = ", ".join(spec.tiers or ()) or "all but G1"
                return f"tiers:{name}", f"tier {_tier(store).value} is not among its tiers ({allowed})"
        limit = self.topology.hops
        hops = chain.home_leg.hops.by(limit.metric)
        if limit.maximum is not None and hops > limit.maximum:
            return "hops", f"{limit.metric.count(hops)} away, the limit is {limit.maximum}"
        if spec.restore is not None and chain.worst_seconds > spec.restore:
            taken, allowed = float(chain.worst_seconds * 1000), float(spec.restore * 1000)
            return f"restore:{name}", f"restoring takes {taken:.1f} ms, the limit is {allowed:g} ms"
        return None

    def sticky(self, part: Part) -> Fraction:
        """Share of the turns that return to the box where their copy is."""
        wanted = part.working_set.entry.spec.sticky
        if isinstance(wanted, Fraction):
            return wanted
        boxes = {self.topology.nodes[gpu].container for gpu in part.working_set.gpus}
        if wanted == "tray":
            return Fraction(1)
        if wanted == "rack":
            parent = part.boxes.boxes[0].path.rpartition(".")[0]
            boxes = {box for box in boxes if box.rpartition(".")[0] == parent}
        return Fraction(1, len(boxes))

    def leg(self, part: Part, store: Pool | LocalStore) -> Leg | None:
        """Reading from a store; None where some GPU of the part cannot reach it."""
        key = (part.working_set.name, part.boxes.label, store.label)
        if key not in self.legs:
            self.legs[key] = self.measure(part, store)
        return self.legs[key]

    def measure(self, part: Part, store: Pool | LocalStore) -> Leg | None:
        first = part.boxes.boxes[0]
        gpus = _own_gpus(part, first)
        if isinstance(store, Pool):
            if not all(self.router.reaches(store.first.node, gpu) for gpu in gpus):
                return None
            route = self.router.read_route(store.first.node, gpus)
        else:
            if not all(self.router.reaches(place.node, gpu) for place, gpu in _pairs(store, first, part)):
                return None
            route = _local_route(self.router, store, part)
        pool = store if isinstance(store, Pool) else None
        return Leg(self.orbits.loads(route, pool), self.seconds(part, store, first), route.hops)

    def seconds(self, part: Part, store: Pool | LocalStore, first: Box) -> Fraction:
        """Restore time: first byte, and the object over the slowest stage at ``plan_to``; worst over instances."""
        return max(self.stream(store, readers, part) for readers in _reader_groups(part, first))

    def stream(self, store: Pool | LocalStore, readers: tuple[str, ...], part: Part) -> Fraction:
        place = store.first if isinstance(store, Pool) else next(iter(store.places.values()))[0]
        if place.tier is Tier.G1:
            return place.first_byte
        sources = {gpu: self.source(store, gpu) for gpu in readers if gpu in part.gpus}
        routes = [(source, [g for g in sources if sources[g] == source]) for source in dict.fromkeys(sources.values())]
        slowest: list[Fraction] = []
        for source, gpus in routes:
            route = self.router.read_route(source, gpus)
            limits = [rate for rate in (self.router.rate(route), place.read) if rate is not None]
            # each source delivers its part of the object, so its rate counts for that part only
            slowest.append(Fraction(len(gpus), len(readers)) / min(limits))
        latency = max(self.router.read_route(source, gpus).latency for source, gpus in routes)
        transfer = part.working_set.object_bytes * max(slowest) / self.topology.plan_to
        return place.first_byte + latency + transfer

    def source(self, store: Pool | LocalStore, gpu: str) -> str:
        """The place of a store that a GPU reads from."""
        if isinstance(store, Pool):
            return store.first.node
        return store.places[self.topology.nodes[gpu].container][0].node

    def write_loads(self, part: Part, home: Pool | LocalStore) -> Loads:
        """Load of new KV of the part on its way to a home."""
        key = (part.working_set.name, part.boxes.label, home.label)
        if key not in self.writes:
            self.writes[key] = self.measure_writes(part, home)
        return self.writes[key]

    def measure_writes(self, part: Part, home: Pool | LocalStore) -> Loads:
        if isinstance(home, Pool):
            route = self.router.write_route(home.first.node, _own_gpus(part, part.boxes.boxes[0]))
            return self.orbits.loads(route, home)
        read = _local_route(self.router, home, part)
        back = {(b, a): share for (a, b), share in read.edges.items()}
        return self.orbits.loads(Route(back, read.nodes, read.hops, read.latency), None)


def _own_gpus(part: Part, box: Box) -> tuple[str, ...]:
    mine = frozenset(part.gpus)
    return tuple(gpu for gpu in box.gpus if gpu in mine)


def home_tier(chain: Chain) -> Tier:
    """Tier of a chain's home."""
    assert chain.home is not None, chain.name
    return _tier(chain.home)


def _tier(store: Pool | LocalStore) -> Tier:
    return store.first.tier if isinstance(store, Pool) else store.tier


def _nearer(copy: LocalStore, home: Pool | LocalStore) -> bool:
    order = list(Tier)
    return order.index(copy.tier) < order.index(_tier(home))


def _pairs(store: LocalStore, box: Box, part: Part) -> Iterator[tuple[Place, str]]:
    mine = frozenset(part.gpus)
    for place in store.places[box.path]:
        for gpu in box.gpus:
            if gpu in mine and (place.tier is not Tier.G1 or place.node == gpu):
                yield place, gpu


def _local_route(router: Router, store: LocalStore, part: Part) -> Route:
    """The first box reads from its own places, each GPU from each place alike; other boxes do the same."""
    pairs = list(_pairs(store, part.boxes.boxes[0], part))
    edges: dict[tuple[str, str], Fraction] = {}
    nodes: dict[str, Fraction] = {}
    route = Route({}, {}, Hops(0, 0, 0), Fraction(0))
    for place, gpu in pairs:
        route = router.read_route(place.node, (gpu,))
        for edge, share in route.edges.items():
            edges[edge] = edges.get(edge, Fraction(0)) + share / len(pairs)
        for node, share in route.nodes.items():
            nodes[node] = nodes.get(node, Fraction(0)) + share / len(pairs)
    return Route(edges, nodes, route.hops, route.latency)


def _reader_groups(part: Part, first: Box) -> Iterator[tuple[str, ...]]:
    """GPU groups that one object goes to; the first box's stand for all, but groups across boxes are all seen."""
    mine, seen = frozenset(part.gpus), frozenset(first.gpus)
    box_of = {gpu: box.path for box in part.boxes.boxes for gpu in box.gpus}
    for instance in range(part.working_set.instances):
        readers = part.working_set.readers(instance)
        spanning = len({box_of.get(gpu) for gpu in readers}) > 1
        if not mine.isdisjoint(readers) and (spanning or not seen.isdisjoint(readers)):
            yield readers
