"""What the facts of an explanation add up to: a budget missed, units missing, one limit overrun, or no choice left."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from cmxverify.placement.explaining.explain_core import Core, shown_quantity
from cmxverify.placement.explaining.minima import units_there
from cmxverify.placement.model.compile import PlacementModel
from cmxverify.placement.model.power import base_power
from cmxverify.placement.model.resources import Resource, ResourceKind
from cmxverify.topology.hostlist import compress_names
from cmxverify.units import Dimension, format_quantity

_MUST = {  # what is most telling first
    ResourceKind.LINK: "carry",
    ResourceKind.DPU: "pass",
    ResourceKind.READ: "deliver",
    ResourceKind.WRITE: "take in",
    ResourceKind.ENDURANCE: "endure writes of",
    ResourceKind.CAPACITY: "hold",
}


def conclude(model: PlacementModel, facts: Sequence[str], *, time_limit_s: float) -> str:
    """One sentence, beginning with ``so``."""
    core = Core(model, facts, time_limit_s)
    limits = [each for each in model.resources if not each.per_on and set(each.facts) & set(facts)]
    order = [ResourceKind.POWER, *_MUST]
    for resource in sorted(limits, key=lambda each: order.index(each.kind)):
        text = _budget(core, resource) if resource.kind is ResourceKind.POWER else _overrun(core, resource)
        if text:
            return text
    count, there = core.fewest(core.on_variables()), units_there(model)
    if count and count > there:
        parts = core.fewest_by_owner()
        summed = f"{' + '.join(map(str, parts))} = " if len(parts) > 1 and sum(parts) == count else ""
        return f"so {summed}{core.units(count)} would have to be on, and there {'is' if there == 1 else 'are'} {there}"
    return _no_place(core)


def _no_place(core: Core) -> str:
    reached = {chain.part.name for chain in core.model.table.allowed}
    reached |= {rejected.chain.part.name for rejected in core.model.table.rejected}
    for part in core.model.table.parts:
        if part.name not in reached and part.working_set.name in core.sets:
            return f"so no place is left: none that may hold {part.working_set.name} is joined to {part.boxes.label}"
    return f"so no place is left for {core.named(core.sets) if core.sets else 'the sets'}"


def _needed(core: Core, resource: Resource) -> Fraction | None:
    """Least load under the other facts of the core, if it is more than the limit."""
    others = [fact for fact in core.facts if fact not in resource.facts]
    need = core.least(core.model.program.keeping(others), resource, resource.loads)
    return need if need is not None and need > resource.limit else None


def _budget(core: Core, resource: Resource) -> str:
    """``4 x 250 W idle + 1.5 J/GB x 351.3 GB/s = 1,527 W > 1,400 W``."""
    need = _needed(core, resource)
    if need is None:
        return ""
    name = resource.label.removesuffix(" power")
    limit = next(each for each in core.model.topology.power if each.name == name)
    if resource.limit < 0:
        base = _watts(base_power(core.model.topology, limit))
        return f"so {name} needs {base} for what is always on > {_watts(limit.budget_w)}"
    parts = f"{_parts(core, resource, need)} = " if _parts(core, resource, need) else ""
    base_text = f" left of {_watts(limit.budget_w)}" if limit.budget_w != resource.limit else ""
    return f"so {name} needs at least {parts}{_watts(need)} > {_watts(resource.limit)}{base_text}"


def _parts(core: Core, resource: Resource, need: Fraction) -> str:
    """Idle power of the fewest units, and activity; '' where units are not alike."""
    idle = {resource.loads[name] for name in core.on_variables() if name in resource.loads}
    others = [fact for fact in core.facts if fact not in resource.facts]
    on = core.fewest((name for name in core.on_variables() if name in resource.loads), others)
    if len(idle) != 1 or not on:
        return ""
    each = idle.pop()
    text = f"{on} x {float(each):,.0f} W idle + "
    energy = {core.model.energy.joules_per_byte(pool.first) for pool in core.model.switching.pools.values()}
    rest = need - on * each
    if len(energy) == 1 and (joules := energy.pop()):
        rate = format_quantity(rest / joules, Dimension.RATE, 4)
        return f"{text}{float(joules * 10**9):,.4g} J/GB x {rate}"
    return f"{text}{_watts(rest)} of traffic"


def _overrun(core: Core, resource: Resource) -> str:
    """``tray[08-15].host would each have to hold 42.2 TB, and has room for 1.5 TB``."""
    need = _needed(core, resource)
    if need is None:
        return ""
    wanted, limit = shown_quantity(need, resource), shown_quantity(resource.limit, resource)
    if resource.kind in (ResourceKind.LINK, ResourceKind.DPU):
        subject = f"{resource.label} would"
    else:
        each = " each" if len(resource.members) > 1 else ""
        subject = f"{compress_names(resource.members)} would{each}"
    return f"so {subject} have to {_MUST[resource.kind]} at least {wanted}, and the limit is {limit}"


def _watts(value: Fraction) -> str:
    return f"{float(value):,.0f} W"
