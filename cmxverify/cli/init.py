"""``cmxverify init``: a commented topology to start from, or a copy of a shipped one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cmxverify.yaml_tree import YamlTree


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
        from cmxverify.files import refuse_target, write_new
        from cmxverify.report.tables import fold, output_width

        files = {output: starter_text()} if shipped is None else _copies(shipped, output)
        for path in files:
            refuse_target(path)
        for path, text in files.items():
            write_new(path, text)
        told = f"wrote {', '.join(map(str, files))}; next: cmxverify show {output}"
        typer.echo("\n".join(fold(told, width=output_width())))


def starter_text() -> str:
    """The commented topology."""
    from importlib.resources import files

    return (files("cmxverify.cli") / "starter.yaml").read_text(encoding="utf-8")


def _copies(name: str, output: Path) -> dict[Path, str]:
    """A shipped topology and the files that it refers to, all in the output's folder, references rewritten."""
    from cmxverify.errors import InputError, did_you_mean
    from cmxverify.topology.files import shipped_topologies, shipped_topology
    from cmxverify.topology.load import load_topology

    known = shipped_topologies()
    if name not in known:
        raise InputError(f"no shipped topology '{name}'", fix=did_you_mean(name, known))
    topology = load_topology(shipped_topology(name), shown=f"{name}.yaml")
    names = {topology.file: output.name}
    for shown in topology.texts:
        names.setdefault(shown, _free_name(shown, {output.name, *names.values()}))
    return {
        output.parent / names[shown]: _moved(text, shown, names) for shown, text in topology.texts.items()
    }


def _free_name(shown: str, taken: set[str]) -> str:
    """The file's own name, or with its folder's before it: ``../workloads/pod.yaml`` is ``workloads-pod.yaml``."""
    path = Path(shown)
    return path.name if path.name not in taken else f"{path.parent.name or 'other'}-{path.name}"


def _moved(text: str, shown: str, names: dict[str, str]) -> str:
    """A file's text with each reference to another copied file as that file's new name."""
    from os.path import normpath

    from cmxverify.yaml_tree import parse_yaml

    tree = parse_yaml(text, shown)
    lines = text.splitlines(keepends=True)
    entries = [tree.child("workload"), *_members(tree.child("include"))]
    for entry in entries:
        reference = entry.value if entry is not None else None
        if entry is not None and isinstance(reference, str):
            target = names[normpath(Path(shown).parent / reference)]
            lines[entry.at.line - 1] = lines[entry.at.line - 1].replace(reference, target, 1)
    return "".join(lines)


def _members(tree: YamlTree | None) -> list[YamlTree]:
    if tree is None or tree.value is None:
        return []
    return tree.value if isinstance(tree.value, list) else [tree]
