"""PL-20 to PL-23: what is preferred, in the units of the levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from placement_cluster import RAW, cluster, with_keys

from cmxverify.errors import InputError
from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.model.prices import unused_prices
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]
HOME = "a/raw all @ box[0-1] -> cmx[0-1].flash"
COPY = "a/raw all @ box[0-1] -> box[0-1].host over cmx[0-1].flash"
ON = "on cmx[0-1]"


def level(load: Load, key: str, workload: str = RAW, more: str = "") -> Mapping[str, int]:
    """Coefficients of one level."""
    model = compile_placement(load(cluster(workload, more=more)), objectives=[key])
    return model.program.objectives[0].terms


def test_a_recomputed_turn_is_late(load: Load) -> None:
    """PL-20: one read a second over 100 chunks: each that is recomputed makes 0.01 turns/s late."""
    assert level(load, "late", with_keys("if_no_room: recompute")) == {
        "a/raw all @ box[0-1] -> recompute": 10**7
    }


def test_a_turn_that_left_its_box_is_late(load: Load) -> None:
    """PL-20: memory alone serves the 40 % of turns that return; 60 % of 0.01 turns/s are late."""
    terms = level(load, "late", with_keys("copy: exclusive, sticky: 40%"))
    assert terms == {"a/raw all @ box[0-1] -> box[0-1].host": 6 * 10**6}


def test_restore_weighs_time_by_turns(load: Load) -> None:
    """PL-21: 0.01 turns/s of 401 ms from flash, of 200 ms from memory, in billionths."""
    assert level(load, "restore") == {HOME: 4_010_000, COPY: 2_000_000}


def test_restore_mixes_copy_and_home(load: Load) -> None:
    """PL-21: 40 % of the turns take 200 ms, 60 % 401 ms: 320.6 ms on average."""
    assert level(load, "restore", with_keys("sticky: 40%"))[COPY] == 3_206_000


def test_power_is_what_the_plan_can_switch(load: Load) -> None:
    """PL-22: 100 W for an enclosure, 4 nJ a byte; no word of GPUs, hosts or switches."""
    assert level(load, "power") == {ON: 100_000_000, HOME: 402_000, COPY: 2_000}


def test_cost_is_your_price_of_what_is_on(load: Load) -> None:
    """PL-23: an enclosure at 310,000 dollars, whatever its drives cost."""
    prices = "prices: {enclosure: 310 kUSD, tlc-gen6-30tb: 1 kUSD}\n"
    assert level(load, "cost", more=prices) == {ON: 310_000}


def test_cost_of_an_enclosure_without_a_price_is_that_of_its_devices(load: Load) -> None:
    """PL-23: one drive and one DPU; the DPUs of the boxes are not switched, so they cost nothing."""
    prices = "prices: {tlc-gen6-30tb: 1 kUSD, bluefield-4: 400 USD}\n"
    assert level(load, "cost", more=prices) == {ON: 1_400}


def test_a_price_is_of_one_drive(load: Load) -> None:
    """PL-23: ``count: 10`` drives cost ten times as much."""
    text = cluster(RAW, ("tier: G3.5,", "tier: G3.5, count: 10,"), more="prices: {tlc-gen6-30tb: 1 kUSD}\n")
    assert compile_placement(load(text), objectives=["cost"]).program.objectives[0].terms == {ON: 10_000}


def test_prices_of_what_is_always_on_make_no_level(load: Load) -> None:
    """PL-23: a GPU and a box of GPUs are on whatever the plan, so there is no cost to minimise."""
    model = compile_placement(load(cluster(more="prices: {h100-sxm: 30 kUSD, box: 300 kUSD}\n")))
    assert [each.key for each in model.program.objectives] == ["late", "restore", "power"]
    assert unused_prices(model.topology, model.symmetry.pools) == ["h100-sxm", "box"]


def test_cost_is_refused_if_no_price_applies(load: Load) -> None:
    """PL-23: asked for cost, with a price of a GPU alone: say what to price."""
    text = cluster(more="prices: {h100-sxm: 30 kUSD}\n")
    with pytest.raises(InputError) as caught:
        compile_placement(load(text), objectives=["cost"])
    assert caught.value.what == "objective 'cost': h100-sxm is nothing that a plan switches"
    assert caught.value.fix == "Add 'prices: {enclosure: 310 kUSD}'; the catalog has no prices."


def test_spread_is_the_fullest_pool(load: Load) -> None:
    """PL-23: 100 chunks of 10 GB fill 57.87 thousandths of 17,280 GB, so the fullest pool is at 58 of 1,000."""
    model = compile_placement(load(cluster(RAW)), objectives=["spread"])
    (row,) = (each for each in model.program.rows if each.name.startswith("fill of"))
    at_58, at_57 = ({HOME: 100, COPY: 0, "fullest pool": n} for n in (58, 57))
    assert (row.holds(at_58), row.holds(at_57)) == (True, False)
