"""A solved placement in words and tables: the verdict first, then who lives where, then what is scarce."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from cmxverify.placement.minima import units_there
from cmxverify.placement.outcome import LevelResult, Outcome, Status
from cmxverify.placement.plan import LimitResult, Plan, SetResult, TierResult, opened_by_owner, unit_noun
from cmxverify.placement.resources import ResourceKind
from cmxverify.placement.stores import tier_of
from cmxverify.report.tables import Align, Column, format_table, wrap_items
from cmxverify.topology.model import Tier
from cmxverify.units import Dimension, format_quantity

_SHORT = {Tier.G1: "G1", Tier.G2: "G2", Tier.G3: "G3", Tier.G35: "CMX", Tier.G4: "G4"}
_LOCAL = (Tier.G1, Tier.G2, Tier.G3)
_MOST_LIMITS = 10
_LEVEL_NAMES = {
    "late": "late turns",
    "restore": "mean restore",
    "power": "tier power",
    "cost": "cost",
    "spread": "fullest pool",
}


def verdict_line(outcome: Outcome, *, saved: str | None, gap: Fraction) -> str:
    """Status in plain words; the first word is the verdict."""
    where = f"; plan and certificate in {saved}" if saved else ""
    match outcome.status:
        case Status.OPTIMAL:
            return f"optimal   proved at every level{where}"
        case Status.FEASIBLE:
            worst = max((level.gap for level in outcome.levels), default=Fraction(0))
            wide = "" if worst <= gap else f", wider than the {percent(gap)} asked for"
            return f"feasible   within {percent(worst)} of the proved bound at every level{wide}{where}"
        case Status.INFEASIBLE:
            return "infeasible   proved"
        case Status.UNKNOWN:
            return "unknown   neither a plan nor a proof that there is none was found in the time"


def plan_lines(plan: Plan, outcome: Outcome, *, width: int) -> list[str]:
    """Sets, tiers, limits, levels and remarks, at most ``width`` columns."""
    return [
        *set_table(plan, width=width),
        *tier_table(plan, width=width),
        *limit_table(plan, width=width),
        *level_lines(plan, outcome, width=width),
        *remark_lines(plan),
    ]


def set_table(plan: Plan, *, width: int) -> list[str]:
    """One line a working set, and one for all."""
    homes = _tiers_of(plan, "stored")
    copies = _tiers_of(plan, "copied")
    metric = plan.model.topology.hops.metric.label
    columns = [
        Column("set"),
        *(Column(f"stored {_SHORT[tier]}", Align.RIGHT) for tier in homes),
        *(Column(f"copy in {_SHORT[tier]}", Align.RIGHT) for tier in copies),
        Column("turns/s", Align.RIGHT),
        *(Column(f"from {_SHORT[tier]}", Align.RIGHT) for tier in copies),
        *(Column(f"{_SHORT[tier]} reads", Align.RIGHT) for tier in homes),
        Column("restore mean/worst/limit", Align.RIGHT),
        Column(metric, Align.RIGHT),
        *([Column("late/s", Align.RIGHT)] if any(each.late for each in plan.sets) else []),
    ]
    rows = [_set_row(each, homes, copies, late=any(s.late for s in plan.sets)) for each in plan.sets]
    if len(rows) > 1:
        rows.append(_total_row(plan, homes, copies))
    return format_table(columns, rows, width=width)


def tier_table(plan: Plan, *, width: int) -> list[str]:
    """One line a tier that holds something: placed, room, use, hops, latency, power."""
    metric = plan.model.topology.hops.metric.label
    columns = [
        Column("tier"),
        Column("places on", Align.RIGHT),
        Column("placed", Align.RIGHT),
        Column("of", Align.RIGHT),
        Column("share", Align.RIGHT),
        Column("turns/s", Align.RIGHT),
        Column("reads", Align.RIGHT),
        Column("writes", Align.RIGHT),
        Column("first byte", Align.RIGHT),
        Column(metric, Align.RIGHT),
        Column("power", Align.RIGHT),
    ]
    return format_table(columns, [_tier_row(plan, tier) for tier in plan.tiers], width=width)


def limit_table(plan: Plan, *, width: int) -> list[str]:
    """The limits that are used most, fullest first; 100 % binds."""
    rows = [
        [each.label, amount(each.used, each.kind), amount(each.available, each.kind), percent(each.share, 0)]
        for each in shown_limits(plan)
    ]
    life = _flash_life(plan)
    if life:
        rows.append(life)
    columns = [
        Column("limit"),
        Column("used", Align.RIGHT),
        Column("of", Align.RIGHT),
        Column("", Align.RIGHT),
    ]
    if width < 110 or len(rows) < 4:
        return format_table(columns, rows, width=width)
    half = (len(rows) + 1) // 2
    left = format_table(columns, rows[:half], width=width)
    right = format_table(columns, rows[half:], width=width)
    span = max(len(line) for line in left) + 2
    if span + max(len(line) for line in right) > width:
        return format_table(columns, rows, width=width)
    right += [""] * (len(left) - len(right))
    return [f"{a:<{span}}{b}".rstrip() for a, b in zip(left, right, strict=True)]


def level_lines(plan: Plan, outcome: Outcome, *, width: int) -> list[str]:
    """Value of each level, and how far it is proved."""
    items = [f"{_LEVEL_NAMES[level.key]} {_level_text(plan, level)}" for level in outcome.levels]
    proofs = "each equals its proved bound" if all(level.gap == 0 for level in outcome.levels) else ""
    return wrap_items("levels  ", [*items, *([proofs] if proofs else [])], width=width, separator=" | ")


def remark_lines(plan: Plan) -> list[str]:
    """Rounding, assumptions, and pairs that the user's lines rule out."""
    model = plan.model
    wanted = sum((s.stored_bytes * s.entry.spec.copies for s in model.sets), Fraction(0))
    counted = sum((p.chunks * p.working_set.entry.spec.copies for p in model.table.parts), 0) * model.chunk
    chunk = format_quantity(model.chunk, Dimension.SIZE)
    items = [f"chunks of {chunk} round demand up by {percent(counted / wanted - 1)}"]
    assumed = len(model.topology.assumed)
    if assumed:
        items.append(f"{assumed} value{'s are' if assumed > 1 else ' is'} assumed (--strict refuses them)")
    if model.table.rejected:
        items.append(f"{len(model.table.rejected)} pairs ruled out (--rejected lists them)")
    return ["; ".join(items)]


