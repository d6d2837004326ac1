"""``cmxverify import``: a fabric or machine file of another tool, with an overlay, becomes a topology."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from cmxverify.topology.importers.draft import Draft

_FORMATS = "ibnetdiscover, nccl, hwloc, topograph, slurm, node-link, graphml, lldp, netq, csv"


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("import")
    def import_(
        files: Annotated[
            list[Path], typer.Argument(metavar="FILE...", help="The file; for LLDP one file a device, or their folder.")
        ],
        output: Annotated[Path, typer.Option("-o", "--output", help="The topology file to write.")],
        overlay: Annotated[
            Path | None, typer.Option("--overlay", help="YAML with devices, templates, rates by name pattern.")
        ] = None,
        format_name: Annotated[str | None, typer.Option("--format", help=f"Instead of detection: {_FORMATS}.")] = None,
        strict: Annotated[bool, typer.Option("--strict", help="Refuse values that are assumed.")] = False,
        force: Annotated[bool, typer.Option("--force", help="Replace the output file if it exists.")] = False,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object for machines.")] = False,
        quiet: Annotated[bool, typer.Option("--quiet", help="Print the verdict only.")] = False,
    ) -> None:
        """Turn a fabric or machine file of another tool into a topology.

        The file gives nodes, cables and, where it states them, rates. Devices, templates and missing rates come from
        the overlay by name pattern; what neither gives is assumed, marked in the topology and counted.
        """
        from cmxverify.cli.options import print_json
        from cmxverify.files import write_new
        from cmxverify.topology.importers.draft import draft_topology
        from cmxverify.topology.importers.formats import read_structure
        from cmxverify.topology.importers.overlay import Overlay, read_overlay
        from cmxverify.topology.importers.write import write_topology

        _refuse_target(output, [*files, *([overlay] if overlay else [])], force=force)
        structure = read_structure(files, format_name=format_name)
        draft = draft_topology(structure, read_overlay(overlay) if overlay else Overlay())
        if strict:
            _refuse_assumed(draft)
        write_new(output, write_topology(draft, output.parent), force=force)
        if as_json:
            print_json(_as_json(draft, output))
            return
        for line in _lines(draft, output)[: 1 if quiet else None]:
            typer.echo(line)


def _refuse_target(output: Path, inputs: list[Path], *, force: bool) -> None:
    """Before the work, not after it; --force is not meant for the file that is read."""
    import os.path

    from cmxverify.errors import InputError, Location
    from cmxverify.files import refuse_target

    at = Location(str(output))
    if os.path.exists(output):  # noqa: PTH110  # False, where Path.exists raises, for a name that is too long
        if any(os.path.exists(path) and output.samefile(path) for path in inputs):  # noqa: PTH110
            raise InputError("this is the file to import", at=at, fix="Choose another name with -o.")
        if not force:
            fix = "Choose another name with -o, or pass --force to replace it."
            raise InputError("file exists already", at=at, fix=fix)
    refuse_target(output, force=force)


def _refuse_assumed(draft: Draft) -> None:
    from cmxverify.errors import InputError, Location
    from cmxverify.topology.importers.structure import counted

    if draft.assumed:
        fix = "Give them in an overlay: devices:, replace: and cables: by name pattern."
        listed = "".join(f"\n    {each}" for each in draft.assumed)
        what = f"{counted(draft.assumed_count, 'value')} assumed, not stated"
        raise InputError(what, at=Location(draft.structure.source), fix=fix + listed)


def _lines(draft: Draft, output: Path) -> list[str]:
    """One text a fact, the verdict first."""
    from cmxverify.report.tables import hang, output_width
    from cmxverify.topology.importers.structure import counted

    structure, left_out = draft.structure, draft.structure.left_out()
    told = [("imported", f"{structure.source} ({structure.format}): {structure.summary()}"), ("wrote", str(output))]
    told += [("left out", left_out)] if left_out else []
    told += [("note", note) for note in draft.notes]
    if draft.assumed:
        listed = "; ".join(str(each) for each in draft.assumed)
        told.append(("assumed", f"{counted(draft.assumed_count, 'value')}: {listed}"))
        told.append(("", "an overlay gives them by name pattern; --strict refuses them"))
    return ["\n".join(hang(f"{label:<11}", text, width=output_width())) for label, text in told]


def _as_json(draft: Draft, output: Path) -> dict[str, Any]:
    structure = draft.structure
    return {
        "verdict": "imported",
        "source": structure.source,
        "format": structure.format,
        "output": str(output),
        "name": draft.name,
        "nodes": structure.kinds(),
        "cables": structure.cable_count,
        "left_out": dict(structure.skipped),
        "notes": list(draft.notes),
        "assumed_count": draft.assumed_count,
        "assumed": [
            {
                "figure": each.figure,
                "of": each.noun,
                "value": each.value,
                "stated": each.stated or None,
                "count": each.count,
            }
            for each in draft.assumed
        ],
    }
