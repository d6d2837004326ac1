"""Structure and overlay put together: every node with its device, every cable with its rate, every guess counted."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction

from cmxverify.catalog.devices import devices
from cmxverify.errors import InputError, Location
from cmxverify.topology.importers.flow import write_value
from cmxverify.topology.importers.fold import fold_switches
from cmxverify.topology.importers.names import safe_name, safe_names
from cmxverify.topology.importers.overlay import Overlay, ReplaceRule
from cmxverify.topology.importers.rates import GIGABIT, write_rate
from cmxverify.topology.importers.stated import known_device
from cmxverify.topology.importers.structure import Cable, FoundNode, Kind, Structure, counted
from cmxverify.yaml_tree import Plain

ASSUMED_RATE = 100 * GIGABIT
"""Rate of a cable where neither file nor overlay gives one: a common port speed, marked as assumed."""

_ASSUMED_RATE_TEXT = write_rate(ASSUMED_RATE)

MAX_TOPOLOGY_NAME = 80

GIGABYTE = 10**9

NodePath = tuple[str, ...]
"""A node's container names and its own, as written in the topology."""


class Origin(Enum):
    """Who decided a node's device."""

    OVERLAY = "overlay"
    FILE = "file"
    ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class DraftNode:
    """A node of the topology to write. ``what`` is its device or template, ``origin`` who said so."""

    path: tuple[str, ...]
    what: str
    origin: Origin
    rank: int
    """0 for end devices, 1 for switches next to them, 2 for switches behind those."""
    stated: str = ""
    """What the file says the device is, unless a template takes its place."""


@dataclass(frozen=True, slots=True)
class DraftLink:
    """``count`` cables between two paths; ``assumed`` marks a rate that nobody gave."""

    a: tuple[str, ...]
    b: tuple[str, ...]
    rate: Fraction
    latency: Fraction | None
    count: int
    assumed: bool


@dataclass(frozen=True, slots=True)
class Assumption:
    """Values that neither the file nor the overlay gives: ``figure`` (device, rate) of ``count`` such ``noun``.

    ``stated`` is what the file says and the catalog does not have; ``value`` stands in for it.
    """

    figure: str
    noun: str
    value: str
    stated: str
    count: int

    def __str__(self) -> str:
        stands_in = f" stands in for {self.stated}" if self.stated else ""
        return f"{self.figure} of {counted(self.count, self.noun)} ({self.value}{stands_in})"


@dataclass(frozen=True, slots=True)
class Draft:
    """Everything that ``write_topology`` needs, and what the user should be told."""

    structure: Structure
    overlay: Overlay
    name: str
    nodes: tuple[DraftNode, ...]
    links: tuple[DraftLink, ...]
    renamed: dict[str, str]
    assumed: tuple[Assumption, ...]
    notes: tuple[str, ...]

    @property
    def assumed_count(self) -> int:
        """Number of assumed values."""
        return sum(each.count for each in self.assumed)


def draft_topology(structure: Structure, overlay: Overlay) -> Draft:
    """Apply an overlay to a structure.

    Raises:
        InputError: If the overlay leaves no node.
    """
    return _Drafter(structure, overlay).draft()


_Figured = tuple[NodePath, NodePath, Fraction, Fraction | None, bool]
"""Both ends of a cable, its rate and latency, and whether the rate is assumed."""


