"""A placement drawn on its topology: how full each place is, and whom an enclosure serves."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from cmxverify.placement.model.chains import Chain
from cmxverify.placement.model.plan import Opened, Plan
from cmxverify.placement.model.resources import ResourceKind
from cmxverify.report.picture import PlaceFill, draw_topology


def draw_placement(plan: Plan, path: Path) -> None:
    """Draw to an SVG or PNG file, by its suffix.

    Raises:
        InputError: If the suffix is another one, or the file cannot be written.
    """
    topology = plan.model.topology
    draw_topology(topology, path, subtitle=_subtitle(plan), fills=place_fills(plan))


def place_fills(plan: Plan) -> dict[str, PlaceFill]:
    """Share of the room in use of every place: zero where it is off."""
    fills: dict[str, PlaceFill] = {}
    for resource in plan.model.resources:
        if resource.kind is not ResourceKind.CAPACITY:
            continue
        if resource.per_on:
            _fill_pool(plan, resource.label, fills)
        else:
            share = resource.used(plan.values) / resource.limit if resource.limit else Fraction(0)
            fills |= dict.fromkeys(_alike(plan, resource.members[0]), PlaceFill(share, ""))
    return fills


def _fill_pool(plan: Plan, label: str, fills: dict[str, PlaceFill]) -> None:
    pool = plan.model.switching.pools[label.removesuffix(" capacity")]
    fills |= {place.node: PlaceFill(Fraction(0), "off") for place in pool.places}
    chains = plan.model.chains
    for opened in plan.opened:
        if opened.pool != pool.label:
            continue
        stored = sum(
            (count for name, count in plan.values.items() if name in chains and _lives(chains[name], opened)), 0
        )
        share = stored * plan.model.chunk / (pool.first.capacity * len(opened.places))
        fills |= dict.fromkeys(opened.places, PlaceFill(share, _owned(opened.owner, share)))


def _lives(chain: Chain, opened: Opened) -> bool:
    return chain.home is not None and chain.home.label == opened.pool and chain.owner == opened.owner


def _alike(plan: Plan, place: str) -> list[str]:
    """Places of the same colour: one resource stands for all of them."""
    colours = plan.model.symmetry.colours
    return [name for name in plan.model.topology.places if colours[name] == colours[place]]


def _subtitle(plan: Plan) -> str:
    on = plan.on_places()
    shared = [p for pool in plan.model.symmetry.pools for p in pool.places]
    return f"{len(on)} of {len(shared)} shared places on" if shared else ""


def _owned(owner: str, share: Fraction) -> str:
    return f"{owner} {float(share * 100):.0f} %" if owner else ""
