"""Joining ports into an InfiniBand fabric: one node per host, one cable per pair of ports, both ends compared."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from cmxverify.errors import Location
from cmxverify.topology.importers.rates import infiniband_rate
from cmxverify.topology.importers.source import SourceText
from cmxverify.topology.importers.stated import stated
from cmxverify.topology.importers.structure import Kind, Structure, StructureBuilder, counted

Port = tuple[str, int]
"""GUID of the device and number of its port."""

MAX_DETAILS = 20
"""Warnings of one sort that are shown in full."""

_SWITCH_NAME = re.compile(r"^MF0;(?P<name>[^:]+):(?P<model>[^/]*)/?(?P<unit>.*)$")
_HOST_DEVICE = re.compile(r"^(?P<host>\S+)\s+(?:mlx\d\S*|HCA-?\d+|ib\S*\d\S*|hfi\d\S*|bnxt\S*|rdma\S*|rocep\S*)$")
_PRODUCT = re.compile(r"ConnectX|BlueField|Quantum|^MT\d{4}|\bM?QM\d{4}", re.IGNORECASE)
_VENDOR_WORDS = re.compile(r"Mellanox Technologies|ConnectX|^MT\d{4}|^localhost\b|^Quantum", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Seen:
    source: Port
    speed: str
    at: Location


@dataclass(slots=True)
class Fabric:
    """Ports of one ibnetdiscover file, in either form."""

    source: SourceText
    described: dict[str, tuple[str, str, Location]] = field(default_factory=dict)
    """GUID to (type letter S, H or R; description; first position)."""
    recorded: set[str] = field(default_factory=set)
    """GUIDs that have a record of their own, so that their cables should be seen from their side too."""
    down_ports: int = 0
    _cables: dict[frozenset[Port], list[_Seen]] = field(default_factory=dict)
    _peer: dict[Port, tuple[Port, Location]] = field(default_factory=dict)
    _conflicts: list[str] = field(default_factory=list)
    _products: dict[str, str] = field(default_factory=dict)

    def device(
        self, guid: str, letter: str, description: str, at: Location, *, product: str = "", own_record: bool = False
    ) -> None:
        """Note a device; its own record knows its name best. ``product`` is what its vendor and device id stand for."""
        if product:
            self._products.setdefault(guid, product)
        if guid not in self.described or (own_record and guid not in self.recorded):
            self.described[guid] = (letter, description.strip(), at)
        if own_record:
            self.recorded.add(guid)

    def cable(self, a: Port, b: Port, speed: str, at: Location) -> None:
        """Note one end's view of a cable."""
        for port, other in ((a, b), (b, a)):
            known = self._peer.setdefault(port, (other, at))
            if known[0] != other:
                where = f"port {port[1]} of {self._label(port[0])}"
                self._conflicts.append(f"{at}: {where} is cabled twice; {known[1]} has another peer, which is kept")
                return
        self._cables.setdefault(frozenset((a, b)), []).append(_Seen(a, speed, at))

    def _label(self, guid: str) -> str:
        return f"'{self.described[guid][1] or guid}'" if guid in self.described else guid

    def structure(self) -> Structure:
        """Nodes by host name, cables de-duplicated; disagreements and one-sided cables become warnings."""
        builder = StructureBuilder(self.source.name, "ibnetdiscover")
        names = {guid: _name(letter, text, guid) for guid, (letter, text, _) in self.described.items()}
        aggregation = {guid for guid, (_, text, _) in self.described.items() if "Aggregation Node" in text}
        for guid, (letter, text, at) in self.described.items():
            if guid not in aggregation:
                kind = Kind.HOST if letter == "H" else Kind.SWITCH
                product = _model(text, self._products.get(guid, ""))
                adapter, model = (product, "") if kind is Kind.HOST else ("", product)
                builder.node(names[guid], kind, at, model=model, adapter=adapter)
        if aggregation:
            builder.skip("aggregation nodes inside switches", len(aggregation))
        if self.down_ports:
            builder.skip("ports that are down", self.down_ports)
        self._add_cables(builder, names, aggregation)
        for text in self._conflicts[:MAX_DETAILS]:
            builder.warn(text)
        return builder.build()

    def _add_cables(self, builder: StructureBuilder, names: dict[str, str], aggregation: set[str]) -> None:
        one_sided: Counter[str] = Counter()
        disagreements: list[str] = []
        for ends, views in self._cables.items():
            guids = {guid for guid, _ in ends}
            if guids & aggregation or len(ends) < 2:
                continue
            first = views[0]
            other = next((view for view in views if view.source != first.source), None)
            if other is None:
                one_sided["known" if guids <= self.recorded else "missing"] += 1
            elif other.speed != first.speed:
                disagreements.append(
                    f"{first.at}: {first.speed or 'no speed'} here, {other.speed or 'no speed'} at the other end "
                    f"({other.at}); the slower is taken"
                )
            rates = [rate for view in views if (rate := infiniband_rate(view.speed)) is not None]
            (a, _), (b, _) = sorted(ends)
            builder.cable(names[a], names[b], min(rates, default=None), first.at)
        for text in disagreements[:MAX_DETAILS]:
            builder.warn(text)
        if len(disagreements) > MAX_DETAILS:
            builder.warn(f"{len(disagreements) - MAX_DETAILS} more cables whose ends disagree in speed")
        reasons = {"missing": "the other device has no record", "known": "though both devices have a record"}
        for sort, why in reasons.items():
            if one_sided[sort]:
                builder.warn(f"seen from one end only: {counted(one_sided[sort], 'cable')}, {why}; kept")


def _name(letter: str, description: str, guid: str) -> str:
    """Host, switch or, where the description is a vendor's default, a name made from the GUID."""
    switch = _SWITCH_NAME.match(description)
    if switch:
        unit = switch.group("unit")
        return switch.group("name") + (f"-{unit.replace('/', '-')}" if unit not in ("", "U1") else "")
    host = _HOST_DEVICE.match(description)
    if host and host.group("host").lower() != "localhost":
        return host.group("host")
    if not description or _VENDOR_WORDS.search(description):
        return f"{'ca' if letter == 'H' else 'switch'}-{guid}"
    return description


def _model(description: str, product: str) -> str:
    """A switch's order code, else the product that the ids stand for, else the vendor's words for a card."""
    switch = _SWITCH_NAME.match(description)
    if switch:
        return stated(switch.group("model"))
    return product or (stated(description) if _PRODUCT.search(description) else "")
