"""What is scarce: the limits of a plan that are used most, by name, with the life of its flash."""

from __future__ import annotations

from fractions import Fraction

from cmxverify.placement.model.plan import LimitResult, Plan
from cmxverify.placement.model.resources import ResourceKind
from cmxverify.report.amounts import amount, percent
from cmxverify.report.tables import Align, Column, format_table
from cmxverify.topology.model import Tier
from cmxverify.units import Dimension, format_quantity

_LOCAL = (Tier.G1, Tier.G2, Tier.G3)
_ON_THE_WAY = (ResourceKind.LINK, ResourceKind.DPU)
_MOST_LIMITS = 10
_LEAST_SHOWN = Fraction(1, 100)


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


def shown_limits(plan: Plan) -> list[LimitResult]:
    """Limits worth a line: the tightest of each kind, then the next fullest; equal ones on one way once."""
    others = [each for each in plan.limits if not _is_room(plan, each)]
    fullest = sorted([*_merge_rooms(plan), *others], key=lambda limit: (-limit.share, limit.kind is ResourceKind.LINK))
    shown: dict[object, LimitResult] = {}
    for each in fullest:
        # two cables of a DPU are used as the DPU is: one line says it
        key = each.share if each.kind in _ON_THE_WAY else each.label
        if each.share >= _LEAST_SHOWN:
            shown.setdefault(key, each)
    first = {each.kind: each for each in reversed(shown.values())}.values()
    chosen = [*first, *(each for each in shown.values() if each not in first)][:_MOST_LIMITS]
    return sorted(chosen, key=lambda limit: -limit.share)


def _is_room(plan: Plan, limit: LimitResult) -> bool:
    place = plan.model.topology.places.get(limit.members[0]) if limit.members else None
    return limit.kind is ResourceKind.CAPACITY and place is not None and place.scope is not None


def _merge_rooms(plan: Plan) -> list[LimitResult]:
    """Rooms of trays' own memory and disks: one line a tier, for all of its places."""
    found = []
    for tier in plan.tiers:
        if tier.tier in _LOCAL:
            label = f"{tier.tier.title}, {tier.places_on:,} place{'' if tier.places_on == 1 else 's'}"
            found.append(LimitResult(label, ResourceKind.CAPACITY, tier.placed, tier.room, ()))
    return found


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
