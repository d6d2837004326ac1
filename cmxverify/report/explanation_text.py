"""An explanation of infeasibility as text and as JSON."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from cmxverify.placement.explaining.cores import Explanation
from cmxverify.placement.explaining.explain import Explained
from cmxverify.report.tables import fold, wrap_items

_ROOM = 20
"""Columns beside a head that are worth beginning a text in."""


def explanation_lines(explained: Explained, *, width: int = 120) -> list[str]:
    """The smallest explanation, the conclusion, and the ways out."""
    if explained.core is None:
        return [f"  {explained.conclusion}"]
    lines = [f"{_how_many(explained)}:"]
    longest = max((len(_short(each.at)) for each in explained.sentences), default=0)
    for each in explained.sentences:
        lines += _hang(f"  {_short(each.at):<{longest}}  ", each.text, width)
    lines += _hang("  ", explained.conclusion, width)
    return lines + _ways(explained, width)


def explanation_document(explained: Explained) -> dict[str, Any]:
    """The same for machines."""
    core = explained.core
    return {
        "smallest": bool(core and core.smallest_proved),
        "irreducible": bool(core and core.irreducible),
        "others": core.others if core else None,
        "others_complete": bool(core and core.others_complete),
        "facts": list(explained.facts),
        "sets_as_one": explained.grouped,
        "sentences": [{"at": str(each.at), "text": each.text} for each in explained.sentences],
        "conclusion": explained.conclusion,
        "ways_out": [
            {
                "set": [each for each in (way.remedy.override, *way.remedy.also) if each],
                "helps": way.helps,
                "least": bool(way.helps and way.least),
                "result": way.result,
            }
            for way in explained.trials.ways_out
        ],
        "pairs_in_vain": explained.trials.pairs_in_vain,
    }


def _how_many(explained: Explained) -> str:
    """How many explanations there are, and what is known of the one that is told."""
    core = explained.core
    assert core is not None
    if explained.grouped:
        return _grouped(core, explained.grouped)
    size = "the shortest" if core.smallest_proved else "one that cannot be shortened" if core.irreducible else "one"
    if core.others == 0 and core.others_complete:
        return "one explanation exists" + ("" if core.irreducible else ", perhaps not the shortest form of it")
    if core.others == 0:
        known = {"the shortest": "the shortest explanation", "one": "an explanation"}
        return f"{known.get(size, 'an explanation that cannot be shortened')}; there may be others"
    total = core.others + 1
    count = f"{total} explanations exist" if core.others_complete else f"at least {total} explanations exist"
    return f"{count}, {size}"


def _grouped(core: Explanation, sets: int) -> str:
    size = "the shortest" if core.smallest_proved else "an"
    needed = "each line needed" if core.irreducible else "perhaps not every line needed"
    return f"{size} explanation, with its {sets} sets as one line; {needed}"


def _short(at: object) -> str:
    """``file:line`` without the column."""
    text = str(at)
    parts = text.rsplit(":", 2)
    return ":".join(parts[:2]) if len(parts) == 3 and parts[2].isdigit() and parts[1].isdigit() else text


def _hang(head: str, text: str, width: int) -> list[str]:
    """A text after its head; further lines stand under the text, or a little in where the head is wide.

    Where hardly a word has room beside the head, all of the text stands below it.
    """
    if width - len(head) < min(_ROOM, width // 2):
        below = wrap(text, width, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
        return [*fold(head.rstrip(), width=width), *below]
    indent = len(head) if len(head) <= width // 2 else 4
    return wrap(text, width, initial_indent=head, subsequent_indent=" " * indent, break_on_hyphens=False)


def _ways(explained: Explained, width: int) -> list[str]:
    ways = explained.trials.ways_out
    helping = [way for way in ways if way.helps]
    useless = [_with_reason(way.remedy.text, way.result) for way in ways if way.helps is False]
    open_ = [way.remedy.text for way in ways if way.helps is None]
    lines = []
    if helping:
        longest = max(len(way.remedy.text) for way in helping)
        lines.append("ways out, each solved again:")
        for way in helping:
            less = "" if way.least else "; less may do"
            lines += _hang(f"  {way.remedy.text:<{longest}}  ", f"{way.result}{less}", width)
    if explained.no_part and (helping or useless):
        useless.append(", ".join(explained.no_part))
    if useless:
        first = "  no help alone:" if helping else "no single change that was tried helps:"
        lines += wrap_items(first, useless, width=width, separator="; ")
    if explained.trials.pairs_in_vain:
        count = explained.trials.pairs_in_vain
        lines.append(f"  nor does any of {count} pairs of changes" if count > 1 else "  nor do two of them together")
    if open_:
        lines += wrap_items("  not decided in the time:", open_, width=width, separator="; ")
    return lines


def _with_reason(text: str, reason: str) -> str:
    """A change with its reason in brackets, after what stands in brackets already."""
    if not reason:
        return text
    return f"{text[:-1]}; {reason})" if text.endswith(")") else f"{text} ({reason})"
