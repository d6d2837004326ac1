"""Loads of every chain on everything it uses: rooms, media, cables, DPUs, endurance, power."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from cmxverify.placement.model.chains import Chain
from cmxverify.placement.model.facts import FactBook
from cmxverify.placement.model.orbits import Loads, Orbit, OrbitKey, Orbits
from cmxverify.placement.model.power import Energy, base_power
from cmxverify.placement.model.resources import Resource, ResourceKind
from cmxverify.placement.model.stores import LocalStore, rank_copies
from cmxverify.placement.model.switching import Switching
from cmxverify.placement.model.symmetry import Pool, Symmetry, covers
from cmxverify.placement.model.weights import kv_room
from cmxverify.topology.model import Link, Place, Tier, Topology


def tally_resources(
    topology: Topology,
    symmetry: Symmetry,
    chains: Iterable[Chain],
    switching: Switching,
    facts: FactBook,
    energy: Energy,
    orbits: Orbits,
    *,
    chunk: Fraction,
) -> tuple[Resource, ...]:
    """All resources that some chain loads, with exact loads per unit of each column, and every power budget."""
    tally = _Tally(topology, symmetry, switching, facts, energy, orbits, chunk)
    for chain in chains:
        if chain.home is not None:
            tally.add(chain)
    tally.add_power_of_on()
    return tuple(tally.resources.values())


class Flow:
    """Bytes/s of one unit (a chunk of one home copy) of a chain."""

    def __init__(self, chain: Chain) -> None:
        part = chain.part
        reads = part.reads * part.working_set.object_bytes / (part.chunks * part.copies)
        self.near = reads * chain.served_near
        self.home = reads * (chain.served - chain.served_near)
        self.written = part.writes / part.chunks
        self.copy_written = part.writes / (part.chunks * part.copies) if chain.copy else Fraction(0)


class _Tally:
    def __init__(
        self,
        topology: Topology,
        symmetry: Symmetry,
        switching: Switching,
        facts: FactBook,
        energy: Energy,
        orbits: Orbits,
        chunk: Fraction,
    ) -> None:
        self.topology, self.switching, self.facts, self.chunk = topology, switching, facts, chunk
        self.energy, self.orbits, self.router = energy, orbits, orbits.router
        self.plan_to = topology.plan_to
        self.colours = symmetry.colours
        self.alike = Counter(symmetry.colours[name] for name in topology.places)
        self.limits_of: dict[str, list[int]] = {}
        self.resources: dict[tuple[object, ...], Resource] = {}
        self.links: dict[frozenset[str], Link] = {}
        for link in topology.links:
            self.links.setdefault(frozenset((link.a, link.b)), link)
        self.budgets = [self.budget(index) for index in range(len(topology.power))]

    def add(self, chain: Chain) -> None:
        """Add one chain's loads."""
        flow, part = Flow(chain), chain.part
        assert chain.home_leg is not None, chain.name
        home = chain.home if isinstance(chain.home, Pool) else None
        if home is not None:
            self.pool(chain, home, flow)
        elif isinstance(chain.home, LocalStore):
            self.local(chain, chain.home, self.chunk, flow.home, flow.written)
        self.network(chain, chain.home_leg.loads, flow.home, home)
        if chain.copy is not None and chain.copy_leg is not None:
            self.local(chain, chain.copy, self.chunk / part.copies, flow.near, flow.copy_written)
            self.network(chain, chain.copy_leg.loads, flow.near, None)
        if chain.writes is not None:
            self.network(chain, chain.writes, flow.written, home, writing=True)
        if chain.copy_writes is not None:
            self.network(chain, chain.copy_writes, flow.copy_written, None, writing=True)

    def pool(self, chain: Chain, pool: Pool, flow: Flow) -> None:
        place = pool.first
        self.pooled(ResourceKind.CAPACITY, pool, place.capacity, "usable").add(chain.name, self.chunk)
        if place.read is not None:
            self.pooled(ResourceKind.READ, pool, place.read * self.plan_to, "read").add(chain.name, flow.home)
        if place.write is not None:
            self.pooled(ResourceKind.WRITE, pool, place.write * self.plan_to, "write").add(chain.name, flow.written)
        if place.dwpd is not None:
            limit = place.dwpd * place.capacity
            self.pooled(ResourceKind.ENDURANCE, pool, limit, "dwpd").add(chain.name, flow.written)
        self.power(chain, place, flow.home + flow.written, place.node)

    def pooled(self, kind: ResourceKind, pool: Pool, one: Fraction, key: str) -> Resource:
        """A limit of a pool's units, each with all of its places."""
        found = self.resources.get((kind, pool.label))
        if found is None:
            label = f"{pool.label} {kind.value}"
            facts = self.facts.place(pool.first, key)
            members = tuple(place.node for place in pool.places)
            on = self.switching.all_on(pool)
            found = Resource(kind, label, one * pool.per_unit, {}, on, facts, members)
            self.resources[(kind, pool.label)] = found
        return found

    def local(self, chain: Chain, store: LocalStore, size: Fraction, read: Fraction, written: Fraction) -> None:
        """Loads on the places of boxes: all of a colour carry the same, so one of them stands for all."""
        by_colour: dict[int, list[str]] = {}
        shares = store.shares
        for name in shares:
            by_colour.setdefault(self.colours[name], []).append(name)
        for colour, names in by_colour.items():
            share = sum((shares[name] for name in names), Fraction(0)) / self.alike[colour]
            place = self.topology.places[names[0]]
            self.own(place, chain, size * share, read * share, written * share)
        if store.tier is Tier.G3:
            for name, share in shares.items():
                self.power(chain, store.first, (read + written) * share, name)

    def own(self, place: Place, chain: Chain, size: Fraction, read: Fraction, written: Fraction) -> None:
        """Loads on a place that belongs to boxes."""
        memory = place.tier in (Tier.G1, Tier.G2)
        held = size * (rank_copies(chain.part.working_set) if place.tier is Tier.G1 else 1)
        self.single(ResourceKind.CAPACITY, place, "kv" if memory else "usable").add(chain.name, held)
        if not memory:
            if place.read is not None:
                self.single(ResourceKind.READ, place, "read").add(chain.name, read)
            if place.write is not None:
                self.single(ResourceKind.WRITE, place, "write").add(chain.name, written)
            if place.dwpd is not None:
                self.single(ResourceKind.ENDURANCE, place, "dwpd").add(chain.name, written)

    def single(self, kind: ResourceKind, place: Place, key: str) -> Resource:
        """A limit of one place of a box, which stands for all of its colour."""
        colour = self.colours[place.node]
        found = self.resources.get((kind, colour))
        if found is None:
            members = tuple(name for name in self.topology.places if self.colours[name] == colour)
            label = f"{members[0]} {kind.value}"
            found = Resource(kind, label, self.limit(kind, place), {}, (), self.facts.place(place, key), members)
            self.resources[(kind, colour)] = found
        return found

    def limit(self, kind: ResourceKind, place: Place) -> Fraction:
        match kind:
            case ResourceKind.CAPACITY:
                return kv_room(self.topology, place, tuple(self.facts.sets.values()))
            case ResourceKind.ENDURANCE:
                return (place.dwpd or Fraction(0)) * place.capacity
            case _:
                rate = place.read if kind is ResourceKind.READ else place.write
                return (rate or Fraction(0)) * self.plan_to

    def network(self, chain: Chain, loads: Loads, rate: Fraction, home: Pool | None, *, writing: bool = False) -> None:
        """Loads on cables and DPUs; those of the home's own unit count per unit that is on."""
        if not rate:
            return
        for key, share in loads.shared.items():
            self.orbit(key, None, writing=writing, chain=chain, load=rate * share)
        for key, share in loads.own.items():
            used = self.orbit(key, home, writing=writing, chain=chain, load=rate * share)
            if used is not None:
                used.shown_times = 1 / share

    def orbit(
        self, key: OrbitKey, pool: Pool | None, *, writing: bool, chain: Chain, load: Fraction
    ) -> Resource | None:
        """Add a load to the cables or DPUs of an orbit; None for nodes that limit nothing."""
        orbit = self.orbits.by_key[key]
        is_cable = len(orbit.first) == 2
        if not is_cable and self.topology.nodes[orbit.first[0]].rate is None:
            return None
        used = self.cable(orbit, pool, writing=writing) if is_cable else self.dpu(orbit, pool, writing=writing)
        used.add(chain.name, load)
        return used

    def cable(self, orbit: Orbit, pool: Pool | None, *, writing: bool) -> Resource:
        key = (orbit.key, pool.units_label if pool else "")
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
        key = (orbit.key, pool.units_label if pool else "", writing)
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

    def power(self, chain: Chain, place: Place, rate: Fraction, where: str) -> None:
        """Activity of a place, or of another like it, under the budgets that cover it."""
        watts = rate * self.energy.joules_per_byte(place)
        for index in self.covering(where):
            self.budgets[index].add(chain.name, watts)

    def budget(self, index: int) -> Resource:
        limit = self.topology.power[index]
        rest = limit.budget_w - base_power(self.topology, limit)
        facts = self.facts.power(index, limit)
        label = f"{limit.name} power"
        found = Resource(ResourceKind.POWER, label, rest, {}, (), facts, limit.members)
        self.resources["power", index] = found
        return found

    def covering(self, node: str) -> list[int]:
        """Budgets that a node is under."""
        if node not in self.limits_of:
            limits = enumerate(self.topology.power)
            self.limits_of[node] = [i for i, limit in limits if covers(self.topology, limit.members, node)]
        return self.limits_of[node]

    def add_power_of_on(self) -> None:
        """Idle power of what is switched on."""
        for pool in self.switching.pools.values():
            for index in self.covering(pool.first.node):
                for name in self.switching.all_on(pool):
                    self.budgets[index].add(name, pool.first.idle_w * pool.per_unit)


def _network(pool: Pool, *, writing: bool) -> str:
    return f"{pool.units_label} network {'write' if writing else 'read'}"


def _kind(pool: Pool | None, otherwise: ResourceKind, *, writing: bool) -> ResourceKind:
    if pool is None:
        return otherwise
    return ResourceKind.WRITE if writing else ResourceKind.READ
