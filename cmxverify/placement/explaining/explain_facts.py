"""Sentences of an explanation: each fact with its numbers and what it forces.

Numbers are proved minima: the program of the other facts is solved for the least load or the fewest units on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from cmxverify.errors import Location
from cmxverify.placement.explaining.explain_core import Core, shown_quantity
from cmxverify.placement.explaining.slowest import slowest_stage
from cmxverify.placement.explaining.written import Written
from cmxverify.placement.model.chains import Rejected
from cmxverify.placement.model.compile import PlacementModel
from cmxverify.placement.model.resources import Resource, ResourceKind
from cmxverify.placement.model.stores import Store, tier_of
from cmxverify.topology.model import Tier
from cmxverify.units import Dimension, format_quantity

_VERBS = {
    ResourceKind.CAPACITY: ("fill", "one holds"),
    ResourceKind.READ: ("read", "one delivers"),
    ResourceKind.WRITE: ("write", "one takes in"),
    ResourceKind.ENDURANCE: ("write", "one endures"),
}
_FILTERS = ("hops", "restore:", "tiers:", "copies:", "iso:")
"""Facts that rule chains out, each chain by its own reason."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One line of an explanation: the facts it covers, where the first of them stands, what it says."""

    facts: tuple[str, ...]
    at: Location | None
    text: str


def describe(
    model: PlacementModel, facts: Sequence[str], *, time_limit_s: float, sets_as_one: bool = False
) -> list[Sentence]:
    """A sentence for each fact, in the order of the file; sets are told where their load is, else on their own.

    With ``sets_as_one``, sets of which any would be left for a line of its own have one line for them all.
    """
    core = Core(model, facts, time_limit_s)
    sentences = [_sentence(core, fact) for fact in core.facts if not fact.startswith("set:")]
    told = {fact for each in sentences for fact in each.facts}
    left = [fact for fact in core.facts if fact not in told]
    if sets_as_one and left:
        sentences.append(_together(core, [fact for fact in core.facts if fact.startswith("set:")]))
    else:
        sentences += [_plain(core, fact) for fact in left]
    return sorted(sentences, key=lambda each: (each.at or Location(""), each.text))


def _plain(core: Core, fact: str) -> Sentence:
    known = core.model.program.facts[fact]
    return Sentence((fact,), known.at, known.text)


def _together(core: Core, facts: Sequence[str]) -> Sentence:
    """``acme/chat-en and 23 more sets keep 9.61 PB in all and take 1,812 turns/s``, at the first of them."""
    sets = [core.working_set(name) for name in core.sets if f"set:{name}" in facts]
    stored = sum((each.stored_bytes * each.entry.spec.copies for each in sets), Fraction(0))
    reads = sum((each.reads for each in sets), Fraction(0))
    kept = format_quantity(stored, Dimension.SIZE, 4)
    text = f"{sets[0].name} and {len(sets) - 1} more sets keep {kept} in all and take {float(reads):,.0f} turns/s"
    return Sentence(tuple(facts), sets[0].entry.at, text)


def _sentence(core: Core, fact: str) -> Sentence:
    if fact.startswith("iso:"):
        owned = _owned(core, fact)
        if owned is not None:
            return owned
    if fact.startswith("copies:"):
        return _copies(core, fact)
    if fact.startswith(_FILTERS):
        return _filter(core, fact)
    resource = next((r for r in core.model.resources if fact in r.facts and r.per_on), None)
    if resource is not None and resource.kind in _VERBS:
        return _pooled(core, fact, resource)
    return _plain(core, fact)


def _owned(core: Core, fact: str) -> Sentence | None:
    """What a tenant needs for itself; None where its isolation rules everything out."""
    tenant = fact.partition(":")[2]
    mine = [name for name in core.sets if core.working_set(name).entry.tenant == tenant]
    count = core.fewest(name for name in core.on_variables() if name.endswith(f" for {tenant}"))
    if not mine or not count:
        return None
    need = "needs" if len(mine) == 1 else "need"
    some = "one" if count == 1 else f"{count}"
    text = f"{core.model.program.facts[fact].text}, and {core.named(mine)} {need} {some}  -> {core.units(count)}"
    return Sentence((fact, *(f"set:{name}" for name in mine)), core.model.program.facts[fact].at, text)


def _copies(core: Core, fact: str) -> Sentence:
    """Copies of a set, and the units that they alone ask for."""
    told = _filter(core, fact)
    count = core.fewest(core.on_variables(), [fact, f"set:{fact.partition(':')[2]}"])
    return replace(told, text=f"{told.text}  -> {core.units(count)}") if count and count > 1 else told


