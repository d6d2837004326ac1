"""How much a box of GPUs can take in from outside, and what bounds it: its DPUs, or its cables."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import networkx as nx

from cmxverify.topology.model import NodeKind, Topology


@dataclass(frozen=True, slots=True)
class Inlet:
    """The way into one kind of box: ``rate_a_gpu`` in bytes/s, and the word for what bounds it."""

    template: str
    bound_by: str
    rate_a_gpu: Fraction

    @property
    def title(self) -> str:
        """What to call it: ``tray DPU``."""
        return f"{self.template} {self.bound_by}"


def narrowest_inlet(topology: Topology) -> Inlet | None:
    """The box with the least rate a GPU on its way in, the innermost of equals; None without boxes of GPUs.

    Instances of one template with equal GPUs and equal cables outside are counted once.
    """
    inside = _gpu_boxes(topology)
    border = _border_rates(topology, set(inside))
    seen: set[object] = set()
    found: list[Inlet] = []
    for path, gpus in sorted(inside.items(), key=lambda item: -item[0].count(".")):
        key = (topology.containers[path].template, len(gpus), border[path])
        if border[path] and key not in seen:
            seen.add(key)
            found.append(_inlet(topology, path, gpus, border[path]))
    return min(found, key=lambda inlet: inlet.rate_a_gpu, default=None)


def _gpu_boxes(topology: Topology) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, node in topology.nodes.items():
        if node.kind is NodeKind.GPU:
            for container in topology.ancestors(name):
                found.setdefault(container.path, []).append(name)
    return found


def _border_rates(topology: Topology, boxes: set[str]) -> dict[str, Fraction]:
    """Bytes/s of all cables that cross the border of each box, in one direction."""
    found = dict.fromkeys(boxes, Fraction(0))
    around = {name: {c.path for c in topology.ancestors(name)} & boxes for name in topology.nodes}
    for link in topology.links:
        for path in around[link.a] ^ around[link.b]:
            found[path] += link.rate * link.count
    return found


def _inlet(topology: Topology, path: str, gpus: list[str], border: Fraction) -> Inlet:
    members = set(topology.members(path))
    flow = Fraction(nx.maximum_flow_value(_flow_graph(topology, members, gpus), "outside", "gpus"))
    passing = [topology.nodes[name] for name in members]
    adapters = [
        node for node in passing if node.kind in (NodeKind.DPU, NodeKind.NIC) and node.rate is not None
    ]
    through_adapters = sum((node.rate for node in adapters if node.rate is not None), Fraction(0))
    if adapters and through_adapters == flow:
        word = adapters[0].kind.value.upper() + ("s" if len(adapters) > 1 else "")
    else:
        word = "uplinks" if border == flow else "inner links"
    return Inlet(topology.containers[path].template, word, flow / len(gpus))


def _flow_graph(topology: Topology, members: set[str], gpus: list[str]) -> nx.DiGraph[Any]:
    """Each node split in two, so that the rate of a DPU is an edge; what lies outside is one source."""
    flow: nx.DiGraph[Any] = nx.DiGraph()
    flow.add_nodes_from(("outside", "gpus"))
    for name in sorted(members):
        rate = topology.nodes[name].rate
        flow.add_edge((name, "in"), (name, "out"), **({} if rate is None else {"capacity": rate}))
        for other, cables in topology.graph.adj[name].items():
            capacity = sum(cable["rate"] for cable in cables.values())
            if other in members:
                flow.add_edge((name, "out"), (other, "in"), capacity=capacity)
            else:
                earlier = flow.get_edge_data("outside", (name, "in"), {"capacity": Fraction(0)})["capacity"]
                flow.add_edge("outside", (name, "in"), capacity=earlier + capacity)
    for gpu in gpus:
        flow.add_edge((gpu, "in"), "gpus")
    return flow
