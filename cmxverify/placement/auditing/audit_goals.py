"""The auditor's objectives: exact values of a plan, and how far a sum of rounded coefficients may lie from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from cmxverify.placement.auditing.audit_flows import Account, Group, served
from cmxverify.placement.auditing.audit_plan import ClaimedLevel, PlanClaims, told
from cmxverify.placement.auditing.audit_times import Times
from cmxverify.topology.model import Place, Tier, Topology

_MOVING = (Tier.G3, Tier.G35, Tier.G4)
"""Tiers whose power grows with what they move."""


class Goals:
    """Exact values of the levels of one plan."""

    def __init__(
        self,
        topology: Topology,
        claims: PlanClaims,
        groups: list[Group],
        account: Account,
        times: Times,
        energy: Callable[[Place], Fraction],
    ) -> None:
        self.topology, self.claims, self.groups, self.account = topology, claims, groups, account
        self.times, self.energy = times, energy
        self.on = [topology.places[name] for opened in claims.opened for name in opened.places]

    def value(self, key: str) -> Fraction:
        """Turns/s, seconds a second, watts, US dollars, or the share of the fullest pool's room."""
        match key:
            case "late":
                return sum((self._late(group) for group in self.groups), Fraction(0))
            case "restore":
                return sum((self._turns(group) * self.times.mean(group) for group in self.groups), Fraction(0))
            case "power":
                return sum((place.idle_w for place in self.on), Fraction(0)) + self._activity()
            case "cost":
                return self._cost()
            case _:
                return max(self._fills(), default=Fraction(0))

    def fault(self, level: ClaimedLevel, exact: Fraction) -> Iterator[str]:
        """Whether a level says anything else than the exact value, rounding apart."""
        claimed = level.value * level.unit
        if level.key == "spread":
            # rounded to 1e-9 of the room a chunk, and then up to whole units: the fullest pool holds no more
            slack = Fraction(self._counted(), 2 * 10**9)
            wrong = exact > claimed + slack
        else:
            wrong = abs(exact - claimed) > level.unit / 2 * self._counted()
        if wrong:
            yield f"level {level.key} is said to be {told(claimed)}, the plan gives {told(exact)}"

    def _counted(self) -> int:
        """Chunks and places that are on: each may be rounded by half a unit."""
        return sum(group.line.chunks for group in self.groups) + len(self.on)

    def _turns(self, group: Group) -> Fraction:
        """Turns/s that these chunks serve, were they all to find them; what is left out has no second copy."""
        copies = 1 if group.line.home is None else group.copies
        return group.turns * group.line.chunks / (group.needed(self.claims.chunk) * copies)

    def _late(self, group: Group) -> Fraction:
        return self._turns(group) * (1 - served(group)[0])

    def _activity(self) -> Fraction:
        total = Fraction(0)
        for name in self.account.placed:
            place = self.topology.places[name]
            if place.tier in _MOVING:
                total += (self.account.read[name] + self.account.written[name]) * self.energy(place)
        return total

    def _cost(self) -> Fraction:
        """An enclosure has one price for all that is in it; without one, each device in it has its own."""
        prices: Mapping[str, Fraction] = self.topology.prices.devices if self.topology.prices else {}
        units = {place.unit for place in self.on}
        whole = {each for each in units if self._template(each) in prices}
        total = sum((prices[self._template(each)] for each in whole), Fraction(0))
        for node in self.topology.nodes.values():
            if node.device in prices and (units - whole) & {node.name, *self._around(node.name)}:
                place = self.topology.places.get(node.name)
                total += prices[node.device] * (place.drives if place else 1)
        return total

    def _template(self, unit: str) -> str:
        container = self.topology.containers.get(unit)
        return container.template if container else ""

    def _around(self, node: str) -> Iterator[str]:
        parts = node.split(".")
        return (".".join(parts[:depth]) for depth in range(1, len(parts)))

    def _fills(self) -> Iterable[Fraction]:
        """What each shared pool that anything is on in holds, of the room of all its places."""
        held: dict[str, Fraction] = defaultdict(Fraction)
        rooms: dict[str, Fraction] = {}
        for group in self.groups:
            if group.shared and group.line.home is not None:
                held[group.line.home] += group.line.chunks * self.claims.chunk
                rooms[group.line.home] = group.pool_room
        return [held[pool] / rooms[pool] for pool in held]
