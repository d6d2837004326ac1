"""``cmxverify show``: a topology in a table and a picture, before anything is solved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cmxverify.cli.options import JsonOption, SetOption, TopologyArgument, print_json

PictureOption = Annotated[
    Path | None,
    typer.Option("--picture", metavar="FILE", help="Draw to this .svg or .png; default: <name>.svg here."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def show(
        topology: TopologyArgument,
        changes: SetOption = None,
        picture: PictureOption = None,
        json: JsonOption = False,
    ) -> None:
        """Print what a topology holds, tier by tier, and draw it."""
        from cmxverify.report.picture import draw_topology
        from cmxverify.report.tables import output_width
        from cmxverify.report.topology_summary import summary_json, summary_lines
        from cmxverify.topology.load import load_topology
        from cmxverify.topology.summary import summarise

        loaded = load_topology(topology, overrides=changes or [])
        summary = summarise(loaded)
        drawn = picture or Path(f"{loaded.name}.svg")
        draw_topology(loaded, drawn)
        if json:
            print_json(summary_json(summary, picture=str(drawn)))
            return
        for line in summary_lines(summary, picture=str(drawn), width=output_width()):
            typer.echo(line)
