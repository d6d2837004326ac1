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
PropertyOption = Annotated[
    list[str] | None, typer.Option("--property", metavar="NAME", help="Check these properties only.")
]
EngineOption = Annotated[str, typer.Option("--engine", help="auto, explore, packed, numpy or interpret.")]
SymmetryOption = Annotated[
    bool, typer.Option("--symmetry/--no-symmetry", help="Count orbits of symmetric types.")
]
DeadlockOption = Annotated[
    bool, typer.Option("--deadlock/--no-deadlock", help="Whether a deadlock is a fault.")
]
ThreadsOption = Annotated[int, typer.Option("--threads", min=1, max=64, help="Threads of the native engine.")]
MemoryOption = Annotated[
    str | None, typer.Option("--memory", metavar="SIZE", help="Stop before holding more: 8GB.")
]
TimeOption = Annotated[float | None, typer.Option("--time-limit", metavar="S", help="Stop after S seconds.")]
HashOption = Annotated[bool, typer.Option("--graph-hash", help="Hash of the state graph, unreduced.")]
GraphOption = Annotated[
    Path | None,
    typer.Option("--graph", metavar="FILE", help="Write the state graph: .dot, .graphml or .json."),
]
ActionsOption = Annotated[
    bool, typer.Option("--actions", help="Also list transitions by action, and states by depth.")
]
OutputOption = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Trace; else MODEL.PROPERTY.json.")
]
SvgOption = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Draw the trace as an SVG chart.")
]
JunitOption = Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML.")]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def check(
        model: ModelArgument,
        bound: BoundOption = None,
        property_: PropertyOption = None,
        engine: EngineOption = "auto",
        symmetry: SymmetryOption = True,
        deadlock: DeadlockOption = True,
        threads: ThreadsOption = 1,
        memory: MemoryOption = None,
        time_limit: TimeOption = None,
        graph_hash: HashOption = False,
        graph: GraphOption = None,
        actions: ActionsOption = False,
        output: OutputOption = None,
        svg: SvgOption = None,
        junit: JunitOption = None,
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
