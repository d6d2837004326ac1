"""Pages that are made when the site is built, so that they cannot fall behind what they describe."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from catalog_page import catalog_page
from commands_page import commands_page
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
DRAWN = ("cmx-rack",)
"""Shipped topologies whose picture the pages show, as ``pictures/NAME.svg``."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the made pages, the specifications and the pictures to the site."""
    for name, text in _texts():
        files.append(File.generated(config, name, content=text))
    for path in sorted((ROOT / "specs").glob("*.md")):
        files.append(File.generated(config, f"specs/{path.name}", abs_src_path=str(path)))
    return files


def _texts() -> Iterator[tuple[str, str]]:
    from cmxverify.report.schema_page import topology_page

    yield "reference/topology.md", topology_page()
    yield "reference/commands.md", commands_page()
    yield "reference/catalog.md", catalog_page()
    for name in DRAWN:
        yield f"pictures/{name}.svg", _picture(name)


def _picture(name: str) -> str:
    from cmxverify.report.picture import draw_topology
    from cmxverify.topology.load import load_topology

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.svg"
        draw_topology(load_topology(name), path)
        return path.read_text(encoding="utf-8")
