"""The summary of a topology as ``show`` prints it: a headline, a table by tier, limits, assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from cmxverify.report.tables import PIPE_WIDTH, Align, Column, format_table, wrap_items
from cmxverify.topology.hostlist import compress_names
from cmxverify.topology.model import PowerLimit, Tier
from cmxverify.topology.summary import AssumedNote, TierSummary, TopologySummary
from cmxverify.units import Dimension, format_quantity, format_share

_DIGITS = 3
_WATCHED = "watched figure"
_PREFIXES = ((18, "EB"), (15, "PB"), (12, "TB"), (9, "GB"), (6, "MB"), (3, "kB"), (0, "B"))
_FIGURE_DIMENSIONS = {
    "idle": Dimension.POWER,
    "full": Dimension.POWER,
    "first_byte": Dimension.TIME,
    "kv": Dimension.SIZE,
    "capacity": Dimension.SIZE,
    "read": Dimension.RATE,
    "write": Dimension.RATE,
    "dwpd": Dimension.ENDURANCE,
}


def summary_lines(
    summary: TopologySummary, *, picture: str | None = None, width: int = PIPE_WIDTH
) -> list[str]:
    """Lines to print; ``picture`` is the file drawn, named in the headline."""
    sizes = _common_sizes([tier.room for tier in summary.tiers])
    rows = [_row(summary, tier, size) for tier, size in zip(summary.tiers, sizes, strict=True)]
    table = format_table(_columns(summary), rows, width=width) if rows else []
    return [
        *_headline(summary, picture, width),
        *table,
        *([] if _WATCHED in "".join(table[:1]) else _watched_lines(summary, width)),
        *_limits(summary, width),
        *_assumptions(summary, width),
    ]


def headcount(summary: TopologySummary) -> str:
    """What there is: ``72 GPUs, 18 trays, 2 leaf switches, 4 enclosures``."""
    return ", ".join(_headcounts(summary))


def _headcounts(summary: TopologySummary) -> list[str]:
    return [_counted(summary.gpus, "GPU"), *(_counted(count, name) for count, name in summary.counts)]


def summary_json(summary: TopologySummary, *, picture: str | None = None) -> dict[str, Any]:
    """The figures for machines: sizes in bytes, rates in bytes/s, powers in watts."""
    return {
        "name": summary.name,
        "picture": picture,
        "gpus": summary.gpus,
        "counts": {name: count for count, name in summary.counts},
        "places": summary.places,
        "plan_to": summary.plan_to,
        "hops": {"metric": summary.hops.metric.value, "max": summary.hops.maximum},
        "tiers": [_tier_json(summary, tier) for tier in summary.tiers],
        "power": [
            {"name": limit.name, "of": list(limit.members), "budget_w": limit.budget_w}
            for limit in summary.power
        ],
        "assumed": [
            {"device": note.device, "figure": note.key, "value": note.value, "of": note.of or note.device}
            for note in summary.assumed
        ],
    }


def _tier_json(summary: TopologySummary, tier: TierSummary) -> dict[str, Any]:
    extra: dict[str, Any] = {}
    if tier.tier is Tier.G1:
        memory = summary.memory
        extra = {"weights_bytes": memory.weights, "weights_unknown": list(memory.unknown)}
    elif tier.shared and summary.inlet is not None:
        extra = {"inlet": summary.inlet.title, "inlet_bytes_per_s_a_gpu": summary.inlet.rate_a_gpu}
    return {
        "tier": tier.tier.value,
        "places": tier.places,
        "room_bytes": tier.room,
        "read_bytes_per_s_each": list(tier.read),
        "room_bytes_a_gpu": tier.room_a_gpu,
        "read_bytes_per_s_a_gpu": tier.read_a_gpu,
        "hops": list(tier.hops) if tier.hops else None,
        **extra,
    }


def _headline(summary: TopologySummary, picture: str | None, width: int) -> list[str]:
    *first, last = _headcounts(summary)
    told = [*(f"{count}," for count in first), f"{last};", _counted(summary.places, "KV place")]
    if picture:
        told = [*told[:-1], f"{told[-1]};", f"picture {picture}"]
    return wrap_items(f"{summary.name}  ", told, width=width, separator=" ")


def _counted(count: int, name: str) -> str:
    plural = name + ("es" if name.endswith(("ch", "s", "x")) else "s")
    return f"{count:,} {name if count == 1 else plural}"


def _columns(summary: TopologySummary) -> list[Column]:
    return [
        Column("tier", least=10),
        Column("places", Align.RIGHT),
        Column("room for KV", Align.RIGHT),
        Column("read rate"),
        Column("a GPU", least=10),
        Column(summary.hops.metric.label),
        Column(_WATCHED),
    ]


def _row(summary: TopologySummary, tier: TierSummary, room: str) -> list[str]:
    a_gpu = "" if tier.room_a_gpu is None else format_quantity(tier.room_a_gpu, Dimension.SIZE, _DIGITS)
    read = "" if tier.tier is Tier.G1 or tier.hops is None else _read(tier)
    return [tier.tier.title, f"{tier.places:,}", room, read, a_gpu, _hops(tier), _watched(summary, tier)]


def _read(tier: TierSummary) -> str:
    least, most = (format_quantity(rate, Dimension.RATE, _DIGITS) for rate in tier.read)
    return f"{most} ea" if least == most else f"{least} to {most}"


def _hops(tier: TierSummary) -> str:
    if tier.hops is None:
        return "none"
    least, most = tier.hops
    return str(most) if least == most else f"{least} to {most}"


def _watched(summary: TopologySummary, tier: TierSummary) -> str:
    if tier.tier is Tier.G1:
        return _memory(summary)
    notes = []
    limit = summary.hops.maximum
    if tier.hops is None:
        notes.append("no GPU reads it")
    elif limit is not None and tier.hops[1] > limit:
        notes.append(f"{'all' if tier.hops[0] > limit else 'some'} beyond the limit of {limit}")
    if tier.shared and tier.read_a_gpu is not None:
        notes = [_way_in(summary, tier.read_a_gpu), *notes]
    return "; ".join(notes)


def _watched_lines(summary: TopologySummary, width: int) -> list[str]:
    """The last column as lines of its own, where the table had no room for it."""
    told = [(tier.tier.title, _watched(summary, tier)) for tier in summary.tiers]
    return [
        line
        for title, text in told
        if text
        for line in wrap_items(f"{title}:", text.split("; "), width=width)
    ]


def _memory(summary: TopologySummary) -> str:
    memory = summary.memory
    notes = []
    if memory.weights:
        notes.append(f"after {format_quantity(memory.weights, Dimension.SIZE, 2)} of weights")
    elif memory.given < summary.gpus:
        notes.append("90 % of HBM, before weights")
    if memory.unknown:
        notes.append(f"weights of {_counted(len(memory.unknown), 'set')} unknown")
    if memory.crowded:
        notes.append(f"weights do not fit {_counted(memory.crowded, 'GPU')}")
    return "; ".join(notes)


def _way_in(summary: TopologySummary, rate: Fraction) -> str:
    offered = format_quantity(rate, Dimension.RATE, _DIGITS)
    if summary.inlet is None:
        return f"{offered} a GPU"
    allowed = format_quantity(summary.inlet.rate_a_gpu, Dimension.RATE, _DIGITS)
    number, _, unit = allowed.partition(" ")
    shown = number if unit == offered.partition(" ")[2] else allowed
    verb = "allows" if not summary.inlet.bound_by.endswith("s") else "allow"
    return f"{offered} a GPU; {summary.inlet.title} {verb} {shown}"


def _limits(summary: TopologySummary, width: int) -> list[str]:
    items = []
    if summary.hops.maximum is not None:
        items.append(f"at most {summary.hops.metric.count(summary.hops.maximum)} from GPU to place")
    items += _budgets(summary.power)
    items.append(f"rates planned to {format_share(summary.plan_to)}")
    return wrap_items("limits:", items, width=width)


def _budgets(limits: Iterable[PowerLimit]) -> list[str]:
    """Equal limits of ``each`` are told once: ``store-rack 14 kW each for store[0-1]``."""
    members: dict[tuple[object, ...], list[PowerLimit]] = {}
    for limit in limits:
        members.setdefault((limit.name.partition(" ")[0], limit.budget_w, limit.at), []).append(limit)
    texts = []
    for group in members.values():
        each = " " in group[0].name
        named = compress_names(name for limit in group for name in limit.members)
        budget = format_quantity(group[0].budget_w, Dimension.POWER)
        texts.append(f"{group[0].name.partition(' ')[0]} {budget}{' each' if each else ''} for {named}")
    return texts


def _assumptions(summary: TopologySummary, width: int) -> list[str]:
    by_device: dict[str, list[AssumedNote]] = {}
    for note in summary.assumed:
        by_device.setdefault(note.device, []).append(note)
    items = [_device_assumptions(device, notes) for device, notes in by_device.items()]
    return wrap_items("assumed, not published:", items, width=width) if items else []


def _device_assumptions(device: str, notes: Sequence[AssumedNote]) -> str:
    """Powers of the whole box first, then what is of the device alone, then where to read more."""
    boxed = [note for note in notes if note.of]
    alone = [_assumed_figure(note) for note in notes if not note.of]
    box = [f"{boxed[0].of} " + ", ".join(_assumed_figure(note) for note in boxed)] if boxed else []
    return "; ".join([*box, *alone]) + f" (cmxverify catalog {device})"


def _assumed_figure(note: AssumedNote) -> str:
    word = note.key.replace("_", " ")
    if note.value is None or note.key not in _FIGURE_DIMENSIONS:
        return f"{word} {note.text}"
    return f"{word} {format_quantity(note.value, _FIGURE_DIMENSIONS[note.key], _DIGITS)}"


def _common_sizes(sizes: Sequence[Fraction]) -> list[str]:
    """Sizes in one unit, one decimal each, so that they can be compared down the column.

    Where they differ by more than 100,000 to 1 each has its own unit.
    """
    positive = [size for size in sizes if size > 0]
    if not positive or max(positive) > 10**5 * min(positive):
        return [format_quantity(size, Dimension.SIZE) for size in sizes]
    power, unit = next((p, name) for p, name in _PREFIXES if min(positive) >= 10**p)
    return [f"{float(round(size / 10**power, 1)):,.1f} {unit}" for size in sizes]
