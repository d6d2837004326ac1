"""``cmxverify solve``: where blocks should live, proved, or why they cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cmxverify.cli.options import (
    JsonOption,
    OnlyOption,
    QuietOption,
    SetOption,
    StrictOption,
    TopologyArgument,
    print_json,
)

OutputOption = Annotated[
    Path | None, typer.Option("-o", "--output", help="Plan and certificate; default NAME.placement.json.")
]
PictureOption = Annotated[
    Path | None, typer.Option("--picture", metavar="FILE", help="Draw the placement (.svg or .png).")
]
EarlierOption = Annotated[
    Path | None, typer.Option("--from", metavar="PLACEMENT", help="Compare the answer with an earlier one.")
]
SurviveOption = Annotated[
    int | None, typer.Option("--survive", metavar="N", help="Would it still fit with any N alike parts gone?")
]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def solve(
        topology: TopologyArgument,
        objective: Annotated[
            str | None,
            typer.Option("--objective", metavar="KEYS", help="Levels in order: late,restore,power,cost,spread."),
        ] = None,
        engine: Annotated[str, typer.Option("--engine", help="Who proposes plans: auto, z3, cpsat or highs.")] = "auto",
        time_limit: Annotated[float, typer.Option("--time-limit", metavar="S", help="Seconds of wall clock.")] = 60.0,
        gap: Annotated[str, typer.Option("--gap", help="Certified gap that counts as solved.")] = "0.1%",
        seed: Annotated[int, typer.Option("--seed", help="Seed of every engine.")] = 0,
        set_: SetOption = None,
        only: OnlyOption = None,
        output: OutputOption = None,
        picture: PictureOption = None,
        earlier: EarlierOption = None,
        survive: SurviveOption = None,
        rejected: Annotated[bool, typer.Option("--rejected", help="List pairs that your lines rule out.")] = False,
        explain: Annotated[bool, typer.Option(help="If infeasible, find the smallest explanations.")] = True,
        strict: StrictOption = False,
        json_output: JsonOption = False,
        quiet: QuietOption = False,
    ) -> None:
        """Place KV blocks under capacity, bandwidth, power and hop limits, with a certificate.

        Exit code 0: optimal, or feasible within --gap, or survived; 1: infeasible, or not survived; 2: bad input;
        3: undecided in time, stopped by Ctrl-C with something to tell, or gap too wide.
        """
        from cmxverify.cli.solve_run import SolveRequest, run_solve

        request = SolveRequest(
            topology=topology,
            objectives=tuple(key.strip() for key in objective.split(",")) if objective is not None else None,
            engine=engine,
            time_limit_s=time_limit,
            gap=gap,
            seed=seed,
            overrides=tuple(set_ or ()),
            only=tuple(only or ()),
            output=output,
            picture=picture,
            rejected=rejected,
            explain=explain,
            strict=strict,
            earlier=earlier,
            survive=survive,
        )
        report = run_solve(request, progress=not quiet and not json_output)
        if json_output:
            print_json(report.document)
        else:
            typer.echo("\n".join(report.texts[:1] if quiet else report.texts))
        raise typer.Exit(report.exit_code)

