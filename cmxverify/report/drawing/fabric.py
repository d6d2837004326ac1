"""Switches between the cards, in levels: nearest to the GPUs on top, nearest to the storage at the bottom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from cmxverify.report.drawing.scene import MOST_OF_A_KIND, Card, SwitchBox, Zone
from cmxverify.topology.hostlist import compress_names
from cmxverify.topology.model import Topology

_LONGEST_TITLE = 30


def build_fabric(
    topology: Topology, cards: Sequence[Card], switches: Sequence[str]
) -> tuple[list[SwitchBox], int]:
    """Boxes of the fabric, and how many levels they stand in."""
    reach = {zone: _distances(topology, cards, set(switches), zone) for zone in Zone}
    levels = _levels(switches, reach[Zone.COMPUTE], reach[Zone.STORAGE])
    boxes = [box for level, names in enumerate(levels) for box in _boxes(topology, names, level)]
    return boxes, len(levels)


def switch_stem(name: str) -> str:
    """Name without its number: what switches of one level are called."""
    short = name.rpartition(".")[2]
    return short.rstrip("0123456789").rstrip("-_") or short


def _distances(topology: Topology, cards: Sequence[Card], switches: set[str], zone: Zone) -> dict[str, float]:
    """Cables from the nearest card of a zone to each switch of the fabric."""
    inside = {name for card in cards if card.zone is zone for cell in card.cells for name in cell.names}
    layer = [s for s in sorted(switches) if any(other in inside for other in topology.graph.adj[s])]
    found = dict.fromkeys(layer, 1.0)
    while layer:
        after = sorted({o for s in layer for o in topology.graph.adj[s] if o in switches and o not in found})
        found.update(dict.fromkeys(after, found[layer[0]] + 1))
        layer = after
    return found


def _levels(switches: Iterable[str], compute: dict[str, float], storage: dict[str, float]) -> list[list[str]]:
    """Each switch stands on the side that it is nearer to; with equal distances on the compute side."""
    places: dict[tuple[int, float], list[str]] = {}
    for name in switches:
        up, down = compute.get(name, inf), storage.get(name, inf)
        key = (0, up) if up <= down else (1, -down)
        places.setdefault(key, []).append(name)
    return [places[key] for key in sorted(places)]


def _boxes(topology: Topology, names: Sequence[str], level: int) -> list[SwitchBox]:
    if len(names) <= MOST_OF_A_KIND:
        return [_box(topology, [name], switch_stem(name), level) for name in names]
    stems: dict[str, list[str]] = {}
    for name in names:
        stems.setdefault(switch_stem(name), []).append(name)
    if len(stems) > MOST_OF_A_KIND:
        return [_box(topology, names, "switch", level)]
    return [_box(topology, members, stem, level) for stem, members in stems.items()]


def _box(topology: Topology, names: Sequence[str], stem: str, level: int) -> SwitchBox:
    short = [name.rpartition(".")[2] for name in names]
    title = compress_names(short if len(set(short)) == len(short) else names)
    devices = sorted({topology.nodes[name].device for name in names})
    device = devices[0] if len(devices) == 1 else f"{len(devices)} types"
    detail = device if len(names) == 1 else f"{len(names):,} x {device}"
    if len(title) > _LONGEST_TITLE:
        title = f"{len(names):,} switches"
    return SwitchBox(title, detail, stem, level, tuple(names))
