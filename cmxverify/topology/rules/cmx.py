"""Rules about CMX itself: its DPUs, ports, flash, figures, and what lies on the way to it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.topology.delivery import deliverable_read
from cmxverify.topology.model import Node, NodeKind, Place
from cmxverify.topology.rules.rule import Remark, Severity, rule
from cmxverify.topology.rules.subject import Subject, in_bits, plural
from cmxverify.units import Dimension, format_quantity

_400G = Fraction(50 * 10**9)
_800G = Fraction(100 * 10**9)
_BLUEFIELD = re.compile(r"bluefield-(\d+)")
_MEMOS_BLUEFIELD = 3
_MEDIUM = re.compile(r"\b(TLC|QLC|SLC|PLC|Optane|MRAM)\b")
_SAME_ORDER = 3
"""Half an order of magnitude: the article's "of the order of" is read as up to this factor."""
_ARTICLE_READ = Fraction(100 * 10**9)
_ARTICLE_FIRST_BYTE = Fraction(1, 10**4)
_ARTICLE_DENSITY = Fraction(15, 10**12)
_PARTS_DENSITY = Fraction(5, 10**12)
"""Twice what 20 drives of 25 W and 4 DPUs of 100 to 250 W give on 600 TB (1.5 to 2.5 W/TB)."""
_NAND_READ = Fraction(50, 10**6)


@rule(
    2,
    "BlueField-4 has the rate that is said of it",
    source="A13: 400 Gb/s; NVIDIA Technical Blog on Rubin, table 5: 800 Gb/s",
    article=Severity.ERROR,
    published=Severity.ERROR,
)
def dpu_rate(subject: Subject) -> Iterator[Remark]:
    """The article's 400 Gb/s is BlueField-3, or one of BlueField-4's two ports."""
    if not subject.cmx:
        return
    for dpu in subject.of_kind(NodeKind.DPU):
        shown = in_bits(dpu.rate) if dpu.rate else "without limit"
        if subject.by_article and dpu.rate != _400G:
            fix = "Use bluefield-4-article to model the article"
            yield Remark(dpu.device_at, f"{dpu.device} is {shown}; the article says 400", fix)
        elif not subject.by_article and _generation(dpu) == 4 and dpu.rate != _800G:
            fix = "Use bluefield-4, or bluefield-3 if 400 Gb/s is meant"
            yield Remark(dpu.device_at, f"{dpu.device} is {shown}; NVIDIA publishes 800 for BlueField-4", fix)


@rule(3, "A CMX node has two to four ports of 400 Gb/s", source="A24", article=Severity.ERROR)
def ports_of_a_node(subject: Subject) -> Iterator[Remark]:
    """Counted by the network cables that leave the box. The published 600 TB box has eight."""
    for place in subject.cmx:
        box = subject.box(place)
        cables: Counter[Fraction] = Counter()
        for name in subject.topology.members(box):
            for link in subject.cables_at.get(name, []):
                other = link.b if link.a == name else link.a
                if not other.startswith(box + "."):
                    cables[link.rate] += link.count
        if set(cables) != {_400G} or not 2 <= cables[_400G] <= 4:
            listed = " and ".join(
                f"{plural(n, 'cable')} of {in_bits(rate)}" for rate, n in sorted(cables.items())
            )
            text = f"{subject.box_title(place)} has {listed or 'no network cable'}; the article asks 2 to 4 of 400 Gb/s"
            yield Remark(subject.box_at(place), text, "Change the links that leave it")


@rule(
    4,
    "CMX flash is TLC",
    source="A15; IT Home, 2026-08-15: 600 TB of TLC a box",
    article=Severity.ERROR,
    published=Severity.WARNING,
)
def tlc(subject: Subject) -> Iterator[Remark]:
    """Known by the catalog's title of the drive; a device of the user's own is not judged."""
    for place in subject.cmx:
        device = subject.device(place.node)
        medium = _MEDIUM.search(device.title) if device else None
        if device and medium and medium.group(1) != "TLC":
            said = "the article says TLC" if subject.by_article else "CMX is described with TLC"
            at = subject.topology.nodes[place.node].device_at
            yield Remark(
                at, f"{device.name} is {medium.group(1)}; {said}", "Use a TLC drive, such as tlc-gen6-30tb"
            )


@rule(
    9,
    "Latency, bandwidth and power of a CMX node are credible",
    source="A16: 100 us, 100 GB/s, 15 W/TB; NAND read 50 us; drives and DPUs of a box: 1.5 to 2.5 W/TB",
    article=Severity.WARNING,
    published=Severity.WARNING,
)
def figures(subject: Subject) -> Iterator[Remark]:
    """The article's figures as orders of magnitude; by published parts, what cannot be reached or is too much."""
    for place in subject.cmx:
        yield from (_against_article if subject.by_article else _against_parts)(subject, place)


