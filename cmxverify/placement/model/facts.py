"""Facts: the user's own lines that a row stands for, with the sentence an explanation prints."""

from __future__ import annotations

from fractions import Fraction

from cmxverify.errors import Location
from cmxverify.placement.model.demand import WorkingSet
from cmxverify.placement.model.weights import kv_room
from cmxverify.placement.proof.program import Fact
from cmxverify.topology.model import Link, Node, Place, PowerLimit, Topology
from cmxverify.units import Dimension, format_quantity, format_share


class FactBook:
    """Collects facts as rows ask for them; the same line gives the same id."""

    def __init__(self, topology: Topology, sets: tuple[WorkingSet, ...]) -> None:
        self.topology = topology
        self.sets = {each.name: each for each in sets}
        self.entries: dict[str, Fact] = {}
        for each in sets:
            self._add_set(each)
        limit = topology.hops
        if limit.maximum is not None:
            self._put("hops", f"at most {limit.metric.count(limit.maximum)} away", limit.at)
        for tenant in topology.tenants.values():
            if tenant.isolation:
                text = f"{tenant.name} keeps to {tenant.isolation}s of its own"
                self._put(f"iso:{tenant.name}", text, tenant.at)

    def place(self, place: Place, key: str) -> tuple[str, ...]:
        """Fact of a figure of a place: the line of its override, or of the node."""
        at = place.key_at.get(key, place.at)
        device = self.topology.nodes[place.node].device
        room = kv_room(self.topology, place, tuple(self.sets.values())) if key == "kv" else place.capacity
        return (self._put(f"{key}@{at.file}:{at.line}", _figure(place, key, device, room), at),)

    def link(self, link: Link) -> tuple[str, ...]:
        """Fact of a line of cables."""
        rate = format_quantity(link.rate, Dimension.RATE)
        count = f" x {link.count}" if link.count > 1 else ""
        text = f"cables of {rate}{count}, planned to {format_share(self.topology.plan_to)}"
        return (self._put(f"link@{link.at.file}:{link.at.line}:{link.at.column}", text, link.at),)

    def dpu(self, node: Node) -> tuple[str, ...]:
        """Fact of a DPU's or NIC's rate."""
        rate = format_quantity(node.rate or 0, Dimension.RATE)
        text = f"{node.device} passes {rate}, planned to {format_share(self.topology.plan_to)}"
        return (self._put(f"dpu@{node.at.file}:{node.at.line}:{node.at.column}", text, node.at),)

    def power(self, index: int, limit: PowerLimit) -> tuple[str, ...]:
        """Fact of a power budget."""
        was = f" (file: {limit.file_text})" if limit.file_text else ""
        text = f"{limit.name} may draw {format_quantity(limit.budget_w, Dimension.POWER)}{was}"
        return (self._put(f"power:{index}", text, limit.at),)

    def _add_set(self, each: WorkingSet) -> None:
        entry = each.entry
        stored = format_quantity(each.stored_bytes * entry.spec.copies, Dimension.SIZE)
        reads = float(each.reads)
        self._put(f"set:{each.name}", f"{each.name} keeps {stored} and takes {reads:,.1f} turns/s", entry.at)
        if entry.spec.restore is not None:
            limit = format_quantity(entry.spec.restore, Dimension.TIME)
            self._put(f"restore:{each.name}", f"{each.name} is restored within {limit}", entry.where("restore"))
        if entry.spec.tiers is not None:
            tiers = ", ".join(entry.spec.tiers)
            self._put(f"tiers:{each.name}", f"{each.name} keeps to the tiers {tiers}", entry.where("tiers"))
        else:
            self._put(f"tiers:{each.name}", f"{each.name} names no tier, so HBM is left to decoding", entry.at)
        if entry.spec.copies > 1:
            text = f"{each.name} has {entry.spec.copies} copies, each in another {entry.spec.spread or 'place'}"
            self._put(f"copies:{each.name}", text, entry.where("copies"))
        if each.isolation:
            text = f"{entry.tenant} keeps to {each.isolation}s of its own"
            tenant = self.topology.tenants.get(entry.tenant)
            at = tenant.at if tenant and entry.spec.isolation is None else entry.where("isolation")
            self._put(f"iso:{entry.tenant}", text, at)

    def _put(self, key: str, text: str, at: Location | None) -> str:
        self.entries.setdefault(key, Fact(key, text, at))
        return key


def _figure(place: Place, key: str, device: str, room: Fraction) -> str:
    """What a place can do by one key of its line."""
    match key:
        case "usable" | "kv":
            return f"each {device} has room for {format_quantity(room, Dimension.SIZE)}"
        case "dwpd":
            rate = format_quantity((place.dwpd or 0) * place.capacity, Dimension.RATE)
            rating = format_quantity(place.dwpd or 0, Dimension.ENDURANCE)
            return f"each {device} endures {rating} of {format_quantity(place.capacity, Dimension.SIZE)}: {rate}"
        case "read":
            return f"each {device} delivers {format_quantity(place.read or 0, Dimension.RATE)}"
        case _:
            return f"each {device} takes in {format_quantity(place.write or 0, Dimension.RATE)}"
