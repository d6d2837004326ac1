"""``cmxverify crosscheck``: the same model in another checker, and both results side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cmxverify.cli.check import BoundOption, ModelArgument
from cmxverify.cli.exit_codes import ExitCode
from cmxverify.cli.options import JsonOption, QuietOption, print_json

if TYPE_CHECKING:
    from cmxverify.checking.crosscheck.comparison import CrossCheck


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def crosscheck(
        model: ModelArgument,
        bound: BoundOption = None,
        property_: Annotated[
            list[str] | None,
            typer.Option("--property", metavar="NAME", help="Compare on these properties only."),
        ] = None,
        engine: Annotated[
            str, typer.Option(help="Ours: auto, explore, packed, numpy or interpret.")
        ] = "auto",
        symmetry: Annotated[bool, typer.Option(help="Count orbits, in both.")] = False,
        deadlock: Annotated[bool, typer.Option(help="A state without a due action is a fault.")] = True,
        time_limit: Annotated[
            float, typer.Option("--time-limit", metavar="S", help="Seconds for each of the two.")
        ] = 600.0,
        json_output: JsonOption = False,
        quiet: QuietOption = False,
    ) -> None:
        """Export a model to Murphi, run rumur on it, and compare verdict, states, transitions and depths.

        Exit code 0: both agree; 1: they differ; 2: bad input; 3: the other checker did not run.
        """
        from cmxverify.cli.check_run import bounds_of
        from cmxverify.cli.crosscheck_run import CrossCheckRequest, run_crosscheck

        request = CrossCheckRequest(
            model, bounds_of(bound or []), tuple(property_ or ()), engine, symmetry, deadlock, time_limit
        )
        found = run_crosscheck(request)
        if json_output:
            print_json(_as_json(found))
        else:
            typer.echo("\n".join(_lines(found, quiet=quiet)))
        if found.exit_code != ExitCode.YES:
            raise typer.Exit(found.exit_code)


def _lines(found: CrossCheck, *, quiet: bool) -> list[str]:
    from cmxverify.report.tables import at_right, fold, output_width

    width = output_width()
    if not found.rows:
        return fold(f"not run   {found.peer}: {found.not_run}", width=width)
    head = (
        f"agrees   cmxverify and {found.peer} found the same"
        if found.agrees
        else f"differs   from {found.peer}"
    )
    lines = at_right(head, f"{found.seconds:.1f} s", width=width)
    if quiet:
        return lines
    return [*lines, *(part for line in found.text().splitlines() for part in fold(f"  {line}", width=width))]


def _as_json(found: CrossCheck) -> dict[str, Any]:
    return {
        "verdict": "agrees" if found.agrees else "differs" if found.rows else "not run",
        "peer": found.peer,
        "why_not_run": found.not_run or None,
        "rows": [
            {
                "quantity": row.quantity,
                "cmxverify": row.ours,
                found.peer: row.theirs,
                "agreement": row.agreement.value,
                "note": row.note or None,
            }
            for row in found.rows
        ],
        "counting": found.counting,
        "seconds": round(found.seconds, 3),
    }