def _pooled(core: Core, fact: str, resource: Resource) -> Sentence:
    """Load of the sets of the core on one unit's limit, and the units that this asks for."""
    owner_of = core.model.switching.owner_of
    own = [column for column in resource.loads if core.set_of.get(column) in core.sets]
    shared = [name for name in core.sets if not core.owned(name)] if any(not owner_of[c] for c in own) else core.sets
    amount = core.least(core.relaxed(), resource, (column for column in own if core.set_of[column] in shared))
    if not shared or not amount:
        return _plain(core, fact)
    verb, of_one = _VERBS[resource.kind]
    times = resource.shown_times
    total, one = shown_quantity(amount * times, resource), shown_quantity(resource.limit * times, resource)
    text = f"{core.named(shared)} {verb}{'s' if len(shared) == 1 else ''} {total}; {of_one} {one}"
    text += _changed_room(core, resource)
    count = ceil(amount / resource.limit)
    if count > 1:
        text += f"  -> {core.units(count)}"
    return Sentence((fact, *(f"set:{name}" for name in shared)), core.model.program.facts[fact].at, text)


def _changed_room(core: Core, resource: Resource) -> str:
    """``, 1 DWPD of 100 TB (--set)`` where endurance comes with a room that ``--set`` changed."""
    pool = core.model.switching.pools.get(resource.label.removesuffix(" endurance"))
    changed = [each.partition("=")[0].strip() for each in core.model.topology.overrides]
    changed = [path.removesuffix(".usable") for path in changed if path.endswith(".usable")]
    if resource.kind is not ResourceKind.ENDURANCE or pool is None or not changed:
        return ""
    key = Written(core.model.topology).node(pool.first.node)
    if key is None or key.path not in changed:
        return ""
    rating = format_quantity(pool.first.dwpd or 0, Dimension.ENDURANCE)
    return f", {rating} of {format_quantity(pool.first.capacity, Dimension.SIZE)} (--set)"


def _filter(core: Core, fact: str) -> Sentence:
    """A line that rules chains out: the one that comes nearest to it, of the first set of the core."""
    ruled = [each for each in core.model.table.rejected if each.fact == fact]
    names = [name for name in core.sets if any(_set(each) == name for each in ruled)]
    if not names:
        return _plain(core, fact)
    nearest = min((each for each in ruled if _set(each) == names[0]), key=_overshoot)
    known = core.model.program.facts[fact]
    why = _tiers(ruled, names[0]) if fact.startswith("tiers:") else _why(core, nearest)
    return Sentence((fact, f"set:{names[0]}"), known.at, f"{known.text}; {why}")


def _tiers(ruled: Iterable[Rejected], name: str) -> str:
    """``G2 (tray[00-07].host) and G3.5 (cmx[0-3].flash) are there, too``, HBM only where nothing else is."""
    found: dict[Tier, str] = {}
    for rejected in ruled:
        stores = (rejected.chain.home, rejected.chain.copy)
        if _set(rejected) == name:
            found |= {tier_of(store): store.label for store in stores if store and _unwanted(rejected, store)}
    if len(found) > 1:
        found.pop(Tier.G1, None)
    others = [f"{tier.value} ({found[tier]})" for tier in Tier if tier in found]
    return f"{' and '.join(others)} {'is' if len(others) == 1 else 'are'} there, too"


def _unwanted(rejected: Rejected, store: Store) -> bool:
    tiers = rejected.chain.part.working_set.entry.spec.tiers
    return tier_of(store).value not in (tiers or ())


def _why(core: Core, rejected: Rejected) -> str:
    """Why even this chain is ruled out."""
    chain, where = rejected.chain, rejected.chain.home_label
    match rejected.fact.partition(":")[0]:
        case "hops":
            metric = core.model.topology.hops.metric
            hops = max(leg.hops.by(metric) for leg in (chain.home_leg, chain.copy_leg) if leg is not None)
            return f"the nearest for {core.named([_set(rejected)])}, {where}, is {metric.count(hops)} away"
        case "restore":
            # what is read near is read from the copy, and then the copy's time is the one that counts
            near = chain.copy if chain.served_near == 1 else None
            source = f"{near.label} (a copy over {where})" if near else where
            stage = slowest_stage(core.model.topology, chain)
            slowest = f", slowest on {stage.name} ({core.where(stage.at)})" if stage else ""
            return f"from {source} it takes {float(chain.worst_seconds * 1000):,.1f} ms{slowest}"
        case _:
            return f"{where} would not do: {rejected.reason}"


def _set(rejected: Rejected) -> str:
    return rejected.chain.part.working_set.name


def _overshoot(rejected: Rejected) -> tuple[int, Fraction]:
    """How far a chain is from its limit: by cables, then by restore time."""
    leg = rejected.chain.home_leg
    return (leg.hops.links if leg else 0, rejected.chain.worst_seconds)
