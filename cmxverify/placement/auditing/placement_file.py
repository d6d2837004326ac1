"""``placement.json``: a plan or a refusal, with all that is needed to check it again on another machine.

Keys, all of which ``verify`` checks except the last:

- ``cmxverify_placement``: version of this form, 1
- ``topology``: {file, sha256 {each file that was read, from includes to traces: SHA-256 of its content}, set, only}:
  what was planned for, with the ``--set`` and ``--only`` that were given
- ``objectives``, ``chunk_bytes``, ``program_sha256``: the integer program, which is compiled anew and compared
- ``certificate``: status, values, levels, proofs (``certificate_json``)
- ``plan``: {assignments, opened}: the values in names of boxes and places (only where there is a plan)
- ``figures``: {sets, tiers, limits}: what follows from the plan, as exact fractions (likewise)
- ``remarks``: notes of the run and who else proved a level. **Not checked**: nothing follows from them.

No other field can be altered alone, but for what ``certificate_json`` lists (a row's name put in place of its
twin's), and for a ``--set`` that is listed twice, which says nothing new.

Fractions are strings in lowest terms, in base units: bytes, bytes/s, seconds, watts, turns/s.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from cmxverify.files import head_of, write_new
from cmxverify.placement.auditing.audit_plan import ClaimedLevel, PlanClaims, PlannedChunks, SwitchedOn
from cmxverify.placement.model.compile import PlacementModel
from cmxverify.placement.model.plan import Plan, SetResult, TierResult
from cmxverify.placement.proof.certificate_json import outcome_json, read_levels
from cmxverify.placement.proof.outcome import Outcome
from cmxverify.placement.proof.strict_json import JsonValue, load_json
from cmxverify.topology.model import Tier, Topology

FORMAT = 1
NOT_CHECKED = "remarks"
"""The only key whose content may be anything."""
_OURS = b'{\n "cmxverify_placement":'
_ALWAYS = (
    "cmxverify_placement",
    "topology",
    "objectives",
    "chunk_bytes",
    "program_sha256",
    "certificate",
    NOT_CHECKED,
)
_WITH_PLAN = ("plan", "figures")


@dataclass(frozen=True, slots=True)
class PlacementFile:
    """What a placement file states; nothing of it is checked yet."""

    document: JsonValue
    file: str
    sha256: Mapping[str, str]
    overrides: tuple[str, ...]
    only: tuple[str, ...]
    objectives: tuple[str, ...]
    program_sha256: str
    certificate: JsonValue
    claims: PlanClaims | None

    @property
    def checked_part(self) -> JsonValue:
        """The document without its remarks."""
        entries = {name: entry.value for name, entry in self.document.entries().items() if name != NOT_CHECKED}
        return JsonValue(entries, self.document.file)


def placement_document(model: PlacementModel, outcome: Outcome, plan: Plan | None) -> dict[str, object]:
    """The content of a placement file. ``plan`` is that of the outcome's values, None where it has none."""
    document: dict[str, object] = {
        "cmxverify_placement": FORMAT,
        "topology": topology_entry(model.topology),
        "objectives": [objective.key for objective in model.program.objectives],
        "chunk_bytes": str(model.chunk),
        "program_sha256": model.program.digest(),
        "certificate": outcome_json(model.program, outcome),
    }
    if plan is not None:
        document |= {"plan": _plan(plan), "figures": _figures(plan)}
    also = {level.key: list(level.also_proved_by) for level in outcome.levels if level.also_proved_by}
    return document | {NOT_CHECKED: {"notes": list(outcome.notes), "also_proved_by": also}}


def topology_entry(topology: Topology) -> dict[str, object]:
    """Where a topology came from: names, digests, changes."""
    return {
        "file": topology.file,
        "sha256": dict(topology.digests),
        "set": list(topology.overrides),
        "only": list(topology.only),
    }


def write_placement(path: Path, model: PlacementModel, outcome: Outcome, plan: Plan | None) -> None:
    """Write a placement file in one step; an earlier one of ours is replaced.

    Raises:
        InputError: If another file of that name exists, or it cannot be written.
    """
    text = json.dumps(placement_document(model, outcome, plan), indent=1, ensure_ascii=False) + "\n"
    write_new(path, text, force=is_placement(path))


def is_placement(path: Path) -> bool:
    """Whether a file begins as those that are written here do, so that it may be replaced."""
    return head_of(path, len(_OURS)) == _OURS


