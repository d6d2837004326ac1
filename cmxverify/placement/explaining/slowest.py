"""What holds a restore up: the cables, card or medium that delivers an object from a shared place most slowly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.errors import Location
from cmxverify.placement.explaining.written import Key, Written
from cmxverify.placement.model.chains import Chain
from cmxverify.placement.model.symmetry import Pool
from cmxverify.topology.model import Place, Topology
from cmxverify.topology.routes import Route, Router


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the way: the fact of its figure, its line, and its name in the words of the file."""

    fact: str
    at: Location
    name: str


def slowest_stage(topology: Topology, chain: Chain) -> Stage | None:
    """The stage that allows one object the least bytes/s (PL-8); None where not a shared home is what takes time."""
    if not isinstance(chain.home, Pool) or chain.served_near == 1:
        return None
    if chain.copy_leg and chain.home_leg and chain.copy_leg.seconds > chain.home_leg.seconds:
        return None
    router, written = Router(topology), Written(topology)
    stages = (
        stage
        for readers in chain.part.reader_groups
        for place in chain.home.one_unit
        for stage in _stages(topology, router, written, place, router.read_route(place.node, readers))
    )
    return min(stages, key=lambda each: each[0], default=(Fraction(0), None))[1]


def _stages(
    topology: Topology, router: Router, written: Written, place: Place, route: Route
) -> Iterator[tuple[Fraction, Stage]]:
    """Bytes/s that each stage allows, from the GPUs' side: of equal ones the one next to them is told."""
    lines = {frozenset((link.a, link.b)): link.at for link in topology.links}
    for edge, share in route.edges.items():
        at = lines[frozenset(edge)]
        name = _words(written.link(at), " -- ".join(edge))
        yield router.capacity(edge) / share, Stage(f"link@{at.file}:{at.line}:{at.column}", at, name)
    for node, share in route.nodes.items():
        rate, at = topology.nodes[node].rate, topology.nodes[node].at
        if rate is not None:
            name = _words(written.node(node), node)
            yield rate / share, Stage(f"dpu@{at.file}:{at.line}:{at.column}", at, name)
    if place.read is not None:
        at = place.key_at.get("read", place.at)
        name = _words(written.node(place.node), place.node)
        yield place.read, Stage(f"read@{at.file}:{at.line}", at, name)


def _words(key: Key | None, otherwise: str) -> str:
    """``tray[00-17].dpu -- leaf[0-1]``: as the file has it, without the template around."""
    return key.path.rpartition("links." if " -- " in key.path else "nodes.")[2] if key else otherwise
