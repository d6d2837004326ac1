"""What a place can deliver: its medium, or what leaves its box, whichever is less."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from cmxverify.topology.model import NodeKind, Place, Tier, Topology

if TYPE_CHECKING:
    import networkx as nx

_OUTSIDE = "outside"


def deliverable_read(topology: Topology, place: Place) -> Fraction:
    """Bytes/s that a place can send to all its readers together.

    The least of its medium's read rate and the largest flow from it, through the DPUs of its box (each with its
    own rate), to the GPUs in the box and out of it; where only the GPUs of its box may read, to these alone.
    """
    if place.tier is Tier.G1:
        return place.read or Fraction(0)
    cut = _cut(topology, place)
    return cut if place.read is None else min(place.read, cut)


def _cut(topology: Topology, place: Place) -> Fraction:
    """Maximum flow from the place to its readers."""
    import networkx

    inside = _box(topology, place)
    flow: nx.DiGraph[object] = networkx.DiGraph()
    flow.add_nodes_from((place.node, _OUTSIDE))
    for name in inside:
        rate = topology.nodes[name].rate
        flow.add_edge((name, "in"), (name, "out"), **({} if rate is None else {"capacity": rate}))
        for other, cables in topology.graph.adj[name].items():
            target = _target(topology, other, inside, private=place.scope is not None)
            if target is not None:
                _add(flow, (name, "out"), target, sum((cable["rate"] for cable in cables.values()), Fraction(0)))
    flow.add_edge(place.node, (place.node, "in"))
    return Fraction(networkx.maximum_flow_value(flow, place.node, _OUTSIDE))


def _box(topology: Topology, place: Place) -> set[str]:
    """The nodes that a place's bytes may pass before they have left: its scope, else its container.

    A shared place outside every container is a box of its own.
    """
    path = topology.nodes[place.node].container if place.scope is None else place.scope
    if path:
        return set(topology.members(path))
    return {place.node} if place.scope is None else set(topology.nodes)


def _target(topology: Topology, other: str, inside: set[str], *, private: bool) -> object | None:
    """Where a cable leads: to a reader, on through the box, or nowhere that the bytes may go."""
    if private and other not in inside:
        return None
    kind = topology.nodes[other].kind
    if kind is NodeKind.GPU or other not in inside:
        return _OUTSIDE
    return (other, "in") if kind.passes_traffic else None


def _add(flow: nx.DiGraph[object], start: object, end: object, rate: Fraction) -> None:
    earlier = flow.get_edge_data(start, end, {"capacity": Fraction(0)})["capacity"]
    flow.add_edge(start, end, capacity=earlier + rate)
