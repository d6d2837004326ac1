"""Changes of single lines that might make a placement possible; each becomes a ``--set`` and is solved again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from cmxverify.placement.compile import PlacementModel
from cmxverify.placement.explain_facts import fewest_on, least
from cmxverify.placement.resources import ResourceKind
from cmxverify.topology.model import Place, PowerLimit

_HIGHER_ENDURANCE = 3
_SLACK = (Fraction(1), Fraction(5, 4), Fraction(3, 2))
"""Places are whole, so the room that just suffices on average may not; it is tried with some more."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """One change: the ``--set`` argument, and how to say it; of one ``line`` the first that helps is enough."""

    override: str
    text: str
    line: str


def find_remedies(model: PlacementModel, core: Sequence[str], *, time_limit_s: float) -> list[Remedy]:
    """Candidate changes for the facts of an explanation, the mildest kinds first; not yet tried."""
    return list(_Finder(model, time_limit_s).all(core))


class _Finder:
    def __init__(self, model: PlacementModel, time_limit_s: float) -> None:
        self.model, self.time_limit_s = model, time_limit_s

    def all(self, core: Sequence[str]) -> Iterator[Remedy]:
        order = ("power:", "iso:", "hops", "restore:", "copies:", "tiers:", "dwpd@", "usable@", "set:")
        for prefix in order:
            for fact in core:
                if fact.startswith(prefix):
                    yield from self.of(prefix, fact)

    def of(self, prefix: str, fact: str) -> Iterator[Remedy]:
        name = fact.partition(":")[2]
        match prefix:
            case "power:":
                yield from self.budget(int(name))
            case "iso:":
                if name in self.model.topology.tenants:
                    yield self.set(f"tenants.{name}.isolation", "namespace")
            case "hops":
                yield from self.hops()
            case "restore:":
                yield from self.restore(name)
            case "copies:":
                yield self.set(f"workload.{name}.copies", "1")
            case "tiers:":
                yield self.set(f"workload.{name}.tiers", "[G1, G2, G3, G3.5, G4]")
            case "set:":
                yield self.set(f"workload.{name}.if_no_room", "recompute")
            case _:
                yield from self.figure(prefix.rstrip("@"), fact)

    def set(self, path: str, value: str, note: str = "") -> Remedy:
        return Remedy(f"{path}={value}", f"{path} = {value}{note}", path)

    def budget(self, index: int) -> Iterator[Remedy]:
        """The least budget that all other lines allow."""
        limit = self.model.topology.power[index]
        fact = f"power:{index}"
        resource = next((r for r in self.model.resources if fact in r.facts), None)
        if resource is None or resource.kind is not ResourceKind.POWER:
            return
        others = [each for each in self.model.program.facts if each != fact]
        need = least(self.model.program.keeping(others), resource.loads, time_limit_s=self.time_limit_s)
        if need is None:
            return
        budget = ceil(need + limit.budget_w - resource.limit)
        more = budget - limit.budget_w
        path = f"power.{_key(limit)}.budget"
        yield Remedy(f"{path}={budget} W", f"{path} = {budget:,} W (+{float(more):,.0f} W)", path)

    def hops(self) -> Iterator[Remedy]:
        limit = self.model.topology.hops
        assert limit.maximum is not None
        counts = {
            r.chain.home_leg.hops.by(limit.metric)
            for r in self.model.table.rejected
            if r.fact == "hops" and r.chain.home_leg is not None
        }
        for count in sorted(counts)[:2]:
            yield self.set("hops.max", str(count))

    def restore(self, name: str) -> Iterator[Remedy]:
        times = {r.chain.worst_seconds for r in self.model.table.rejected if r.fact == f"restore:{name}"}
        for seconds in sorted(times)[:1]:
            yield self.set(f"workload.{name}.restore", f"{ceil(seconds * 1000)} ms")

    def figure(self, key: str, fact: str) -> Iterator[Remedy]:
        for place in self.model.topology.places.values():
            at = place.key_at.get(key, place.at)
            if fact == f"{key}@{at.file}:{at.line}":
                path = f"{self.node_path(place)}.{key}"
                if key == "dwpd" and place.dwpd is not None and place.dwpd < Fraction(_HIGHER_ENDURANCE, 86_400):
                    yield self.set(path, f"{_HIGHER_ENDURANCE} DWPD")
                yield from self.room(place)
                return

    def room(self, place: Place) -> Iterator[Remedy]:
        """Room, and with it endurance, so that as many places as there are would do."""
        pools = self.model.switching.pools.values()
        there = sum(pool.size for pool in pools if pool.first.key_at == place.key_at)
        needed = fewest_on(self.model, time_limit_s=self.time_limit_s)
        if needed is None or not there or needed <= there:
            return
        step = 10**13 if place.capacity >= 10**14 else 10**12
        for slack in _SLACK:
            room = ceil(place.capacity * needed * slack / there / step) * step
            times = float(Fraction(room) / place.capacity)
            yield self.set(f"{self.node_path(place)}.usable", f"{room // 10**12} TB", f" ({times:.1f} times the room)")

    def node_path(self, place: Place) -> str:
        container = self.model.topology.nodes[place.node].container
        short = self.model.topology.nodes[place.node].short
        if not container:
            return f"nodes.{short}"
        return f"templates.{self.model.topology.containers[container].template}.nodes.{short}"


def _key(limit: PowerLimit) -> str:
    """Key in the file: names of ``each`` budgets carry the member after a blank."""
    return limit.name.partition(" ")[0]
