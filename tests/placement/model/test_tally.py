"""Loads of chains: the few resources of the program against sums over every cable, place and budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from placement_zoo import ZOO
from spread_loads import by_resources, link_by_link

from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.model.resources import ResourceKind
from cmxverify.placement.model.stores import LocalStore
from cmxverify.placement.model.tally import Flow
from cmxverify.topology.load import load_topology
from cmxverify.topology.model import Tier, Topology
from cmxverify.topology.routes import Router

Load = Callable[..., Topology]


@pytest.mark.parametrize("name", ZOO)
@pytest.mark.parametrize("aggregate", [True, False])
def test_orbits_carry_what_links_carry(load: Load, name: str, aggregate: bool) -> None:
    """PL-14, PL-24: the load of each cable and DPU is that of its resource, in both directions, for every chain."""
    model = compile_placement(load(ZOO[name]), aggregate=aggregate)
    router = Router(model.topology)
    for chain in model.table.allowed:
        assert by_resources(model, chain) == link_by_link(model, chain, router), chain.name


def test_orbits_carry_what_links_carry_in_a_rack() -> None:
    """PL-14, PL-24: so in the shipped rack, over all its 72 GPUs."""
    model = compile_placement(load_topology("cmx-rack"))
    router = Router(model.topology)
    for chain in model.table.allowed:
        assert by_resources(model, chain) == link_by_link(model, chain, router), chain.name


@pytest.mark.parametrize(
    "name", [name for name in ZOO if "disks" in name or "hosts" in name or "power" in name]
)
def test_places_of_boxes_hold_what_is_spread_over_them(load: Load, name: str) -> None:
    """PL-12: room on each place of a colour is what every chain leaves on it, summed over boxes and places."""
    model = compile_placement(load(ZOO[name]))
    rooms = [r for r in model.resources if r.kind is ResourceKind.CAPACITY and not r.per_on]
    for chain in model.table.allowed:
        expected = Counter[str]()
        for store, size in ((chain.home, model.chunk), (chain.copy, model.chunk / chain.part.copies)):
            if isinstance(store, LocalStore):
                for box in store.places.values():
                    for place in box:
                        expected[place.node] += size / len(store.places) / len(box)
        actual = {
            name: room.loads[chain.name]
            for room in rooms
            if chain.name in room.loads
            for name in room.members
        }
        assert actual == dict(expected), chain.name


def test_a_budget_sees_every_disk_under_it(load: Load) -> None:
    """PL-17: disks of all boxes of a rack draw from the rack's budget, half of them under each of the two."""
    model = compile_placement(load(ZOO["power of two racks"]))
    each = [r for r in model.resources if r.label.startswith("rack ")]
    site = next(r for r in model.resources if r.label == "all power")
    chain = next(c for c in model.table.allowed if isinstance(c.home, LocalStore) and c.copy is None)
    flow = Flow(chain)
    watts = (flow.home + flow.written) * Fraction(200, 20 * 10**9)
    assert site.loads[chain.name] == watts == sum(r.loads.get(chain.name, Fraction(0)) for r in each)


def test_budgets_without_places_are_limits_too(load: Load) -> None:
    """PL-17: base power above a budget is no plan, though nothing under it can be switched."""
    text = ZOO["one switch"].replace("workload:", "power: {rack: {of: 'box[0-3]', budget: 1 kW}}\nworkload:")
    model = compile_placement(load(text))
    row = next(row for row in model.program.rows if row.name == "rack power")
    assert not row.terms
    assert row.rhs < 0


def test_an_enclosure_with_two_drives_is_on_once(load: Load) -> None:
    """PL-11: room and rates of a unit are those of both its drives, its idle power too; its DPUs count once."""
    model = compile_placement(load(ZOO["two drives an enclosure"]))
    (pool,) = model.symmetry.pools
    limits = {r.label: r.limit for r in model.resources if r.per_on}
    assert (pool.size, pool.per_unit, pool.units_label) == (3, 2, "cmx[0-2]")
    assert limits["cmx[0-2].flash[0-1] capacity"] == 2 * 8640 * 10**9
    assert limits["cmx[0-2].flash[0-1] read"] == 80 * 10**9
    assert {r.limit for r in model.resources if r.label == "cmx[0-2] network read"} == {
        50 * 10**9,
        25 * 10**9,
    }
    assert dict(model.program.objectives[2].terms)["on cmx[0-2]"] == 200 * 10**6


def test_unlike_drives_of_an_enclosure_are_on_together(load: Load) -> None:
    """PL-11: two pools, one count of what is on; the enclosure's DPU carries the flows of both."""
    model = compile_placement(
        load(ZOO["unlike drives in an enclosure"].replace("object:", "sticky: 60%, object:"))
    )
    assert [p.label for p in model.symmetry.pools] == ["cmx[0-2].store", "cmx[0-2].flash"]
    assert [v.name for v in model.program.variables if v.name.startswith("on ")] == ["on cmx[0-2]"]
    out = [
        r for r in model.resources if r.label == "cmx[0-2] network read" and r.members[0].endswith("to leaf")
    ]
    assert len(out) == 1
    assert len(out[0].loads) == sum(c.home is not None for c in model.table.allowed)


def test_latent_of_all_ranks_fills_hbm(load: Load) -> None:
    """PL-12: under tp 2 each rank keeps the whole MLA latent, so HBM holds it twice; grouped heads are split."""
    held = {}
    for shape in ("deepseek-v3", "llama-3.1-70b"):
        text = ZOO["heat bands"].replace("llama-3.1-70b", shape).replace("tp: 2", "tp: 2, tiers: [G1]")
        model = compile_placement(load(text.replace("kv: 40 GB", "kv: 4 TB")))
        chain = next(c for c in model.table.allowed if c.home and c.home.first.tier is Tier.G1)
        room = next(r for r in model.resources if r.kind is ResourceKind.CAPACITY and chain.name in r.loads)
        held[shape] = room.loads[chain.name] * 8 / model.chunk
    assert held == {"deepseek-v3": 2, "llama-3.1-70b": 1}


def test_a_budget_counts_the_idle_power_of_both_drives(load: Load) -> None:
    """PL-17: an enclosure with two drives draws twice 100 W when it is on."""
    text = ZOO["two drives an enclosure"].replace(
        "workload:", "power: {shelf: {of: 'cmx[0-2]', budget: 2 kW}}\nworkload:"
    )
    budget = next(r for r in compile_placement(load(text)).resources if r.kind is ResourceKind.POWER)
    assert budget.loads["on cmx[0-2]"] == 200
