"""Changes of single lines that might make a placement possible; each becomes a ``--set`` and is solved again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from cmxverify.placement.explaining.minima import fewest_on, least, on_variables, units_there
from cmxverify.placement.model.compile import PlacementModel
from cmxverify.placement.model.resources import Resource
from cmxverify.topology.model import Place, PowerLimit

_HIGHER_ENDURANCE = 3
"""Drive writes a day that one can buy instead of 1."""
_SLACK = (Fraction(1), Fraction(5, 4), Fraction(3, 2))
"""Units are whole, so the room that just suffices on average may not; it is tried with some more."""
_MOST_TIMES = 4
"""A figure is not offered at more times of what it is."""
_LIMITS = ("power:", "iso:", "hops", "restore:", "copies:", "tiers:")
_FIGURES = ("kv@", "read@", "write@", "dwpd@", "usable@")
_ORDER = (*_LIMITS, *_FIGURES, "set:")


@dataclass(frozen=True, slots=True)
class Remedy:
    """One change: the ``--set`` argument, and how to say it; of one ``line`` the first that helps is enough."""

    override: str
    text: str
    line: str
    also: tuple[str, ...] = ()
    """Further ``--set`` arguments that belong to the change."""

    def together_with(self, other: Remedy) -> Remedy:
        """Both changes as one."""
        also = (*self.also, other.override, *other.also)
        return Remedy(self.override, f"{self.text} + {other.text}", f"{self.line} + {other.line}", also)


def share_enclosures(tenant: str) -> Remedy:
    """A tenant that keeps apart no longer does."""
    path = f"tenants.{tenant}.isolation"
    return Remedy(f"{path}=namespace", f"{path} = namespace", path)


def find_remedies(model: PlacementModel, core: Sequence[str], *, time_limit_s: float) -> list[Remedy]:
    """Candidate changes for the facts of an explanation, the mildest kinds first; not yet tried."""
    finder = _Finder(model, time_limit_s)
    return [remedy for prefix in _ORDER for fact in core if fact.startswith(prefix) for remedy in finder.of(fact)]


class _Finder:
    def __init__(self, model: PlacementModel, time_limit_s: float) -> None:
        self.model, self.time_limit_s = model, time_limit_s

    def of(self, fact: str) -> Iterator[Remedy]:
        """Changes of the line behind a fact."""
        kind, _, name = fact.partition(":")
        match kind:
            case "power":
                yield from self.budget(int(name))
            case "iso":
                yield from self.isolation(name)
            case "hops":
                yield from self.hops()
            case "restore":
                yield from self.restore(name)
            case "copies":
                yield from self.copies(name)
            case "tiers":
                yield _set(f"workload.{name}.tiers", "[G1, G2, G3, G3.5, G4]")
            case "set":
                yield _set(f"workload.{name}.if_no_room", "recompute")
            case _:
                yield from self.figure(fact)

    def isolation(self, tenant: str) -> Iterator[Remedy]:
        """Sharing, where the tenant or its sets ask to be apart."""
        known = self.model.topology.tenants.get(tenant)
        if known is not None and known.isolation:
            yield _set(f"tenants.{tenant}.isolation", "namespace")
        for each in self.model.sets:
            if each.entry.tenant == tenant and each.isolation and each.entry.spec.isolation is not None:
                yield _set(f"workload.{each.name}.isolation", "namespace")

    def budget(self, index: int) -> Iterator[Remedy]:
        """The least budget that all other lines allow."""
        limit, fact = self.model.topology.power[index], f"power:{index}"
        resource = next(each for each in self.model.resources if fact in each.facts)
        need = self.needed(fact, resource)
        if need is not None:
            budget = ceil(need + limit.budget_w - resource.limit)
            more = f" (+{float(budget - limit.budget_w):,.0f} W)"
            path = f"power.{_key(limit)}.budget"
            yield Remedy(f"{path}={budget} W", f"{path} = {budget:,} W{more}", path)

    def needed(self, fact: str, resource: Resource) -> Fraction | None:
        """Least load on a resource under all lines but one."""
        others = [each for each in self.model.program.facts if each != fact]
        return least(self.model.program.keeping(others), resource.loads, time_limit_s=self.time_limit_s)

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

    def copies(self, name: str) -> Iterator[Remedy]:
        most = next(each.entry.spec.copies for each in self.model.sets if each.name == name)
        for count in range(most - 1, max(most - 4, 0), -1):
            yield _set(f"workload.{name}.copies", str(count))

    def figure(self, fact: str) -> Iterator[Remedy]:
        """A better device: more room, rate or endurance, as much as it takes."""
        key = fact.partition("@")[0]
        for place in self.model.topology.places.values():
            at = place.key_at.get(key, place.at)
            if fact == f"{key}@{at.file}:{at.line}":
                path = f"{self.node_path(place)}.{key}"
                if key == "dwpd" and place.dwpd is not None and place.dwpd < Fraction(_HIGHER_ENDURANCE, 86_400):
                    yield _set(path, f"{_HIGHER_ENDURANCE} DWPD")
                if key in ("dwpd", "usable"):
                    yield from self.room(place)
                if key in ("kv", "read", "write"):
                    yield from self.more(fact, place, key)
                return

    def room(self, place: Place) -> Iterator[Remedy]:
        """Room, and with it endurance, so that as many units as there are would do."""
        facts = [fact for fact in self.model.program.facts if not fact.startswith("power:")]
        needed = fewest_on(self.model, facts, on_variables(self.model), time_limit_s=self.time_limit_s)
        there = units_there(self.model)
        if needed is not None and there and needed > there:
            for slack in _SLACK:
                yield from self.times(place, "usable", place.capacity, Fraction(needed, there) * slack)

    def more(self, fact: str, place: Place, key: str) -> Iterator[Remedy]:
        """As much of a figure as the tightest of its limits asks for."""
        short = []
        for resource in self.model.resources:
            if fact in resource.facts:
                need = self.needed(fact, resource)
                units = self.model.switching.pools[resource.label.rpartition(" ")[0]].size if resource.per_on else 1
                if need is not None and resource.limit > 0:
                    short.append(need / (resource.limit * units))
        figure = {"kv": place.capacity, "read": place.read, "write": place.write}[key]
        if short and max(short) > 1 and figure is not None:
            for slack in _SLACK:
                yield from self.times(place, key, figure, max(short) * slack)

    def times(self, place: Place, key: str, figure: Fraction, factor: Fraction) -> Iterator[Remedy]:
        """A figure times a factor, in a round number of TB or GB."""
        if factor > _MOST_TIMES:
            return
        unit, word = (10**12, "TB") if figure >= 10**13 else (10**9, "GB")
        step = 10 ** max(len(str(int(figure * factor // unit))) - 2, 0)
        amount = ceil(figure * factor / unit / step) * step
        rate = "/s" if key in ("read", "write") else ""
        path = f"{self.node_path(place)}.{key}"
        times = float(Fraction(amount * unit) / figure)
        yield Remedy(f"{path}={amount} {word}{rate}", f"{path} = {amount:,} {word}{rate} ({times:.1f} times)", path)

    def node_path(self, place: Place) -> str:
        node = self.model.topology.nodes[place.node]
        if not node.container:
            return f"nodes.{node.short}"
        return f"templates.{self.model.topology.containers[node.container].template}.nodes.{node.short}"


def _set(path: str, value: str) -> Remedy:
    return Remedy(f"{path}={value}", f"{path} = {value}", path)


def _key(limit: PowerLimit) -> str:
    """Key in the file: names of ``each`` budgets carry the member after a blank."""
    return limit.name.partition(" ")[0]
