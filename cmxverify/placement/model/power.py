"""Power of tiers: idle of what is on plus activity; everything else under a budget is base."""

from __future__ import annotations

from fractions import Fraction

from cmxverify.placement.model.symmetry import covers, is_shared
from cmxverify.topology.delivery import deliverable_read
from cmxverify.topology.model import Place, PowerLimit, Tier, Topology


class Energy:
    """Energy of moved bytes, computed once per place."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self._known: dict[str, Fraction] = {}

    def joules_per_byte(self, place: Place) -> Fraction:
        """(full - idle) power over the rate that the place can deliver."""
        if place.node not in self._known:
            rate = deliverable_read(self.topology, place)
            self._known[place.node] = (place.full_w - place.idle_w) / rate if rate else Fraction(0)
        return self._known[place.node]


def base_power(topology: Topology, limit: PowerLimit) -> Fraction:
    """Watts under a budget that the plan cannot switch: full power of switches, hosts, GPUs and tray DPUs.

    DPUs inside a switched enclosure are part of the enclosure's own power. A disk of a tray is always on.
    """
    units = {place.unit for place in topology.places.values() if is_shared(place)}
    total = Fraction(0)
    for name, node in topology.nodes.items():
        if not covers(topology, limit.members, name) or covers(topology, units, name):
            continue
        place = topology.places.get(name)
        if place is not None and place.tier is Tier.G3:
            total += place.idle_w
        else:
            total += node.full_w or Fraction(0)
    return total
