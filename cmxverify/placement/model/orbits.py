"""Loads by orbit: cables and DPUs of one colour carry equal loads, so one of them stands for all.

Placement spreads every chunk evenly over the boxes of a class and the units of a pool. The partition into
colours is equitable and an even split looks at local structure only, hence all cables of one kind between two
colours carry the same load, and the route of one box's GPUs tells the load of every cable of its orbit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.placement.model.symmetry import Pool
from cmxverify.topology.model import Topology
from cmxverify.topology.routes import Cable, Edge, Route, Router

OrbitKey = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Orbit:
    """Interchangeable cables (two colours and a kind) or nodes (one colour), by name; the first stands for all."""

    key: OrbitKey
    members: tuple[tuple[str, ...], ...]

    @property
    def first(self) -> tuple[str, ...]:
        """The member that messages and facts name."""
        return self.members[0]


@dataclass(frozen=True, slots=True)
class Loads:
    """Share of a flow on each single cable and DPU of an orbit; ``own`` ones lie in or at one unit of a pool."""

    shared: Mapping[OrbitKey, Fraction]
    own: Mapping[OrbitKey, Fraction]


class Orbits:
    """All orbits of cable directions and of nodes."""

    def __init__(self, topology: Topology, colours: Mapping[str, int], router: Router) -> None:
        self.topology, self.colours, self.router = topology, colours, router
        self.kinds: dict[Cable, int] = {}
        members: dict[OrbitKey, list[tuple[str, ...]]] = {}
        for node, others in router.neighbours.items():
            members.setdefault(self.key((node,)), []).append((node,))
            for other in others:
                members.setdefault(self.key((node, other)), []).append((node, other))
        self.by_key = {key: Orbit(key, tuple(found)) for key, found in members.items()}
        self.touching: dict[str, dict[OrbitKey, int]] = {}

    def key(self, part: Edge | tuple[str, ...]) -> OrbitKey:
        """Key of a cable direction or node."""
        colours = tuple(self.colours[name] for name in part)
        if len(part) == 1:
            return colours
        # two nodes of a colour may be joined to another by thick and by thin cables
        cable = self.router.neighbours[part[0]][part[1]]
        return (*colours, self.kinds.setdefault(cable, len(self.kinds)))

    def loads(self, route: Route, pool: Pool | None) -> Loads:
        """Loads of a flow whose routes are those of ``route`` for every box of a class.

        Cables and DPUs in or at the pool's own units are ``own``: they carry what this one unit delivers, unless
        others' bytes pass there, too.
        """
        inside = frozenset(self.topology.members(pool.units[0])) if pool and not pool.is_passed else frozenset()
        own: dict[OrbitKey, Fraction] = {}
        shared: dict[OrbitKey, Fraction] = {}
        parts = [*route.edges.items(), *(((name,), share) for name, share in route.nodes.items())]
        for part, share in parts:
            target = shared if inside.isdisjoint(part) else own
            key = self.key(part)
            target[key] = target.get(key, Fraction(0)) + share
        counts = self.own_counts(pool, inside) if pool else {}
        return Loads(
            {key: share / len(self.by_key[key].members) for key, share in shared.items()},
            {key: share / counts[key] for key, share in own.items()},
        )

    def own_counts(self, pool: Pool, inside: frozenset[str]) -> Mapping[OrbitKey, int]:
        """Members of each orbit that lie in or at the pool's first unit."""
        if pool.units_label not in self.touching:
            counts: dict[OrbitKey, int] = {}
            for orbit in self.by_key.values():
                number = sum(not inside.isdisjoint(member) for member in orbit.members)
                if number:
                    counts[orbit.key] = number
            self.touching[pool.units_label] = counts
        return self.touching[pool.units_label]
