"""An answer beside an earlier one: what is on, what it draws and wears, how fast it restores, what has to move.

Bytes move where a set's home changes. Of each set, ``kept`` is what both plans hold at the same places, the
smaller of both amounts at each; of the bytes that both hold at all, the others have moved. That is the least
movement that turns one plan into the other. Bytes beyond these are ``added`` or ``dropped``, not moved. Copies
near the GPUs are caches that fill themselves, and count for nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from cmxverify.errors import InputError, Location
from cmxverify.placement.auditing.audit_plan import PlannedChunks, SwitchedOn
from cmxverify.placement.auditing.placement_file import PlacementFile, read_placement
from cmxverify.placement.model.plan import Assignment, Opened, Plan
from cmxverify.placement.model.resources import ResourceKind
from cmxverify.placement.proof.certificate_json import read_wholes
from cmxverify.placement.proof.outcome import Outcome, Status
from cmxverify.placement.proof.program import Program
from cmxverify.placement.proof.strict_json import JsonValue
from cmxverify.topology.hostlist import expand_ranges
from cmxverify.topology.model import Topology

Homes = Mapping[str, Mapping[str, Fraction]]
"""Bytes at home by set and place."""

_COMMA = re.compile(r",(?![^\[]*\])")
"""Between names, not inside brackets."""


@dataclass(frozen=True, slots=True)
class PlanFigures:
    """What of a plan is compared. Watts; shares of the fullest endurance; seconds; turns/s; bytes."""

    on: frozenset[str]
    """Units that are on."""
    watts: Fraction
    endurance: Fraction | None
    restore: Fraction | None
    late: Fraction
    homes: Homes


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier placement: its figures, and the values of its program's variables."""

    file: str
    figures: PlanFigures
    values: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Movement:
    """Bytes at home that change their place, are new, or are gone."""

    moved: Fraction
    added: Fraction
    dropped: Fraction


def read_earlier(path: Path, topology: Topology) -> Earlier:
    """Read a placement to compare with; what it says is taken as it is, ``verify`` is who checks it.

    Raises:
        InputError: If it is no placement file, damaged, of another topology, or has no plan.
    """
    placement = read_placement(path)
    if Path(placement.file).name != Path(topology.file).name:
        what = f"this is a placement of {placement.file}, not of {topology.file}"
        raise InputError(what, at=Location(str(path)), fix=f"Give --from a placement of {topology.file}.")
    if placement.claims is None:
        fix = "Give --from a placement that was optimal or feasible."
        raise InputError("this placement has no plan to compare with", at=Location(str(path)), fix=fix)
    values = placement.certificate.entries().get("values")
    if values is None:
        placement.certificate.refuse("key 'values' is missing", "A file with a plan states them.")
    return Earlier(str(path), _figures_of_file(placement, topology), read_wholes(values))


def keep_earlier(program: Program, outcome: Outcome, earlier: Earlier) -> Outcome:
    """The outcome with the earlier plan, where that is as good at every level: then nothing has to move.

    Only where each level is proved optimal, for the proofs then hold of every plan with these values.
    """
    values = earlier.values
    if outcome.status is not Status.OPTIMAL or values.keys() != {v.name for v in program.variables}:
        return outcome
    reached = [objective.value(values) for objective in program.objectives]
    if program.violations(values) or reached != [level.value for level in outcome.levels]:
        return outcome
    return replace(outcome, values=values)


def figures_of(plan: Plan) -> PlanFigures:
    """Figures of a plan at hand."""
    worn = [limit.share for limit in plan.limits if limit.kind is ResourceKind.ENDURANCE]
    return PlanFigures(
        on=frozenset(unit for each in plan.opened for unit in each.units),
        watts=sum((tier.watts for tier in plan.tiers), Fraction(0)),
        endurance=max(worn, default=None),
        restore=plan.mean_seconds,
        late=sum((each.late for each in plan.sets), Fraction(0)),
        homes=_homes(plan.assignments, plan.opened, plan.model.chunk, Location("plan")),
    )


