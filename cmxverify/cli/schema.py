"""``cmxverify schema``: the JSON Schema of topology files, for editors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def schema(
        output: Annotated[Path | None, typer.Option("-o", "--output", help="Write it to this file.")] = None,
    ) -> None:
        """Print the JSON Schema of topology files, for completion and checks in editors."""
        import json

        from cmxverify.cli.files import write_new
        from cmxverify.topology.schema import topology_json_schema

        text = json.dumps(topology_json_schema(), indent=2) + "\n"
        if output is None:
            typer.echo(text, nl=False)
            return
        write_new(output, text, force=True)
        typer.echo(f"wrote {output}; point your editor at it: # yaml-language-server: $schema={output}")
