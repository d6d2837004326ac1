"""``cmxverify verify``: check a placement file again, with whole numbers and without a solver."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cmxverify.cli.exit_codes import ExitCode
from cmxverify.cli.options import JsonOption, QuietOption, print_json

if TYPE_CHECKING:
    from cmxverify.placement.auditing.verify import Verdict

_CLAIMS = {
    "optimal": "plan, objectives and bounds re-checked: no plan is better",
    "feasible": "plan and objectives re-checked, bounds proved; a gap is left",
    "infeasible": "no plan exists: proof re-checked",
    "unknown": "nothing was claimed, so there was nothing to prove",
}

PlacementArgument = Annotated[
    Path, typer.Argument(metavar="PLACEMENT", help="A placement.json that 'cmxverify solve' wrote.")
]
TopologyOption = Annotated[
    str | None,
    typer.Option("--topology", metavar="FILE", help="The topology, if it is not where the placement says."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def verify(
        placement: PlacementArgument,
        topology: TopologyOption = None,
        json_output: JsonOption = False,
        quiet: QuietOption = False,
    ) -> None:
        """Check plan, objectives and proofs of a placement again, exactly and without any solver.

        Exit code 0: everything in the file holds; 1: something does not; 2: bad input.
        """
        from cmxverify.placement.auditing.verify import verify_placement

        verdict = verify_placement(placement, topology=topology)
        if json_output:
            print_json(_as_json(verdict))
        else:
            lines = _lines(verdict)
            typer.echo("\n".join(lines[:1] if quiet else lines))
        if not verdict.accepted:
            raise typer.Exit(ExitCode.NO)


def _lines(verdict: Verdict) -> list[str]:
    """Texts, each of lines that fit, the verdict first."""
    from cmxverify.report.tables import at_right, fold, output_width

    time, width = f"{verdict.seconds:.1f} s", output_width()
    if not verdict.accepted:
        count = len(verdict.faults)
        head = f"rejected   {count} fault{'s' if count > 1 else ''} in {verdict.file}"
        faults = ["\n".join(fold(f"  {fault}", width=width)) for fault in verdict.faults]
        return ["\n".join(at_right(head, time, width=width)), *faults]
    assert verdict.status is not None, verdict
    head = f"accepted   {verdict.status.value}; {_CLAIMS[verdict.status.value]}"
    checked = [f"program of {_counted(verdict.variables, 'variable')}, {_counted(verdict.rows, 'row')}"]
    if verdict.leaves:
        checked.append("1 leaf of proof" if verdict.leaves == 1 else f"{verdict.leaves:,} leaves of proof")
    if verdict.places:
        cables = f" and {_counted(verdict.cables, 'cable direction')}" if verdict.cables else ""
        checked.append(f"{_counted(verdict.places, 'place')}{cables} one by one")
    what = fold(f"  {verdict.topology}: {'; '.join(checked)}", width=width)
    return ["\n".join(each) for each in (at_right(head, time, width=width), what)]


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' if number != 1 else ''}"


def _as_json(verdict: Verdict) -> dict[str, Any]:
    return {
        "verdict": "accepted" if verdict.accepted else "rejected",
        "status": verdict.status.value if verdict.status else None,
        "file": verdict.file,
        "topology": verdict.topology,
        "faults": list(verdict.faults),
        "checked": {
            "variables": verdict.variables,
            "rows": verdict.rows,
            "leaves": verdict.leaves,
            "places": verdict.places,
            "cables": verdict.cables,
        },
        "seconds": round(verdict.seconds, 3),
    }
