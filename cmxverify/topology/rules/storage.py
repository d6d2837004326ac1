"""Rules about places: room, balance, endurance, media, scope and failure domains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from cmxverify.topology.delivery import deliverable_read
from cmxverify.topology.model import NodeKind, Place, Tier
from cmxverify.topology.rules.rule import Remark, Severity, rule
from cmxverify.topology.rules.subject import Subject, plural
from cmxverify.units import Dimension, format_quantity

_MEMORY = {NodeKind.GPU: ("hbm", "kv"), NodeKind.HOST: ("memory", "kv")}
_IMBALANCE = 2
_PER_DAY = Fraction(1, 86_400)


@rule(
    12,
    "Room for KV fits into the device",
    source="Catalog: capacities and memories",
    article=Severity.ERROR,
    published=Severity.ERROR,
)
def room(subject: Subject) -> Iterator[Remark]:
    """``usable`` within count x capacity, ``kv`` within the memory of a host or GPU."""
    for place in subject.topology.places.values():
        node = subject.topology.nodes[place.node]
        key, name = _MEMORY.get(node.kind, ("capacity", "usable"))
        each = subject.figure(place.node, key)
        if each is not None and place.capacity > each * place.drives:
            drives = f"{place.drives} x " if place.drives > 1 else ""
            shown, has = (format_quantity(size, Dimension.SIZE) for size in (place.capacity, each))
            text = f"{name} is {shown}, but {drives}{node.device} has {drives}{has}"
            yield Remark(place.key_at.get(name, place.at), text, f"Lower {name}, or add drives with count")


@rule(
    17,
    "Drives and network of a shared place are within a factor of two",
    source="Arithmetic; the published 600 TB box: about 547 GB/s of drives behind 400 GB/s",
    article=Severity.HINT,
    published=Severity.HINT,
)
def balance(subject: Subject) -> Iterator[Remark]:
    """What far exceeds the other is paid for and never used."""
    for place in subject.shared:
        if place.read is None:
            continue
        network = deliverable_read(subject.topology, replace(place, read=None))
        if place.read > _IMBALANCE * network or network > _IMBALANCE * place.read:
            medium, out = (format_quantity(rate, Dimension.RATE) for rate in (place.read, network))
            text = f"media of {subject.box_title(place)} read {medium}, its network carries {out}"
            yield Remark(place.at, text, "Add or drop drives or cables")


@rule(
    18,
    "Flash endures being written every day",
    source="Micron 9650: 1 or 3 DWPD; Solidigm D5-P5336, QLC: 0.42 to 0.58 DWPD",
    article=Severity.WARNING,
    published=Severity.WARNING,
)
def endurance(subject: Subject) -> Iterator[Remark]:
    """KV is written once and soon evicted, so writes, not age, wear the drive."""
    for place in subject.topology.places.values():
        if subject.topology.nodes[place.node].kind is not NodeKind.FLASH:
            continue
        if place.dwpd is None:
            text = "no endurance is given, so no plan limits the writes"
            yield Remark(place.at, text, "Give it: dwpd: 1 DWPD", Severity.HINT)
        elif place.dwpd < _PER_DAY:
            rated = format_quantity(place.dwpd, Dimension.ENDURANCE)
            size = format_quantity(place.capacity, Dimension.SIZE)
            lasting = format_quantity(place.dwpd * place.capacity, Dimension.RATE, 3)
            text = f"{rated} on {size} endures {lasting} of writes"
            yield Remark(
                place.key_at.get("dwpd", place.at), text, "Use TLC of 1 or 3 DWPD, or keep writes below that"
            )


@rule(
    19,
    "Media can still be bought",
    source="A31; Intel ended Optane in 2022",
    article=Severity.WARNING,
    published=Severity.WARNING,
)
def discontinued(subject: Subject) -> Iterator[Remark]:
    """Known by the catalog's notes."""
    for name in subject.topology.places:
        device, node = subject.device(name), subject.topology.nodes[name]
        if device and any("discontinued" in text.lower() for text in (device.title, *device.notes)):
            yield Remark(node.device_at, f"{device.name} is discontinued", "Use a device that is sold")


@rule(
    20,
    "Host memory and local disks are read by the GPUs of their own box",
    source="Dynamo KVBM: G2 is the worker's pinned host memory, G3 its local disk",
    article=Severity.WARNING,
    published=Severity.WARNING,
)
def local_scope(subject: Subject) -> Iterator[Remark]:
    """``shared_by`` may widen it, and a file without trays is one box."""
    for place in subject.topology.places.values():
        if place.tier not in (Tier.G2, Tier.G3):
            continue
        boxes = _boxes_in(subject, place.scope)
        title = f"{place.tier.title} of {subject.topology.nodes[place.node].device}"
        if len(boxes) > 1:
            at = place.key_at.get("shared_by", place.at)
            yield Remark(at, f"{title} is read by GPUs of {len(boxes)} boxes", "Leave shared_by out")
        elif place.scope == "" and _peers(subject, place) > 1:
            text = f"{title} serves {plural(len(subject.gpus), 'GPU')}, since the file has no trays"
            yield Remark(place.at, text, "Put each host and its GPUs into an instance of a template")


def _boxes_in(subject: Subject, scope: str | None) -> list[str]:
    """Containers with GPUs inside a scope; asking routes instead would take minutes on a large cluster."""
    return [box for box in subject.gpu_boxes if not scope or box == scope or box.startswith(scope + ".")]


def _peers(subject: Subject, place: Place) -> int:
    """Hosts that stand in no template, as this place does."""
    return sum(not host.container for host in subject.of_kind(NodeKind.HOST)) if place.scope == "" else 0


@rule(
    22,
    "A shared place lies in a failure domain, and copies lie in different ones",
    source="Topology reference: each template is a failure domain of its name",
    article=Severity.HINT,
    published=Severity.HINT,
)
def failure_domain(subject: Subject) -> Iterator[Remark]:
    """``spread`` and ``isolation`` name templates: a place in none can be neither spread nor owned."""
    for place in subject.shared:
        if not subject.topology.nodes[place.node].container:
            yield Remark(
                place.at, "a shared place in no template has no failure domain", "Put it into a template"
            )
    workload = subject.topology.workload
    for entry in workload.sets if workload else ():
        if entry.spec.copies > 1 and entry.spec.spread is None:
            text = f"{entry.full_name} asks {entry.spec.copies} copies that may fail together"
            yield Remark(entry.where("copies"), text, "Add spread: and the name of a template")
