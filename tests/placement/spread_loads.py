"""Loads computed link by link: every box reads from every place of a chain, each pair an even share of its flow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction

from cmxverify.placement.chains import Chain
from cmxverify.placement.compile import PlacementModel
from cmxverify.placement.resources import Resource, ResourceKind
from cmxverify.placement.stores import LocalStore, Store
from cmxverify.placement.tally import Flow
from cmxverify.topology.routes import Router

Loads = Mapping[str, Fraction]
_NETWORK = (ResourceKind.LINK, ResourceKind.DPU, ResourceKind.READ, ResourceKind.WRITE)


def link_by_link(model: PlacementModel, chain: Chain, router: Router) -> Loads:
    """Bytes/s on every cable direction ``a to b`` and every node on the way, of one unit of a chain."""
    flow, loads = Flow(chain), Counter[str]()
    for store, read, written in ((chain.home, flow.home, flow.written), (chain.copy, flow.near, Fraction(0))):
        if store is not None:
            pairs = list(_pairs(chain, store))
            for place, gpus in pairs:
                out, back = router.read_route(place, gpus), router.write_route(place, gpus)
                for rate, route in ((read, out), (written, back)):
                    for (a, b), share in route.edges.items():
                        loads[f"{a} to {b}"] += rate * share / len(pairs)
                    for node, share in route.nodes.items():
                        if model.topology.nodes[node].rate is not None:
                            loads[node] += rate * share / len(pairs)
    return {name: load for name, load in loads.items() if load}


def by_resources(model: PlacementModel, chain: Chain) -> Loads:
    """The same as the program has it, with all units of a pool on."""
    loads = Counter[str]()
    for resource in model.resources:
        load = resource.loads.get(chain.name)
        if load and _is_network(model, resource):
            units = _units(model, chain) if resource.per_on else 1
            for member in resource.members:
                loads[member] += load / units
    return dict(loads)


def _is_network(model: PlacementModel, resource: Resource) -> bool:
    return resource.kind in _NETWORK and resource.members[0] not in model.topology.places


def _units(model: PlacementModel, chain: Chain) -> int:
    assert chain.home is not None
    return model.switching.pools[chain.home.label].size


def _pairs(chain: Chain, store: Store) -> Iterator[tuple[str, list[str]]]:
    members = set(chain.part.gpus)
    for box in chain.part.boxes.boxes:
        gpus = [gpu for gpu in box.gpus if gpu in members]
        places = store.places[box.path] if isinstance(store, LocalStore) else store.places
        for place in places:
            yield place.node, [place.node] if place.node in members else gpus
