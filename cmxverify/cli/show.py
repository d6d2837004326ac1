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
        """Print what a topology holds, tier by tier, and draw it (with --json only if --picture is given)."""
        from cmxverify.report.picture import draw_topology
        from cmxverify.report.tables import output_width
        from cmxverify.report.topology_summary import headcount, summary_json, summary_lines
        from cmxverify.topology.load import load_topology
        from cmxverify.topology.summary import summarise

        loaded = load_topology(topology, overrides=changes or [])
        summary = summarise(loaded)
        if json:
            if picture is not None:
                draw_topology(loaded, picture, subtitle=headcount(summary))
            print_json(summary_json(summary, picture=str(picture) if picture else None))
            return
        drawn = picture or _default_picture(loaded.name)
        draw_topology(loaded, drawn, subtitle=headcount(summary))
        for line in summary_lines(summary, picture=str(drawn), width=output_width()):
            typer.echo(line)


def _default_picture(name: str) -> Path:
    """``<name>.svg`` here; an earlier picture of ours is replaced, anything else is kept."""
    from cmxverify.errors import InputError, Location
    from cmxverify.report.picture import is_our_picture

    path = Path(f"{name}.svg")
    if path.exists() and not (path.is_file() and is_our_picture(path)):
        fix = "Name another file: --picture FILE.svg"
        raise InputError("exists already and was not drawn by cmxverify", at=Location(str(path)), fix=fix)
    return path