def read_placement(path: Path) -> PlacementFile:
    """Read a placement file; whether it tells the truth is for ``verify`` to say.

    Raises:
        InputError: If it is no placement file, or a field is unknown, missing or of the wrong kind.
    """
    document = load_json(path)
    if "cmxverify_placement" not in document.entries():
        document.refuse("this is no placement file", "Give it a file that 'cmxverify solve' wrote.")
    with_plan = any(name in document.entries() for name in _WITH_PLAN)
    field = document.fields(*_ALWAYS, *(_WITH_PLAN if with_plan else ()))
    if field["cmxverify_placement"].whole() != FORMAT:
        field["cmxverify_placement"].refuse("unknown version of this form", f"This cmxverify reads version {FORMAT}.")
    topology = field["topology"].fields("file", "sha256", "set", "only")
    chunk = field["chunk_bytes"].fraction()
    return PlacementFile(
        document=document,
        file=topology["file"].text(),
        sha256={name: entry.text() for name, entry in topology["sha256"].entries().items()},
        overrides=_texts(topology["set"]),
        only=_texts(topology["only"]),
        objectives=_texts(field["objectives"]),
        program_sha256=field["program_sha256"].text(),
        certificate=field["certificate"],
        claims=_read_claims(field, chunk) if with_plan else None,
    )


def _texts(value: JsonValue) -> tuple[str, ...]:
    return tuple(item.text() for item in value.items())


def _plan(plan: Plan) -> dict[str, object]:
    assignments = [
        {
            "set": each.working_set,
            "band": each.band,
            "boxes": each.boxes,
            "copy": each.copy,
            "home": each.home,
            "owner": each.owner,
            "chunks": each.chunks,
        }
        for each in plan.assignments
    ]
    opened = [{"pool": each.pool, "owner": each.owner, "places": list(each.places)} for each in plan.opened]
    return {"assignments": assignments, "opened": opened}


def _read_claims(field: Mapping[str, JsonValue], chunk: Fraction) -> PlanClaims:
    plan = field["plan"].fields("assignments", "opened")
    levels = field["certificate"].entries().get("levels")
    if levels is None:
        field["certificate"].refuse("key 'levels' is missing", "A file with a plan states what it reaches.")
    return PlanClaims(
        chunk,
        tuple(map(_read_assignment, plan["assignments"].items())),
        tuple(map(_read_opened, plan["opened"].items())),
        tuple(ClaimedLevel(level.key, level.value, level.unit) for level in read_levels(levels)),
    )


def _read_assignment(value: JsonValue) -> PlannedChunks:
    field = value.fields("set", "band", "boxes", "copy", "home", "owner", "chunks")
    return PlannedChunks(
        field["set"].text(),
        field["band"].text(),
        field["boxes"].text(),
        _maybe_text(field["copy"]),
        _maybe_text(field["home"]),
        field["owner"].text(),
        field["chunks"].whole(),
    )


def _read_opened(value: JsonValue) -> SwitchedOn:
    field = value.fields("pool", "owner", "places")
    return SwitchedOn(field["pool"].text(), field["owner"].text(), _texts(field["places"]))


def _maybe_text(value: JsonValue) -> str | None:
    return None if value.value is None else value.text()


def _figures(plan: Plan) -> dict[str, object]:
    return {
        "sets": {each.working_set.name: _set_figures(each) for each in plan.sets},
        "tiers": {each.tier.value: _tier_figures(each) for each in plan.tiers},
        "limits": [
            {
                "limit": each.label,
                "kind": each.kind.value,
                "used": str(each.used),
                "available": str(each.available),
            }
            for each in plan.limits
        ],
    }


def _set_figures(result: SetResult) -> dict[str, object]:
    return {
        "stored": _by_tier(result.stored),
        "copied": _by_tier(result.copied),
        "turns": str(result.turns),
        "share_from": _by_tier(result.from_tier),
        "reads": _by_tier(result.reads),
        "late": str(result.late),
        "restore_mean": _maybe_fraction(result.mean_seconds),
        "restore_worst": _maybe_fraction(result.worst_seconds),
        "hops": result.hops,
    }


def _tier_figures(result: TierResult) -> dict[str, object]:
    return {
        "places_on": result.places_on,
        "placed": str(result.placed),
        "room": str(result.room),
        "turns": str(result.turns),
        "reads": str(result.reads),
        "writes": str(result.writes),
        "watts": str(result.watts),
        "first_byte": str(result.first_byte),
    }


def _by_tier(amounts: Mapping[Tier, Fraction]) -> dict[str, str]:
    return {tier.value: str(amounts[tier]) for tier in Tier if tier in amounts}


def _maybe_fraction(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
