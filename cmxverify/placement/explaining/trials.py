"""Ways out: each change is made in the file's data and solved again, amounts down to the least that suffice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations, islice
from time import monotonic

from cmxverify.errors import InputError
from cmxverify.placement.explaining.ladders import Ladder, Remedy, least_rung
from cmxverify.placement.explaining.reasons import why_not
from cmxverify.placement.explaining.remedies import share_enclosures
from cmxverify.placement.model.compile import PlacementModel, compile_placement
from cmxverify.placement.model.plan import opened_units, read_plan
from cmxverify.placement.proof.outcome import Outcome
from cmxverify.placement.solving.feasible import Undecided, find_feasible
from cmxverify.placement.solving.solve import solve_program
from cmxverify.topology.model import Topology

Reload = Callable[[tuple[str, ...]], Topology]
"""Loads the topology again with further ``--set`` overrides."""

_SHARE_A_REMEDY = 0.2
"""Of the time there is, for one change with all its amounts."""
_LEAST_SECONDS = 5.0
"""For one verdict, once the changed file is loaded."""
_MOST_PAIRS = 8
"""Pairs of changes that are tried where no single one helps."""
_TIME_IS_UP, _UNDECIDED = "not tried, the time is up", "not decided in the time"


@dataclass(frozen=True, slots=True)
class WayOut:
    """A change that was solved again.

    Attributes:
        helps: Whether a plan exists then; None if that was not decided.
        result: What the plan looks like, or in short why there is none; '' where no reason was found.
        least: Whether it is the least of its amounts that helps: one printed step less has no plan.
    """

    remedy: Remedy
    helps: bool | None
    result: str
    least: bool = True


@dataclass(frozen=True, slots=True)
class Trials:
    """All that was tried: single changes, and where none of them helps, how many pairs."""

    ways_out: tuple[WayOut, ...]
    pairs_in_vain: int = 0


def try_all(topology: Topology, ladders: Iterable[Ladder], reload: Reload, *, until: float) -> Trials:
    """Try each change, of a line the mildest that helps; then pairs, where no single one does."""
    bench = _Bench(reload, until)
    ways: dict[str, WayOut] = {}
    for ladder in ladders:
        known = ways.get(ladder.line)
        if known is None or not known.helps:
            tried = bench.climb(ladder)
            if tried is not None:
                ways[ladder.line] = tried
    if any(way.helps for way in ways.values()):
        return Trials(tuple(ways.values()))
    found, in_vain = bench.first_pair_that_helps(topology, ways.values())
    return Trials((*ways.values(), *found), in_vain)


class _Bench:
    """Solves changed files, each within its share of the time."""

    def __init__(self, reload: Reload, until: float) -> None:
        self.reload, self.until = reload, until
        self.each = (until - monotonic()) * _SHARE_A_REMEDY
        self.last: tuple[Remedy, PlacementModel] | None = None
        self.amounts: set[str] = set()

    def left(self) -> float:
        """Seconds for the next change."""
        return min(self.until - monotonic(), self.each)

    def climb(self, ladder: Ladder) -> WayOut | None:
        """The least of a ladder that helps; None where such a change does not fit the file."""
        if not ladder.rung(0).override:
            return WayOut(ladder.rung(0), False, ladder.rung(0).limit)
        until = monotonic() + self.left()
        if ladder.count > 1:
            self.amounts.add(ladder.line)
        try:
            remedy, helps, least = least_rung(ladder, lambda each: self.fits(each, until=until))
            return self.way_out(remedy, helps, least=least)
        except InputError:
            return None

    def fits(self, remedy: Remedy, *, until: float) -> bool | None:
        """Whether the changed file has a plan; None if that is not decided in time."""
        if monotonic() >= until:
            return None
        program = self.changed(remedy).program
        found = find_feasible(program, time_limit_s=max(until - monotonic(), _LEAST_SECONDS))
        return None if isinstance(found, Undecided) else found is not None

    def changed(self, remedy: Remedy) -> PlacementModel:
        """The changed file's model, the last one kept; InputError where the change does not fit the file."""
        if self.last is None or self.last[0] != remedy:
            self.last = remedy, compile_placement(self.reload((remedy.override, *remedy.also)))
        return self.last[1]

    def way_out(self, remedy: Remedy, helps: bool | None, *, least: bool) -> WayOut:
        """A verdict with what the best plan looks like, or why there is none."""
        left = self.left()
        if helps is None:
            return WayOut(remedy, None, _TIME_IS_UP if left <= 0 else _UNDECIDED)
        model = self.changed(remedy)
        if not helps:
            return WayOut(remedy, False, remedy.limit or why_not(model, time_limit_s=max(left, 0.0) / 10))
        outcome = solve_program(model.program, time_limit_s=max(left, _LEAST_SECONDS), second_opinion=False)
        if outcome.interrupted:
            raise KeyboardInterrupt  # for whoever has something to tell
        return WayOut(remedy, True, _summary(model, outcome), least)

    def first_pair_that_helps(self, topology: Topology, tried: Iterable[WayOut]) -> tuple[list[WayOut], int]:
        """Two changes together; sharing comes first, also by tenants that the core leaves out.

        Returns:
            The pair, if one is found; and how many were shown not to help, if none is.
        """
        sharing = [share_enclosures(tenant.name) for tenant in topology.tenants.values() if tenant.isolation]
        singles = [way.remedy for way in tried if way.helps is False and way.remedy.override]
        changes = list({each.line: each for each in (*sharing, *singles)}.values())
        in_vain = 0
        for first, second in islice(combinations(changes, 2), _MOST_PAIRS):
            pair = first.together_with(second)
            try:
                helps = self.fits(pair, until=monotonic() + self.left())
                if helps:
                    least = self.amounts.isdisjoint((first.line, second.line))
                    return [self.way_out(pair, helps, least=least)], 0
            except InputError:
                continue
            in_vain += helps is False
        return [], in_vain


def _summary(model: PlacementModel, outcome: Outcome) -> str:
    if outcome.values is None:
        return "a plan exists"
    plan = read_plan(model, outcome.values)
    parts = [outcome.status.value]
    if model.switching.pools:
        parts.append(f"{opened_units(plan)} on, {float(sum(tier.watts for tier in plan.tiers)):,.0f} W")
    late = sum(float(each.late) for each in plan.sets)
    if late:
        parts.append(f"{late:,.1f} late turns/s")
    return ", ".join(parts)
