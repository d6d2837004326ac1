"""Options that several commands share, declared once."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

TopologyArgument = Annotated[str, typer.Argument(metavar="TOPOLOGY", help="A YAML file, or a shipped name: cmx-rack.")]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Change one value of the file in memory.")
]
OnlyOption = Annotated[
    list[str] | None, typer.Option("--only", metavar="NAME", help="Keep these working sets (tenant/name).")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object for machines.")]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Print the verdict only.")]
StrictOption = Annotated[bool, typer.Option("--strict", help="Refuse figures that are assumed, not published.")]


def print_json(value: dict[str, Any]) -> None:
    """One JSON object, keys in the order given, fractions as numbers."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False, default=float))
