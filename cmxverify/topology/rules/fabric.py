"""Rules about the fabric: switches, hops, latency and single points of failure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

import networkx as nx

from cmxverify.topology.model import HopMetric, Hops, Node, NodeKind
from cmxverify.topology.rules.rule import Remark, Severity, rule
from cmxverify.topology.rules.subject import Subject, plural
from cmxverify.units import Dimension, format_quantity

_SPECTRUM_X = re.compile(r"Spectrum-(X|[4-9])")  # Spectrum-X is sold on Spectrum-4 and later
_ARTICLE_HOPS = 2
_ONE = {HopMetric.SWITCHES: "switch", HopMetric.SWITCH_LINKS: "switch link", HopMetric.LINKS: "link"}
_ARTICLE_SWITCH_LATENCY = Fraction(1, 10**6)


@rule(
    1,
    "CMX is reached over Spectrum-X switches",
    source="A23; NVIDIA Technical Blog, 'Inside the NVIDIA Rubin Platform'",
    article=Severity.ERROR,
    published=Severity.WARNING,
)
def spectrum_x(subject: Subject) -> Iterator[Remark]:
    """Known by the catalog's title of the switch: Spectrum-4 or later."""
    for switch in switches_to_cmx(subject):
        device = subject.device(switch.name)
        if device is None or not _SPECTRUM_X.search(device.title):
            fix = "Use a Spectrum-X switch, such as sn5610"
            yield Remark(switch.device_at, f"{switch.device} is not known to be a Spectrum-X switch", fix)


@rule(5, "CMX is at most 2 network hops away", source="A25", article=Severity.ERROR)
def hops(subject: Subject) -> Iterator[Remark]:
    """The article does not say what a hop is, so all three metrics are reported and judged."""
    if not subject.cmx:
        return
    worst = farthest(subject)
    counts = ", ".join(plural(worst.by(metric), _ONE[metric]) for metric in HopMetric)
    holds = [metric for metric in HopMetric if worst.by(metric) <= _ARTICLE_HOPS]
    text = f"farthest place: {counts}; 2 hops hold in "
    if len(holds) == len(HopMetric):
        yield Remark(subject.file, text + "each metric", ok=True)
    elif holds:
        named = " and ".join(metric.label for metric in holds)
        fix = f"The article does not say which it means; write hops: {{metric: {holds[0].value}, max: 2}}"
        yield Remark(subject.file, f"{text}{named} only", fix, Severity.WARNING)
    else:
        yield Remark(subject.file, text + "no metric", "Bring CMX nearer to the GPUs")


def switches_to_cmx(subject: Subject) -> tuple[Node, ...]:
    """Switches on shortest paths between CMX and its readers; a server's NVSwitch, say, is none of them."""
    crossed: set[str] = set()
    for place in subject.cmx:
        wave = set(subject.readers(place))
        while wave:
            wave = {before for node in wave for before in subject.router.before(place.node, node)}
            crossed |= wave
    return tuple(switch for switch in subject.of_kind(NodeKind.SWITCH) if switch.name in crossed)


def farthest(subject: Subject) -> Hops:
    """The largest count in each metric over all pairs of a CMX place and a GPU that reads it."""
    worst = Hops(0, 0, 0)
    for place in subject.cmx:
        counts = subject.router.hops_from(place.node)
        for gpu in subject.readers(place):
            worst = Hops(*(max(worst.by(metric), counts[gpu].by(metric)) for metric in HopMetric))
    return worst


@rule(10, "A switch adds less than 1 us", source="A14", article=Severity.ERROR)
def switch_latency(subject: Subject) -> Iterator[Remark]:
    """Read per switch: over two cards and flash the article's figure cannot hold."""
    for switch in switches_to_cmx(subject):
        latency = switch.latency or subject.figure(switch.name, "latency") or Fraction(0)
        if latency > _ARTICLE_SWITCH_LATENCY:
            shown = format_quantity(latency, Dimension.TIME)
            text = f"{switch.device} adds {shown}; the article says below 1 us"
            yield Remark(switch.device_at, text, "Use a faster switch, or leave its latency to the catalog")


@rule(
    21,
    "No single switch stands between GPUs and a shared place",
    source="Graph theory: a cut vertex",
    article=Severity.WARNING,
    published=Severity.WARNING,
)
def single_switch(subject: Subject) -> Iterator[Remark]:
    """Without such a switch some GPU reads no block of some shared place."""
    graph: nx.Graph[str] = nx.Graph(subject.topology.graph)
    places = {place.node for place in subject.shared}
    if not places:
        return
    for name in nx.articulation_points(graph):
        switch = subject.topology.nodes[name]
        if switch.kind is NodeKind.SWITCH and _separates(graph, name, set(subject.gpus), places):
            text = f"{switch.device} is the only way between some GPUs and a shared place"
            yield Remark(switch.at, text, "Add a second switch and link both sides to both")


def _separates(graph: nx.Graph[str], cut: str, gpus: set[str], places: set[str]) -> bool:
    rest = graph.subgraph(graph.nodes - {cut})
    parts = list(nx.connected_components(rest))
    return any(part & gpus and places - part for part in parts)
