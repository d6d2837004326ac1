"""Why a workload does not fit on what a failure leaves, in a few words with proved numbers."""

from __future__ import annotations

from fractions import Fraction

from cmxverify.placement.explaining.cores import smallest_core
from cmxverify.placement.explaining.explain_conclusion import conclude
from cmxverify.placement.explaining.explain_facts import describe
from cmxverify.placement.explaining.minima import fewest_on, least, on_variables, units_there, with_any_number
from cmxverify.placement.model.compile import PlacementModel, compile_placement
from cmxverify.placement.model.resources import Resource, ResourceKind
from cmxverify.placement.model.switching import on_name
from cmxverify.placement.model.symmetry import Pool
from cmxverify.placement.proof.program import Program
from cmxverify.placement.whatif.failures import FailureKind
from cmxverify.topology.model import Topology

_VERBS = {
    ResourceKind.READ: "reads",
    ResourceKind.WRITE: "writes",
    ResourceKind.ENDURANCE: "lasting writes",
    ResourceKind.CAPACITY: "stores",
}
_RULES = ("copies:", "iso:", "hops", "restore:", "tiers:")
"""Facts that say by themselves why no place is left."""
_STORES = (FailureKind.STORE, FailureKind.CONTAINER)


def why_lost(reduced: Topology, kind: FailureKind, *, time_limit_s: float) -> str:
    """``4 needed, 3 left``, ``reads 331.9 of 240 GB/s`` or what the smallest core says; '' if none in the time.

    Args:
        reduced: What the failure leaves; its workload is proved not to fit.
        kind: What failed: of stores it is told first how many are missing, of others what cannot pass.
    """
    model = compile_placement(reduced)
    asked = _Minima(model, time_limit_s * 0.1)
    first, second = asked.units, asked.overrun
    if kind not in _STORES:
        first, second = second, first
    return first() or second() or _of_core(reduced, time_limit_s=time_limit_s * 0.6)


class _Minima:
    """What the lines of the file but its power budgets ask for, if there were any number of units."""

    def __init__(self, model: PlacementModel, time_limit_s: float) -> None:
        self.model, self.time_limit_s = model, time_limit_s
        self.facts = [fact for fact in model.program.facts if not fact.startswith("power:")]
        self.program: Program = with_any_number(model, self.facts)

    def units(self) -> str:
        """How many units are missing."""
        there = units_there(self.model)
        needed = self._fewest(on_variables(self.model))
        return f"{needed} needed, {there} left" if needed is not None and needed > there else ""

    def overrun(self) -> str:
        """The limit of a pool that all who share it overrun furthest, even with every unit on."""
        worst: tuple[Fraction, str] = (Fraction(1), "")
        for pool in self.model.switching.pools.values():
            left = pool.size - (self._fewest(self._owned(pool)) or 0)
            for resource in self.model.resources:
                if on_name(pool, "") in resource.per_on and resource.kind in _VERBS and left > 0:
                    worst = max(worst, self._use(resource, left), key=lambda use: use[0])
        return worst[1]

    def _use(self, resource: Resource, units: int) -> tuple[Fraction, str]:
        owner_of = self.model.switching.owner_of
        shared = {name: load for name, load in resource.loads.items() if not owner_of[name]}
        amount = least(self.program, shared, time_limit_s=self.time_limit_s) or Fraction(0)
        limit = resource.limit * units
        times = resource.shown_times
        return amount / limit, f"{_VERBS[resource.kind]} {_of(amount * times, limit * times, resource.kind)}"

    def _owned(self, pool: Pool) -> tuple[str, ...]:
        return tuple(on_name(pool, owner) for owner in self.model.switching.owners(pool) if owner)

    def _fewest(self, names: tuple[str, ...]) -> int | None:
        if not names:
            return None
        return fewest_on(self.model, self.facts, names, time_limit_s=self.time_limit_s)


def _of(used: Fraction, limit: Fraction, kind: ResourceKind) -> str:
    """``331.9 of 240 GB/s``; more digits where they look equal."""
    unit, size = ("TB", 10**12) if kind is ResourceKind.CAPACITY else ("GB/s", 10**9)
    texts = [(f"{float(used / size):,.{n}f}", f"{float(limit / size):,.{n}f}") for n in (1, 4)]
    shown, most = next((pair for pair in texts if pair[0] != pair[1]), ("more than all", texts[0][1]))
    return f"{shown} of {most.rstrip('0').rstrip('.') if '.' in most else most} {unit}"


def _of_core(reduced: Topology, *, time_limit_s: float) -> str:
    """The conclusion of the smallest core; where no choice is left, the line that leaves none."""
    model = compile_placement(reduced, explain=True)
    core = smallest_core(model.program, time_limit_s=time_limit_s)
    if core is None:
        return ""
    conclusion = conclude(model, core.facts, time_limit_s=time_limit_s / 4).removeprefix("so ")
    if conclusion.startswith("no place is left for"):
        told = describe(model, core.facts, time_limit_s=time_limit_s / 4)
        lines = [each.text for each in told if each.facts[0].startswith(_RULES)]
        return lines[0] if len(lines) == 1 else conclusion
    return conclusion
