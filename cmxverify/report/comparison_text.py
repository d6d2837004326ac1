"""One line that sets an answer beside an earlier one."""

from __future__ import annotations

from fractions import Fraction

from cmxverify.placement.model.plan import Plan, unit_noun
from cmxverify.placement.proof.outcome import Outcome
from cmxverify.placement.whatif.compare_plans import Movement, PlanFigures, movement
from cmxverify.report.amounts import size
from cmxverify.report.tables import wrap_items


def comparison_lines(
    plan: Plan, outcome: Outcome, before: PlanFigures, after: PlanFigures, *, width: int
) -> list[str]:
    """``optimal   enclosures 4 -> 3   power 1,572 -> 1,322 W   ...   moved 49.2 TB``."""
    items = [f"{name} {_change(old, new, unit, digits)}" for name, old, new, unit, digits in _rows(plan, before, after)]
    items += _moved(movement(before.homes, after.homes))
    return wrap_items(f"{outcome.status.value}  ", items, width=width, separator="   ")


def comparison_document(before: PlanFigures, after: PlanFigures, earlier: str) -> dict[str, object]:
    """The same for machines, as exact fractions in base units."""
    move = movement(before.homes, after.homes)
    return {
        "from": earlier,
        "units_on": [len(before.on), len(after.on)],
        "power": [str(before.watts), str(after.watts)],
        "endurance": [_maybe(before.endurance), _maybe(after.endurance)],
        "restore_mean": [_maybe(before.restore), _maybe(after.restore)],
        "late": [str(before.late), str(after.late)],
        "moved": str(move.moved),
        "added": str(move.added),
        "dropped": str(move.dropped),
    }


_Row = tuple[str, Fraction | None, Fraction | None, str, int]


def _rows(plan: Plan, before: PlanFigures, after: PlanFigures) -> list[_Row]:
    """Name, old, new, unit and digits of each figure that one of the plans has."""
    noun = unit_noun(plan.model, 2) if plan.model.switching.pools else "places"
    rows: list[_Row] = [
        (noun, Fraction(len(before.on)), Fraction(len(after.on)), "", 0),
        ("power", before.watts, after.watts, "W", 0),
        ("endurance", _times(before.endurance, 100), _times(after.endurance, 100), "%", 0),
        ("restore", _times(before.restore, 1000), _times(after.restore, 1000), "ms", 1),
        ("late turns", before.late, after.late, "/s", 1),
    ]
    always = "restore"
    return [row for row in rows if row[0] == always or row[1] or row[2]]


def _change(old: Fraction | None, new: Fraction | None, unit: str, digits: int) -> str:
    """``4 -> 3``, ``29.9 ms unchanged``; as many further digits as it takes to tell two figures apart."""
    if old == new:
        return f"{_shown(new, digits)} {unit}".rstrip() + " unchanged"
    told = next((n for n in range(digits, digits + 6) if _shown(old, n) != _shown(new, n)), None)
    if told is None:
        return f"{_shown(new, digits)} {unit}".rstrip() + " nearly unchanged"
    return f"{_shown(old, told)} -> {_shown(new, told)} {unit}".rstrip()


def _shown(value: Fraction | None, digits: int) -> str:
    return "none" if value is None else f"{float(value):,.{digits}f}"


def _times(value: Fraction | None, factor: int) -> Fraction | None:
    return None if value is None else value * factor


def _moved(move: Movement) -> list[str]:
    found = [f"moved {size(move.moved)}" if move.moved else "nothing moves"]
    found += [f"new {size(move.added)}"] if move.added else []
    return found + ([f"dropped {size(move.dropped)}"] if move.dropped else [])


def _maybe(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
