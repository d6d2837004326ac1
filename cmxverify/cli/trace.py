"""``cmxverify trace``: take the steps of a saved counterexample again, through the model's Python source."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cmxverify.cli.exit_codes import ExitCode
from cmxverify.cli.options import JsonOption, QuietOption, print_json

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A trace that cmxverify check has saved.")]
SvgOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the trace as an SVG chart.")]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def trace(
        file: FileArgument, svg: SvgOption = None, json_output: JsonOption = False, quiet: QuietOption = False
    ) -> None:
        """Take the steps of a saved counterexample again, and say whether they still violate what they did.

        Exit code 0: no longer violated; 1: still violated; 2: bad input; 3: a full channel.
        """
        from cmxverify.cli.trace_run import run_trace

        done = run_trace(file, svg)
        if json_output:
            print_json(done.as_json())
        else:
            typer.echo("\n".join(done.lines(quiet=quiet)))
        if done.exit_code is not ExitCode.YES:
            raise typer.Exit(done.exit_code)
