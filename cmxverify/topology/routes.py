"""Routes between places and GPUs: shortest paths by cables, split evenly over equal ones (ECMP).

At every node the bytes split evenly over the cables that lie on a shortest path; shares are exact
fractions, so link loads are too. GPUs, flash and stores end routes and never pass traffic on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from cmxverify.topology.model import HopMetric, Hops, NodeKind, Topology

Edge = tuple[str, str]
"""A direction of all cables between two nodes."""

_PASSING = frozenset({NodeKind.HOST, NodeKind.DPU, NodeKind.NIC, NodeKind.SWITCH})


@dataclass(frozen=True, slots=True)
class Route:
    """Where the bytes of one transfer cross: share of each edge and of each node that they pass."""

    edges: Mapping[Edge, Fraction]
    nodes: Mapping[str, Fraction]
    hops: Hops
    latency: Fraction


@dataclass(frozen=True, slots=True)
class Cable:
    """All cables between two nodes, seen from one of them."""

    count: int
    rate: Fraction
    """Bytes/s of the slowest cable; an even split cannot use more of the others."""
    latency: Fraction


class Router:
    """Answers route questions on one topology; a breadth-first search per place, cached."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.neighbours = _neighbours(topology)
        self.distances = lru_cache(maxsize=4096)(self._distances)

    def _distances(self, source: str) -> Mapping[str, int]:
        """Cables from ``source`` to every node that it reaches."""
        found = {source: 0}
        queue = deque([source])
        while queue:
            node = queue.popleft()
            if node != source and self.topology.nodes[node].kind not in _PASSING:
                continue
            for other in self.neighbours[node]:
                if other not in found:
                    found[other] = found[node] + 1
                    queue.append(other)
        return found

    def reaches(self, place: str, gpu: str) -> bool:
        """Whether a GPU may and can read a place: in its scope, and joined by cables."""
        scope = self.topology.places[place].scope
        inside = scope is None or scope == "" or gpu.startswith(scope + ".")
        if self.topology.nodes[place].kind is NodeKind.GPU:
            return place == gpu
        return inside and gpu in self.distances(place)

    def read_route(self, place: str, gpus: Iterable[str]) -> Route:
        """The route from a place to GPUs that share the bytes evenly."""
        return _average([self._route(place, gpu, forward=True) for gpu in gpus])

    def write_route(self, place: str, gpus: Iterable[str]) -> Route:
        """The route from GPUs, each with an even share of the bytes, to a place."""
        return _average([self._route(place, gpu, forward=False) for gpu in gpus])

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
        distances = self.distances(place)
        wanted = distances[node] - 1
        near = [other for other in self.neighbours[node] if distances.get(other) == wanted]
        return [other for other in near if other == place or self._passes(other)]

    def hops_from(self, place: str) -> Mapping[str, Hops]:
        """Hop counts to every node that a place reaches, of the worst of the equal paths; one sweep."""
        worst = {place: (0, 0, 0)}
        for node in self.distances(place):  # nearest first
            if node != place:
                options = [self._step(worst[other], other, node) for other in self.before(place, node)]
                worst[node] = (max(o[0] for o in options), max(o[1] for o in options), max(o[2] for o in options))
        return {node: Hops(*counts) for node, counts in worst.items()}

    def _route(self, place: str, gpu: str, *, forward: bool) -> Route:
        if place == gpu:
            return Route({}, {}, Hops(0, 0, 0), Fraction(0))
        layers = self._between(place, gpu)
        order = layers if forward else layers[::-1]
        edges, nodes = self._split(order)
        return Route(edges, nodes, self._hops(layers), self._latency(layers))

    def _between(self, place: str, gpu: str) -> list[list[str]]:
        """Nodes on shortest paths by distance from the place, the place's layer first."""
        distances = self.distances(place)
        layers = [[gpu]]
        for distance in range(distances[gpu] - 1, -1, -1):
            before: dict[str, None] = {}
            for node in layers[-1]:
                for other in self.neighbours[node]:
                    if distances.get(other) == distance and (distance == 0 or self._passes(other)):
                        before[other] = None
            layers.append(list(before))
        return layers[::-1]

    def _passes(self, node: str) -> bool:
        return self.topology.nodes[node].kind in _PASSING

    def _split(self, layers: list[list[str]]) -> tuple[dict[Edge, Fraction], dict[str, Fraction]]:
        share = {layers[0][0]: Fraction(1)}
        edges: dict[Edge, Fraction] = {}
        for layer, following in zip(layers, layers[1:], strict=False):
            for node in layer:
                out = [other for other in following if other in self.neighbours[node]]
                cables = sum(self.neighbours[node][other].count for other in out)
                for other in out:
                    part = share[node] * self.neighbours[node][other].count / cables
                    edges[(node, other)] = part
                    share[other] = share.get(other, Fraction(0)) + part
        inner = {name: part for name, part in share.items() if name not in (layers[0][0], layers[-1][0])}
        return edges, inner

    def _hops(self, layers: list[list[str]]) -> Hops:
        """Counts of the worst of the equal paths."""
        best: dict[str, tuple[int, int, int]] = {layers[0][0]: (0, 0, 0)}
        for layer, following in zip(layers, layers[1:], strict=False):
            for other in following:
                options = [self._step(best[node], node, other) for node in layer if other in self.neighbours[node]]
                best[other] = (max(o[0] for o in options), max(o[1] for o in options), max(o[2] for o in options))
        return Hops(*best[layers[-1][0]])

    def _step(self, so_far: tuple[int, int, int], node: str, other: str) -> tuple[int, int, int]:
        nodes = self.topology.nodes
        switch, both = self._is_switch(other), self._is_switch(node) and self._is_switch(other)
        cable = switch or self._is_switch(node) or nodes[node].container != nodes[other].container
        return (so_far[0] + switch, so_far[1] + both, so_far[2] + cable)

    def _is_switch(self, node: str) -> bool:
        return self.topology.nodes[node].kind is NodeKind.SWITCH

    def _latency(self, layers: list[list[str]]) -> Fraction:
        worst = {layers[0][0]: Fraction(0)}
        for layer, following in zip(layers, layers[1:], strict=False):
            for other in following:
                worst[other] = self.topology.nodes[other].latency + max(
                    worst[n] + self.neighbours[n][other].latency for n in layer if other in self.neighbours[n]
                )
        return worst[layers[-1][0]]


