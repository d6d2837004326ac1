"""Routes between places and GPUs: shortest paths by cables, split evenly over equal ones (ECMP).

At every node the bytes split evenly over the cables that lie on a shortest path; shares are exact
fractions, so link loads are too. GPUs, flash and stores end routes and never pass traffic on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from cmxverify.topology.model import HopMetric, Hops, NodeKind, Topology
from cmxverify.topology.shortest import Cable, Edge, Flow, ShortestPaths

__all__ = ["Cable", "Edge", "Route", "Router", "hop_count"]


@dataclass(frozen=True, slots=True)
class Route:
    """Where the bytes of one transfer cross: share of each edge and of each node that they pass.

    Hops and latency (seconds) are those of the worst of the equal paths.
    """

    edges: Mapping[Edge, Fraction]
    nodes: Mapping[str, Fraction]
    hops: Hops
    latency: Fraction


class Router:
    """Answers route questions on one topology; a breadth-first search per place, cached."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.neighbours = _neighbours(topology)
        self.paths = lru_cache(maxsize=512)(self._paths)

    def _paths(self, source: str) -> ShortestPaths:
        return ShortestPaths(source, self.topology.nodes, self.neighbours)

    def distances(self, source: str) -> Mapping[str, int]:
        """Cables from ``source`` to every node that it reaches, nearest first."""
        return self.paths(source).distances

    def reaches(self, place: str, gpu: str) -> bool:
        """Whether a GPU may and can read a place: in its scope, and joined by cables."""
        if self.topology.nodes[place].kind is NodeKind.GPU:
            return place == gpu
        scope = self.topology.places[place].scope
        inside = not scope or gpu.startswith(scope + ".")
        return inside and gpu in self.distances(place)

    def read_route(self, place: str, gpus: Iterable[str]) -> Route:
        """The route from a place to GPUs that share the bytes evenly; each must be joined to it by cables."""
        weights = _even_shares(gpus)
        return self._route(place, weights, self.paths(place).outward(weights))

    def write_route(self, place: str, gpus: Iterable[str]) -> Route:
        """The route from GPUs, each with an even share of the bytes, to a place."""
        weights = _even_shares(gpus)
        return self._route(place, weights, self.paths(place).inward(weights))

    def _route(self, place: str, weights: Mapping[str, Fraction], flow: Flow) -> Route:
        paths = self.paths(place)
        hops = [paths.hops_to(gpu) for gpu in weights]
        worst = Hops(*(max(each.by(metric) for each in hops) for metric in HopMetric))
        return Route(flow.edges, flow.nodes, worst, max(paths.latency_to(gpu) for gpu in weights))

    def rate(self, route: Route) -> Fraction | None:
        """Bytes/s that the cables and DPUs of a route allow one transfer, None if nothing limits it."""
        limits = [self.capacity(edge) / share for edge, share in route.edges.items()]
        for name, share in route.nodes.items():
            node_rate = self.topology.nodes[name].rate
            if node_rate is not None:
                limits.append(node_rate / share)
        return min(limits, default=None)

    def capacity(self, edge: Edge) -> Fraction:
        """Bytes/s in one direction over all cables of an edge."""
        cable = self.neighbours[edge[0]][edge[1]]
        return cable.rate * cable.count

    def before(self, place: str, node: str) -> list[str]:
        """Nodes just before ``node`` on shortest paths from a place; none for the place itself."""
        return self.paths(place).before(node)

    def hops_from(self, place: str) -> Mapping[str, Hops]:
        """Hop counts to every node that a place reaches, of the worst of the equal paths; one sweep."""
        return self.paths(place).hops


def hop_count(route: Route, metric: HopMetric) -> int:
    """Hops of a route in one metric."""
    return route.hops.by(metric)


def _even_shares(gpus: Iterable[str]) -> dict[str, Fraction]:
    """An equal share for each mention of a GPU."""
    counts = Counter(gpus)
    assert counts, "a route needs at least one GPU"
    return {gpu: Fraction(count, counts.total()) for gpu, count in counts.items()}


def _neighbours(topology: Topology) -> dict[str, dict[str, Cable]]:
    """Cables from each node; several links between two nodes count as cables of the slowest rate among them."""
    found: dict[str, dict[str, Cable]] = {name: {} for name in topology.nodes}
    for link in topology.links:
        known = found[link.a].get(link.b)
        cable = Cable(link.count, link.rate, link.latency)
        if known is not None:
            latency = max(known.latency, link.latency)
            cable = Cable(known.count + link.count, min(known.rate, link.rate), latency)
        found[link.a][link.b] = found[link.b][link.a] = cable
    return found
