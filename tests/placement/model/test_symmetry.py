"""One unknown for equal parts: the reduced program against the full one, on clusters of many shapes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from placement_zoo import ZOO

from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.model.demand import resolve_demand
from cmxverify.placement.model.symmetry import Symmetry, find_symmetry
from cmxverify.placement.proof.outcome import Status
from cmxverify.placement.solving.solve import solve_program
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]


@pytest.mark.parametrize("name", ZOO)
def test_the_reduced_program_has_the_optimum_of_the_full_one(load: Load, name: str) -> None:
    """PL-24: where chunks divide evenly over boxes, every level has the same value with each part alone."""
    topology = load(ZOO[name])
    together, apart = (
        solve_program(compile_placement(topology, aggregate=aggregate).program, time_limit_s=30)
        for aggregate in (True, False)
    )
    assert together.status is apart.status is Status.OPTIMAL
    scale = [max(level.value, 1) for level in apart.levels]
    for ours, theirs, size in zip(together.levels, apart.levels, scale, strict=True):
        assert abs(ours.value - theirs.value) <= size / 10**6, (
            ours.key
        )  # coefficients are rounded once a column


def symmetry(load: Load, name: str) -> Symmetry:
    topology = load(ZOO[name])
    return find_symmetry(topology, resolve_demand(topology))


def test_near_and_far_pools_tell_boxes_apart(load: Load) -> None:
    """PL-24: what hangs on different switches is two pools, and boxes next to one are no longer like the others."""
    found = symmetry(load, "near and far pools")
    assert [pool.label for pool in found.pools] == ["rack0.cmx.flash", "rack1.cmx.flash", "cmx2.flash"]
    assert [each.label for each in found.box_classes] == ["rack0.box[0-1]", "rack1.box[0-1]"]


def test_boxes_that_run_something_on_some_gpus_are_a_class(load: Load) -> None:
    """PL-24: two boxes run a second set on their second GPU."""
    found = symmetry(load, "some of a box's GPUs")
    assert [each.label for each in found.box_classes] == ["box[0-1]", "box[2-3]"]


def test_places_for_a_rack_and_for_a_box_are_not_alike(load: Load) -> None:
    """PL-24: who may read a place is one of its figures."""
    shared = "      ssd0: {is: tlc-gen6-30tb, tier: G3, shared_by: rack, usable: 1 TB}\n"
    own = "      ssd1: {is: tlc-gen6-30tb, tier: G3, usable: 1 TB}\n"
    text = ZOO["near and far pools"].replace(
        "      dpu: {is: bluefield-4", f"{shared}{own}      dpu: {{is: bluefield-4", 1
    )
    found = load(text.replace("      host -- dpu", "      ssd[0-1] -- host: 20 GB/s\n      host -- dpu", 1))
    colours = find_symmetry(found, resolve_demand(found)).colours
    assert colours["rack0.box0.ssd0"] != colours["rack0.box0.ssd1"]
    assert colours["rack0.box0.ssd0"] == colours["rack0.box1.ssd0"]


def test_local_places_are_listed_for_every_box_that_reads_them(load: Load) -> None:
    """PL-5: a disk shared by a rack belongs to both boxes of the rack, a host to its own."""
    local = symmetry(load, "disks for a rack").local
    names = {place.node for place in local["rack0.box0"]}
    assert {"rack0.box0.host", "rack0.box0.ssd0", "rack0.box1.ssd0"} <= names
    assert "rack0.box1.host" not in names


def test_a_pool_for_one_rack_is_switched_like_any_other(load: Load) -> None:
    """PL-5: shared flash with ``shared_by`` is a pool that only its rack's boxes use."""
    topology = load(ZOO["a pool for its rack only"])
    model = compile_placement(topology)
    homes = {(c.part.boxes.label, c.home_label) for c in model.table.allowed}
    assert ("rack0.box[0-1]", "rack0.cmx.flash") in homes
    assert ("rack0.box[0-1]", "rack1.cmx.flash") not in homes
    assert {name for pool in model.switching.pools.values() for name in model.switching.all_on(pool)} == {
        "on rack0.cmx", "on rack1.cmx", "on cmx2"
    }  # fmt: skip


def test_flash_among_gpus_is_on_by_itself(load: Load) -> None:
    """PL-11: a shared place inside a box with GPUs is a unit of its own: the box is not switched."""
    text = ZOO["disks for all"].replace("tier: G3, shared_by: all", "tier: G3.5")
    topology = load(text)
    assert topology.places["box0.ssd0"].unit == "box0.ssd0"
    assert topology.places["cmx0.flash"].unit == "cmx0"
