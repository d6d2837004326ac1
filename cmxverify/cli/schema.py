"""``cmxverify schema``: what a topology file may hold, for editors (JSON Schema) and for readers (Markdown)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_BEGINNING = 90
"""Characters that tell a schema or a page of ours, which may be replaced, from any other file."""


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def schema(
        output: Annotated[
            Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write it to this file.")
        ] = None,
        markdown: Annotated[
            bool, typer.Option("--markdown", help="Print the reference page instead: every key in tables.")
        ] = False,
    ) -> None:
        """Print the JSON Schema of topology files, for completion and checks in editors."""
        from cmxverify.files import head_of, write_new
        from cmxverify.report.tables import fold, output_width

        text = _page() if markdown else _json_schema()
        if output is None:
            typer.echo(text, nl=False)
            return
        beginning = text[:_BEGINNING].encode()
        write_new(output, text, force=head_of(output, len(beginning)) == beginning)
        hint = "" if markdown else f"; first line of a topology: # yaml-language-server: $schema={output}"
        typer.echo("\n".join(fold(f"wrote {output}{hint}", width=output_width())))


def _json_schema() -> str:
    import json

    from cmxverify.topology.schema import topology_json_schema

    return json.dumps(topology_json_schema(), indent=2, ensure_ascii=False) + "\n"


def _page() -> str:
    from cmxverify.report.schema_page import topology_page

    return topology_page()
