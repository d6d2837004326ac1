"""``cmxverify init``: a commented topology to start from, or a copy of a shipped one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def init(
        output: Annotated[
            Path, typer.Option("-o", "--output", metavar="FILE", help="File to write; never overwritten.")
        ] = Path("topology.yaml"),
        shipped: Annotated[
            str | None, typer.Option("--from", metavar="NAME", help="Copy this shipped topology: cmx-rack.")
        ] = None,
    ) -> None:
        """Write a small commented topology to start from."""
        from cmxverify.files import write_new

        files = {output: starter_text()} if shipped is None else _copies(shipped, output)
        _refuse_existing(files)
        for path, text in files.items():
            write_new(path, text)
        typer.echo(f"wrote {', '.join(map(str, files))}; next: cmxverify show {output}")


def starter_text() -> str:
    """The commented topology."""
    from importlib.resources import files

    return (files("cmxverify.cli") / "starter.yaml").read_text(encoding="utf-8")


def _copies(name: str, output: Path) -> dict[Path, str]:
    """A shipped topology and the files that it refers to, beside it under the names that it uses."""
    from cmxverify.errors import InputError, did_you_mean
    from cmxverify.topology.load import find_topology, load_topology, shipped_topologies

    known = shipped_topologies()
    if name not in known:
        raise InputError(f"no shipped topology '{name}'", fix=did_you_mean(name, known))
    source = find_topology(name)
    topology = load_topology(source)
    others = {shown: text for shown, text in topology.texts.items() if shown != topology.file}
    return {
        output: topology.texts[topology.file],
        **{output.parent / shown: t for shown, t in others.items()},
    }


def _refuse_existing(files: dict[Path, str]) -> None:
    """Before anything is written, so that a refusal leaves nothing behind."""
    from cmxverify.errors import InputError, Location

    for path in files:
        if path.exists():
            fix = "Choose another name with -o, or remove it."
            raise InputError("file exists already", at=Location(str(path)), fix=fix)
