"""The picture of a topology: tiers as bands, racks and trays as cards, cables bundled with their rates.

Up to about twenty boxes of a kind are drawn one by one, more are merged and counted, so a picture stays
readable from one GPU to thousands. The same function shows a placement: pass ``fills``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cmxverify.errors import InputError, Location
from cmxverify.files import head_of, refuse_target, write_new
from cmxverify.report.drawing.scene import PlaceFill
from cmxverify.topology.model import Topology

__all__ = ["PlaceFill", "draw_topology", "is_our_picture", "picture_bytes"]


def draw_topology(
    topology: Topology,
    path: Path,
    *,
    subtitle: str = "",
    fills: Mapping[str, PlaceFill] | None = None,
) -> None:
    """Draw to an SVG or PNG file, by its suffix. The same input gives the same bytes.

    Args:
        subtitle: A line under the name, such as the counts.
        fills: Place -> how full it is; colours and texts then show the placement.

    Raises:
        InputError: If the suffix is another one, the file exists and was not drawn here, or it cannot be written.
    """
    form = picture_form(path)
    refuse_target(path, force=is_our_picture(path))
    picture = picture_bytes(topology, form, subtitle=subtitle, fills=fills)
    write_new(path, picture, force=is_our_picture(path))


def picture_form(path: Path) -> str:
    """'svg' or 'png', by the suffix.

    Raises:
        InputError: If the suffix is another one.
    """
    form = path.suffix.lower().lstrip(".")
    if form not in ("svg", "png"):
        what = f"pictures are .svg or .png, not '{path.suffix}'"
        raise InputError(what, at=Location(str(path)), fix=f"Write {path.stem}.svg.")
    return form


def is_our_picture(path: Path) -> bool:
    """Whether a file was drawn here, so that a newer picture may take its place."""
    from cmxverify.report.drawing.paint import CREATOR

    return CREATOR.encode() in head_of(path, 4096)


def picture_bytes(
    topology: Topology, form: str, *, subtitle: str = "", fills: Mapping[str, PlaceFill] | None = None
) -> bytes:
    """The picture itself; ``form`` is 'svg' or 'png'."""
    from cmxverify.report.drawing.build import build_scene
    from cmxverify.report.drawing.layout import lay_out
    from cmxverify.report.drawing.paint import paint

    return paint(lay_out(build_scene(topology, subtitle=subtitle, fills=fills)), form)
