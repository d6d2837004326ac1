"""From a topology to the scene that shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from cmxverify.report.drawing.bundles import build_bundles
from cmxverify.report.drawing.cards import KIND_PLURALS, build_cards
from cmxverify.report.drawing.fabric import build_fabric, switch_stem
from cmxverify.report.drawing.scene import Band, Card, PlaceFill, Row, Scene, Zone, percent
from cmxverify.report.drawing.units import cut_topology
from cmxverify.topology.model import NodeKind, Topology
from cmxverify.units import Dimension, format_quantity


def build_scene(
    topology: Topology, *, subtitle: str = "", fills: Mapping[str, PlaceFill] | None = None
) -> Scene:
    """Decide what a picture shows.

    Args:
        subtitle: A line under the name.
        fills: How full each place is; places that are not named are pale, or empty beside named ones.
    """
    parts = cut_topology(topology)
    cards = build_cards(topology, parts, fills)
    switches, levels = build_fabric(topology, cards, parts.switches)
    units = [unit for groups in parts.groups.values() for group in groups for unit in group.units]
    unit_of = {name: unit.title for unit in units for name in unit.nodes}
    bundles, inner = build_bundles(topology, cards, switches, unit_of)
    return Scene(
        title=topology.name,
        subtitle=subtitle,
        cards=tuple(cards),
        switches=tuple(switches),
        levels=levels,
        bundles=tuple(bundles),
        inner=tuple(inner),
        bands=_bands(topology, cards, fills),
        filled=fills is not None,
    )


def _bands(
    topology: Topology, cards: Sequence[Card], fills: Mapping[str, PlaceFill] | None
) -> dict[tuple[Zone, Row], Band]:
    names: dict[tuple[Zone, Row], list[str]] = {}
    for card in cards:
        for cell in card.cells:
            names.setdefault((card.zone, cell.row), []).extend(cell.names)
    return {
        key: _tier_band(topology, key[1], members, fills) if key[1].tier else _network_band(topology, members)
        for key, members in names.items()
    }


def _tier_band(
    topology: Topology, row: Row, names: Sequence[str], fills: Mapping[str, PlaceFill] | None
) -> Band:
    assert row.tier is not None, row
    capacities = [topology.places[name].capacity for name in names]
    total = sum(capacities, Fraction(0))
    size = format_quantity(total, Dimension.SIZE, 3)
    if fills is not None and not fills.keys().isdisjoint(names):
        used = sum(
            (fills[n].share * c for n, c in zip(names, capacities, strict=True) if n in fills), Fraction(0)
        )
        return Band(row.tier.title, (f"{percent(used / total)} of {size}",))
    if len(set(capacities)) == 1:
        each = format_quantity(capacities[0], Dimension.SIZE, 3)
        return Band(row.tier.title, (f"{len(names):,} x {each}", f"= {size}") if len(names) > 1 else (size,))
    return Band(row.tier.title, (f"{len(names):,} places", size))


def _network_band(topology: Topology, names: Sequence[str]) -> Band:
    kinds = {topology.nodes[name].kind: None for name in names}
    devices = sorted({topology.nodes[name].device for name in names})
    what = devices[0] if len(devices) == 1 else f"{len(devices)} types"
    title = " and ".join(KIND_PLURALS[kind] for kind in kinds)
    stems = {switch_stem(name) for name in names}
    if kinds.keys() == {NodeKind.SWITCH} and len(stems) == 1 and "switch" not in min(stems):
        title = f"{min(stems)} {title}"
    return Band(title, (f"{len(names):,} x {what}",))
