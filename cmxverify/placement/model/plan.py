"""A plan as people read it: who lives where, which enclosures are on, what is used of each limit. All exact."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.placement.model.chains import Chain, home_tier
from cmxverify.placement.model.compile import PlacementModel
from cmxverify.placement.model.demand import WorkingSet
from cmxverify.placement.model.objectives import late_turns, restore_seconds
from cmxverify.placement.model.power import Energy
from cmxverify.placement.model.resources import Resource, ResourceKind
from cmxverify.placement.model.stores import Store, rank_copies, tier_of
from cmxverify.placement.model.switching import on_name
from cmxverify.placement.model.symmetry import is_shared, unit_template
from cmxverify.placement.model.tally import Flow
from cmxverify.placement.model.weights import kv_room
from cmxverify.topology.hostlist import compress_names
from cmxverify.topology.model import Tier

Values = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Assignment:
    """``chunks`` of a band go to a chain, spread evenly over its boxes and over what is on of its pool."""

    working_set: str
    band: str
    boxes: str
    copy: str | None
    home: str | None
    owner: str
    chunks: int


@dataclass(frozen=True, slots=True)
class Opened:
    """Units of a pool that are on for an owner ('' = shared), and their places; the first serve the shared sets."""

    pool: str
    owner: str
    units: tuple[str, ...]
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetResult:
    """What one working set gets. Bytes, turns/s, bytes/s, seconds; shares of its turns."""

    working_set: WorkingSet
    stored: Mapping[Tier, Fraction]
    copied: Mapping[Tier, Fraction]
    turns: Fraction
    from_tier: Mapping[Tier, Fraction]
    reads: Mapping[Tier, Fraction]
    late: Fraction
    mean_seconds: Fraction | None
    worst_seconds: Fraction | None
    hops: int


@dataclass(frozen=True, slots=True)
class TierResult:
    """What one tier does: bytes placed of the room that is on, turns served, bytes/s read and written, watts."""

    tier: Tier
    places_on: int
    placed: Fraction
    room: Fraction
    turns: Fraction
    reads: Fraction
    writes: Fraction
    watts: Fraction
    first_byte: Fraction


@dataclass(frozen=True, slots=True)
class LimitResult:
    """Use of one limit, in its unit."""

    label: str
    kind: ResourceKind
    used: Fraction
    available: Fraction
    members: tuple[str, ...]

    @property
    def share(self) -> Fraction:
        """Used over available; 0 where nothing is on."""
        return self.used / self.available if self.available > 0 else Fraction(0)


@dataclass(frozen=True)
class Plan:
    """The whole answer."""

    model: PlacementModel
    values: Values
    assignments: tuple[Assignment, ...]
    opened: tuple[Opened, ...]
    sets: tuple[SetResult, ...]
    tiers: tuple[TierResult, ...]
    limits: tuple[LimitResult, ...]

    @property
    def turns(self) -> Fraction:
        """Turns/s over all sets."""
        return sum((each.turns for each in self.sets), Fraction(0))

    @property
    def mean_seconds(self) -> Fraction | None:
        """Mean restore time over the turns that find their KV."""
        found = sum((each.turns - each.late for each in self.sets), Fraction(0))
        spent = sum(((each.turns - each.late) * (each.mean_seconds or 0) for each in self.sets), Fraction(0))
        return spent / found if found else None

    def on_places(self) -> frozenset[str]:
        """Names of the shared places that are on."""
        return frozenset(name for each in self.opened for name in each.places)


def read_plan(model: PlacementModel, values: Values) -> Plan:
    """Turn the values of a program into a plan."""
    chains = [chain for chain in model.table.allowed if values[chain.name]]
    return Plan(
        model=model,
        values=values,
        assignments=tuple(_assignment(chain, values[chain.name]) for chain in chains),
        opened=tuple(_opened(model, values)),
        sets=tuple(_set_result(model, each, chains, values) for each in model.sets),
        tiers=tuple(_tiers(model, chains, values)),
        limits=tuple(_limits(model, values)),
    )


def opened_units(plan: Plan) -> str:
    """``3 enclosures``: units that are on, in the words of their template."""
    model = plan.model
    count = sum(len(units) for units in opened_by_owner(plan).values())
    return f"{count} {unit_noun(model, count)}"


def opened_by_owner(plan: Plan) -> dict[str, tuple[str, ...]]:
    """Units that are on, by owner ('' = shared); pools in the same units count once."""
    found: dict[str, dict[str, None]] = {}
    for each in plan.opened:
        found.setdefault(each.owner, {}).update(dict.fromkeys(each.units))
    return {owner: tuple(units) for owner, units in sorted(found.items())}


def unit_noun(model: PlacementModel, count: int) -> str:
    """What is switched on as one: ``enclosure``, ``enclosures``; ``places`` where there are several kinds."""
    kinds = {unit_template(model.topology, pool) for pool in model.switching.pools.values()}
    noun = next(iter(kinds)) if len(kinds) == 1 else "place"
    return noun if count == 1 else f"{noun}s"


def _assignment(chain: Chain, chunks: int) -> Assignment:
    return Assignment(
        chain.part.working_set.name,
        chain.part.band.name,
        chain.part.boxes.label,
        chain.copy.label if chain.copy else None,
        chain.home.label if chain.home else None,
        chain.owner,
        chunks,
    )


def _opened(model: PlacementModel, values: Values) -> Iterable[Opened]:
    """Units of a pool are alike, so the first ones serve the shared sets, the next ones the first tenant."""
    for label, pool in model.switching.pools.items():
        first = 0
        for owner in model.switching.owners(pool):
            last = first + values[on_name(pool, owner)]
            if last > first:
                places = pool.places[first * pool.per_unit : last * pool.per_unit]
                yield Opened(label, owner, pool.units[first:last], tuple(place.node for place in places))
            first = last


def _set_result(model: PlacementModel, each: WorkingSet, chains: list[Chain], values: Values) -> SetResult:
    mine = [(chain, values[chain.name]) for chain in chains if chain.part.working_set.name == each.name]
    stored: dict[Tier, Fraction] = {}
    copied: dict[Tier, Fraction] = {}
    served: dict[Tier, Fraction] = {}
    reads: dict[Tier, Fraction] = {}
    late = spent = Fraction(0)
    for chain, count in mine:
        late += late_turns(chain) * count
        spent += restore_seconds(chain) * count
        if chain.home is None:
            continue
        flow, tier = Flow(chain), home_tier(chain)
        _add(stored, tier, model.chunk * count)
        _add(served, tier, flow.home * count / each.object_bytes)
        _add(reads, tier, flow.home * count)
        if chain.copy:
            _add(copied, chain.copy.tier, model.chunk * count / chain.part.copies)
            _add(served, chain.copy.tier, flow.near * count / each.object_bytes)
            _add(reads, chain.copy.tier, flow.near * count)
    found = each.reads - late
    homes = [chain for chain, _ in mine if chain.home_leg]
    hops = [leg.hops.by(model.topology.hops.metric) for chain in homes for leg in chain.legs]
    return SetResult(
        working_set=each,
        stored=stored,
        copied=copied,
        turns=each.reads,
        from_tier={tier: rate / each.reads for tier, rate in served.items()} if each.reads else {},
        reads=reads,
        late=late,
        mean_seconds=spent / found if found else None,
        worst_seconds=max((chain.worst_seconds for chain in homes), default=None),
        hops=max(hops, default=0),
    )


def _add(table: dict[Tier, Fraction], tier: Tier, amount: Fraction) -> None:
    table[tier] = table.get(tier, Fraction(0)) + amount


def _tiers(model: PlacementModel, chains: list[Chain], values: Values) -> Iterable[TierResult]:
    energy = Energy(model.topology)
    for tier in Tier:
        placed = reads = writes = turns = watts = Fraction(0)
        for chain in chains:
            flow, count = Flow(chain), values[chain.name]
            for store, size, read, written in _uses(chain, flow, model.chunk):
                if tier_of(store) is tier:
                    placed += size * count
                    reads += read * count
                    writes += written * count
                    turns += read * count / chain.part.working_set.object_bytes
                    watts += (read + written) * count * energy.joules_per_byte(store.first)
        names = _rooms(model, tier, values)
        if names:
            places = [model.topology.places[name] for name in names]
            room = _room(model, tier, names)
            watts += sum((place.idle_w for place in places if is_shared(place)), Fraction(0))
            yield TierResult(tier, len(places), placed, room, turns, reads, writes, watts, places[0].first_byte)


def _uses(chain: Chain, flow: Flow, chunk: Fraction) -> Iterable[tuple[Store, Fraction, Fraction, Fraction]]:
    """Stores of a chain, with bytes held, bytes/s read and bytes/s written by one of its units."""
    if chain.home is not None:
        held = chunk * (rank_copies(chain.part.working_set) if home_tier(chain) is Tier.G1 else 1)
        yield chain.home, held, flow.home, flow.written
    if chain.copy is not None:
        yield chain.copy, chunk / chain.part.copies, flow.near, flow.copy_written


def _rooms(model: PlacementModel, tier: Tier, values: Values) -> list[str]:
    """Places of a tier that a set may use: own ones always, shared ones when they are on."""
    on = {name for each in _opened(model, values) for name in each.places}
    used_tiers = {tier_of(store) for c in model.table.allowed for store in (c.home, c.copy) if store is not None}
    return [
        name
        for name, place in model.topology.places.items()
        if place.tier is tier and tier in used_tiers and (name in on or not is_shared(place))
    ]


def _room(model: PlacementModel, tier: Tier, names: list[str]) -> Fraction:
    return sum((kv_room(model.topology, model.topology.places[name], model.sets) for name in names), Fraction(0))


def _limits(model: PlacementModel, values: Values) -> Iterable[LimitResult]:
    """One line a limit that people know: the tightest of the rows that stand for it, by owner where owned."""
    found: dict[tuple[object, ...], LimitResult] = {}
    for resource in model.resources:
        for result in _by_owner(model, resource, values):
            key = (result.kind, result.label)
            if key not in found or result.share > found[key].share:
                found[key] = result
    return sorted(found.values(), key=lambda each: (-each.share, each.label))


def _by_owner(model: PlacementModel, resource: Resource, values: Values) -> Iterable[LimitResult]:
    if not resource.per_on:
        members, label = resource.members, _label(resource)
        yield LimitResult(label, resource.kind, resource.used(values), resource.limit, members)
        return
    for each in _opened(model, values):
        pool = model.switching.pools[each.pool]
        if on_name(pool, each.owner) not in resource.per_on:
            continue
        owned = (c for c in resource.loads if model.switching.owner_of[c] == each.owner)
        used = sum((resource.loads[column] * values[column] for column in owned), Fraction(0))
        label = f"{_units_label(model, each)} {resource.label.partition(' ')[2]}"
        times = resource.shown_times
        available = resource.limit * len(each.units) * times
        yield LimitResult(
            f"{label} ({each.owner})" if each.owner else label, resource.kind, used * times, available, each.places
        )


def _units_label(model: PlacementModel, opened: Opened) -> str:
    """Names of the units that are on; of the places, where an enclosure holds unlike ones."""
    pools = model.switching.pools
    alone = sum(pool.units_label == pools[opened.pool].units_label for pool in pools.values()) == 1
    return compress_names(opened.units if alone else opened.places)


def _label(resource: Resource) -> str:
    match resource.kind:
        case ResourceKind.CAPACITY | ResourceKind.READ | ResourceKind.WRITE | ResourceKind.ENDURANCE:
            return f"{compress_names(resource.members)} {resource.kind.value}"
        case ResourceKind.DPU:
            return _dpu_label(resource.label)
        case _:
            return resource.label


def _dpu_label(label: str) -> str:
    """``tray17 DPU`` for the only DPU of a box, ``tray17.dpu1`` for one of several."""
    name, _, writes = label.partition(" ")
    box, _, short = name.rpartition(".")
    title = f"{box} {short.upper()}" if box and short in ("dpu", "nic") else name
    return f"{title} {writes}".rstrip()


def units_asked(plan: Plan, owner: str) -> dict[ResourceKind, Fraction]:
    """Units that each kind of limit asks for, summed over pools: most used first, as fractions of a unit."""
    model, asked = plan.model, dict[ResourceKind, Fraction]()
    for pool in model.switching.by_units():
        of_pool: dict[ResourceKind, Fraction] = {}
        for resource in model.resources:
            if on_name(pool, owner) in resource.per_on:
                owned = (c for c in resource.loads if model.switching.owner_of[c] == owner)
                used = sum((resource.loads[column] * plan.values[column] for column in owned), Fraction(0))
                of_pool[resource.kind] = max(of_pool.get(resource.kind, Fraction(0)), used / resource.limit)
        for kind, units in of_pool.items():
            asked[kind] = asked.get(kind, Fraction(0)) + units
    return dict(sorted(asked.items(), key=lambda item: -item[1]))
