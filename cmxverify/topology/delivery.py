"""What a place can deliver: its medium, or what leaves its box, whichever is less."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx

from cmxverify.topology.model import NodeKind, Place, Tier, Topology


def deliverable_read(topology: Topology, place: Place) -> Fraction:
    """Bytes/s that a place can send to all its readers together.

    The least of its medium's read rate and the largest flow from it through the DPUs of its box (each with
    its own rate) out of the box; for GPUs and hosts, out to the GPUs that it serves.
    """
    return _deliverable(topology, place, place.read)


def deliverable_write(topology: Topology, place: Place) -> Fraction:
    """Bytes/s that a place can take in; cables are full duplex, so the same cut bounds it."""
    return _deliverable(topology, place, place.write)


def _deliverable(topology: Topology, place: Place, medium: Fraction | None) -> Fraction:
    if place.tier is Tier.G1:
        return medium or Fraction(0)
    cut = _cut(topology, place)
    return cut if medium is None else min(medium, cut)


def _cut(topology: Topology, place: Place) -> Fraction:
    """Maximum flow from the place to its readers (inside its box) or to whatever lies outside the box."""
    box = topology.nodes[place.node].container
    inside = [n for n in topology.graph.nodes if topology.nodes[n].container == box] if box else [place.node]
    flow = nx.DiGraph()
    flow.add_nodes_from((place.node, "outside"))
    local = place.tier in (Tier.G2, Tier.G3)
    for name in inside:
        rate = topology.nodes[name].rate
        flow.add_edge((name, "in"), (name, "out"), **({} if rate is None else {"capacity": rate}))
        _add_cables(topology, flow, name, set(inside), local=local)
    flow.add_edge(place.node, (place.node, "in"))
    if not flow.in_degree("outside"):
        return Fraction(0)
    return Fraction(nx.maximum_flow_value(flow, place.node, "outside"))


def _add_cables(topology: Topology, flow: nx.DiGraph, name: str, inside: set[str], *, local: bool) -> None:
    for other, cables in topology.graph.adj[name].items():
        rate = sum(cable["rate"] for cable in cables.values())
        leaves = topology.nodes[other].kind is NodeKind.GPU if local else other not in inside
        if other in inside and not leaves:
            flow.add_edge((name, "out"), (other, "in"), capacity=rate)
        elif leaves:
            earlier = flow.get_edge_data((name, "out"), "outside", {"capacity": 0})["capacity"]
            flow.add_edge((name, "out"), "outside", capacity=earlier + rate)
