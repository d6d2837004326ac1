"""A solved placement in words and tables: the verdict first, then who lives where, then what is scarce."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from cmxverify.placement.explaining.minima import units_there
from cmxverify.placement.model.chains import Rejected
from cmxverify.placement.model.plan import (
    Plan,
    SetResult,
    TierResult,
    opened_by_owner,
    unit_noun,
    units_asked,
)
from cmxverify.placement.model.prices import unused_prices
from cmxverify.placement.model.resources import ResourceKind
from cmxverify.placement.model.stores import tier_of
from cmxverify.placement.proof.outcome import LevelResult, Outcome, Status
from cmxverify.report.amounts import millis, percent, rate, size
from cmxverify.report.placement_limits import limit_table
from cmxverify.report.tables import Align, Column, at_right, fold, format_table, wrap_items
from cmxverify.topology.model import Tier
from cmxverify.units import Dimension, format_quantity

_SHORT = {Tier.G1: "G1", Tier.G2: "G2", Tier.G3: "G3", Tier.G35: "CMX", Tier.G4: "G4"}
_ASKED = {
    ResourceKind.CAPACITY: "capacity",
    ResourceKind.READ: "read rate",
    ResourceKind.WRITE: "write rate",
    ResourceKind.ENDURANCE: "endurance",
}
_LEVEL_NAMES = {
    "late": "late turns",
    "restore": "mean restore",
    "power": "tier power",
    "cost": "cost",
    "spread": "fullest pool",
}


def verdict_lines(outcome: Outcome, *, saved: str | None, gap: Fraction, seconds: float, width: int) -> list[str]:
    """Status in plain words, its first word the verdict, with the time at the right; and where it was saved.

    Two texts at most; only the first may have several lines.
    """
    head, taken = _verdict(outcome, gap), f"{seconds:.1f} s"
    where = f"plan and certificate in {saved}" if outcome.values is not None else f"certificate in {saved}"
    together = f"{head}; {where}" if saved else head
    if len(together) + 2 + len(taken) <= width:
        return at_right(together, taken, width=width)
    return ["\n".join(at_right(head, taken, width=width)), *(fold(f"  {where}", width=width) if saved else [])]


def _verdict(outcome: Outcome, gap: Fraction) -> str:
    match outcome.status:
        case Status.OPTIMAL:
            return "optimal   proved at every level"
        case Status.FEASIBLE:
            worst = max((level.gap for level in outcome.levels), default=None)
            if worst is None:
                return "feasible   a plan, but nothing is proved of how good it is"
            wide = "" if worst <= gap else f", wider than the {percent(gap)} asked for"
            return f"feasible   within {percent(worst)} of the proved bound at every level{wide}"
        case Status.INFEASIBLE:
            return "infeasible   proved"
        case Status.UNKNOWN:
            return "unknown   neither a plan nor a proof that there is none was found in the time"


def plan_lines(plan: Plan, outcome: Outcome, *, width: int) -> list[str]:
    """What is on, sets, tiers, limits, levels and remarks, at most ``width`` columns."""
    return [
        *opened_lines(plan, width=width),
        *set_table(plan, width=width),
        *tier_table(plan, width=width),
        *limit_table(plan, width=width),
        *level_lines(plan, outcome, width=width),
        *remark_lines(plan, width=width),
    ]


def set_table(plan: Plan, *, width: int) -> list[str]:
    """One line a working set, and one for all."""
    homes = _tiers_of(plan, "stored")
    copies = _tiers_of(plan, "copied")
    metric = plan.model.topology.hops.metric.label
    limited = any(each.working_set.entry.spec.restore is not None for each in plan.sets)
    late = any(each.late for each in plan.sets)
    columns = [
        Column("set"),
        *(Column(f"stored {_SHORT[tier]}", Align.RIGHT) for tier in homes),
        *(Column(f"copy in {_SHORT[tier]}", Align.RIGHT) for tier in copies),
        Column("turns/s", Align.RIGHT),
        *(Column(f"from {_SHORT[tier]}", Align.RIGHT) for tier in copies),
        *(Column(f"{_SHORT[tier]} reads", Align.RIGHT) for tier in homes),
        Column("restore mean/worst" + ("/limit" if limited else ""), Align.RIGHT),
        Column(metric, Align.RIGHT),
        *([Column("late/s", Align.RIGHT)] if late else []),
    ]
    rows = [_set_row(each, homes, copies, late=late, limited=limited) for each in plan.sets]
    if len(rows) > 1:
        rows.append(_total_row(plan, homes, copies))
    return format_table(columns, rows, width=width, continued=True)


def tier_table(plan: Plan, *, width: int) -> list[str]:
    """One line a tier that holds something: placed, room, use, hops, latency, power."""
    metric = plan.model.topology.hops.metric.label
    columns = [
        Column("tier"),
        Column("places on", Align.RIGHT),
        Column("placed", Align.RIGHT),
        Column("of", Align.RIGHT),
        Column("share", Align.RIGHT),
        Column("power", Align.RIGHT),
        Column("turns/s", Align.RIGHT),
        Column("reads", Align.RIGHT),
        Column("writes", Align.RIGHT),
        Column("first byte", Align.RIGHT),
        Column(metric, Align.RIGHT),
    ]
    return format_table(columns, [_tier_row(plan, tier) for tier in plan.tiers], width=width, continued=True)


def level_lines(plan: Plan, outcome: Outcome, *, width: int) -> list[str]:
    """Value of each level, and how far it is proved."""
    items = [f"{_LEVEL_NAMES[level.key]} {_level_text(plan, level)}" for level in outcome.levels]
    proofs = "each equals its proved bound" if all(level.gap == 0 for level in outcome.levels) else ""
    return wrap_items("levels  ", [*items, *([proofs] if proofs else [])], width=width, separator=" | ")


def remark_lines(plan: Plan, *, width: int) -> list[str]:
    """Rounding, assumptions, pairs that the user's lines rule out, and prices that add to no cost."""
    model = plan.model
    wanted = sum((s.stored_bytes * s.entry.spec.copies for s in model.sets), Fraction(0))
    counted = sum((p.chunks * p.working_set.entry.spec.copies for p in model.table.parts), 0) * model.chunk
    chunk = format_quantity(model.chunk, Dimension.SIZE)
    rounded = f"round demand up by {percent(counted / wanted - 1)}" if counted > wanted else "divide all demand evenly"
    items = [f"of {chunk} {rounded}"]
    assumed = len(model.topology.assumed)
    if assumed:
        items.append(f"{assumed} value{'s are' if assumed > 1 else ' is'} assumed (--strict refuses them)")
    if model.table.rejected:
        pairs = len(model.table.rejected)
        items.append(f"{pairs} pair{'s' if pairs > 1 else ''} ruled out (--rejected lists them)")
    unused = unused_prices(model.topology, model.symmetry.pools)
    if unused:
        items.append(f"prices that add to no cost: {', '.join(unused)}")
    return wrap_items("chunks", items, width=width)


