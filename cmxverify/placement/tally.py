"""Loads of every chain on everything it uses: rooms, media, cables, DPUs, endurance, power."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from cmxverify.placement.chains import Chain, LocalStore
from cmxverify.placement.facts import FactBook
from cmxverify.placement.orbits import Loads, Orbit, OrbitKey, Orbits
from cmxverify.placement.power import Energy, base_power
from cmxverify.placement.resources import Resource, ResourceKind
from cmxverify.placement.switching import Switching
from cmxverify.placement.symmetry import Pool, covers
from cmxverify.placement.weights import kv_room
from cmxverify.topology.model import Link, Place, Tier, Topology
from cmxverify.topology.routes import Router


def tally_resources(
    topology: Topology,
    chains: Iterable[Chain],
    switching: Switching,
    facts: FactBook,
    energy: Energy,
    orbits: Orbits,
    *,
    chunk: Fraction,
) -> tuple[Resource, ...]:
    """All resources that some chain loads, with exact loads per unit of each column."""
    tally = _Tally(topology, switching, facts, energy, orbits, chunk)
    for chain in chains:
        if chain.home is not None:
            tally.add(chain)
    tally.add_power_of_on()
    return tuple(tally.resources.values())


class Flow:
    """Bytes/s of one unit (a chunk of one home copy) of a chain."""

    def __init__(self, chain: Chain) -> None:
        part = chain.part
        copies = part.working_set.entry.spec.copies
        reads = part.reads * part.working_set.object_bytes / (part.chunks * copies)
        self.near = reads * chain.served_near if chain.copy else Fraction(0)
        # a home in the box, too, serves only the turns that return to the box
        reached = reads * chain.served_near if isinstance(chain.home, LocalStore) else reads
        self.home = reached - self.near
        self.written = part.writes / part.chunks
        self.copy_written = part.writes / (part.chunks * copies) if chain.copy else Fraction(0)


class _Tally:
    def __init__(
        self,
        topology: Topology,
        switching: Switching,
        facts: FactBook,
        energy: Energy,
        orbits: Orbits,
        chunk: Fraction,
    ) -> None:
        self.topology, self.switching, self.facts, self.chunk = topology, switching, facts, chunk
        self.energy, self.orbits, self.router = energy, orbits, orbits.router
        self.plan_to = topology.plan_to
        self.resources: dict[tuple[object, ...], Resource] = {}
        self.links: dict[frozenset[str], Link] = {}
        for link in topology.links:
            self.links.setdefault(frozenset((link.a, link.b)), link)

    def add(self, chain: Chain) -> None:
        """Add one chain's loads."""
        flow = Flow(chain)
        copies = chain.part.working_set.entry.spec.copies
        if isinstance(chain.home, Pool):
            self.pool(chain, chain.home, flow)
        elif chain.home is not None:
            self.local(chain, chain.home, self.chunk, flow.home, flow.written)
        if chain.copy is not None:
            self.local(chain, chain.copy, self.chunk / copies, flow.near, flow.copy_written)
        home = chain.home if isinstance(chain.home, Pool) else None
        assert chain.home_leg is not None
        self.network(chain, chain.home_leg.loads, flow.home, home)
        if chain.copy_leg is not None:
            self.network(chain, chain.copy_leg.loads, flow.near, None)
        if chain.writes is not None:
            self.network(chain, chain.writes, flow.written, home, writing=True)

    def pool(self, chain: Chain, pool: Pool, flow: Flow) -> None:
        place, on = pool.first, self.switching.all_on(pool)
        self.pooled(ResourceKind.CAPACITY, pool, place.capacity, "usable", on).add(chain.name, self.chunk)
        if place.read is not None:
            self.pooled(ResourceKind.READ, pool, place.read * self.plan_to, "read", on).add(chain.name, flow.home)
        if place.write is not None:
            self.pooled(ResourceKind.WRITE, pool, place.write * self.plan_to, "write", on).add(chain.name, flow.written)
        if place.dwpd is not None:
            limit = place.dwpd * place.capacity
            self.pooled(ResourceKind.ENDURANCE, pool, limit, "dwpd", on).add(chain.name, flow.written)
        self.power(chain, place, flow.home + flow.written)

    def pooled(self, kind: ResourceKind, pool: Pool, limit: Fraction, key: str, on: tuple[str, ...]) -> Resource:
        found = self.resources.get((kind, pool.label))
        if found is None:
            label = f"{pool.label} {kind.value}"
            members = tuple(place.node for place in pool.places)
            found = Resource(kind, label, limit, {}, on, self.facts.place(pool.first, key), members)
            self.resources[(kind, pool.label)] = found
        return found

    def local(self, chain: Chain, store: LocalStore, size: Fraction, read: Fraction, written: Fraction) -> None:
        """Loads on the places of the first box, which stands for its class; a place may serve several boxes."""
        boxes = store.places.values()
        for place in store.places[store.boxes.boxes[0].path]:
            share = sum((Fraction(1, len(places)) for places in boxes if place in places), Fraction(0)) / len(boxes)
            self.own(place, chain, size * share, read * share, written * share)

    def own(self, place: Place, chain: Chain, size: Fraction, read: Fraction, written: Fraction) -> None:
        """Loads on a place that belongs to a box."""
        key = "kv" if place.tier in (Tier.G1, Tier.G2) else "usable"
        room = kv_room(self.topology, place, tuple(self.facts.sets.values()))
        self.single(ResourceKind.CAPACITY, place, room, key).add(chain.name, size)
        if place.tier is Tier.G3:
            if place.read is not None:
                self.single(ResourceKind.READ, place, place.read * self.plan_to, "read").add(chain.name, read)
            if place.write is not None:
                self.single(ResourceKind.WRITE, place, place.write * self.plan_to, "write").add(chain.name, written)
            if place.dwpd is not None:
                limit = place.dwpd * place.capacity
                self.single(ResourceKind.ENDURANCE, place, limit, "dwpd").add(chain.name, written)
            self.power(chain, place, read + written)

    def single(self, kind: ResourceKind, place: Place, limit: Fraction, key: str) -> Resource:
        found = self.resources.get((kind, place.node))
        if found is None:
            label = f"{place.node} {kind.value}"
            found = Resource(kind, label, limit, {}, (), self.facts.place(place, key), (place.node,))
            self.resources[(kind, place.node)] = found
        return found

    def network(self, chain: Chain, loads: Loads, rate: Fraction, home: Pool | None, *, writing: bool = False) -> None:
        """Loads on cables and DPUs; those of the home's own box count per member that is on."""
        if not rate:
            return
        for key, share in loads.shared.items():
            self.orbit(key, None, writing=writing, chain=chain, load=rate * share)
        for key, share in loads.own.items():
            used = self.orbit(key, home, writing=writing, chain=chain, load=rate * share)
            if used is not None:
                used.shown_times = 1 / share

    def orbit(self, key: OrbitKey, pool: Pool | None, *, writing: bool, chain: Chain, load: Fraction) -> Resource | None:
        """Add a load to one cable direction (two colours) or DPU (one colour) of an orbit."""
        orbit = self.orbits.by_key[key]
        if len(key) == 1 and self.topology.nodes[orbit.first[0]].rate is None:
            return None
        used = self.cable(orbit, pool, writing=writing) if len(key) == 2 else self.dpu(orbit, pool, writing=writing)
        used.add(chain.name, load)
        return used

    def cable(self, orbit: Orbit, pool: Pool | None, *, writing: bool) -> Resource:
        key = (orbit.key, pool.label if pool else "")
        if key not in self.resources:
            start, end = orbit.first
            facts = self.facts.link(self.links[frozenset((start, end))])
            limit = self.router.capacity((start, end)) * self.plan_to
            label = _network(pool, writing=writing) if pool else f"{start} to {end}"
            kind = _kind(pool, ResourceKind.LINK, writing=writing)
            members = tuple(f"{a} to {b}" for a, b in orbit.members)
            self.resources[key] = Resource(kind, label, limit, {}, self.on(pool), facts, members)
        return self.resources[key]

    def dpu(self, orbit: Orbit, pool: Pool | None, *, writing: bool) -> Resource:
        """DPUs are full duplex: reads and writes pass in opposite directions, each with the full rate."""
        name = orbit.first[0]
        node = self.topology.nodes[name]
        key = (orbit.key, pool.label if pool else "", writing)
        if key not in self.resources:
            assert node.rate is not None, name
            label = _network(pool, writing=writing) if pool else name + (" writes" if writing else "")
            kind = _kind(pool, ResourceKind.DPU, writing=writing)
            members = tuple(member[0] for member in orbit.members)
            limit = node.rate * self.plan_to
            self.resources[key] = Resource(kind, label, limit, {}, self.on(pool), self.facts.dpu(node), members)
        return self.resources[key]

    def on(self, pool: Pool | None) -> tuple[str, ...]:
        return self.switching.all_on(pool) if pool else ()

    def power(self, chain: Chain, place: Place, rate: Fraction) -> None:
        watts = rate * self.energy.joules_per_byte(place)
        for resource in self.budgets(place):
            resource.add(chain.name, watts)

    def budgets(self, place: Place) -> list[Resource]:
        found = []
        for index, limit in enumerate(self.topology.power):
            if covers(self.topology, limit.members, place.node):
                key = ("power", index)
                if key not in self.resources:
                    rest = limit.budget_w - base_power(self.topology, limit)
                    facts = self.facts.power(index, limit)
                    self.resources[key] = Resource(
                        ResourceKind.POWER, f"{limit.name} power", rest, {}, (), facts, limit.members
                    )
                found.append(self.resources[key])
        return found

    def add_power_of_on(self) -> None:
        """Idle power of what is switched on."""
        for pool in self.switching.pools.values():
            for resource in self.budgets(pool.first):
                for name in self.switching.all_on(pool):
                    resource.add(name, pool.first.idle_w)


def _network(pool: Pool, *, writing: bool) -> str:
    return f"{pool.label} network {'write' if writing else 'read'}"


def _kind(pool: Pool | None, otherwise: ResourceKind, *, writing: bool) -> ResourceKind:
    if pool is None:
        return otherwise
    return ResourceKind.WRITE if writing else ResourceKind.READ
