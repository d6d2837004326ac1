"""Why a change does not help, in a few words: the first limit that what it leaves still overruns."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import ceil

from cmxverify.placement.explaining.explain_core import shown_quantity
from cmxverify.placement.explaining.minima import fewest_on, least, on_variables, units_there, with_any_number
from cmxverify.placement.model.compile import PlacementModel
from cmxverify.placement.model.plan import unit_noun
from cmxverify.placement.model.resources import Resource, ResourceKind
from cmxverify.topology.hostlist import compress_names

_STILL = {  # of what asks for the same number of units, the first is told
    ResourceKind.CAPACITY: "still fill {count}",
    ResourceKind.ENDURANCE: "written still take {count}",
    ResourceKind.READ: "read still take {count}",
}
_MOST_LIMITS = 40
"""Limits of single places and cables that are looked at."""


def why_not(model: PlacementModel, *, time_limit_s: float) -> str:
    """``645.1 TB still fill 3``, ``5 enclosures needed``, ``acme/chat has no place``; '' if nothing short is proved.

    Args:
        model: The changed model, which has no plan.
        time_limit_s: Seconds for each of the minima that are asked for.
    """
    asked = _Asked(model, time_limit_s)
    return next((text for text in asked.answers() if text), "")


class _Asked:
    def __init__(self, model: PlacementModel, time_limit_s: float) -> None:
        self.model, self.time_limit_s = model, time_limit_s
        self.unbudgeted = [fact for fact in model.program.facts if not fact.startswith("power:")]

    def answers(self) -> Iterator[str]:
        yield self.no_place()
        yield self.units()
        for resource in self.model.resources:
            if resource.kind is ResourceKind.POWER:
                yield self.power(resource)
        single = (each for each in self.model.resources if not each.per_on and each.kind is not ResourceKind.POWER)
        for resource in islice(single, _MOST_LIMITS):
            yield self.overrun(resource)

    def no_place(self) -> str:
        """A set that every chain is forbidden to."""
        reached = {chain.part.name for chain in self.model.table.allowed}
        lost = (part.working_set.name for part in self.model.table.parts if part.name not in reached)
        return next((f"{name} has no place" for name in lost), "")

    def units(self) -> str:
        """More units than there are."""
        on, there = on_variables(self.model), units_there(self.model)
        count = fewest_on(self.model, self.unbudgeted, on, time_limit_s=self.time_limit_s)
        if count is None or count <= there:
            return ""
        return f"{count} {unit_noun(self.model, count)} needed, {there} there"

    def power(self, resource: Resource) -> str:
        """A budget that is overrun, and what fills the units under it."""
        need = self.need(resource)
        if need is None:
            return ""
        name = resource.label.removesuffix(" power")
        limit = next(each for each in self.model.topology.power if each.name == name)
        watts = float(need + limit.budget_w - resource.limit)
        return ", ".join(text for text in (self.filled(), f"{name} needs {watts:,.0f} W") if text)

    def filled(self) -> str:
        """What asks for most units; '' where one is enough."""
        tightest: dict[str, Resource] = {}
        for resource in self.model.resources:
            if resource.per_on and resource.kind in _STILL:
                known = tightest.setdefault(resource.label, resource)
                tightest[resource.label] = min(known, resource, key=lambda each: each.limit)
        worst = min((*map(self.filling, tightest.values()), *self.apart()), default=(0, 0, ""))
        return worst[2] if worst[0] < -1 else ""

    def filling(self, resource: Resource) -> tuple[int, int, str]:
        """Minus the units that one limit asks for, its rank among equals, and how to say it."""
        amount = self.shared(resource)
        count = ceil(amount / resource.limit)
        text = f"{shown_quantity(amount * resource.shown_times, resource)} {_STILL[resource.kind]}"
        return -count, list(_STILL).index(resource.kind), text.format(count=count)

    def apart(self) -> Iterator[tuple[int, int, str]]:
        """As ``filling``: units that sets who share ask for by keeping copies apart."""
        for each in self.model.sets:
            spec = each.entry.spec
            if spec.copies > 1 and not each.isolation and spec.if_no_room != "recompute":
                yield -spec.copies, len(_STILL), f"{each.name} keeps {spec.copies} copies apart"

    def shared(self, resource: Resource) -> Fraction:
        """Least load of those who share a pool."""
        owner_of = self.model.switching.owner_of
        loads = {column: load for column, load in resource.loads.items() if not owner_of[column]}
        relaxed = with_any_number(self.model, self.unbudgeted)
        return least(relaxed, loads, time_limit_s=self.time_limit_s) or Fraction(0)

    def need(self, resource: Resource) -> Fraction | None:
        """Least load under all lines but the limit's own, if it is more than the limit."""
        others = [fact for fact in self.model.program.facts if fact not in resource.facts]
        need = least(self.model.program.keeping(others), resource.loads, time_limit_s=self.time_limit_s)
        return need if need is not None and need > resource.limit else None

    def overrun(self, resource: Resource) -> str:
        """``leaf to box0.dpu: 30 of 25 GB/s``."""
        need = self.need(resource)
        if need is None:
            return ""
        members = resource.kind not in (ResourceKind.LINK, ResourceKind.DPU) and resource.members
        where = compress_names(members) if members else resource.label
        return f"{where}: {shown_quantity(need, resource)}, limit {shown_quantity(resource.limit, resource)}"