def opened_lines(plan: Plan, *, width: int) -> list[str]:
    """``7 of 8 enclosures on: 5 shared (endurance asks 4.6), 2 for hooli``; none where nothing is switched."""
    total = units_there(plan.model)
    if not total:
        return []
    by_owner = opened_by_owner(plan)
    on = sum(len(units) for units in by_owner.values())
    asked = {owner: _asked(plan, owner) for owner in by_owner}
    head = f"  {on} of {total} {unit_noun(plan.model, total)} on"
    if list(by_owner) == [""]:
        return fold(head + asked[""], width=width)
    parts = [
        f"{len(units)} {f'for {owner}' if owner else 'shared'}{asked[owner]}" for owner, units in by_owner.items()
    ]
    return wrap_items(f"{head}:" if parts else head, parts, width=width, separator=", ")


def _asked(plan: Plan, owner: str) -> str:
    """What asks for the units of all who share, the three most; of a tenant, the most."""
    asked = [(kind, units) for kind, units in units_asked(plan, owner).items() if units >= Fraction(1, 20)]
    asked = asked[: 1 if owner else 3]
    texts = [f"{_ASKED[kind]}{'' if at else ' asks'} {float(units):.1f}" for at, (kind, units) in enumerate(asked)]
    stored = (each for each in plan.sets if _owner(each) == owner and any(each.stored.values()))
    copies = max((each.working_set.entry.spec.copies for each in stored), default=1)
    if copies > 1 and copies > max((units for _, units in asked), default=Fraction(0)):
        texts.insert(0, f"{copies} copies are kept apart")
    return f" ({', '.join(texts)})" if texts else ""


def _owner(result: SetResult) -> str:
    return result.working_set.entry.tenant if result.working_set.isolation else ""