def hop_count(route: Route, metric: HopMetric) -> int:
    """Hops of a route in one metric."""
    return route.hops.by(metric)


def _neighbours(topology: Topology) -> dict[str, dict[str, Cable]]:
    found: dict[str, dict[str, Cable]] = {name: {} for name in topology.nodes}
    for a, b, cable in topology.graph.edges(data=True):
        for one, other in ((a, b), (b, a)):
            known = found[one].get(other)
            count = known.count + 1 if known else 1
            rate = min(known.rate, cable["rate"]) if known else cable["rate"]
            latency = max(known.latency, cable["latency"]) if known else cable["latency"]
            found[one][other] = Cable(count, rate, latency)
    return found


def _average(routes: list[Route]) -> Route:
    """Equal shares of several transfers seen as one; hops and latency of the worst."""
    if len(routes) == 1:
        return routes[0]
    part = Fraction(1, len(routes))
    edges: dict[Edge, Fraction] = {}
    nodes: dict[str, Fraction] = {}
    for route in routes:
        for edge, share in route.edges.items():
            edges[edge] = edges.get(edge, Fraction(0)) + share * part
        for node, share in route.nodes.items():
            nodes[node] = nodes.get(node, Fraction(0)) + share * part
    hops = Hops(*(max(getattr(r.hops, m.value) for r in routes) for m in HopMetric))
    return Route(edges, nodes, hops, max(r.latency for r in routes))