def opened_text(plan: Plan) -> str:
    """``7 of 8 enclosures on: 5 shared, 2 for hooli``; '' where nothing is switched."""
    total = units_there(plan.model)
    if not total:
        return ""
    by_owner = opened_by_owner(plan)
    parts = [f"{len(units)} for {owner}" if owner else f"{len(units)} shared" for owner, units in by_owner.items()]
    on = sum(len(units) for units in by_owner.values())
    return f"{on} of {total} {unit_noun(plan.model, total)} on" + (f": {', '.join(parts)}" if len(parts) > 1 else "")


def rejected_lines(plan_model_rejected: Iterable[tuple[str, str]]) -> list[str]:
    """One line for each pair that a user's line rules out."""
    return [f"  {name}: {reason}" for name, reason in plan_model_rejected]


def shown_limits(plan: Plan) -> list[LimitResult]:
    """Limits worth a line: equal ones of a tier merged, the tightest of each kind, at most ten."""
    merged = _merge_rooms(plan)
    others = [each for each in plan.limits if not _is_room(plan, each)]
    seen: set[tuple[object, ...]] = set()
    chosen: list[LimitResult] = []
    for each in sorted([*merged, *others], key=lambda limit: -limit.share):
        key = (
            (each.kind in (ResourceKind.LINK, ResourceKind.DPU), each.used, each.available)
            if each.used
            else (each.label,)
        )
        if each.used and key not in seen:
            seen.add(key)
            chosen.append(each)
    return _tightest_of_each(chosen)


def _tightest_of_each(limits: Sequence[LimitResult]) -> list[LimitResult]:
    """The first of each kind and member group, then the next fullest, up to the number that is shown."""
    first = list({each.kind: each for each in reversed(limits)}.values())
    rest = [each for each in limits if each not in first]
    chosen = sorted(first, key=lambda limit: -limit.share) + rest
    return sorted(chosen[:_MOST_LIMITS], key=lambda limit: -limit.share)


def _is_room(plan: Plan, limit: LimitResult) -> bool:
    place = plan.model.topology.places.get(limit.members[0]) if limit.members else None
    return limit.kind is ResourceKind.CAPACITY and place is not None and place.scope is not None


