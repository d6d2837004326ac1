"""What ``size`` prints of a working set or a model: every factor between a token and the capacity to buy."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from cmxverify.placement.model.set_size import GpuRoom, Load, Memory, SetSize
from cmxverify.report.tables import PIPE_WIDTH, fold
from cmxverify.units import Dimension, format_count, format_quantity, format_share
from cmxverify.workload.kv_shape import Attention, Kind, KvShape
from cmxverify.workload.sizing import SizingReport

_LABEL = 14
_MOST_BANDS = 4
_WHOLE_ON_A_RANK = (Kind.LATENT, Kind.INDEX, Kind.COMPRESSED)


def set_lines(size: SetSize, *, width: int = PIPE_WIDTH) -> list[str]:
    """Lines on one working set, its name first."""
    if size.report is None or size.working_set.shape is None:
        return _raw_lines(size, width)
    spec = size.working_set.entry.spec
    unit = "document" if spec.documents else "session"
    head = f"{size.working_set.name}   {spec.model} {size.report.dtype}   "
    lines = [
        *_head(head, size.report, width),
        *_one(size.report, unit, width),
        *_stored(size, size.report, unit, width),
        *_traffic(size, size.report, width),
        *_engine(size.report, size.working_set.shape, unit, size.gpus, width),
        *(_gpus(size.gpus, unit, width) if size.gpus else []),
        *_article(size.report, width),
    ]
    from_file = spec.model is not None and size.working_set.shape.name != spec.model
    return [*lines, *(_notes(size.report, width) if from_file else [])]


def model_lines(report: SizingReport, shape: KvShape, *, width: int = PIPE_WIDTH) -> list[str]:
    """Lines on one model by itself, its name first."""
    stored = f"x {report.sessions:,} = {_size(report.stored)}"
    return [
        *_head(f"{report.name}   {report.dtype}   ", report, width),
        *_one(report, "session", width),
        *_line("stored", [stored], width),
        *_engine(report, shape, "session", None, width),
        *_article(report, width),
        *_notes(report, width),
    ]


def _head(head: str, report: SizingReport, width: int) -> list[str]:
    formula = f"{report.formula} = {_bytes(report.bytes_per_token)} B/token"
    text = fold(head + formula, width=width, indent=_LABEL + 2)
    beside = []
    if report.bounded:
        beside.append(f"up to {_bytes(report.bounded)} B a sequence in windows")
    if report.state:
        beside.append(f"{_bytes(report.state)} B of fixed state a sequence")
    return [*text, *(_line("beside them", beside, width, separator="; ") if beside else [])]


def _one(report: SizingReport, unit: str, width: int) -> list[str]:
    more = report.session_paged / report.session - 1
    added = f" (+{format_share(more, 1)})" if more else ""
    pages = f"in {report.page_tokens}-token pages {_size(report.session_paged)}{added}"
    return _line(f"one {unit}", [f"{report.context:,} tokens = {_size(report.session)}; {pages}"], width)


def _stored(size: SetSize, report: SizingReport, unit: str, width: int) -> list[str]:
    copies = size.working_set.entry.spec.copies
    text = f"x {report.sessions:,} = {_size(report.stored)}"
    if copies > 1:
        text += f", {copies} copies {_size(report.stored * copies)}"
    if len(report.bands) < 2:
        return _line("stored", [text], width)
    sizes = _in_one_unit([band.stored for band in report.bands])
    told = [
        f"{band.name} {round(band.sessions):,} {unit}s {each}"
        for band, each in zip(report.bands, sizes, strict=True)
    ]
    return _line("stored", [text, ", ".join(_shortened(told))], width, gap=8)


def _traffic(size: SetSize, report: SizingReport, width: int) -> list[str]:
    """Reads and writes of one copy; every copy is written, one is read."""
    spec, copies = size.working_set.entry.spec, size.working_set.entry.spec.copies
    reads = [_number(band.reads) for band in size.working_set.bands]
    total = _number(size.working_set.reads)
    rates = " + ".join(reads) if len(reads) <= _MOST_BANDS else total
    if spec.sessions:
        read = f"{rates} turns/s = {_rate(size.read_rate)}"
        written = f"{total} x {report.new_tokens:,} tokens"
    else:
        read = f"{total} reads/s = {_rate(size.read_rate)}"
        written = f"all every {format_quantity(spec.rewritten or 0, Dimension.TIME)}"
    write = f"writes  {written} = {_rate(size.write_rate, 3)}"
    if copies > 1:
        write += f", {copies} copies {_rate(size.write_rate * copies, 3)}"
    return _line("reads", [read, write], width, gap=7)


def _engine(report: SizingReport, shape: KvShape, unit: str, gpus: GpuRoom | None, width: int) -> list[str]:
    """What an engine holds in G1: on a rank, for a session, for all of them; and each reason for more."""
    held = report.allocation.allocated
    alone = report.attention is Attention.DP or report.tp == 1
    if alone:
        where = f" on one of {report.tp} ranks (attention dp)" if report.tp > 1 else " on one rank"
        first = f"{_size(held)}{where}"
    else:
        first = f"{_size(held / report.tp)} on each of {report.tp} ranks = {_size(held)} a {unit}"
    parts = [first, f"{_size(held * report.sessions)} for all"]
    if gpus is not None:
        parts.append(f"{gpus.allocated:,} fit G1")
    # what pages add stands beside one session already
    reasons = [step for step in report.allocation.steps if "pages" not in step.reason]
    parts += [f"{step.reason} x {_number(step.factor, 4)}" for step in reasons]
    lines = _line("engine", parts, width, separator="; ")
    copied = _why_copied(report, shape)
    return [*lines, *(_line("copies", [copied], width) if copied else [])]


def _why_copied(report: SizingReport, shape: KvShape) -> str:
    """Which parts of the cache several ranks hold alike."""
    if report.attention is Attention.DP or report.tp == 1:
        return ""
    copied = [group for group in shape.groups if group.rank_heads(report.tp) * report.tp > group.heads]
    whole = sorted({group.kind.value for group in copied if group.kind in _WHOLE_ON_A_RANK})
    few = sorted({group.heads for group in copied if group.kind not in _WHOLE_ON_A_RANK})
    reasons = []
    if whole:
        told = " and ".join(whole)
        reasons.append(f"{told} cannot be split, so each of {report.tp} ranks holds all; attention dp keeps one copy")
    for heads in few:
        counted = f"{heads} KV head{'s' if heads > 1 else ''}"
        reasons.append(f"{counted} on {report.tp} ranks: {report.tp // heads} copies of each")
    return "; ".join(reasons)


def _gpus(gpus: GpuRoom, unit: str, width: int) -> list[str]:
    text = " + ".join(_memory(each) for each in gpus.memory)
    named = len(gpus.weights) > 1
    text += "".join(f" - {_load(each, named)}" for each in gpus.weights if each.instances)
    unknown = [each.model for each in gpus.weights if not each.instances]
    if unknown:
        text += f" - unknown weights of {', '.join(unknown)}, taken as 0"
    held = f"{gpus.sessions:,} {unit}s {'decode' if unit == 'session' else 'fit'} at once"
    return _line("G1", [f"{text} = {_size(gpus.room, 3)}: {held}"], width)


def _memory(each: Memory) -> str:
    return f"{each.gpus:,} x {_size(each.each, 3)}" + (" given" if each.given else " x 90 %")


def _load(each: Load, named: bool) -> str:
    return f"{each.instances:,} x {_size(each.each, 3)} weights" + (f" of {each.model}" if named else "")


def _article(report: SizingReport, width: int) -> list[str]:
    keep = f"{float(1 + report.reserve):g}"
    right = f"right figure x {keep} = {_size(report.with_reserve, 3)}"
    if report.article is None or report.parameters is None or report.article_ratio is None:
        return _line("article A22", ["needs the number of parameters, which is unknown", right], width, separator="; ")
    literal = f"{round(report.parameters / 10**9, 1):g}e9 x 2 x 2 x {report.context:,} x {report.sessions:,} x {keep}"
    parts = [f"{literal} = {_size(report.article, 3)}", right, f"{_times(report.article_ratio)} times"]
    return _line("article A22", parts, width, separator="; ")


def _raw_lines(size: SetSize, width: int) -> list[str]:
    """A set told as bytes and rates: nothing is derived, so little is to be shown."""
    spec = size.working_set.entry.spec
    assumed = "" if spec.object else " (assumed)"
    keep = f"{float(1 + size.reserve):g}"
    stored = [f"{_size(size.stored)} as given, x {keep} = {_size(size.stored * (1 + size.reserve))}"]
    if spec.copies > 1:
        stored.append(f"{spec.copies} copies {_size(size.stored * spec.copies)}")
    objects = f"{_number(size.working_set.reads)} objects/s of {_size(size.working_set.object_bytes)}{assumed}"
    reads = f"{_rate(size.read_rate)} as given, {objects}"
    writes = f"writes  {_rate(size.write_rate)}" + (f" x {spec.copies} copies" if spec.copies > 1 else "")
    return [
        f"{size.working_set.name}   bytes and rates as given, no model",
        *_line("stored", stored, width, separator="; "),
        *_line("reads", [reads, writes], width, gap=7),
    ]


def _notes(report: SizingReport, width: int) -> list[str]:
    return [line for note in report.notes for line in _line("note", [note], width)]


def _line(label: str, parts: Sequence[str], width: int, *, gap: int = 0, separator: str = "") -> list[str]:
    """A label and its parts on one line; a part that does not fit begins a line under the first."""
    joint = separator or " " * gap
    indent = " " * (_LABEL + 2)
    lines, current = [], f"  {label:<{_LABEL}}{parts[0]}"
    for number, part in enumerate(parts[1:], start=2):
        more = len(joint.rstrip()) if number < len(parts) else 0
        if len(current) + len(joint) + len(part) + more <= width:
            current += joint + part
        else:
            lines.append(current + joint.rstrip())
            current = indent + part
    return [line for each in [*lines, current] for line in fold(each, width=width, indent=len(indent))]


def _shortened(items: list[str]) -> list[str]:
    if len(items) <= _MOST_BANDS:
        return items
    return [*items[: _MOST_BANDS - 2], f"... {len(items) - _MOST_BANDS + 1:,} more", items[-1]]


def _size(value: Fraction, digits: int = 4) -> str:
    return format_quantity(value, Dimension.SIZE, digits)


def _rate(value: Fraction, digits: int = 4) -> str:
    return format_quantity(value, Dimension.RATE, digits)


def _number(value: Fraction, digits: int = 4) -> str:
    return format_quantity(value, Dimension.FREQUENCY, digits).partition(" ")[0]


def _bytes(value: Fraction) -> str:
    return format_count(value) if value.denominator == 1 else f"{float(value):,.2f}"


def _times(ratio: Fraction) -> str:
    """Two digits of a large ratio: ``1.7e6``."""
    if ratio < 10_000:
        return _number(ratio, 3)
    number, _, exponent = f"{float(ratio):.1e}".partition("e")
    return f"{number}e{int(exponent)}"


def _in_one_unit(sizes: Sequence[Fraction]) -> list[str]:
    """Sizes with one decimal in the unit of the least, so that they compare; far apart, each has its own."""
    least, most = min(sizes), max(sizes)
    if not 0 < most <= 10_000 * least:
        return [_size(size) for size in sizes]
    unit = _size(least).rpartition(" ")[2]
    power = {"": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}[unit.removesuffix("B")]
    return [f"{float(size / 10**power):,.1f} {unit}" for size in sizes]
