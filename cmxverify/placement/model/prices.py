"""What a unit that is switched on costs by the user's prices, and which prices add to no cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

from cmxverify.placement.model.symmetry import Pool
from cmxverify.topology.model import Topology


def unit_price(topology: Topology, unit: str) -> Fraction:
    """US dollars of one enclosure, or of a place by itself: its template's price, else those of its devices."""
    prices = _prices(topology)
    return sum((prices[key] * number for key, number in _priced(topology, unit).items()), Fraction(0))


def priced_keys(topology: Topology, pools: Iterable[Pool]) -> set[str]:
    """The names in ``prices`` that add to the cost of some plan; units of a pool are alike."""
    return {key for unit in {pool.units[0] for pool in pools} for key in _priced(topology, unit)}


def unused_prices(topology: Topology, pools: Iterable[Pool]) -> list[str]:
    """Names in ``prices`` that add to no cost: of what no plan switches (a GPU, a rack), rents, energy and life."""
    used = priced_keys(topology, pools)
    uncounted = topology.prices.uncounted if topology.prices else ()
    return [*(key for key in _prices(topology) if key not in used), *uncounted]


def _priced(topology: Topology, unit: str) -> Mapping[str, int]:
    """How many of each priced thing are paid for with a unit; ``count: 10`` drives are ten."""
    prices, container = _prices(topology), topology.containers.get(unit)
    if container is not None and container.template in prices:
        return {container.template: 1}
    inside = [node for name, node in topology.nodes.items() if name == unit or name.startswith(f"{unit}.")]
    found: Counter[str] = Counter()
    for node in inside:
        if node.device in prices:
            place = topology.places.get(node.name)
            found[node.device] += place.drives if place else 1
    return found


def _prices(topology: Topology) -> Mapping[str, Fraction]:
    return topology.prices.devices if topology.prices else {}
