"""The reference of catalog figures, made from the catalog: every figure with grade and source."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cmxverify.catalog.devices import KIND_FILES, Device, devices
from cmxverify.catalog.models import ModelEntry, model_entries
from cmxverify.units import Dimension, format_quantity
from cmxverify.workload.dtype import Dtype
from cmxverify.workload.kv_shape import model_shape

_INTRO = """\
Made from the catalog when this site is built. `cmxverify catalog` lists it, `cmxverify catalog NAME` prints one entry;
a topology names an entry with `is:` and may override any figure. Rates are per direction.

Grades: **A** primary text read; **B** press or public copy; **C** one third-party note; **D** arithmetic on sourced
figures; **?** assumed: no source publishes it, so it has a range and the reason for its default. `--strict` refuses
assumed figures.
"""
_HEADINGS = {
    "gpu": "GPUs",
    "host": "Hosts",
    "dpu": "DPUs",
    "nic": "Network cards",
    "switch": "Switches",
    "flash": "Drives and other media",
    "store": "Stores",
}


def catalog_page() -> str:
    """Markdown: models first, then devices by kind."""
    lines = ["# Catalog", "", _INTRO, *_models()]
    for kind in KIND_FILES:
        lines += ["", f"## {_HEADINGS[kind]}"]
        for each in devices(kind):
            lines += ["", *_device(each)]
    return "\n".join(lines) + "\n"


def _models() -> Iterator[str]:
    yield "## Models"
    yield ""
    yield "KV bytes a token, stored once, at 16 and 8 bits; what sliding or chunked layers hold at most and what"
    yield "recurrent layers hold whatever the length, both a sequence; weights as published. `cmxverify catalog NAME`"
    yield "also tells where in a source."
    yield ""
    yield "| name | | B/token, 16 bits | 8 bits | bounded | state | parameters | source |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |"
    sources = list(dict.fromkeys(_text_of(entry) for entry in model_entries()))
    for entry in model_entries():
        yield _row(*_model(entry), f"{entry.grade} [{sources.index(_text_of(entry)) + 1}]")
    yield ""
    yield from (f"[{number}] {source}<br>" for number, source in enumerate(sources, start=1))


def _text_of(entry: ModelEntry) -> str:
    """The source of a model's shape, without the place in it."""
    return entry.source[: entry.source.rindex(" (")] if entry.source.endswith(")") else entry.source


def _model(entry: ModelEntry) -> Iterator[str]:
    shape = model_shape(entry.name)
    yield f"`{entry.name}`"
    yield entry.title
    for dtype in (Dtype.BF16, Dtype.FP8):
        yield f"{float(shape.bytes_per_token(dtype)):,.0f}"
    for size in (shape.bounded_bytes(Dtype.BF16), shape.state_bytes()):
        yield _size(size)
    yield "unknown" if entry.parameters is None else f"{entry.parameters / 10**9:,.1f} G, {entry.weights}"


def _size(value: Fraction) -> str:
    return format_quantity(value, Dimension.SIZE, 3) if value else ""


def _device(each: Device) -> Iterator[str]:
    yield f"### {each.name}"
    yield ""
    yield each.title
    yield ""
    yield "| figure | value | range | grade | source, or why assumed |"
    yield "| --- | --- | --- | --- | --- |"
    for figure in each.figures.values():
        source = "; ".join(part for part in (figure.source, figure.note) if part)
        yield _row(f"`{figure.key}`", figure.text(), figure.range_text(), str(figure.grade), source)
    for note in each.notes:
        yield ""
        yield f"Note: {note}"


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
