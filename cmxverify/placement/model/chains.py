"""Where a chunk of a heat band may live: a home, with or without a copy near the GPUs that read it.

A chain is one column of the program: a copy in the box (G2, G3) over a home that is shared (G3.5, G4) or a
disk of the box (G3), or a home alone. Columns, not single places, are the unknowns, so write-through,
endurance and hot copies stay linear.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from cmxverify.placement.model.demand import WorkingSet
from cmxverify.placement.model.legs import Leg, Legs
from cmxverify.placement.model.orbits import Loads, Orbits
from cmxverify.placement.model.returns import share_served
from cmxverify.placement.model.stores import (
    VOLATILE,
    LocalStore,
    Part,
    Store,
    find_local_stores,
    is_nearer,
    tier_of,
)
from cmxverify.placement.model.symmetry import Pool, Symmetry, unit_template
from cmxverify.topology.model import Tier, Topology


@dataclass(frozen=True, slots=True)
class Chain:
    """A home (or None: recompute) and an optional copy over it, for one part; ``owner`` is the tenant if exclusive.

    ``served`` is the share of the turns that find their KV, ``served_near`` that of those that find the copy.
    """

    part: Part
    home: Store | None = None
    copy: LocalStore | None = None
    home_leg: Leg | None = None
    copy_leg: Leg | None = None
    writes: Loads | None = None
    copy_writes: Loads | None = None
    owner: str = ""
    served: Fraction = Fraction(0)
    served_near: Fraction = Fraction(0)

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
    def legs(self) -> tuple[Leg, ...]:
        """The ways that its turns read: from the copy, and from the home if some miss the copy."""
        home = self.home_leg if self.served > self.served_near or self.copy_leg is None else None
        return tuple(leg for leg in (self.copy_leg, home) if leg is not None)

    @property
    def worst_seconds(self) -> Fraction:
        """Restore time of the slowest turn that this chain serves."""
        return max((leg.seconds for leg in self.legs), default=Fraction(0))


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
    """Every chain of every part, judged by tiers, hop limit, restore limit, copies and isolation."""
    builder = _Builder(topology, symmetry, orbits)
    for working_set in sets:
        for part in _parts(working_set, symmetry, chunk):
            builder.add_part(part)
    return builder.table


def _parts(working_set: WorkingSet, symmetry: Symmetry, chunk: Fraction) -> Iterator[Part]:
    members = frozenset(working_set.gpus)
    for boxes in symmetry.box_classes:
        gpus = tuple(gpu for gpu in boxes.gpus if gpu in members)
        share = Fraction(len(gpus), len(working_set.gpus))
        for band in working_set.bands if gpus else ():
            size = band.objects * share * working_set.object_bytes
            yield Part(working_set, band, boxes, gpus, share, -int(-size // chunk))


class _Builder:
    def __init__(self, topology: Topology, symmetry: Symmetry, orbits: Orbits) -> None:
        self.topology, self.symmetry = topology, symmetry
        self.legs = Legs(topology, orbits)
        self.table = ChainTable()
        self.stores: dict[tuple[str, str], tuple[LocalStore, ...]] = {}

    def add_part(self, part: Part) -> None:
        spec = part.working_set.entry.spec
        self.table.parts.append(part)
        if spec.if_no_room == "recompute":
            self.table.allowed.append(Chain(part))
        near, homes = self.local_stores(part), list(self.homes(part))
        for home in homes:
            self.add(part, home, None)
            if spec.copy_mode == "through":
                for copy in near:
                    if copy.tier is not Tier.G1 and is_nearer(copy, home):
                        self.add(part, home, copy)
        if spec.copy_mode == "exclusive" or not any(_is_wanted(part, tier_of(home)) for home in homes):
            for store in near:
                if store.tier in VOLATILE:
                    self.add(part, store, None)

    def homes(self, part: Part) -> Iterator[Store]:
        """Shared pools, and disks of the part's own boxes."""
        yield from self.symmetry.pools
        yield from (store for store in self.local_stores(part) if store.tier not in VOLATILE)

    def local_stores(self, part: Part) -> tuple[LocalStore, ...]:
        """Memory and disks of the part's own boxes; the same for all bands of a set."""
        key = (part.working_set.name, part.boxes.label)
        if key not in self.stores:
            self.stores[key] = find_local_stores(self.symmetry, part)
        return self.stores[key]

    def add(self, part: Part, home: Store, copy: LocalStore | None) -> None:
        """Add a chain, to the rejected ones if a line rules it out; none where some GPU cannot reach it."""
        home_leg = self.legs.reading(part, home)
        copy_leg = self.legs.reading(part, copy) if copy else None
        if home_leg is None or (copy is not None and copy_leg is None):
            return
        served = share_served(part, home.first)
        chain = Chain(
            part=part,
            home=home,
            copy=copy,
            home_leg=home_leg,
            copy_leg=copy_leg,
            writes=self.legs.writing(part, home),
            copy_writes=self.legs.writing_aside(part, copy, home) if copy else None,
            owner=part.working_set.entry.tenant if part.working_set.isolation else "",
            served=served,
            served_near=min(served, share_served(part, copy.first)) if copy else Fraction(0),
        )
        verdict = self.judge(chain, home)
        if verdict is None:
            self.table.allowed.append(chain)
        else:
            self.table.rejected.append(Rejected(chain, *verdict))

    def judge(self, chain: Chain, home: Store) -> tuple[str, str] | None:
        """The first of the user's lines that rules a chain out: its fact, and the reason."""
        part, spec = chain.part, chain.part.working_set.entry.spec
        name = part.working_set.name
        for store in (home, chain.copy):
            if store is not None and not _is_wanted(part, tier_of(store)):
                allowed = ", ".join(spec.tiers or ()) or "all but G1"
                return f"tiers:{name}", f"tier {tier_of(store).value} is not among its tiers ({allowed})"
        if isinstance(home, LocalStore) and part.copies > 1:
            return f"copies:{name}", f"a box of its own cannot keep {part.copies} copies apart"
        template = part.working_set.isolation
        if isinstance(home, Pool) and template and not self.lies_in(home, template):
            return f"iso:{chain.owner}", f"it lies in no '{template}' that {chain.owner} could own"
        return self.too_far(chain) or self.too_slow(chain)

    def too_far(self, chain: Chain) -> tuple[str, str] | None:
        limit = self.topology.hops
        hops = max(leg.hops.by(limit.metric) for leg in (chain.home_leg, chain.copy_leg) if leg is not None)
        if limit.maximum is None or hops <= limit.maximum:
            return None
        return "hops", f"{limit.metric.count(hops)} away, the limit is {limit.maximum}"

    def too_slow(self, chain: Chain) -> tuple[str, str] | None:
        limit = chain.part.working_set.entry.spec.restore
        if limit is None or chain.worst_seconds <= limit:
            return None
        taken, allowed = float(chain.worst_seconds * 1000), float(limit * 1000)
        name = chain.part.working_set.name
        return f"restore:{name}", f"restoring takes {taken:,.1f} ms, the limit is {allowed:g} ms"

    def lies_in(self, pool: Pool, template: str) -> bool:
        """Whether the pool's units are instances of a template, or lie in one."""
        around = {container.template for container in self.topology.ancestors(pool.first.node)}
        return template in around or template == unit_template(self.topology, pool)


def home_tier(chain: Chain) -> Tier:
    """Tier of a chain's home."""
    assert chain.home is not None, chain.name
    return tier_of(chain.home)


def _is_wanted(part: Part, tier: Tier) -> bool:
    """Whether the set's ``tiers`` allow it; HBM only when named, for decoding needs it."""
    tiers = part.working_set.entry.spec.tiers
    return tier is not Tier.G1 if tiers is None else tier.value in tiers
