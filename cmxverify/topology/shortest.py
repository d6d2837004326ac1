"""All shortest paths from one node by cables, and how bytes split over them.

GPUs, flash and stores end paths. At every node bytes split evenly over the cables that lie on a shortest path
to where they go; shares are exact fractions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from cmxverify.topology.model import Hops, Node, NodeKind

Edge = tuple[str, str]
"""A direction of all cables between two nodes."""
Shares = dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class Cable:
    """All cables between two nodes, seen from one of them."""

    count: int
    rate: Fraction
    """Bytes/s of the slowest cable; an even split cannot use more of the others."""
    latency: Fraction


@dataclass(slots=True)
class Flow:
    """Share of all bytes on each directed edge, and through each node between the ends."""

    edges: dict[Edge, Fraction]
    nodes: Shares

    def add(self, edge: Edge, share: Fraction) -> None:
        """Put more on an edge."""
        self.edges[edge] = self.edges.get(edge, Fraction(0)) + share

    def pass_through(self, node: str, share: Fraction) -> None:
        """Put more through a node."""
        self.nodes[node] = self.nodes.get(node, Fraction(0)) + share


class ShortestPaths:
    """Shortest paths from ``source`` to every node that it reaches."""

    def __init__(self, source: str, nodes: Mapping[str, Node], neighbours: Mapping[str, Mapping[str, Cable]]) -> None:
        self.source, self.nodes, self.neighbours = source, nodes, neighbours
        self.distances = self._distances()
        self._splits: dict[tuple[str, ...], Flow] = {}
        self._hops: dict[str, tuple[int, int, int]] = {source: (0, 0, 0)}
        self._latency: Shares = {source: Fraction(0)}

    def _distances(self) -> dict[str, int]:
        """Cables to each node, nearest first."""
        found = {self.source: 0}
        queue = deque([self.source])
        while queue:
            node = queue.popleft()
            for other in self.neighbours[node]:
                if other not in found:
                    found[other] = found[node] + 1
                    if self.nodes[other].kind.passes_traffic:
                        queue.append(other)
        return found

    def before(self, node: str) -> list[str]:
        """Nodes just before ``node`` on shortest paths; none for the source."""
        wanted = self.distances[node] - 1
        near = [other for other in self.neighbours[node] if self.distances.get(other) == wanted]
        return [other for other in near if other == self.source or self.nodes[other].kind.passes_traffic]

    @property
    def hops(self) -> dict[str, Hops]:
        """Hop counts to each node, in each metric of the worst of the equal paths."""
        return {node: self.hops_to(node) for node in self.distances}

    def hops_to(self, target: str) -> Hops:
        """Hop counts to one node; only what lies on the way is looked at."""
        worst = self._hops
        for node in self._unknown(target, worst):
            steps = [self._step(worst[other], other, node) for other in self.before(node)]
            worst[node] = (max(s[0] for s in steps), max(s[1] for s in steps), max(s[2] for s in steps))
        return Hops(*worst[target])

    def latency_to(self, target: str) -> Fraction:
        """Seconds to a node over cables and nodes, of the worst of the equal paths; the source adds none."""
        worst = self._latency
        for node in self._unknown(target, worst):
            arrival = max(worst[other] + self.neighbours[other][node].latency for other in self.before(node))
            worst[node] = arrival + self.nodes[node].latency
        return worst[target]

    def _unknown(self, target: str, known: Mapping[str, object]) -> list[str]:
        """Nodes on shortest paths to a target, itself included, that are not known yet; nearest first."""
        layers = [[target] if target not in known else []]
        while layers[-1]:
            before = dict.fromkeys(other for node in layers[-1] for other in self.before(node))
            layers.append([node for node in before if node not in known])
        return [node for layer in reversed(layers) for node in layer]

    def outward(self, weights: Mapping[str, Fraction]) -> Flow:
        """Bytes from the source to targets, each with its share of them.

        Where several nodes stand before a target, the way to these nodes is the same for every target behind
        them; it is split once.
        """
        flow = Flow({}, {})
        together: dict[tuple[str, ...], Fraction] = {}
        waiting = self._by_distance(weights)
        for distance in range(len(waiting) - 1, 0, -1):
            for node, share in waiting[distance].items():
                before = self.before(node)
                if len(before) == 1:
                    self._move(before[0], (before[0], node), share, flow, waiting[distance - 1])
                    continue
                for other in before:
                    flow.add((other, node), share * self._split(before).nodes[other])
                together[tuple(before)] = together.get(tuple(before), Fraction(0)) + share
        for before_all, share in together.items():
            split = self._split(before_all)
            for edge, part in split.edges.items():
                flow.add(edge, share * part)
            for node, part in split.nodes.items():
                flow.pass_through(node, share * part)
        return flow

    def inward(self, weights: Mapping[str, Fraction]) -> Flow:
        """Bytes from senders, each with its share of them, to the source."""
        flow = Flow({}, {})
        waiting = self._by_distance(weights)
        for distance in range(len(waiting) - 1, 0, -1):
            for node, share in waiting[distance].items():
                before = self.before(node)
                cables = sum(self.neighbours[node][other].count for other in before)
                for other in before:
                    part = share * self.neighbours[node][other].count / cables
                    self._move(other, (node, other), part, flow, waiting[distance - 1])
        return flow

    def _move(self, nearer: str, edge: Edge, share: Fraction, flow: Flow, waiting: Shares) -> None:
        flow.add(edge, share)
        if nearer != self.source:
            flow.pass_through(nearer, share)
            waiting[nearer] = waiting.get(nearer, Fraction(0)) + share

    def _by_distance(self, weights: Mapping[str, Fraction]) -> list[Shares]:
        """Shares by distance from the source, which itself is left out: it has no way to go."""
        farthest = max((self.distances[node] for node in weights), default=0)
        waiting: list[Shares] = [{} for _ in range(farthest + 1)]
        for node, share in weights.items():
            waiting[self.distances[node]][node] = share
        return waiting

    def _split(self, targets: Iterable[str]) -> Flow:
        """How bytes reach a set of equally distant nodes, where any of them will do: shares of edges and nodes."""
        key = tuple(targets)
        if key not in self._splits:
            self._splits[key] = self._split_over(self._layers(key))
        return self._splits[key]

    def _layers(self, targets: tuple[str, ...]) -> list[list[str]]:
        """Nodes on shortest paths to the targets, by distance from the source."""
        layers = [list(targets)]
        while layers[-1] != [self.source]:
            layers.append(list(dict.fromkeys(other for node in layers[-1] for other in self.before(node))))
        return layers[::-1]

    def _split_over(self, layers: list[list[str]]) -> Flow:
        flow = Flow({}, {self.source: Fraction(1)})
        for layer, following in pairwise(layers):
            onward = set(following)
            for node in layer:
                out = {other: cable.count for other, cable in self.neighbours[node].items() if other in onward}
                part = flow.nodes[node] / sum(out.values())
                for other, cables in out.items():
                    flow.add((node, other), part * cables)
                    flow.pass_through(other, part * cables)
        del flow.nodes[self.source]
        return flow

    def _step(self, so_far: tuple[int, int, int], node: str, other: str) -> tuple[int, int, int]:
        """Switches, links between switches, and cables that leave a box or touch a switch."""
        one, two = self.nodes[node], self.nodes[other]
        from_switch, to_switch = one.kind is NodeKind.SWITCH, two.kind is NodeKind.SWITCH
        cable = from_switch or to_switch or one.container != two.container
        return (so_far[0] + to_switch, so_far[1] + (from_switch and to_switch), so_far[2] + cable)
