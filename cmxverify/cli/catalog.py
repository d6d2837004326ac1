"""``cmxverify catalog``: devices and models with every figure, its grade and its source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cmxverify.cli.options import JsonOption, print_json

if TYPE_CHECKING:
    from fractions import Fraction

    from cmxverify.catalog.devices import Device
    from cmxverify.catalog.figure import Figure
    from cmxverify.catalog.models import ModelEntry

_HEADINGS = {
    "gpu": "GPUs",
    "host": "hosts",
    "dpu": "DPUs",
    "nic": "network cards",
    "switch": "switches",
    "flash": "drives and other media, each",
    "store": "stores",
}
_SHOWN = {
    "gpu": ("hbm", "hbm_rate", "idle", "full"),
    "host": ("memory", "kv", "idle", "full"),
    "dpu": ("rate", "ports", "idle", "full"),
    "nic": ("rate", "ports", "idle", "full"),
    "switch": ("ports", "port_rate", "latency", "full"),
    "flash": ("capacity", "read", "write", "dwpd"),
    "store": ("read", "write", "first_byte", "full"),
}
_GRADES = (
    "A primary text read, B press or public copy, C one third-party note, D arithmetic on sourced figures",
    "? assumed: no source publishes it, so it has a range and the reason for its default",
)
_LABEL = 15
"""Width of a label and the blanks around it, under which its text is folded."""
_LEAST_ROOM = 40
"""Columns beside a figure below which the text on it stands on lines of its own."""


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def catalog(
        name: Annotated[
            str | None, typer.Argument(help="A device or a model; without it, all are listed.")
        ] = None,
        json_output: JsonOption = False,
    ) -> None:
        """Look up devices and models: figures with grade and source, KV bytes a token."""
        if json_output:
            print_json(_everything_as_json() if name is None else _one_as_json(name))
            return
        for line in _list_lines() if name is None else _entry_lines(name):
            typer.echo(line)


def _list_lines() -> list[str]:
    from cmxverify.catalog.devices import KIND_FILES, devices
    from cmxverify.report.tables import Align, Column, format_table, output_width

    lines = []
    for kind in KIND_FILES:
        keys = _SHOWN[kind]
        columns = [
            Column("name", least=22),
            *(Column(key, Align.RIGHT, least=11) for key in keys),
            Column(""),
        ]
        rows = [[each.name, *(_brief(each, key) for key in keys), each.title] for each in devices(kind)]
        lines += [_HEADINGS[kind], *format_table(columns, rows, width=output_width()), ""]
    about = "KV bytes a token at 16 and 8 bits, and for a sequence what is bounded or fixed"
    marked = "'~' marks an assumed figure; cmxverify catalog NAME tells its range and why"
    return [*lines, *_wrapped("models: ", about), *_model_table(), "", *_wrapped("", marked)]


def _brief(device: Device, key: str) -> str:
    figure = device.figures.get(key)
    return "" if figure is None else f"{'~' if figure.assumed else ''}{figure.text()}"


def _model_table() -> list[str]:
    from cmxverify.catalog.models import model_entries
    from cmxverify.report.tables import Align, Column, format_table, output_width

    columns = [
        Column("name", least=22),
        *(Column(head, Align.RIGHT) for head in ("parameters", "B/token", "8 bits", "bounded", "state")),
        Column(""),
    ]
    rows = [_model_row(entry) for entry in model_entries()]
    return format_table(columns, rows, width=output_width())


def _model_row(entry: ModelEntry) -> list[str]:
    from cmxverify.workload.dtype import Dtype
    from cmxverify.workload.kv_shape import model_shape

    shape = model_shape(entry.name)
    wide, narrow = (f"{float(shape.bytes_per_token(dtype)):,.0f}" for dtype in (Dtype.BF16, Dtype.FP8))
    bounded, state = (_size(b) if b else "" for b in (shape.bounded_bytes(Dtype.BF16), shape.state_bytes()))
    return [entry.name, _parameters(entry), wide, narrow, bounded, state, entry.title]


def _size(value: Fraction) -> str:
    from cmxverify.units import Dimension, format_quantity

    return format_quantity(value, Dimension.SIZE, 3)


def _parameters(entry: ModelEntry) -> str:
    return "unknown" if entry.parameters is None else f"{entry.parameters / 10**9:,.1f} G"


def _entry_lines(name: str) -> list[str]:
    from cmxverify.catalog.models import ModelEntry

    found = _find(name)
    return _model_lines(found) if isinstance(found, ModelEntry) else _device_lines(found)


def _find(name: str) -> Device | ModelEntry:
    """The device or model of that name; the error names the nearest of both."""
    from cmxverify.catalog.devices import devices
    from cmxverify.catalog.models import model_entries
    from cmxverify.errors import InputError, did_you_mean

    known: dict[str, Device | ModelEntry] = {each.name: each for each in devices()}
    known |= {each.name: each for each in model_entries()}
    if name not in known:
        raise InputError(f"the catalog has no '{name}'", fix=did_you_mean(name, known))
    return known[name]


def _device_lines(device: Device) -> list[str]:
    lines = _wrapped(f"{device.name}   ", f"{device.title}   ({device.kind})")
    references = list(dict.fromkeys(f.source for f in device.figures.values() if not f.assumed))
    for figure in device.figures.values():
        lines += _figure_lines(figure, references)
    lines += _note_lines(device.notes)
    for number, reference in enumerate(references, start=1):
        lines += _wrapped(f"  [{number}] ", reference)
    return [*lines, *_grade_lines()]


def _figure_lines(figure: Figure, references: list[str]) -> list[str]:
    cited = f"[{references.index(figure.source) + 1}] {figure.note}" if not figure.assumed else ""
    from cmxverify.report.tables import output_width

    head = f"  {figure.key:<12} {figure.text():<13} {figure.range_text():<28} {figure.grade}  "
    text, width = cited or f"assumed: {figure.source}", output_width()
    if len(head) + len(text) > width and len(head) + _LEAST_ROOM > width:
        return [head.rstrip(), *_wrapped(" " * _LABEL, text)]
    return _wrapped(head, text)


def _wrapped(head: str, text: str) -> list[str]:
    """``text`` after ``head``, folded under its own beginning within the width of the output."""
    from cmxverify.report.tables import hang, output_width

    return [line.rstrip() for line in hang(head, text, width=output_width())]


def _grade_lines() -> list[str]:
    first, second = _GRADES
    return [*_wrapped("grades: ", first), *_wrapped("        ", second)]


def _model_lines(entry: ModelEntry) -> list[str]:
    from cmxverify.workload.dtype import Dtype
    from cmxverify.workload.kv_shape import model_shape
    from cmxverify.workload.sizing import token_formula

    shape = model_shape(entry.name)
    lines = _wrapped(f"{entry.name}   ", f"{entry.title}   (model)")
    for dtype in (Dtype.BF16, Dtype.FP8):
        words = f"{token_formula(shape, dtype)} = {float(shape.bytes_per_token(dtype)):,.0f} B/token"
        lines += _wrapped(f"  {dtype:<12} ", words)
    if bounded := shape.bounded_bytes(Dtype.BF16):
        lines += _wrapped("  bounded      ", f"{int(bounded):,} B a sequence in bf16, in sliding or chunked layers")
    if state := shape.state_bytes():
        lines += _wrapped("  state        ", f"{int(state):,} B a sequence, whatever its length")
    lines += _wrapped("  shape        ", f"{entry.grade}  {entry.source}")
    count = f"{_parameters(entry)}, published in {entry.weights}"
    parameters = f"{entry.parameters_grade}  {count}; {entry.parameters_source}"
    return [*lines, *_wrapped("  parameters   ", parameters), *_note_lines(entry.notes), *_grade_lines()]


def _note_lines(notes: tuple[str, ...]) -> list[str]:
    return [line for note in notes for line in _wrapped("  note         ", note)]


def _everything_as_json() -> dict[str, Any]:
    from cmxverify.catalog.devices import devices
    from cmxverify.catalog.models import model_entries

    return {
        "devices": [_device_json(each) for each in devices()],
        "models": [_model_json(each) for each in model_entries()],
    }


def _one_as_json(name: str) -> dict[str, Any]:
    from cmxverify.catalog.models import ModelEntry

    found = _find(name)
    return _model_json(found) if isinstance(found, ModelEntry) else _device_json(found)


def _device_json(device: Device) -> dict[str, Any]:
    figures = {
        key: {
            "text": figure.text(),
            "value": figure.value,
            "low": figure.low,
            "high": figure.high,
            "grade": str(figure.grade),
            "assumed": figure.assumed,
            "source": figure.source,
            "note": figure.note,
        }
        for key, figure in device.figures.items()
    }
    return {
        "name": device.name,
        "title": device.title,
        "kind": device.kind,
        "figures": figures,
        "notes": device.notes,
    }


def _model_json(entry: ModelEntry) -> dict[str, Any]:
    from cmxverify.workload.dtype import Dtype
    from cmxverify.workload.kv_shape import model_shape
    from cmxverify.workload.sizing import token_formula

    shape = model_shape(entry.name)
    return {
        "name": entry.name,
        "title": entry.title,
        "kind": "model",
        "bytes_per_token": {str(dtype): shape.bytes_per_token(dtype) for dtype in (Dtype.BF16, Dtype.FP8)},
        "formula": token_formula(shape, Dtype.BF16),
        "bounded_bytes_bf16": shape.bounded_bytes(Dtype.BF16),
        "state_bytes": shape.state_bytes(),
        "groups": [dict(group) for group in entry.groups],
        "parameters": entry.parameters,
        "weights": entry.weights,
        "grade": str(entry.grade),
        "source": entry.source,
        "parameters_source": entry.parameters_source,
        "notes": entry.notes,
    }