def _merge_rooms(plan: Plan) -> list[LimitResult]:
    """Rooms of trays' own memory and disks: one line a tier, for all of its places."""
    found = []
    for tier in plan.tiers:
        if tier.tier in _LOCAL:
            label = f"{tier.tier.title}, {tier.places_on} places"
            found.append(LimitResult(label, ResourceKind.CAPACITY, tier.placed, tier.room, ()))
    return found


def _tiers_of(plan: Plan, what: str) -> list[Tier]:
    used = {tier for each in plan.sets for tier in getattr(each, what)}
    return [tier for tier in Tier if tier in used]


def _set_row(each: SetResult, homes: list[Tier], copies: list[Tier], *, late: bool) -> list[str]:
    limit = each.working_set.entry.spec.restore
    return [
        each.working_set.name,
        *(size(each.stored.get(tier, Fraction(0))) for tier in homes),
        *(size(each.copied.get(tier, Fraction(0))) for tier in copies),
        f"{float(each.turns):,.1f}",
        *(percent(each.from_tier.get(tier, Fraction(0)), 1) for tier in copies),
        *(rate(each.reads.get(tier, Fraction(0))) for tier in homes),
        f"{millis(each.mean_seconds)} / {millis(each.worst_seconds)} / {millis(limit, exact=True)} ms",
        str(each.hops),
        *([f"{float(each.late):,.1f}"] if late else []),
    ]


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
        f"{float(tier.turns):,.1f}",
        rate(tier.reads),
        rate(tier.writes),
        format_quantity(tier.first_byte, Dimension.TIME) if tier.first_byte else "",
        str(_tier_hops(plan, tier.tier)),
        f"{float(tier.watts):,.0f} W" if tier.watts else "base",
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
            return f"{float(watts):,.0f} W ({float(idle):,.0f} W idle){proved}"
        case "cost":
            return f"{format_quantity(value, Dimension.MONEY)}{proved}"
        case _:
            return f"{percent(value, 1)} full{proved}"


def _flash_life(plan: Plan) -> list[str] | None:
    """Years that the most written flash lasts at the planned writes, against its warranty."""
    worn = [each for each in plan.limits if each.kind is ResourceKind.ENDURANCE and each.share > 0]
    if not worn:
        return None
    place = plan.model.topology.places[worn[0].members[0]]
    if place.warranty is None or place.dwpd is None:
        return None
    rating = format_quantity(place.dwpd, Dimension.ENDURANCE)
    life = place.warranty / worn[0].share
    years = 365 * 86_400
    return [
        f"flash life at {rating}",
        f"{float(life / years):,.1f} years",
        f"{float(place.warranty / years):.0f} warranty",
        "",
    ]


def size(value: Fraction) -> str:
    """Bytes as TB, or GB where little."""
    if value == 0:
        return "0"
    return f"{float(value / 10**12):,.1f} TB" if value >= 10**11 else f"{float(value / 10**9):,.1f} GB"


def rate(value: Fraction) -> str:
    """Bytes/s as GB/s."""
    return (
        f"{float(value / 10**9):,.1f} GB/s"
        if value >= 10**8 or not value
        else f"{float(value / 10**6):,.1f} MB/s"
    )


def millis(seconds: Fraction | None, *, exact: bool = False) -> str:
    """Milliseconds; ``-`` for none."""
    if seconds is None:
        return "-"
    return f"{float(seconds * 1000):g}" if exact else f"{float(seconds * 1000):,.1f}"


def percent(share: Fraction, digits: int = 2) -> str:
    """Percentage with fixed digits; never 100 where something is left, never 0 where something is used."""
    value = float(share * 100)
    text = f"{value:,.{digits}f} %"
    if share < 1 and text == f"{100:,.{digits}f} %":
        return f"> {100 - 10**-digits:,.{digits}f} %" if digits else "99 %"
    return text


def amount(value: Fraction, kind: ResourceKind) -> str:
    """A load in the unit of its kind."""
    match kind:
        case ResourceKind.CAPACITY:
            return size(value)
        case ResourceKind.POWER:
            return f"{float(value):,.0f} W"
        case ResourceKind.ENDURANCE:
            return f"{float(value / 10**9):,.2f} GB/s"
        case _:
            return rate(value)
