"""Loads computed link by link: every box reads from every place of a chain, each pair an even share of its flow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from cmxverify.placement.model.chains import Chain
from cmxverify.placement.model.compile import PlacementModel
from cmxverify.placement.model.resources import Resource, ResourceKind
from cmxverify.placement.model.stores import LocalStore, Store
from cmxverify.placement.model.tally import Flow
from cmxverify.topology.routes import Route, Router

Loads = Mapping[str, Fraction]
_NETWORK = (ResourceKind.LINK, ResourceKind.DPU, ResourceKind.READ, ResourceKind.WRITE)


def link_by_link(model: PlacementModel, chain: Chain, router: Router) -> Loads:
    """Bytes/s on every cable direction ``a to b`` and every node on the way, of one unit of a chain.

    A copy is filled from bytes that pass on their way to the home: that loads only what the home's do not use.
    """
    flow, loads = Flow(chain), Counter[str]()
    if chain.home is None:
        return {}
    written = _spread(chain, chain.home, router.write_route)
    _add(loads, _spread(chain, chain.home, router.read_route), flow.home)
    _add(loads, written, flow.written)
    if chain.copy is not None:
        filled = _spread(chain, chain.copy, router.write_route)
        _add(loads, _spread(chain, chain.copy, router.read_route), flow.near)
        _add(loads, {name: share for name, share in filled.items() if name not in written}, flow.copy_written)
    nodes = model.topology.nodes
    return {name: load for name, load in loads.items() if load and (name not in nodes or nodes[name].rate is not None)}


def _spread(chain: Chain, store: Store, one_way: Callable[[str, list[str]], Route]) -> Loads:
    """Shares of a flow between a store and its readers, every box and every place alike."""
    shares, pairs = Counter[str](), list(_pairs(chain, store))
    for place, gpus in pairs:
        route = one_way(place, gpus)
        _add(shares, {f"{a} to {b}": share for (a, b), share in route.edges.items()}, Fraction(1, len(pairs)))
        _add(shares, route.nodes, Fraction(1, len(pairs)))
    return dict(shares)


def _add(loads: Counter[str], shares: Loads, rate: Fraction) -> None:
    for name, share in shares.items():
        loads[name] += share * rate


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
