"""Cables of a picture: lines between boxes, bundled by kind, and the texts that count them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from cmxverify.report.drawing.scene import (
    Bundle,
    Card,
    End,
    InnerBundle,
    Line,
    Row,
    SwitchBox,
    Zone,
    row_order,
)
from cmxverify.topology.model import NodeKind, Topology
from cmxverify.units import Dimension, format_quantity


@dataclass
class _Gathered:
    """Cables of one kind while they are counted."""

    cables: dict[tuple[End, End], int] = field(default_factory=dict)
    rates: set[Fraction] = field(default_factory=set)
    network: bool = True
    by_unit: dict[str, int] = field(default_factory=dict)
    """Cables by the machine, container or switch at the end that is counted."""


def build_bundles(
    topology: Topology, cards: Sequence[Card], switches: Sequence[SwitchBox], unit_of: Mapping[str, str]
) -> tuple[list[Bundle], list[InnerBundle]]:
    """Bundles between boxes, and those inside cards.

    Args:
        unit_of: The unit (container or machine) of each node in a card, by which its cables are counted.
    """
    ends = _ends(cards, switches)
    outer: dict[tuple[str, str], _Gathered] = {}
    inner: dict[tuple[Zone, str, Row, Row], _Gathered] = {}
    for link in topology.links:
        pair = sorted(
            ((ends[link.a], link.a), (ends[link.b], link.b)), key=lambda p: _rank(cards, switches, p[0])
        )
        (first, upper), (second, lower) = pair
        if not first.is_switch and not second.is_switch and unit_of[upper] == unit_of[lower]:
            gathered = inner.setdefault(_inner_kind(cards, first, second), _Gathered())
        else:
            kinds = _kind(cards, switches, first), _kind(cards, switches, second)
            gathered = outer.setdefault(kinds, _Gathered())
            gathered.cables[(first, second)] = gathered.cables.get((first, second), 0) + link.count
        counted = lower if first.is_switch and not second.is_switch else upper
        unit = unit_of.get(counted, counted)
        gathered.by_unit[unit] = gathered.by_unit.get(unit, 0) + link.count
        gathered.rates.add(link.rate)
        gathered.network &= _on_network(topology, link.a, link.b)
    return _outer(outer), _inner(inner)


def _outer(found: Mapping[tuple[str, str], _Gathered]) -> list[Bundle]:
    bundles = []
    for (a, b), gathered in found.items():
        lines = tuple(Line(*pair, count) for pair, count in gathered.cables.items())
        bundles.append(Bundle(f"{a} -- {b}", _count_text(gathered), lines))
    return bundles


def _inner(found: Mapping[tuple[Zone, str, Row, Row], _Gathered]) -> list[InnerBundle]:
    return [
        InnerBundle(zone, kind, upper, lower, _each_text(gathered, kind))
        for (zone, kind, upper, lower), gathered in found.items()
    ]


def _ends(cards: Sequence[Card], switches: Sequence[SwitchBox]) -> dict[str, End]:
    found = {
        n: End(at, cell)
        for at, card in enumerate(cards)
        for cell, c in enumerate(card.cells)
        for n in c.names
    }
    return found | {name: End(at) for at, box in enumerate(switches) for name in box.names}


def _rank(cards: Sequence[Card], switches: Sequence[SwitchBox], end: End) -> tuple[int, int, int]:
    """Order from the top of the picture to its bottom."""
    if end.is_switch:
        return (1, switches[end.box].level, end.box)
    card = cards[end.box]
    return (
        0 if card.zone is Zone.COMPUTE else 2,
        row_order(card.zone).index(card.cells[end.cell].row),
        end.box,
    )


def _kind(cards: Sequence[Card], switches: Sequence[SwitchBox], end: End) -> str:
    return switches[end.box].kind if end.is_switch else cards[end.box].kind


def _inner_kind(cards: Sequence[Card], a: End, b: End) -> tuple[Zone, str, Row, Row]:
    card = cards[a.box]
    return card.zone, card.kind, card.cells[a.cell].row, card.cells[b.cell].row


def _on_network(topology: Topology, a: str, b: str) -> bool:
    """Network rates are told in bits, rates inside a machine in bytes."""
    return NodeKind.SWITCH in (topology.nodes[a].kind, topology.nodes[b].kind)


def rate_text(rates: Iterable[Fraction], *, network: bool) -> str:
    """One rate, or the range: ``400 Gb/s``.

    >>> rate_text([Fraction(50 * 10**9)], network=True)
    '400 Gb/s'
    """
    ordered = sorted(set(rates))
    texts = [_rate(rate, network=network) for rate in dict.fromkeys((ordered[0], ordered[-1]))]
    return " to ".join(texts)


def _rate(rate: Fraction, *, network: bool) -> str:
    if not network:
        return format_quantity(rate, Dimension.RATE, 3)
    gigabits = rate * 8 / 10**9
    return f"{float(gigabits):,.6g} Gb/s"


def _count_text(gathered: _Gathered) -> str:
    """``18 x 2 x 400 Gb/s``: boxes, cables a box, rate; the number of cables where boxes differ."""
    total, units = sum(gathered.by_unit.values()), len(gathered.by_unit)
    rate = rate_text(gathered.rates, network=gathered.network)
    if units > 1 and len(set(gathered.by_unit.values())) == 1:
        return f"{units:,} x {total // units:,} x {rate}"
    return f"{total:,} x {rate}"


def _each_text(gathered: _Gathered, kind: str) -> str:
    rate = rate_text(gathered.rates, network=gathered.network)
    least, most = min(gathered.by_unit.values()), max(gathered.by_unit.values())
    count = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    article = "an" if kind[0] in "aeio" else "a"
    return f"{count} x {rate} {article} {kind}"
