"""Changes of single lines that might make a placement possible; each becomes a ``--set`` and is solved again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from cmxverify.placement.explaining.figures import Figures
from cmxverify.placement.explaining.ladders import TIMES, Ladder, Remedy, fixed
from cmxverify.placement.explaining.minima import fewest_on, least, on_variables, units_there
from cmxverify.placement.explaining.slowest import slowest_stage
from cmxverify.placement.explaining.written import Written
from cmxverify.placement.model.compile import PlacementModel
from cmxverify.placement.model.plan import unit_noun
from cmxverify.topology.model import PowerLimit

_WATTS_BEYOND = 500
"""Watts over the proved minimum up to which a budget is tried: units are whole."""
_MOST_SETS = 4
"""Sets that are tried without, each on its own."""
_LIMITS = ("power:", "iso:", "hops", "restore:", "copies:", "tiers:")
_FIGURES = ("kv@", "read@", "write@", "dwpd@", "usable@", "link@", "dpu@")
_ORDER = (*_LIMITS, *_FIGURES)


def share_enclosures(tenant: str) -> Remedy:
    """A tenant that keeps apart no longer does."""
    path = f"tenants.{tenant}.isolation"
    return Remedy(f"{path}=namespace", f"{path} = namespace", path)


def find_remedies(model: PlacementModel, core: Sequence[str], *, time_limit_s: float) -> list[Ladder]:
    """Candidate changes for the facts of an explanation, the mildest kinds first; not yet tried."""
    finder = _Finder(model, time_limit_s)
    found = [each for prefix in _ORDER for fact in core if fact.startswith(prefix) for each in finder.of(fact)]
    if any(fact.startswith((*_FIGURES, "iso:", "copies:")) for fact in core):
        found += finder.more_units()
    return found + [each for fact in finder.largest_sets(core) for each in finder.of(fact)]


class _Finder:
    def __init__(self, model: PlacementModel, time_limit_s: float) -> None:
        self.model, self.time_limit_s = model, time_limit_s
        self.written = Written(model.topology)
        self.figures = Figures(model, self.written)

    def of(self, fact: str) -> Iterator[Ladder]:
        """Changes of the line behind a fact."""
        kind, _, name = fact.partition(":")
        match kind:
            case "power":
                yield from self.budget(int(name))
            case "iso":
                yield from map(fixed, self.isolation(name))
            case "hops":
                yield from map(fixed, self.hops())
            case "restore":
                yield from map(fixed, self.restore(name))
                yield from self.faster(name)
            case "copies":
                yield from map(fixed, self.copies(name))
            case "tiers":
                yield fixed(_set(f"workload.{name}.tiers", "[G1, G2, G3, G3.5, G4]"))
            case "set":
                yield fixed(_set(f"workload.{name}.if_no_room", "recompute"))
            case _:
                yield from self.figures.of(fact)

    def largest_sets(self, core: Sequence[str]) -> list[str]:
        """The sets of the core, in its order; of many those that keep most."""
        stored = {f"set:{each.name}": each.stored_bytes * each.entry.spec.copies for each in self.model.sets}
        sets = sorted((fact for fact in core if fact in stored), key=lambda fact: (-stored[fact], fact))
        return [fact for fact in core if fact in sets[:_MOST_SETS]]

    def isolation(self, tenant: str) -> Iterator[Remedy]:
        """Sharing, where the tenant or its sets ask to be apart."""
        known = self.model.topology.tenants.get(tenant)
        if known is not None and known.isolation:
            yield share_enclosures(tenant)
        for each in self.model.sets:
            if each.entry.tenant == tenant and each.isolation and each.entry.spec.isolation is not None:
                yield _set(f"workload.{each.name}.isolation", "namespace")

    def budget(self, index: int) -> Iterator[Ladder]:
        """Budgets from the least that the other lines may allow, watt by watt."""
        limit, fact = self.model.topology.power[index], f"power:{index}"
        resource = next(each for each in self.model.resources if fact in each.facts)
        others = [each for each in self.model.program.facts if each != fact]
        need = least(self.model.program.keeping(others), resource.loads, time_limit_s=self.time_limit_s)
        if need is None:
            return
        first, path = ceil(need + limit.budget_w - resource.limit), f"power.{_key(limit)}.budget"

        def rung(index: int) -> Remedy:
            watts = first + index
            more = f" (+{float(watts - limit.budget_w):,.0f} W)"
            return Remedy(f"{path}={watts} W", f"{path} = {watts:,} W{more}", path)

        yield Ladder(path, _WATTS_BEYOND, rung, rising=True)

    def hops(self) -> Iterator[Remedy]:
        metric = self.model.topology.hops.metric
        ruled = (each.chain for each in self.model.table.rejected if each.fact == "hops")
        counts = {leg.hops.by(metric) for chain in ruled for leg in (chain.home_leg, chain.copy_leg) if leg}
        for count in sorted(counts - set(range((self.model.topology.hops.maximum or 0) + 1)))[:2]:
            yield _set("hops.max", str(count))

    def restore(self, name: str) -> Iterator[Remedy]:
        times = {each.chain.worst_seconds for each in self.model.table.rejected if each.fact == f"restore:{name}"}
        for seconds in sorted(times)[:2]:
            yield _set(f"workload.{name}.restore", f"{ceil(seconds * 1000)} ms")

    def faster(self, name: str) -> Iterator[Ladder]:
        """A better figure of what is slowest on the quickest way that the limit forbids."""
        ruled = [each.chain for each in self.model.table.rejected if each.fact == f"restore:{name}"]
        quickest = min(ruled, key=lambda chain: chain.worst_seconds, default=None)
        stage = slowest_stage(self.model.topology, quickest) if quickest else None
        if stage is not None:
            yield from self.figures.of(stage.fact)

    def copies(self, name: str) -> Iterator[Remedy]:
        most = next(each.entry.spec.copies for each in self.model.sets if each.name == name)
        for count in range(most - 1, max(most - 4, 0), -1):
            yield _set(f"workload.{name}.copies", str(count))

    def more_units(self) -> Iterator[Ladder]:
        """Further enclosures, cabled as those there are, where more are needed than there are."""
        facts = [fact for fact in self.model.program.facts if not fact.startswith("power:")]
        needed = fewest_on(self.model, facts, on_variables(self.model), time_limit_s=self.time_limit_s)
        there, pools = units_there(self.model), self.model.switching.by_units()
        if needed is None or needed <= there or len(pools) != 1:
            return
        unit, first = pools[0].first.unit, needed - there
        if self.written.grown(unit, first) is not None:
            most = max(TIMES * there - needed, 1)
            yield Ladder(f"more {unit}", most, lambda index: self._grown(unit, first + index), rising=True)

    def _grown(self, unit: str, more: int) -> Remedy:
        grown = self.written.grown(unit, more)
        assert grown is not None, unit
        longer, (first, *also) = grown
        text = f"{longer}, {more} {unit_noun(self.model, more)} more"
        return Remedy(first, text, f"more {unit}", tuple(also))


def _set(path: str, value: str) -> Remedy:
    return Remedy(f"{path}={value}", f"{path} = {value}", path)


def _key(limit: PowerLimit) -> str:
    """Key in the file: names of ``each`` budgets carry the member after a blank."""
    return limit.name.partition(" ")[0]
