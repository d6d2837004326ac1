"""Which places are switched on, and for whom: ``on`` variables, ownership by tenants, failure domains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations

from cmxverify.placement.model.chains import Chain
from cmxverify.placement.model.resources import Resource
from cmxverify.placement.model.symmetry import Pool, unit_template
from cmxverify.placement.proof.program import Row, Sense, Variable
from cmxverify.topology.model import Topology
from cmxverify.workload.schema import SetEntry

_ALL_SUBSETS_UP_TO = 4
MEMBERS = "members of "
"""How the rows that count the units there are begin."""
NamedLoads = tuple[str, dict[str, Fraction], Fraction, tuple[str, ...]]


class Switching:
    """``on UNITS`` counts shared units that are on, ``on UNITS for TENANT`` those that a tenant owns alone.

    Pools whose places lie in the same enclosures have these variables in common.
    """

    def __init__(self, topology: Topology, chains: Iterable[Chain]) -> None:
        self.topology = topology
        self.pools: dict[str, Pool] = {}
        self.owner_of: dict[str, str] = {}
        self.isolation: dict[str, str] = {}
        owners: dict[str, dict[str, None]] = {}
        for chain in chains:
            if isinstance(chain.home, Pool):
                self.pools[chain.home.label] = chain.home
                owners.setdefault(chain.home.units_label, {})[chain.owner] = None
                self.owner_of[chain.name] = chain.owner
                if chain.owner:
                    self.isolation[chain.owner] = chain.part.working_set.isolation
        self._owners = {label: tuple(sorted(names)) for label, names in owners.items()}

    def owners(self, pool: Pool) -> tuple[str, ...]:
        """Who may have units of a pool on; '' stands for all who share."""
        return self._owners[pool.units_label]

    def all_on(self, pool: Pool) -> tuple[str, ...]:
        """The variables of all units of a pool that are on."""
        return tuple(on_name(pool, owner) for owner in self.owners(pool))

    def by_units(self) -> tuple[Pool, ...]:
        """One pool for each group of units."""
        return tuple({pool.units_label: pool for pool in reversed(self.pools.values())}.values())[::-1]

    def variables(self) -> list[Variable]:
        """Counts of switched-on units, and 0/1 for domains that a tenant owns whole."""
        found = [Variable(name, 0, pool.size) for pool in self.by_units() for name in self.all_on(pool)]
        return found + [Variable(flag, 0, 1) for flag in dict.fromkeys(flag for flag, _, _ in self._wide())]

    def rows(self) -> list[Row]:
        """No more on than there are; a domain owned alone has one owner."""
        found = []
        for pool in self.by_units():
            names = self.all_on(pool)
            if len(names) > 1:
                row = Row(f"{MEMBERS}{pool.units_label}", dict.fromkeys(names, 1), Sense.AT_MOST, pool.size)
                found.append(row)
        return found + list(self._domain_rows())

    def split(self, resource: Resource, *, explain: bool) -> Iterator[NamedLoads]:
        """Rows of one resource: for a pool one for each owner, since none may use another's members.

        With ``explain``, one for each set of tenants whose isolation is kept: the others then share.
        """
        if not resource.per_on:
            yield resource.label, dict(resource.loads), resource.limit, resource.facts
            return
        owners = sorted({self.owner_of[column] for column in resource.loads} | self._on_owners(resource))
        tenants = [owner for owner in owners if owner]
        for kept in self._kept(tenants, explain=explain):
            sharing = [owner for owner in owners if owner not in kept]
            facts = (*resource.facts, *(f"iso:{tenant}" for tenant in kept))
            yield self._share(resource, sharing, facts)
        for tenant in tenants:
            yield self._share(resource, [tenant], (*resource.facts, f"iso:{tenant}"))

    def domain(self, pool: Pool, entry: SetEntry) -> str:
        """Container that holds a whole pool as one failure domain; '' where each member is one of its own."""
        wanted = entry.spec.spread
        if wanted is None or wanted == unit_template(self.topology, pool):
            return ""
        for container in self.topology.ancestors(pool.first.node):
            if container.template == wanted:
                return container.path
        return ""

    def _on_owners(self, resource: Resource) -> set[str]:
        return {name.partition(" for ")[2] for name in resource.per_on}

    def _kept(self, tenants: list[str], *, explain: bool) -> list[tuple[str, ...]]:
        if not explain or not tenants:
            return [tuple(tenants)]
        if len(tenants) <= _ALL_SUBSETS_UP_TO:
            return [kept for size in range(len(tenants) + 1) for kept in combinations(tenants, size)]
        return [(), *((tenant,) for tenant in tenants), tuple(tenants)]

    def _share(self, resource: Resource, owners: list[str], facts: tuple[str, ...]) -> NamedLoads:
        loads = {c: load for c, load in resource.loads.items() if self.owner_of[c] in owners}
        for name in resource.per_on:
            if name.partition(" for ")[2] in owners:
                loads[name] = -resource.limit
        title = resource.label + (f" for {', '.join(owners)}" if owners != [""] else "")
        return title, loads, Fraction(0), facts

    def _wide(self) -> Iterator[tuple[str, str, list[Pool]]]:
        """Domains of isolation that are wider than one unit: flag, tenant, pools (one for each group of units)."""
        for tenant, template in self.isolation.items():
            domains: dict[str, list[Pool]] = {}
            for pool in self.by_units():
                if template != unit_template(self.topology, pool):
                    for container in self.topology.ancestors(pool.first.unit):
                        if container.template == template:
                            domains.setdefault(container.path, []).append(pool)
            for path, pools in domains.items():
                yield f"owns {tenant} {path}", tenant, pools

    def _domain_rows(self) -> Iterator[Row]:
        """A tenant uses a wide domain only if it owns it, and then nobody else has anything on in it."""
        for flag, tenant, pools in self._wide():
            for pool in pools:
                for owner in self.owners(pool):
                    name, fact = on_name(pool, owner), (f"iso:{tenant}",)
                    if owner == tenant:
                        yield Row(f"{flag} {name}", {name: 1, flag: -pool.size}, Sense.AT_MOST, 0, fact)
                    else:
                        yield Row(f"{flag} {name}", {name: 1, flag: pool.size}, Sense.AT_MOST, pool.size, fact)


def on_name(pool: Pool, owner: str) -> str:
    """Name of the variable that counts a pool's units that are on for an owner."""
    return f"on {pool.units_label}" + (f" for {owner}" if owner else "")
