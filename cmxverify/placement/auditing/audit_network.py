"""The auditor's own routes: where bytes go, how far, and what each single cable direction carries.

Written apart from ``topology.routes`` and from everything that placement uses to count loads: flows are summed
cable by cable towards each receiver, without any symmetry, so that a fault in either is seen as a difference.
GPUs, flash and stores end routes. At every node bytes split evenly over the cables that lie on a shortest path.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from cmxverify.topology.model import NodeKind, Topology

Direction = tuple[str, str]
"""From one node to another, over all the cables between them."""
_Counts = tuple[int, int, int, Fraction]
_ENDS = frozenset({NodeKind.GPU, NodeKind.FLASH, NodeKind.STORE})


@dataclass
class Loads:
    """Bytes/s on each direction of the cables between two nodes, and through each node between the ends."""

    cables: dict[Direction, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    through: dict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))


@dataclass(frozen=True, slots=True)
class Distance:
    """The worst of the shortest ways: the three hop counts, and seconds on cables and in nodes."""

    switches: int
    switch_links: int
    links: int
    latency: Fraction


class Network:
    """Cables as the file lists them, and shortest ways over them."""

    def __init__(self, topology: Topology) -> None:
        self.nodes = topology.nodes
        self.rates: dict[str, dict[str, list[Fraction]]] = {name: {} for name in topology.nodes}
        self.delays: dict[Direction, Fraction] = {}
        for link in topology.links:
            for here, there in ((link.a, link.b), (link.b, link.a)):
                self.rates[here].setdefault(there, []).extend([link.rate] * link.count)
                self.delays[here, there] = max(self.delays.get((here, there), Fraction(0)), link.latency)
        self._steps: dict[str, dict[str, int]] = {}
        self._onward: dict[Direction, dict[str, int]] = {}
        self._far: dict[Direction, _Counts] = {}
        self._ways: dict[Direction, Fraction | None] = {}
        self._capacities: dict[Direction, Fraction] = {}

    def capacity(self, direction: Direction) -> Fraction:
        """Bytes/s of all cables of a direction, each loaded alike, so none more than the slowest can bear."""
        if direction not in self._capacities:
            rates = self.rates[direction[0]][direction[1]]
            self._capacities[direction] = min(rates) * len(rates)
        return self._capacities[direction]

    def steps_to(self, target: str) -> Mapping[str, int]:
        """Cables between each node and a target, for nodes that can reach it."""
        if target not in self._steps:
            steps, border = {target: 0}, [target]
            while border:
                beyond = []
                for node in border:
                    for other in self.rates[node]:
                        if other not in steps:
                            steps[other] = steps[node] + 1
                            if self.nodes[other].kind not in _ENDS:
                                beyond.append(other)
                border = beyond
            self._steps[target] = steps
        return self._steps[target]

    def joined(self, one: str, other: str) -> bool:
        """Whether bytes can pass between two nodes."""
        door = self.door(other)
        return one in (other, door) or one in self.steps_to(door or other)

    def onward(self, node: str, target: str) -> Mapping[str, int]:
        """The next nodes on shortest ways to a target, each with its number of cables."""
        if (node, target) not in self._onward:
            steps = self.steps_to(target)
            self._onward[node, target] = {
                other: len(rates)
                for other, rates in self.rates[node].items()
                if steps.get(other) == steps[node] - 1 and (other == target or self.nodes[other].kind not in _ENDS)
            }
        return self._onward[node, target]

    def send(self, receivers: Mapping[str, Mapping[str, Fraction]], loads: Loads) -> None:
        """Add what senders load on the way to receivers: bytes/s by receiver and sender."""
        inner: dict[str, dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        for target, supplies in receivers.items():
            door = self.door(target)
            if door is not None:
                total = sum(supplies.values(), Fraction(0))
                loads.cables[door, target] += total
                loads.through[door] += total - supplies.get(door, Fraction(0))
            for node, rate in supplies.items():
                if node != door:
                    inner[door or target][node] += rate
        for target, supplies in inner.items():
            self._send(target, supplies, loads)

    def transfer_rate(self, source: str, receivers: Iterable[str]) -> Fraction | None:
        """Bytes/s that cables, DPUs and NICs allow one transfer to receivers that share it evenly.

        ``None`` if nothing is passed on the way.
        """
        gpus = tuple(receivers)
        doors = {self.door(gpu) for gpu in gpus}
        shares = dict.fromkeys(gpus, Fraction(1, len(gpus)))
        door = doors.pop() if len(doors) == 1 else None
        if door is None:
            loads = Loads()
            self.send({gpu: {source: share} for gpu, share in shares.items() if gpu != source}, loads)
            return self._slowest(loads)
        last = Loads(
            {(door, gpu): share for gpu, share in shares.items()}, {} if door == source else {door: Fraction(1)}
        )
        rates = [rate for rate in (self._slowest(last), self._way(source, door)) if rate is not None]
        return min(rates, default=None)

    def _way(self, source: str, target: str) -> Fraction | None:
        """Transfer rate to one node; asked for often, so kept."""
        if (source, target) not in self._ways:
            loads = Loads()
            if source != target:
                self._send(target, {source: Fraction(1)}, loads)
            self._ways[source, target] = self._slowest(loads)
        return self._ways[source, target]

    def _slowest(self, loads: Loads) -> Fraction | None:
        rates = [self.capacity(cable) / share for cable, share in loads.cables.items()]
        for name, share in loads.through.items():
            own = self.nodes[name].rate
            if own is not None and share:
                rates.append(own / share)
        return min(rates, default=None)

    def _send(self, target: str, supplies: Mapping[str, Fraction], loads: Loads) -> None:
        """Farthest senders first, so that each node passes on all that it gets at once."""
        steps = self.steps_to(target)
        waiting: list[dict[str, Fraction]] = [{} for _ in range(max(map(steps.__getitem__, supplies), default=0) + 1)]
        for node, rate in supplies.items():
            waiting[steps[node]][node] = rate
        for distance in range(len(waiting) - 1, 0, -1):
            nearer = waiting[distance - 1]
            for node, rate in waiting[distance].items():
                onward = self.onward(node, target)
                one = rate / sum(onward.values())
                for other, cables in onward.items():
                    part = one * cables
                    loads.cables[node, other] += part
                    nearer[other] = nearer.get(other, Fraction(0)) + part
                    if other != target:
                        loads.through[other] += part

    def distance(self, source: str, target: str) -> Distance:
        """How far a target is; a source adds no latency of its own, every later node does."""
        door = self.door(target)
        if door is None or source == target:
            return Distance(*self._worst(source, target))
        way, last = self._worst(source, door), self._cost(door, target)
        return Distance(way[0] + last[0], way[1] + last[1], way[2] + last[2], way[3] + last[3])

    def _worst(self, node: str, target: str) -> _Counts:
        if node == target:
            return (0, 0, 0, Fraction(0))
        if (node, target) not in self._far:
            ways = [(self._cost(node, other), self._worst(other, target)) for other in self.onward(node, target)]
            sums = [(c[0] + w[0], c[1] + w[1], c[2] + w[2], c[3] + w[3]) for c, w in ways]
            self._far[node, target] = (
                max(s[0] for s in sums),
                max(s[1] for s in sums),
                max(s[2] for s in sums),
                max(s[3] for s in sums),
            )
        return self._far[node, target]

    def _cost(self, node: str, other: str) -> _Counts:
        """One cable in the three metrics, with the latency of the cable and of the node that it leads to."""
        one, two = self.nodes[node], self.nodes[other]
        switches = [NodeKind.SWITCH in (one.kind, two.kind), one.kind is two.kind is NodeKind.SWITCH]
        crossing = switches[0] or one.container != two.container
        return (two.kind is NodeKind.SWITCH, switches[1], crossing, self.delays[node, other] + two.latency)

    def door(self, target: str) -> str | None:
        """The only neighbour of a node, where bytes may pass: all ways to the node lead through it."""
        near = self.rates[target]
        only = next(iter(near), None)
        return only if len(near) == 1 and only is not None and self.nodes[only].kind not in _ENDS else None


def largest_flow(edges: Mapping[Direction, Fraction], source: str, sink: str) -> Fraction:
    """Maximum flow over directed capacities, by shortest augmenting paths."""
    rest: dict[str, dict[str, Fraction]] = defaultdict(dict)
    for (a, b), capacity in edges.items():
        rest[a][b] = rest[a].get(b, Fraction(0)) + capacity
        rest[b].setdefault(a, Fraction(0))
    total = Fraction(0)
    while path := _augmenting(rest, source, sink):
        amount = min(rest[a][b] for a, b in path)
        for a, b in path:
            rest[a][b] -= amount
            rest[b][a] += amount
        total += amount
    return total


def _augmenting(rest: Mapping[str, Mapping[str, Fraction]], source: str, sink: str) -> list[Direction]:
    came: dict[str, str] = {source: source}
    border = [source]
    while border and sink not in came:
        beyond = []
        for node in border:
            for other, left in rest.get(node, {}).items():
                if left > 0 and other not in came:
                    came[other] = node
                    beyond.append(other)
        border = beyond
    path: list[Direction] = []
    node = sink
    while node in came and node != source:
        path.append((came[node], node))
        node = came[node]
    return path[::-1]