def _against_article(subject: Subject, place: Place) -> Iterator[Remark]:
    title, read = subject.box_title(place), deliverable_read(subject.topology, place)
    if not _ARTICLE_READ / _SAME_ORDER <= read <= _ARTICLE_READ * _SAME_ORDER:
        shown = format_quantity(read, Dimension.RATE)
        text = f"{title} delivers {shown}; the article says of the order of 100 GB/s"
        yield Remark(place.at, text, "The article's figure is that of one published DPU")
    if place.first_byte > _ARTICLE_FIRST_BYTE * _SAME_ORDER:
        shown = format_quantity(place.first_byte, Dimension.TIME)
        yield Remark(
            place.at, f"first byte after {shown}; the article says of the order of 100 us", "Check first_byte"
        )
    if place.full_w > _ARTICLE_DENSITY * place.capacity:
        text = f"{title} draws {_density(place)}; the article says 15 W/TB"
        yield Remark(place.at, text, "Check full and usable")


def _against_parts(subject: Subject, place: Place) -> Iterator[Remark]:
    if place.full_w > _PARTS_DENSITY * place.capacity:
        said = "drives and DPUs of a 600 TB box add up to 1.5 to 2.5"
        text = f"{subject.box_title(place)} draws {_density(place)}; {said}"
        yield Remark(place.at, text, "Check full and usable")
    if subject.topology.nodes[place.node].kind is NodeKind.FLASH and place.first_byte < _NAND_READ:
        shown = format_quantity(place.first_byte, Dimension.TIME)
        yield Remark(
            place.at, f"first byte after {shown}; reading NAND alone takes about 50 us", "Check first_byte"
        )


def _density(place: Place) -> str:
    return format_quantity(place.full_w / place.capacity, Dimension.POWER_DENSITY, 3)


@dataclass(frozen=True, slots=True)
class Crossing:
    """The least that shortest paths from a place to a node cross: BlueFields on either side, hosts."""

    storage: int
    compute: int
    hosts: int


@rule(
    11,
    "CMX is read through a host, a BlueField of the server and a BlueField of the enclosure",
    source="A13; GTC 2026, S81773; ai-dynamo/nixl, plugin doca_memos: BlueField-3 or newer, host memory only",
    article=Severity.WARNING,
    published=Severity.ERROR,
)
def way_to_cmx(subject: Subject) -> Iterator[Remark]:
    """Isolation and crypto sit in the server's DPU, layout in the enclosure's; Memos has no GPU memory segment."""
    for place in subject.cmx:
        crossings = crossings_from(subject, place.node)
        for gpu in subject.readers(place):
            yield from _missing(subject, place, gpu, crossings[gpu])


def _missing(subject: Subject, place: Place, gpu: str, crossing: Crossing) -> Iterator[Remark]:
    fix = "Put a bluefield-4 (or bluefield-3) on the way"
    if not crossing.storage:
        text = f"{subject.box_title(place)} joins the fabric without a BlueField-3 or newer of its own"
        yield Remark(place.at, text, fix)
    if not crossing.compute:
        text = "GPUs reach CMX without a BlueField-3 or newer in their server"
        yield Remark(subject.topology.nodes[gpu].at, text, fix)
    if not crossing.hosts:
        text = "GPUs reach CMX past their host, but DOCA Memos moves host memory only"
        yield Remark(subject.topology.nodes[gpu].at, text, "Link the GPU to its host and the host to the DPU")


def crossings_from(subject: Subject, place: str) -> Mapping[str, Crossing]:
    """What is crossed at least on the way from a place to every node that it reaches; one sweep."""
    switches = {node.name for node in subject.of_kind(NodeKind.SWITCH)}
    found = {place: (0, 0, 0, False)}
    for name in subject.router.distances(place):
        if name == place:
            continue
        before = [found[other] for other in subject.router.before(place, name)]
        storage, compute, hosts = (min(each[i] for each in before) for i in range(3))
        in_fabric = name in switches or any(each[3] for each in before)
        node = subject.topology.nodes[name]
        blue = (_generation(node) or 0) >= _MEMOS_BLUEFIELD
        found[name] = (
            storage + (blue and not in_fabric),
            0 if name in switches else compute + blue,
            hosts + (node.kind is NodeKind.HOST),
            in_fabric,
        )
    return {name: Crossing(*counts[:3]) for name, counts in found.items()}


def _generation(node: Node) -> int | None:
    match = _BLUEFIELD.match(node.device)
    return int(match.group(1)) if match else None
