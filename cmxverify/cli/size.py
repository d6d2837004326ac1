"""``cmxverify size``: how many bytes a workload or a model needs, with every factor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cmxverify.cli.options import JsonOption, OnlyOption, SetOption, print_json
from cmxverify.errors import InputError, Location

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from cmxverify.topology.model import Topology
    from cmxverify.workload.kv_shape import KvShape
    from cmxverify.workload.sizing import SizingReport

_USAGE = "Write 'cmxverify size cmx-rack', or 'cmxverify size --model llama-3.1-70b --context 128k'."
_CONFIG_KEY = b'"model_type"'
"""Every config.json of a model has it; a topology may not have it."""

TopologyOption = Annotated[
    str | None, typer.Argument(metavar="TOPOLOGY", help="A YAML file or shipped name: its working sets are sized.")
]
PagesOption = Annotated[
    int, typer.Option("--page-tokens", min=1, max=65_536, metavar="N", help="Tokens of an engine's page.")
]
ReserveOption = Annotated[
    str | None, typer.Option(metavar="SHARE", help="Room to keep free; by default what a set says, or 20%.")
]
ModelOption = Annotated[
    str | None, typer.Option(metavar="NAME|FILE", help="Size one model instead: a catalog name or a config.json.")
]
ContextOption = Annotated[str | None, typer.Option(metavar="TOKENS", help="With --model: tokens of a session.")]
ConcurrencyOption = Annotated[
    str | None, typer.Option(metavar="N", help="With --model: sessions kept at once, by default 1.")
]
RanksOption = Annotated[
    int | None, typer.Option("--tp", min=1, max=4096, metavar="N", help="With --model: ranks of an engine, default 1.")
]
DtypeOption = Annotated[
    str | None, typer.Option("--kv-dtype", metavar="DTYPE", help="With --model: bf16, fp8, ...; default: the model's.")
]
AttentionOption = Annotated[
    Literal["tp", "dp"] | None,
    typer.Option(help="With --model: 'dp' keeps each session on one rank, 'tp' splits its heads."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def size(
        topology: TopologyOption = None,
        only: OnlyOption = None,
        changes: SetOption = None,
        page_tokens: PagesOption = 16,
        reserve: ReserveOption = None,
        model: ModelOption = None,
        context: ContextOption = None,
        concurrency: ConcurrencyOption = None,
        tp: RanksOption = None,
        kv_dtype: DtypeOption = None,
        attention: AttentionOption = None,
        json: JsonOption = False,
    ) -> None:
        """Size working sets, or one model: bytes a token, a session, all of them; what an engine takes; formula A22."""
        for_model = {
            "--context": context, "--concurrency": concurrency, "--tp": tp, "--kv-dtype": kv_dtype,
            "--attention": attention,
        }  # fmt: skip
        if model is None:
            if topology is None:
                raise InputError("neither a topology nor a model to size", fix=_USAGE)
            _refuse(for_model, "belongs to --model", "Change a set with --set workload.acme/chat.tp=8")
            _size_topology(topology, only or [], changes or [], page_tokens, _share(reserve), as_json=json)
            return
        _refuse({"TOPOLOGY": topology, "--only": only, "--set": changes}, "does not go with --model", _USAGE)
        if context is None:
            raise InputError("--model needs --context", fix="Write --context 128k (128,000) or 128Ki (131,072).")
        report, shape = _size_model(
            model,
            context,
            "1" if concurrency is None else concurrency,
            tp or 1,
            kv_dtype,
            attention or "tp",
            page_tokens,
            _share(reserve),
        )
        _print_model(report, shape, as_json=json)


def _refuse(options: Mapping[str, object], why: str, fix: str) -> None:
    given = next((name for name, value in options.items() if value), None)
    if given is not None:
        raise InputError(f"{given} {why}", fix=fix)


def _load(name: str, changes: list[str]) -> Topology:
    """The topology; a model in its place is told how models are sized."""
    from cmxverify.topology.load import load_topology

    try:
        return load_topology(name, overrides=changes)
    except InputError:
        if _is_model(name):
            fix = f"Write 'cmxverify size --model {name} --context 128k'."
            raise InputError("this is a model, no topology", at=Location(name), fix=fix) from None
        raise


def _is_model(name: str) -> bool:
    """Whether it is a name that the catalog knows as a model's, or looks like a config.json."""
    from pathlib import Path

    from cmxverify.catalog.models import model_entries
    from cmxverify.files import head_of

    return _CONFIG_KEY in head_of(Path(name), 1 << 20) or name in {entry.name for entry in model_entries()}


def _share(text: str | None) -> Fraction | None:
    from cmxverify.units import parse_share

    return None if text is None else parse_share(text, Location("--reserve"))


def _size_topology(
    name: str, only: list[str], changes: list[str], page_tokens: int, reserve: Fraction | None, *, as_json: bool
) -> None:
    """All sets are read even with ``--only``: the weights of the others take HBM, too."""
    from cmxverify.placement.model.set_size import size_sets
    from cmxverify.report.sizing_json import set_json
    from cmxverify.report.sizing_table import set_lines
    from cmxverify.report.tables import output_width

    topology = _load(name, changes)
    sizes = size_sets(topology, only=tuple(only), reserve=reserve, page_tokens=page_tokens)
    if as_json:
        print_json({"topology": topology.name, "file": topology.file, "sets": [set_json(each) for each in sizes]})
        return
    for each in sizes:
        for line in set_lines(each, width=output_width()):
            typer.echo(line)


def _size_model(
    model: str,
    context: str,
    concurrency: str,
    tp: int,
    kv_dtype: str | None,
    attention: Literal["tp", "dp"],
    page_tokens: int,
    reserve: Fraction | None,
) -> tuple[SizingReport, KvShape]:
    from pathlib import Path

    from cmxverify.units import parse_count
    from cmxverify.workload.allocation import Allocator
    from cmxverify.workload.dtype import parse_dtype
    from cmxverify.workload.hf_config import shape_of
    from cmxverify.workload.kv_shape import Attention
    from cmxverify.workload.sizing import DEFAULT_RESERVE, size_sessions

    shape = shape_of(model, Path(), Location("--model"))
    report = size_sessions(
        shape,
        dtype=shape.kv_dtype if kv_dtype is None else parse_dtype(kv_dtype, Location("--kv-dtype")),
        context=parse_count(context, Location("--context")),
        sessions=parse_count(concurrency, Location("--concurrency")),
        reserve=DEFAULT_RESERVE if reserve is None else reserve,
        allocator=Allocator(page_tokens=page_tokens),
        tp=tp,
        attention=Attention(attention),
    )
    return report, shape


def _print_model(report: SizingReport, shape: KvShape, *, as_json: bool) -> None:
    from cmxverify.report.sizing_json import report_json
    from cmxverify.report.sizing_table import model_lines
    from cmxverify.report.tables import output_width

    if as_json:
        print_json(report_json(report))
        return
    for line in model_lines(report, shape, width=output_width()):
        typer.echo(line)
