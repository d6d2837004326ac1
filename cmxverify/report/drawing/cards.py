"""Cards and their cells: single nodes where they are few, merged boxes with counts where they are many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from cmxverify.report.drawing.scene import Card, Cell, PlaceFill, Row, Zone, percent, row_of, row_order
from cmxverify.report.drawing.units import REST, Group, Parts, Unit, unit_titles
from cmxverify.topology.hostlist import compress_names
from cmxverify.topology.model import NodeKind, Topology
from cmxverify.units import Dimension, format_quantity

KIND_NAMES = {
    NodeKind.GPU: "GPU",
    NodeKind.HOST: "host",
    NodeKind.DPU: "DPU",
    NodeKind.NIC: "NIC",
    NodeKind.SWITCH: "switch",
    NodeKind.FLASH: "flash",
    NodeKind.STORE: "store",
}
KIND_PLURALS = {
    NodeKind.GPU: "GPUs",
    NodeKind.HOST: "hosts",
    NodeKind.DPU: "DPUs",
    NodeKind.NIC: "NICs",
    NodeKind.SWITCH: "switches",
    NodeKind.FLASH: "flash boxes",
    NodeKind.STORE: "stores",
}
_NETWORK_CELLS = 4
_LONGEST_TITLE = 26
_CELLS_IN_A_ZONE = 96
_PLAIN_GPUS = 8


def build_cards(topology: Topology, parts: Parts, fills: Mapping[str, PlaceFill] | None) -> list[Card]:
    """One card a group, compute first."""
    cards = []
    for zone, groups in parts.groups.items():
        titles = unit_titles(unit for group in groups for unit in group.units)
        builder = _CardBuilder(topology, zone, groups, fills)
        for group in groups:
            mine, titles = titles[: len(group.units)], titles[len(group.units) :]
            cards.append(builder.card(group, mine))
    return cards


class _CardBuilder:
    def __init__(
        self, topology: Topology, zone: Zone, groups: Sequence[Group], fills: Mapping[str, PlaceFill] | None
    ) -> None:
        self.topology, self.zone, self.fills = topology, zone, fills
        self.most_places = max(_PLAIN_GPUS, _CELLS_IN_A_ZONE // max(len(groups), 1))
        gpus = [n for g in groups for n in g.units[0].nodes if topology.nodes[n].kind is NodeKind.GPU]
        self.plain_gpus = len(gpus) > _PLAIN_GPUS and len({topology.places[n].capacity for n in gpus}) == 1

    def card(self, group: Group, titles: Sequence[str]) -> Card:
        count = len(group.units)
        kind = REST if group.mixed else group.units[0].kind
        title = REST if group.mixed else _shortened(titles, kind)
        cells = [cell for row in row_order(self.zone) for cell in self.row(row, group)]
        return Card(title, kind, self.zone, count, tuple(cells))

    def row(self, row: Row, group: Group) -> list[Cell]:
        """Cells of one row: one a node, or one a device when there are too many."""
        columns = [self.nodes_in(row, unit) for unit in group.units]
        most = self.most_places if row.tier else _NETWORK_CELLS
        if group.mixed or len(columns[0]) > most:
            return self.merged(row, [name for column in columns for name in column])
        cells = []
        for at, name in enumerate(columns[0]):
            alike = tuple(column[at] for column in columns)
            cells.append(self.cell(row, self.name_in(name, row, group.units[0]), alike))
        return cells

    def nodes_in(self, row: Row, unit: Unit) -> list[str]:
        nodes, places = self.topology.nodes, self.topology.places
        return [name for name in unit.nodes if row_of(nodes[name], places.get(name)) is row]

    def name_in(self, name: str, row: Row, unit: Unit) -> str:
        """Name of a node in a card: that of the box around it if it is alone of its row in there.

        A card of one loose node bears the name itself, so the cell says what it is.
        """
        if not unit.path and len(unit.nodes) == 1:
            return KIND_NAMES[self.topology.nodes[name].kind]
        box = self.topology.nodes[name].container
        if (
            row.tier
            and box
            and box != unit.path
            and len(self.nodes_in(row, Unit("", "", box, self.box(box)))) == 1
        ):
            name = box
        return name[len(unit.path) + 1 :] if unit.path else name.rpartition(".")[2]

    def box(self, path: str) -> tuple[str, ...]:
        return tuple(self.topology.members(path))

    def merged(self, row: Row, names: Sequence[str]) -> list[Cell]:
        kinds: dict[NodeKind, list[str]] = {}
        for name in names:
            kinds.setdefault(self.topology.nodes[name].kind, []).append(name)
        return [
            self.cell(row, f"{len(members):,} {KIND_PLURALS[kind]}", tuple(members), merged=True)
            for kind, members in kinds.items()
        ]

    def cell(self, row: Row, title: str, names: tuple[str, ...], *, merged: bool = False) -> Cell:
        if row.tier is None:
            return Cell(row, title, "", names)
        capacities = [self.topology.places[name].capacity for name in names]
        if self.fills is not None:
            share, label = _fill(names, capacities, self.fills)
            return Cell(row, title, label, names, share)
        if row is Row.G1 and self.plain_gpus and not merged:
            return Cell(row, title, "", names)
        size = sum(capacities, Fraction(0)) if merged else capacities[0]
        return Cell(row, title, format_quantity(size, Dimension.SIZE, 3), names)


def _fill(
    names: Sequence[str], capacities: Sequence[Fraction], fills: Mapping[str, PlaceFill]
) -> tuple[Fraction, str]:
    """Share of all bytes together, and one text, or the range of shares where places differ.

    Places that the plan does not speak of stay pale and without text.
    """
    if fills.keys().isdisjoint(names):
        return Fraction(0), ""
    found = [fills.get(name, PlaceFill(Fraction(0))) for name in names]
    total = sum(capacities, Fraction(0))
    share = sum((f.share * c for f, c in zip(found, capacities, strict=True)), Fraction(0)) / (total or 1)
    texts = {fill.text for fill in found}
    if len(texts) == 1:
        return share, texts.pop()
    least, most = percent(min(f.share for f in found)), percent(max(f.share for f in found))
    return share, most if least == most else f"{least.removesuffix(' %')}-{most}"


def _shortened(titles: Sequence[str], kind: str) -> str:
    """Names as ranges; where they make too long a list, the kind alone."""
    text = compress_names(titles)
    return text if len(text) <= _LONGEST_TITLE else kind
