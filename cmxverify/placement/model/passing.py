"""Enclosures that bytes of other places pass on their way to the GPUs: chained ones, and bridges between leaves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cmxverify.topology.model import NodeKind, Place, Topology
from cmxverify.topology.routes import Router


def find_passed_units(topology: Topology, shared: Iterable[Place], router: Router) -> frozenset[str]:
    """Units of shared places that lie on a shortest path between a place of another unit and some GPU."""
    shared = tuple(shared)
    boxes = {place.unit for place in shared if place.unit in topology.containers}
    unit_of = {name: box for box in boxes for name in topology.members(box)}
    if not any(_is_between(box, unit_of, router) for box in boxes):
        return frozenset()
    sources = {place.unit: place.node for place in shared}
    passed = {
        (unit, unit_of[name])
        for unit, source in sources.items()
        for name in _on_the_way(topology, source, router)
        if name in unit_of
    }
    return frozenset(other for unit, other in passed if other != unit)


def _is_between(box: str, unit_of: dict[str, str], router: Router) -> bool:
    """Whether a box hangs on more than one node outside, so that something could pass it."""
    inside = (name for name, unit in unit_of.items() if unit == box)
    return len({other for name in inside for other in router.neighbours[name] if unit_of.get(other) != box}) > 1


def _on_the_way(topology: Topology, source: str, router: Router) -> Iterator[str]:
    """Nodes on shortest paths from a place to all GPUs that it reaches."""
    reached = [name for name in router.distances(source) if topology.nodes[name].kind is NodeKind.GPU]
    seen = set(reached)
    while reached:
        for other in router.before(source, reached.pop()):
            if other not in seen:
                seen.add(other)
                reached.append(other)
                yield other
