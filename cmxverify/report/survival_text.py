"""Which failures a workload survives, in one sentence and for machines."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import fill

from cmxverify.placement.whatif.survive import Judged, Survival, Verdict
from cmxverify.report.tables import wrap_items
from cmxverify.topology.hostlist import compress_names

MEANING = "the question is whether everything still fits on what is left; KV that a failed place held is built again"


def survival_lines(survival: Survival, *, width: int) -> list[str]:
    """The verdict with what it rests on, then what was not decided and what is survived, then what was asked.

    Each is a text of its own, of lines that fit.
    """
    lines: list[str] = []
    for verdict in (Verdict.LOST, Verdict.UNDECIDED, Verdict.SURVIVED):
        chosen = [each for each in survival.classes if each.verdict is verdict]
        if chosen:
            head = verdict.value if not lines else f"  {verdict.value}"
            lines.append("\n".join(wrap_items(f"{head}  ", list(_items(chosen, survival.number)), width=width)))
    if not lines:
        lines = ["survived   nothing here can fail"]
    return [*lines, *fill(MEANING, width, initial_indent="  ", subsequent_indent="  ").splitlines()]


def survival_document(survival: Survival) -> dict[str, object]:
    """Class by class, each with the parts whose loss was tried and not survived."""
    return {
        "verdict": survival.verdict.value,
        "survive": survival.number,
        "classes": [
            {
                "kind": each.failure.kind.value,
                "members": list(each.failure.members),
                "lost": each.lost,
                "verdict": each.verdict.value,
                "tried": each.tried,
                "example": list(each.example),
                "sets_without_readers": list(each.bereft),
                "reason": each.reason,
            }
            for each in survival.classes
        ],
    }


def _items(judged: Iterable[Judged], number: int) -> Iterable[str]:
    """``tray[16-17]: only readers of a set``: classes of one reason together."""
    together: dict[tuple[object, ...], list[str]] = {}
    for each in judged:
        key = (each.failure.kind if each.reason else None, each.reason, each.lost)
        together.setdefault(key, []).extend(each.failure.members)
    for (_, reason, lost), members in together.items():
        fewer = f" ({lost} alike)" if lost != number else ""
        yield f"{compress_names(members)}{fewer}" + (f": {reason}" if reason else "")
