"""Why a placement is infeasible, in the user's own lines, and which changes would help - each solved again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations, islice
from time import monotonic

from cmxverify.errors import InputError
from cmxverify.placement.explaining.cores import Explanation, smallest_core
from cmxverify.placement.explaining.explain_conclusion import conclude
from cmxverify.placement.explaining.explain_facts import Sentence, describe
from cmxverify.placement.explaining.remedies import Remedy, find_remedies, share_enclosures
from cmxverify.placement.model.compile import PlacementModel, compile_placement
from cmxverify.placement.model.plan import opened_units, read_plan
from cmxverify.placement.proof.outcome import Outcome, Status
from cmxverify.placement.solving.solve import solve_program
from cmxverify.topology.model import Topology

Reload = Callable[[tuple[str, ...]], Topology]
"""Loads the topology again with further ``--set`` overrides."""

_CORE_SHARE = 0.4
_SECONDS_A_REMEDY = 10.0
_MOST_PAIRS = 8
"""Pairs of changes that are tried where no single one helps."""


@dataclass(frozen=True, slots=True)
class WayOut:
    """A change that was solved again: ``helps`` tells whether a plan exists then, ``result`` what it looks like."""

    remedy: Remedy
    helps: bool | None
    result: str


@dataclass(frozen=True)
class Explained:
    """The smallest explanation, sentence by sentence, its conclusion, and the ways out that were tried."""

    core: Explanation | None
    sentences: tuple[Sentence, ...]
    conclusion: str
    ways_out: tuple[WayOut, ...]


def explain_infeasible(topology: Topology, reload: Reload, *, time_limit_s: float) -> Explained:
    """Find the smallest explanation of an infeasible topology, and changes that help.

    Args:
        reload: Gives the topology with further overrides, for changes to be solved again.
        time_limit_s: For everything together.
    """
    start = monotonic()
    model = compile_placement(topology, explain=True)
    core = smallest_core(model.program, time_limit_s=time_limit_s * _CORE_SHARE)
    if core is None:
        return Explained(None, (), "no explanation was found in the time", ())
    sentences = describe(model, core.facts, time_limit_s=time_limit_s * 0.1)
    conclusion = conclude(model, core.facts, time_limit_s=time_limit_s * 0.1)
    ways: dict[str, WayOut] = {}
    for remedy in find_remedies(model, core.facts, time_limit_s=time_limit_s * 0.1):
        known = ways.get(remedy.line)
        if known is None or not known.helps:
            left = time_limit_s - (monotonic() - start)
            tried = _try(remedy, reload, time_limit_s=min(left, _SECONDS_A_REMEDY))
            if tried is not None:
                ways[remedy.line] = tried
    if not any(way.helps for way in ways.values()):
        ways |= _first_pair_that_helps(topology, ways.values(), reload, until=start + time_limit_s)
    return Explained(core, tuple(sentences), conclusion, tuple(ways.values()))


def _first_pair_that_helps(
    topology: Topology, tried: Iterable[WayOut], reload: Reload, *, until: float
) -> dict[str, WayOut]:
    """Two changes together, where none helps alone; sharing comes first, also by tenants that the core leaves out."""
    singles = {way.remedy.line: way.remedy for way in tried if way.helps is False}
    sharing = [share_enclosures(tenant.name) for tenant in topology.tenants.values() if tenant.isolation]
    changes = list({each.line: each for each in (*sharing, *singles.values())}.values())
    for first, second in islice(combinations(changes, 2), _MOST_PAIRS):
        pair = first.together_with(second)
        way = _try(pair, reload, time_limit_s=min(until - monotonic(), _SECONDS_A_REMEDY))
        if way is not None and way.helps:
            return {pair.line: way}
    return {}


def _try(remedy: Remedy, reload: Reload, *, time_limit_s: float) -> WayOut | None:
    """Solve the changed file; None where the change does not fit it, as with a node that a range names."""
    if time_limit_s <= 0:
        return WayOut(remedy, None, "not tried, the time is up")
    try:
        model = compile_placement(reload((remedy.override, *remedy.also)))
    except InputError:
        return None
    outcome = solve_program(model.program, time_limit_s=time_limit_s)
    match outcome.status:
        case Status.OPTIMAL | Status.FEASIBLE:
            return WayOut(remedy, True, _summary(model, outcome))
        case Status.INFEASIBLE:
            return WayOut(remedy, False, "still infeasible")
        case Status.UNKNOWN:
            return WayOut(remedy, None, "not decided in the time")


def _summary(model: PlacementModel, outcome: Outcome) -> str:
    assert outcome.values is not None
    plan = read_plan(model, outcome.values)
    parts = [outcome.status.value]
    if model.switching.pools:
        parts.append(f"{opened_units(plan)} on, {float(sum(tier.watts for tier in plan.tiers)):,.0f} W")
    late = sum(float(each.late) for each in plan.sets)
    if late:
        parts.append(f"{late:,.1f} late turns/s")
    return ", ".join(parts)