def movement(before: Homes, after: Homes) -> Movement:
    """The least that has to move, set by set.

    >>> old, new = {"a": {"x": Fraction(3)}}, {"a": {"x": Fraction(1), "y": Fraction(4)}}
    >>> movement(old, new)
    Movement(moved=Fraction(2, 1), added=Fraction(2, 1), dropped=Fraction(0, 1))
    """
    moved = added = dropped = Fraction(0)
    for name in {**before, **after}:
        old, new = before.get(name, {}), after.get(name, {})
        held, holds = sum(old.values(), Fraction(0)), sum(new.values(), Fraction(0))
        kept = sum((min(amount, new.get(place, Fraction(0))) for place, amount in old.items()), Fraction(0))
        moved += min(held, holds) - kept
        added += max(holds - held, Fraction(0))
        dropped += max(held - holds, Fraction(0))
    return Movement(moved, added, dropped)


def _figures_of_file(placement: PlacementFile, topology: Topology) -> PlanFigures:
    claims = placement.claims
    assert claims is not None, placement.file
    at = Location(placement.document.file)
    field = placement.document.entries()["figures"].fields("sets", "tiers", "limits")
    restore, late = _restoring(field["sets"])
    return PlanFigures(
        on=frozenset(_unit(topology, place) for each in claims.opened for place in each.places),
        watts=sum((_part(tier, "watts").fraction() for tier in field["tiers"].entries().values()), Fraction(0)),
        endurance=max(_worn(field["limits"]), default=None),
        restore=restore,
        late=late,
        homes=_homes(claims.assignments, claims.opened, claims.chunk, at),
    )


def _worn(limits: JsonValue) -> Iterable[Fraction]:
    for each in limits.items():
        field = each.fields("limit", "kind", "used", "available")
        used, available = field["used"].fraction(), field["available"].fraction()
        if field["kind"].text() == ResourceKind.ENDURANCE.value:
            yield used / available if available > 0 else Fraction(0)


def _restoring(sets: JsonValue) -> tuple[Fraction | None, Fraction]:
    """Mean seconds over the turns that find their KV, and late turns/s."""
    spent = found = late = Fraction(0)
    for each in sets.entries().values():
        mean = _part(each, "restore_mean")
        its_late = _part(each, "late").fraction()
        served = _part(each, "turns").fraction() - its_late
        late += its_late
        found += served
        spent += served * (Fraction(0) if mean.value is None else mean.fraction())
    return (spent / found if found else None), late


def _part(value: JsonValue, name: str) -> JsonValue:
    entry = value.entries().get(name)
    if entry is None:
        value.refuse(f"key {name!r} is missing", "Was it written by 'cmxverify solve'?")
    return entry


def _unit(topology: Topology, place: str) -> str:
    """What the place was switched on with; of a place that is not there any more, the container it lay in."""
    known = topology.places.get(place)
    return known.unit if known else place.rpartition(".")[0] or place


def _homes(
    assignments: Iterable[Assignment | PlannedChunks],
    opened: Iterable[Opened | SwitchedOn],
    chunk: Fraction,
    at: Location,
) -> Homes:
    """Bytes of each set at each place: chunks are spread evenly over the places of their home that are on."""
    on = {(each.pool, each.owner): each.places for each in opened}
    found: dict[str, dict[str, Fraction]] = {}
    for each in assignments:
        if each.home is None:
            continue
        places = on.get((each.home, each.owner)) or _named(each.home, at)
        held = found.setdefault(each.working_set, {})
        for place in places:
            held[place] = held.get(place, Fraction(0)) + each.chunks * chunk / len(places)
    return found


def _named(label: str, at: Location) -> list[str]:
    """Places of boxes, named as ranges: all of them hold their share."""
    return [name for part in _COMMA.split(label) for name in expand_ranges(part.strip(), at)]