@dataclass(slots=True)
class _Drafter:
    structure: Structure
    overlay: Overlay
    notes: list[str] = field(default_factory=list)
    assumed: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    _path: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _spellings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _replaced: dict[str, ReplaceRule] = field(default_factory=dict)
    _overruling: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def draft(self) -> Draft:
        self.notes += self.structure.warnings
        renamed = self._spell()
        nodes = [node for node in self.structure.nodes if not self._ignored(node)]
        names = {node.name for node in nodes}
        cables = [c for c in self.structure.cables if c.a in names and c.b in names]
        if not nodes:
            at = Location(self.overlay.file)
            raise InputError("'ignore' leaves no node", at=at, fix="Make its patterns narrower.")
        folded = fold_switches(nodes, cables, self._mapped(nodes))
        self.notes += folded.notes
        ranks = _ranks(folded.nodes, folded.cables)
        drafted = tuple(self._node(node, ranks[node.name]) for node in folded.nodes)
        links = self._links(folded.cables)
        self._report_unused()
        self._report_overruled()
        self._report_adapters(folded.nodes)
        if not self._replaced and all(node.kind is not Kind.GPU for node in folded.nodes):
            self.notes.append("the file knows no GPUs; 'replace' in an overlay makes hosts instances of a template")
        return Draft(
            self.structure,
            self.overlay,
            self.overlay.name or self._default_name(),
            drafted,
            links,
            renamed,
            tuple(Assumption(*key, count) for key, count in sorted(self.assumed.items())),
            tuple(self.notes),
        )

    def _default_name(self) -> str:
        stem = re.split(r"[/\\]", self.structure.source.split(" and ")[0])[-1].split(".")[0]
        return safe_name(stem)[:MAX_TOPOLOGY_NAME]

    def _spell(self) -> dict[str, str]:
        """Give every node and container a name that a topology file may hold; returns what changed."""
        words = {word for node in self.structure.nodes for word in (*node.container, node.name)}
        spelled, clashes = safe_names(words)
        self.notes += clashes
        for node in self.structure.nodes:
            path = tuple(spelled[word] for word in (*node.container, node.name))
            self._path[node.name] = path
            self._spellings[node.name] = tuple({node.name: 1, path[-1]: 1, ".".join(path): 1})
        return {new: old for old, new in sorted(spelled.items()) if new != old}

    def _ignored(self, node: FoundNode) -> bool:
        return any(pattern.matches(self._spellings[node.name]) for pattern in self.overlay.ignore)

    def _mapped(self, nodes: Sequence[FoundNode]) -> frozenset[str]:
        """PCIe switches and NVSwitches that the overlay names by more than a bare ``*``."""
        rules = [*(r.pattern for r in self.overlay.devices), *(r.pattern for r in self.overlay.replace)]
        special = [n.name for n in nodes if n.kind in (Kind.PCIE_SWITCH, Kind.NVSWITCH)]
        return frozenset(n for n in special if any(p.text != "*" and p.matches(self._spellings[n]) for p in rules))

    def _node(self, node: FoundNode, rank: int) -> DraftNode:
        path, spellings = self._path[node.name], self._spellings[node.name]
        for swap in self.overlay.replace:
            if swap.pattern.matches(spellings):
                self._replaced[node.name] = swap
                return DraftNode(path, swap.template, Origin.OVERLAY, rank)
        for rule in self.overlay.devices:
            if rule.pattern.matches(spellings):
                return self._overruled(node, rule.text.plain(), rank)
        kind = node.kind if node.kind in _DEVICE_KINDS else Kind.HOST
        named, said = known_device(node.model, kind), _said(node)
        if named:
            return DraftNode(path, _with_size(named, node), Origin.FILE, rank, said)
        default = devices(kind.value)[0].name
        self.assumed["device", node.kind.value, default, node.model] += 1
        return DraftNode(path, _with_size(default, node), Origin.ASSUMED, rank, said)

    def _overruled(self, node: FoundNode, given: Plain, rank: int) -> DraftNode:
        """The overlay's device; that the file names another device of the catalog is worth a note."""
        device = given.get("is") if isinstance(given, dict) else given
        known = known_device(node.model, node.kind) if node.kind in _DEVICE_KINDS else ""
        if known and isinstance(device, str) and known != device:
            self._overruling[node.kind.value, device, node.model] += 1
        return DraftNode(self._path[node.name], write_value(given), Origin.OVERLAY, rank, node.model)

    def _links(self, cables: Sequence[Cable]) -> tuple[DraftLink, ...]:
        dealt: Counter[_Figured] = Counter()
        turn: Counter[str] = Counter()
        for cable in sorted(cables, key=lambda c: (c.a, c.b, c.rate or 0)):
            rate, latency, assumed = self._figures(cable)
            for a, b, count in self._deal(cable, turn):
                dealt[a, b, rate, latency, assumed] += count
        return tuple(self._merge_parallel(dealt))

    def _figures(self, cable: Cable) -> tuple[Fraction, Fraction | None, bool]:
        rate, latency = cable.rate, cable.latency
        ends = self._spellings[cable.a], self._spellings[cable.b]
        for rule in self.overlay.cables:
            if rule.matches(*ends):
                rate = rate if rate is not None else rule.rate
                latency = latency if latency is not None else rule.latency
                break
        return (ASSUMED_RATE, latency, True) if rate is None else (rate, latency, False)

    def _deal(self, cable: Cable, turn: Counter[str]) -> Iterator[tuple[NodePath, NodePath, int]]:
        """Each cable of a replaced node goes to the next of its inner nodes, so that all get an equal share."""
        if cable.a not in self._replaced and cable.b not in self._replaced:
            yield self._path[cable.a], self._path[cable.b], cable.count
            return
        for _ in range(cable.count):
            yield self._inner(cable.a, turn), self._inner(cable.b, turn), 1

    def _inner(self, name: str, turn: Counter[str]) -> NodePath:
        rule = self._replaced.get(name)
        if rule is None:
            return self._path[name]
        inner = rule.inner[turn[name] % len(rule.inner)]
        turn[name] += 1
        return (*self._path[name], *inner.split("."))

    def _merge_parallel(self, dealt: Counter[_Figured]) -> Iterator[DraftLink]:
        """A topology file has one line for two ends, with one rate: see ``_carried``."""
        between: dict[tuple[NodePath, NodePath], list[DraftLink]] = defaultdict(list)
        for (a, b, rate, latency, assumed), count in dealt.items():
            between[a, b].append(DraftLink(a, b, rate, latency, count, assumed))
        mixed = 0
        for links in between.values():
            mixed += len({link.rate for link in links}) > 1
            link = links[0] if len(links) == 1 else _carried(links)
            if link.assumed:
                self.assumed["rate", "cable", _ASSUMED_RATE_TEXT, ""] += link.count
            yield link
        if mixed:
            pairs = counted(mixed, "pair")
            self.notes.append(f"{pairs} of nodes with parallel cables of different rates: written with less, not more")

    def _report_unused(self) -> None:
        for pattern in self.overlay.unused():
            why = "no match, or an earlier one wins"
            self.notes.append(f"{pattern.at}: pattern '{pattern.text}' decides nothing: {why}")

    def _report_overruled(self) -> None:
        for (kind, device, model), count in sorted(self._overruling.items()):
            self.notes.append(f"the overlay takes {counted(count, kind)} for {device}, the file says {model}")

    def _report_adapters(self, nodes: Sequence[FoundNode]) -> None:
        """A fabric file names the card of a host; only a template has a place for it."""
        bare = (node for node in nodes if node.adapter and node.name not in self._replaced)
        cards = Counter(_card(node.adapter) for node in bare)
        if cards:
            listed = ", ".join(f"{card} in {counted(count, 'host')}" for card, count in sorted(cards.items()))
            what = f"the file names adapters ({listed})"
            self.notes.append(f"{what}; hosts are written without, but a template can hold them")