def rejected_lines(rejected: Iterable[Rejected], *, width: int) -> list[str]:
    """Each pair that a user's line rules out, with the reason."""
    told = [f"  {each.chain.name}: {each.reason}" for each in rejected] or ["  no pair is ruled out"]
    return [line for each in told for line in fold(each, width=width)]


def _tiers_of(plan: Plan, what: str) -> list[Tier]:
    used = {tier for each in plan.sets for tier in getattr(each, what)}
    return [tier for tier in Tier if tier in used]


def _set_row(each: SetResult, homes: list[Tier], copies: list[Tier], *, late: bool, limited: bool) -> list[str]:
    return [
        each.working_set.name,
        *(size(each.stored.get(tier, Fraction(0))) for tier in homes),
        *(size(each.copied.get(tier, Fraction(0))) for tier in copies),
        f"{float(each.turns):,.1f}",
        *(percent(each.from_tier.get(tier, Fraction(0)), 1) for tier in copies),
        *(rate(each.reads.get(tier, Fraction(0))) for tier in homes),
        _restore_text(each, limited=limited),
        str(each.hops),
        *([f"{float(each.late):,.1f}"] if late else []),
    ]


def _restore_text(each: SetResult, *, limited: bool) -> str:
    """``23.5 / 51.4 / 200 ms``; ``none`` for the limit that this set lacks and another has."""
    spent, limit = f"{millis(each.mean_seconds)} / {millis(each.worst_seconds)}", each.working_set.entry.spec.restore
    if limit is not None:
        return f"{spent} / {millis(limit, exact=True)} ms"
    return f"{spent} ms / none" if limited else f"{spent} ms"


def _total_row(plan: Plan, homes: list[Tier], copies: list[Tier]) -> list[str]:
    def total(what: str, tier: Tier) -> Fraction:
        return sum((getattr(each, what).get(tier, Fraction(0)) for each in plan.sets), Fraction(0))

    def served(tier: Tier) -> Fraction:
        turns = sum((each.from_tier.get(tier, Fraction(0)) * each.turns for each in plan.sets), Fraction(0))
        return turns / plan.turns if plan.turns else Fraction(0)

    late = sum((each.late for each in plan.sets), Fraction(0))
    return [
        "all",
        *(size(total("stored", tier)) for tier in homes),
        *(size(total("copied", tier)) for tier in copies),
        f"{float(plan.turns):,.1f}",
        *(percent(served(tier), 1) for tier in copies),
        *(rate(total("reads", tier)) for tier in homes),
        f"{millis(plan.mean_seconds)} ms mean",
        "",
        *([f"{float(late):,.1f}"] if late else []),
    ]


def _tier_row(plan: Plan, tier: TierResult) -> list[str]:
    share = tier.placed / tier.room if tier.room else Fraction(0)
    return [
        tier.tier.title,
        f"{tier.places_on:,}",
        size(tier.placed),
        size(tier.room),
        percent(share, 0),
        f"{float(tier.watts):,.0f} W" if tier.watts else "base",
        f"{float(tier.turns):,.1f}",
        rate(tier.reads),
        rate(tier.writes),
        format_quantity(tier.first_byte, Dimension.TIME) if tier.first_byte else "",
        str(_tier_hops(plan, tier.tier)),
    ]


def _tier_hops(plan: Plan, tier: Tier) -> int:
    metric = plan.model.topology.hops.metric
    legs = [
        leg.hops.by(metric)
        for chain in plan.model.table.allowed
        if plan.values[chain.name]
        for store, leg in ((chain.home, chain.home_leg), (chain.copy, chain.copy_leg))
        if leg is not None
        and store is not None
        and tier_of(store) is tier
    ]
    return max(legs, default=0)


def _level_text(plan: Plan, level: LevelResult) -> str:
    value = level.value * level.unit
    proved = "" if level.gap == 0 else f" (proved within {percent(level.gap)})"
    match level.key:
        case "late":
            return f"{float(value):,.1f}/s{proved}" if value else f"0{proved}"
        case "restore":
            return f"{millis(plan.mean_seconds)} ms{proved}"
        case "power":
            idle = sum((plan.model.topology.places[n].idle_w for n in plan.on_places()), Fraction(0))
            watts = sum((tier.watts for tier in plan.tiers), Fraction(0))
            return f"{float(watts):,.0f} W{f' ({float(idle):,.0f} W idle)' if idle else ''}{proved}"
        case "cost":
            return f"{format_quantity(value, Dimension.MONEY)}{proved}"
        case _:
            return f"{percent(value, 1)}{proved}"
