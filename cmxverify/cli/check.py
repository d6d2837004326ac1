"""``cmxverify check``: every reachable state of a model within its bounds, or a shortest counterexample."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cmxverify.cli.exit_codes import ExitCode
from cmxverify.cli.options import JsonOption, QuietOption, print_json

ModelArgument = Annotated[
    str, typer.Argument(metavar="MODEL", help="A shipped name (german), a file, or package.module:Class.")
]
BoundOption = Annotated[
    list[str] | None, typer.Option("--bound", metavar="NAME=VALUE", help="A bound of the model: node=3.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def check(
        model: ModelArgument,
        bound: BoundOption = None,
        property_: Annotated[
            list[str] | None, typer.Option("--property", metavar="NAME", help="Check these properties only.")
        ] = None,
        engine: Annotated[str, typer.Option(help="auto, explore, packed, numpy or interpret.")] = "auto",
        symmetry: Annotated[bool, typer.Option(help="Count orbits where types are symmetric.")] = True,
        deadlock: Annotated[bool, typer.Option(help="A state without a due action is a fault.")] = True,
        threads: Annotated[int, typer.Option(min=1, max=64, help="Threads of the native engine.")] = 1,
        memory: Annotated[
            str | None, typer.Option(metavar="SIZE", help="Stop before holding more: 8GB.")
        ] = None,
        time_limit: Annotated[
            float | None, typer.Option("--time-limit", metavar="S", help="Stop after S seconds.")
        ] = None,
        graph_hash: Annotated[
            bool, typer.Option("--graph-hash", help="Hash of the state graph, unreduced.")
        ] = False,
        graph: Annotated[
            Path | None, typer.Option(metavar="FILE", help="Write the state graph: .dot, .graphml or .json.")
        ] = None,
        actions: Annotated[
            bool, typer.Option("--actions", help="Also list transitions by action, and states by depth.")
        ] = False,
        output: Annotated[
            Path | None,
            typer.Option("-o", "--output", metavar="FILE", help="Trace; else MODEL.PROPERTY.json."),
        ] = None,
        svg: Annotated[
            Path | None, typer.Option(metavar="FILE", help="Draw the trace as an SVG chart.")
        ] = None,
        junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write JUnit XML.")] = None,
        json_output: JsonOption = False,
        quiet: QuietOption = False,
    ) -> None:
        """Search every reachable state of a model within its bounds; show a shortest counterexample.

        Exit code 0: everything holds; 1: violated; 2: bad input; 3: stopped early.
        """
        from cmxverify.checking.check import Choices
        from cmxverify.cli.check_run import CheckRequest, bounds_of, memory_of, run_check

        choices = Choices(
            properties=tuple(property_ or ()),
            engine=engine,
            symmetry=symmetry,
            deadlock=deadlock,
            threads=threads,
            memory_bytes=memory_of(memory),
            seconds=time_limit,
            graph_hash=graph_hash,
        )
        request = CheckRequest(model, bounds_of(bound or []), choices, output, svg, junit, graph)
        done = run_check(request, progress=not (json_output or quiet))
        if json_output:
            print_json(done.as_json())
        else:
            typer.echo("\n".join(done.lines(quiet=quiet, actions=actions)))
        if done.exit_code is not ExitCode.YES:
            raise typer.Exit(done.exit_code)
