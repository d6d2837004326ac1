"""The auditor's limits: rooms, rates, endurance, cables, power, ownership, failure domains, hops, restore times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from cmxverify.placement.auditing.audit_flows import Account, Group, is_shared
from cmxverify.placement.auditing.audit_network import Network
from cmxverify.placement.auditing.audit_plan import PlanClaims, told
from cmxverify.placement.auditing.audit_times import Times, hops, pairs
from cmxverify.placement.model.demand import WorkingSet
from cmxverify.topology.model import Place, Tier, Topology

_ENGINE_SHARE = Fraction(9, 10)
"""Of HBM, for KV and weights together."""
_MEMORY = (Tier.G1, Tier.G2)
"""What cables limit, not the medium."""


def demand_faults(sets: Iterable[WorkingSet], groups: Iterable[Group], chunk: Fraction) -> Iterator[str]:
    """Every GPU of every band is served by one group of boxes, and every chunk of a group has all its copies."""
    found: dict[tuple[str, str], dict[str, list[Group]]] = defaultdict(dict)
    for group in groups:
        found[group.working_set.name, group.band.name].setdefault(group.line.boxes, []).append(group)
    for each in sets:
        for band in each.bands:
            parts = found[each.name, band.name]
            served = sorted(gpu for part in parts.values() for gpu in part[0].gpus)
            if served != sorted(each.gpus):
                yield f"{each.name} {band.name}: {len(served)} GPUs are served, it runs on {len(each.gpus)}"
            for part in parts.values():
                yield from _part_faults(part, chunk)


def _part_faults(part: list[Group], chunk: Fraction) -> Iterator[str]:
    first = part[0]
    name = f"{first.working_set.name} {first.band.name} @ {first.line.boxes}"
    if len({len(gpus) for gpus in first.boxes.values()}) > 1:
        yield f"{name}: its boxes have different numbers of GPUs"
    needed = first.needed(chunk) * first.copies
    placed = sum(group.line.chunks * (first.copies if group.line.home is None else 1) for group in part)
    if placed != needed:
        yield f"{name}: {told(Fraction(placed))} chunks are placed, {told(Fraction(needed))} are needed"


def permission_faults(topology: Topology, network: Network, times: Times, groups: Iterable[Group]) -> Iterator[str]:
    """What each set allows: tiers, recomputing, hops, restore time, copies in a box."""
    for group in groups:
        spec, name = group.working_set.entry.spec, f"{group.line.working_set} {group.line.band}"
        if group.line.home is None:
            if spec.if_no_room != "recompute" or group.line.copy is not None or group.line.owner:
                yield f"{name}: is left out, which it does not allow"
            continue
        used = {place.tier: place for place, _ in pairs(group)}
        for tier in used:
            if tier.value not in (spec.tiers or ("G2", "G3", "G3.5", "G4")):
                yield f"{name}: is placed in tier {tier.value}, which it does not allow"
        yield from (f"{name}: {fault}" for fault in _shape_faults(group))
        limit = topology.hops.maximum
        farthest = max(hops(topology, network, place, gpu) for place, gpu in pairs(group)) if limit is not None else 0
        if limit is not None and farthest > limit:
            yield f"{name}: {farthest} {topology.hops.metric.label} away, the limit is {limit}"
        worst = times.worst(group)
        if spec.restore is not None and worst > spec.restore:
            yield f"{name}: restored in {told(worst)} s, the limit is {told(spec.restore)} s"


def _shape_faults(group: Group) -> Iterator[str]:
    spec = group.working_set.entry.spec
    home = {place.tier for own in group.home.values() for place in own}
    copy = {place.tier for own in group.copy.values() for place in own}
    if group.copy and spec.copy_mode == "exclusive":
        yield "has a copy in its box, but asks for one copy only"
    if Tier.G1 in copy:
        yield "has a copy in HBM"
    if home and spec.copies > 1:
        yield "has a home inside a box, but asks for several copies"
    nodes = {p.node for own in group.home.values() for p in own} & {p.node for own in group.copy.values() for p in own}
    if nodes or (home and copy and min(map(_rank, home)) <= max(map(_rank, copy))):
        yield "has a copy that is no nearer than its home"
    if group.line.owner != (group.working_set.entry.tenant if group.working_set.isolation else ""):
        yield f"is owned by {group.line.owner or 'nobody'}"


def _rank(tier: Tier) -> int:
    return list(Tier).index(tier)


def place_faults(topology: Topology, sets: Iterable[WorkingSet], account: Account) -> Iterator[str]:
    """No single place holds, reads or writes more than it can."""
    weights = _weights(sets)
    for name in account.placed:
        place = topology.places[name]
        rated = place.tier not in _MEMORY
        yield from _above(f"{name} holds", account.placed[name], _room(place, weights), "B")
        if rated and place.read is not None:
            yield from _above(f"{name} reads", account.read[name], place.read * topology.plan_to, "B/s")
        if rated and place.write is not None:
            yield from _above(f"{name} writes", account.written[name], place.write * topology.plan_to, "B/s")
        if place.dwpd is not None:
            yield from _above(f"{name} wears", account.written[name], place.dwpd * place.capacity, "B/s")


def _weights(sets: Iterable[WorkingSet]) -> Mapping[str, Fraction]:
    """Bytes of weights on each GPU; a model that several sets run is there once, at its largest share."""
    by_model: dict[str, dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for each in sets:
        share = each.weight_bytes / each.entry.spec.tp
        for gpu in each.gpus:
            known = by_model[gpu][each.entry.spec.model or ""]
            by_model[gpu][each.entry.spec.model or ""] = max(known, share)
    return {gpu: sum(shares.values(), Fraction(0)) for gpu, shares in by_model.items()}


def _room(place: Place, weights: Mapping[str, Fraction]) -> Fraction:
    if place.tier is not Tier.G1 or "kv" in place.key_at:
        return place.capacity
    return place.capacity * _ENGINE_SHARE - weights.get(place.node, Fraction(0))


def network_faults(topology: Topology, network: Network, account: Account) -> Iterator[str]:
    """No direction of a cable, and no DPU or NIC in either direction, carries more than ``plan_to`` of its rate."""
    for cable, rate in total_cables(account).items():
        limit = network.capacity(cable) * topology.plan_to
        yield from _above(f"cables {cable[0]} to {cable[1]} carry", rate, limit, "B/s")
    for word, loads in (("reads", account.reads), ("writes", account.writes)):
        for name, rate in loads.through.items():
            own = topology.nodes[name].rate
            if own is not None:
                yield from _above(f"{name} passes {word} of", rate, own * topology.plan_to, "B/s")


def total_cables(account: Account) -> dict[tuple[str, str], Fraction]:
    """Reads and writes on each direction of cables."""
    total: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for loads in (account.reads, account.writes):
        for cable, rate in loads.cables.items():
            total[cable] += rate
    return total


def power_faults(
    topology: Topology, on: Iterable[str], account: Account, energy: Callable[[Place], Fraction]
) -> Iterator[str]:
    """Budgets: full power of what cannot be switched, idle of what is on, and what moving bytes takes."""
    active = frozenset(on)
    enclosures = {place.unit for place in topology.places.values() if is_shared(place)}
    for limit in topology.power:
        watts = Fraction(0)
        for name, node in topology.nodes.items():
            if not _covered(name, limit.members):
                continue
            place = topology.places.get(name)
            if place is not None and place.tier not in _MEMORY:
                moved = account.read.get(name, Fraction(0)) + account.written.get(name, Fraction(0))
                is_on = name in active if is_shared(place) else not _covered(name, enclosures)
                watts += (place.idle_w if is_on else 0) + moved * energy(place)
            elif not _covered(name, enclosures):
                watts += node.full_w or Fraction(0)
        yield from _above(f"{limit.name} draws", watts, limit.budget_w, "W")


def _covered(name: str, members: Iterable[str]) -> bool:
    return any(name == member or name.startswith(member + ".") for member in members)


def ownership_faults(
    topology: Topology, sets: Iterable[WorkingSet], claims: PlanClaims, account: Account
) -> Iterator[str]:
    """What is on has one owner, what is off holds nothing, and a tenant's domains hold nobody else's places."""
    owner: dict[str, str] = {}
    for opened in claims.opened:
        for name in opened.places:
            if name not in topology.places or not is_shared(topology.places[name]):
                yield f"{name} is on, but is no shared place"
            elif name in owner:
                yield f"{name} is on twice"
            else:
                owner[name] = opened.owner
    for name in account.placed:
        if is_shared(topology.places[name]) and name not in owner:
            yield f"{name} is off, but holds chunks"
    units: dict[str, str] = {}
    for name, user in owner.items():
        if units.setdefault(topology.places[name].unit, user) != user:
            yield f"{topology.places[name].unit} is on for two owners"
    for tenant, template in sorted({(s.entry.tenant, s.isolation) for s in sets if s.isolation}):
        own = {_domain(topology, name, template) for name, user in owner.items() if user == tenant}
        for name, user in owner.items():
            if user != tenant and _domain(topology, name, template) in own:
                yield f"{name} is on for {user or 'everybody'} in a '{template}' that {tenant} keeps to itself"


def domain_faults(topology: Topology, groups: Iterable[Group], chunk: Fraction) -> Iterator[str]:
    """Copies are apart: no failure domain holds more chunks of a part than one copy of what is stored of it has."""
    held: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    stored: dict[str, int] = {}
    for group in groups:
        if group.copies > 1:
            part = f"{group.working_set.name} {group.band.name} @ {group.line.boxes}"
            stored.setdefault(part, group.needed(chunk))
            if group.line.home is None:
                stored[part] -= group.line.chunks
            for place in group.shared:
                domain = _domain(topology, place.node, group.working_set.entry.spec.spread)
                held[part, domain] += Fraction(group.line.chunks, len(group.shared))
    for (part, domain), chunks in held.items():
        if chunks > stored[part]:
            copies = f"{told(chunks / stored[part])} copies" if stored[part] else f"{told(chunks)} chunks too many"
            yield f"{part}: {domain} holds {copies}, it may hold one of each chunk"


def _domain(topology: Topology, name: str, template: str | None) -> str:
    """The innermost instance of a template around a place; what is switched on with it if there is none."""
    around = topology.ancestors(name)
    unit = topology.places[name].unit
    return next((container.path for container in around if container.template == template), unit)


def _above(what: str, value: Fraction, limit: Fraction, unit: str) -> Iterator[str]:
    if value > limit:
        yield f"{what} {told(value)} {unit}, the limit is {told(limit)}"
