"""Rules about cables: ports that must exist, rates that both ends must reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from cmxverify.topology.model import Link, Node, NodeKind
from cmxverify.topology.rules.rule import Remark, Severity, rule
from cmxverify.topology.rules.subject import Subject, in_bits, plural
from cmxverify.units import Dimension, format_quantity

_PORTED = (NodeKind.SWITCH, NodeKind.DPU, NodeKind.NIC)
_CARDS = (NodeKind.DPU, NodeKind.NIC)


@rule(
    13,
    "A device has the ports that its cables need",
    source="Catalog: ports and port rates; slower cables may share a port by break-out",
    article=Severity.ERROR,
    published=Severity.ERROR,
)
def ports(subject: Subject) -> Iterator[Remark]:
    """Cables of one rate share a port as often as the port's rate holds theirs."""
    for node in subject.of_kind(*_PORTED):
        cables = _cables_by_rate(subject, node)
        if node.ports is None or not cables:
            continue
        needed = sum(_ports_for(node, rate, count) for rate, count in cables.items())
        if needed > node.ports:
            listed = " and ".join(f"{count:,} of {in_bits(rate)}" for rate, count in sorted(cables.items()))
            speed = f" of {in_bits(node.port_rate)}" if node.port_rate else ""
            text = f"{node.device} has {plural(node.ports, 'port')}{speed}; its cables, {listed}, need {needed:,}"
            yield Remark(node.device_at, text, "Drop cables, add a device, or override ports")


def _cables_by_rate(subject: Subject, node: Node) -> Counter[Fraction]:
    cables: Counter[Fraction] = Counter()
    for link in subject.cables_at.get(node.name, []):
        cables[link.rate] += link.count
    return cables


def _ports_for(node: Node, rate: Fraction, count: int) -> int:
    shared = max(1, node.port_rate // rate) if node.port_rate else 1
    return -(-count // shared)


@rule(
    14,
    "A cable is no faster than what it is plugged into",
    source="Catalog: port, PCIe and C2C rates",
    article=Severity.ERROR,
    published=Severity.ERROR,
)
def too_fast(subject: Subject) -> Iterator[Remark]:
    """Network cables against port rates, links inside a server against PCIe or C2C of the device."""
    for link in subject.topology.links:
        for end, other in ((link.a, link.b), (link.b, link.a)):
            limit = _limit(subject, link, subject.topology.nodes[end], subject.topology.nodes[other])
            if limit is not None and link.rate > limit:
                device = subject.topology.nodes[end].device
                shown, does = (_rate(subject, link, rate) for rate in (link.rate, limit))
                text = f"a link of {shown} ends at {device}, which does {does}"
                yield Remark(link.at, text, "Lower the rate, or add cables with count")


def _rate(subject: Subject, link: Link, rate: Fraction) -> str:
    """In bits for network cables, in bytes for links inside a server, as people write them."""
    return in_bits(rate) if subject.is_network(link) else format_quantity(rate, Dimension.RATE)


def _limit(subject: Subject, link: Link, end: Node, other: Node) -> Fraction | None:
    """Bytes/s that one end allows a cable, None where the catalog gives no figure."""
    if subject.is_network(link):
        return end.port_rate
    if end.kind in _CARDS:
        return subject.figure(end.name, "pcie_rate")
    if end.kind is NodeKind.GPU and other.kind is NodeKind.HOST:
        known = [subject.figure(end.name, key) for key in ("c2c_rate", "pcie_rate")]
        return max((rate for rate in known if rate is not None), default=None)
    return None


@rule(
    15,
    "A cable is as fast as one of the ports that it joins",
    source="Catalog: port rates",
    article=Severity.HINT,
    published=Severity.HINT,
)
def too_slow(subject: Subject) -> Iterator[Remark]:
    """Slower than both ends it leaves rate unused: often a figure from an older cluster."""
    for link in subject.topology.links:
        ends = [subject.topology.nodes[link.a], subject.topology.nodes[link.b]]
        rates = [end.port_rate for end in ends if end.port_rate is not None]
        if len(rates) == 2 and subject.is_network(link) and link.rate < min(rates):
            text = (
                f"a cable of {in_bits(link.rate)} joins ports of {in_bits(rates[0])} and {in_bits(rates[1])}"
            )
            yield Remark(link.at, text, f"Write {in_bits(min(rates))} if the cable does it")


@rule(
    16,
    "A card passes what its cables bring",
    source="Catalog: rates of DPUs and NICs",
    article=Severity.WARNING,
    published=Severity.WARNING,
)
def oversubscribed(subject: Subject) -> Iterator[Remark]:
    """More cables than rate is sound for a second path, but adds no rate; a slow host link takes some away."""
    for card in subject.of_kind(*_CARDS):
        if card.rate is None:
            continue
        outside = sum(rate * count for rate, count in _cables_by_rate(subject, card).items())
        if outside > card.rate:
            passed, carried = in_bits(card.rate), in_bits(Fraction(outside))
            text = f"{card.device} passes {passed} of the {carried} that its cables carry"
            yield Remark(card.device_at, text, "Fine for a second path; plans count the lesser")
        yield from _slow_host_link(subject, card, card.rate)


def _slow_host_link(subject: Subject, card: Node, rate: Fraction) -> Iterator[Remark]:
    inside = [link for link in subject.links_at.get(card.name, []) if _joins_host(subject, link, card.name)]
    total = sum(link.rate * link.count for link in inside)
    if inside and total < rate:
        shown, passed = (format_quantity(Fraction(each), Dimension.RATE) for each in (total, rate))
        text = f"the host takes {shown} of the {passed} that {card.device} passes"
        yield Remark(
            inside[0].at, text, "Plans count the lesser; PCIe 5 x16 is 64 GB/s, PCIe 6 128", Severity.HINT
        )


def _joins_host(subject: Subject, link: Link, card: str) -> bool:
    other = link.b if link.a == card else link.a
    return subject.topology.nodes[other].kind is NodeKind.HOST