def _carried(links: Sequence[DraftLink]) -> DraftLink:
    """Parallel cables as equal ones that carry no more: those of at least one rate, at that rate, whichever is most.

    Cables of known rate stand without those of an assumed one.
    """
    known = [link for link in links if not link.assumed] or list(links)
    latency = max((link.latency for link in known if link.latency is not None), default=None)
    counts = {rate: sum(link.count for link in known if link.rate >= rate) for rate in {link.rate for link in known}}
    rate = max(counts, key=lambda r: (r * counts[r], counts[r]))
    return replace(known[0], rate=rate, count=counts[rate], latency=latency)


_DEVICE_KINDS = (Kind.GPU, Kind.HOST, Kind.DPU, Kind.NIC, Kind.SWITCH, Kind.FLASH, Kind.STORE)


def _said(node: FoundNode) -> str:
    """The stated model and size, as comments and messages tell them."""
    noun = "of memory" if node.kind is Kind.HOST else ""
    size = " ".join(filter(None, (write_size(node.size), noun))) if node.size else ""
    return ", ".join(filter(None, (node.model, size)))


def _card(adapter: str) -> str:
    """The catalog's name of a stated card, else the file's words."""
    return known_device(adapter, Kind.DPU) or known_device(adapter, Kind.NIC) or adapter


def _with_size(device: str, node: FoundNode) -> str:
    """A device with the size that the file states: all of a drive; half of a host's memory, as in the catalog."""
    room = {Kind.HOST: ("kv", node.size // 2), Kind.FLASH: ("usable", node.size)}.get(node.kind, ("", 0))
    return f"{{is: {device}, {room[0]}: {write_size(room[1])}}}" if room[1] >= GIGABYTE else device


def write_size(size: int) -> str:
    """A size in whole gigabytes, rounded down: ``3840 GB``."""
    return f"{size // GIGABYTE} GB"


def _ranks(nodes: Sequence[FoundNode], cables: Sequence[Cable]) -> dict[str, int]:
    """Distance of each switch from the nearest end device, so that links read upwards: host -- leaf, leaf -- spine."""
    neighbours: dict[str, set[str]] = defaultdict(set)
    for cable in cables:
        neighbours[cable.a].add(cable.b)
        neighbours[cable.b].add(cable.a)
    ranks = {node.name: 0 for node in nodes if node.kind not in (Kind.SWITCH, Kind.NVSWITCH, Kind.PCIE_SWITCH)}
    frontier = list(ranks)
    while frontier:
        reached = {other for name in frontier for other in neighbours[name] if other not in ranks}
        depth = ranks[frontier[0]] + 1
        ranks.update(dict.fromkeys(sorted(reached), depth))
        frontier = sorted(reached)
    return {node.name: ranks.get(node.name, 9) for node in nodes}
