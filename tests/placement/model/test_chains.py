"""Chains on unlike clusters: what may hold a set, what is ruled out and why, and how long it takes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from placement_zoo import ZOO

from cmxverify.errors import InputError
from cmxverify.placement.model.compile import compile_placement
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]


def chains(load: Load, text: str) -> tuple[list[str], dict[str, str]]:
    """Chains that are allowed, ``copy over home``, and the reasons for those that are not."""
    table = compile_placement(load(text)).table
    short = [chain.name.partition(" -> ")[2] for chain in table.allowed]
    return short, {each.chain.name.partition(" -> ")[2]: each.reason for each in table.rejected}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("one switch", ["cmx[0-2].flash", "box[0-3].host over cmx[0-2].flash"]),
        ("exclusive copies", ["cmx[0-2].flash", "box[0-3].host"]),
        ("memory alone", ["box[0-3].host"]),
        ("HBM alone", ["box[0-3].gpu[0-1]"]),
        ("may be recomputed", ["recompute", "cmx[0-2].flash", "box[0-3].host over cmx[0-2].flash"]),
        ("no containers", ["flash[0-1]", "host over flash[0-1]"]),
        (
            "a store behind flash",
            ["cmx[0-2].flash", "box[0-3].host over cmx[0-2].flash", "store", "box[0-3].host over store"],
        ),
    ],
)
def test_a_set_may_live_where_its_keys_allow(load: Load, name: str, expected: list[str]) -> None:
    """PL-5: homes, copies over them, memory alone, or nothing."""
    assert chains(load, ZOO[name])[0] == expected


def test_disks_hold_and_cache(load: Load) -> None:
    """PL-5: a disk of the box is a home with a copy in memory, and a copy over shared flash."""
    allowed, _ = chains(load, ZOO["disks in boxes"])
    assert allowed[:5] == [
        "cmx[0-2].flash",
        "box[0-3].host over cmx[0-2].flash",
        "box[0-3].ssd[0-1] over cmx[0-2].flash",
        "box[0-3].ssd[0-1]",
        "box[0-3].host over box[0-3].ssd[0-1]",
    ]


def test_unlike_disks_are_stores_of_their_own(load: Load) -> None:
    """PL-12: a large and a small disk of a box are not filled alike."""
    text = ZOO["disks in boxes"]
    head, _, rest = text.partition("      ssd[0-1]: ")
    drive = rest.partition("\n      dpu")[0]
    big = drive.replace("usable: 864 GB", "usable: 2 TB")
    text = head + f"      big: {big}\n      ssd[0-1]: " + rest
    text = text.replace("      ssd[0-1] -- host", "      big -- host: 20 GB/s\n      ssd[0-1] -- host")
    allowed, _ = chains(load, text)
    assert {"box[0-3].ssd[0-1]", "box[0-3].big"} <= set(allowed)


@pytest.mark.parametrize(
    ("keys", "chain", "reason"),
    [
        ("restore: 300 ms", "cmx[0-2].flash", "restoring takes 401.0 ms, the limit is 300 ms"),
        ("tiers: [G3.5]", "box[0-3].host over cmx[0-2].flash", "tier G2 is not among its tiers (G3.5)"),
        ("isolation: box", "cmx[0-2].flash", "it lies in no 'box' that a could own"),
        ("copies: 2, copy: exclusive", "box[0-3].host", "a box of its own cannot keep 2 copies apart"),
    ],
)
def test_what_a_key_rules_out_is_listed(load: Load, keys: str, chain: str, reason: str) -> None:
    """PL-6, PL-8, PL-18, PL-19: each pair with the reason, in numbers."""
    _, rejected = chains(load, ZOO["one switch"].replace("object: 10 GB", f"object: 10 GB, {keys}"))
    assert rejected[chain] == reason


@pytest.mark.parametrize(
    ("metric", "near", "far"), [("switches", 1, 3), ("switch_links", 0, 2), ("links", 2, 4)]
)
def test_pools_at_two_distances(load: Load, metric: str, near: int, far: int) -> None:
    """PL-7: the rack's own enclosure and the other rack's, in each metric; a limit between them rules one out."""
    text = ZOO["near and far pools"].replace("metric: switches", f"metric: {metric}, max: {far - 1}")
    allowed, rejected = chains(load, text)
    assert "rack0.cmx.flash" in allowed
    assert rejected["rack1.cmx.flash"].startswith(f"{far} ")
    text = text.replace(f"max: {far - 1}", f"max: {near}")
    assert "rack0.cmx.flash" in chains(load, text)[0]


def test_one_tenant_keeps_apart_in_one_way(load: Load) -> None:
    """PL-19: two templates for one tenant are refused, with the line of the second."""
    text = ZOO["a tenant apart"] + ZOO["a tenant apart"].splitlines()[-1].replace("b/own", "b/more").replace(
        "isolation: enclosure", "isolation: box"
    )
    topology = load(text + "\n")
    with pytest.raises(InputError, match="b/more keeps apart by 'box', b/own by 'enclosure'"):
        compile_placement(topology)


def test_parts_across_boxes_take_as_long_in_the_full_program(load: Load) -> None:
    """PL-8: an instance over two boxes gets its object through both; counting boxes alone changes no time."""
    topology = load(ZOO["instances across boxes"])
    times = [
        {chain.worst_seconds for chain in compile_placement(topology, aggregate=aggregate).table.allowed}
        for aggregate in (True, False)
    ]
    assert times[0] == times[1]
