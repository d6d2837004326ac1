"""PL-5 to PL-9: where a chunk may live, how far away, how long restoring takes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from placement_cluster import RAW, cluster, with_keys

from cmxverify.placement.model.chains import ChainTable
from cmxverify.placement.model.compile import compile_placement
from cmxverify.topology.model import Topology
from cmxverify.topology.routes import Router

Load = Callable[..., Topology]
HOME = "cmx[0-1].flash"
COPY = f"box[0-1].host over {HOME}"
DISKS = ("      dpu: {is: bluefield-4, rate: 100 GB/s}\n    links:\n      gpu", """\
      dpu: {is: bluefield-4, rate: 100 GB/s}
      ssd: {is: tlc-gen5, tier: G3, usable: 1 TB, read: 10 GB/s, write: 5 GB/s, dwpd: 1 DWPD, first_byte: 100 us}
    links:
      host -- ssd: 20 GB/s
      gpu""")


def table(load: Load, keys: str = "", *changes: tuple[str, str]) -> ChainTable:
    """Chains of the raw set with further keys."""
    return compile_placement(load(cluster(with_keys(keys) if keys else RAW, *changes))).table


def allowed(found: ChainTable) -> list[str]:
    """Where chunks may go, without the part's name."""
    return [chain.name.partition(" -> ")[2] for chain in found.allowed]


def rejected(found: ChainTable) -> list[tuple[str, str, str]]:
    """Where they may not, the line at fault, and why."""
    return [(each.chain.name.partition(" -> ")[2], each.fact, each.reason) for each in found.rejected]


def test_a_home_alone_or_with_a_copy(load: Load) -> None:
    """PL-5: shared flash alone, or with a copy in the boxes' own memory."""
    assert allowed(table(load)) == [HOME, COPY]


def test_disks_of_a_box_are_homes_and_copies(load: Load) -> None:
    """PL-5: a disk in the box may be the home, with a copy in memory, or a copy over shared flash."""
    assert allowed(table(load, "", DISKS)) == [
        HOME,
        COPY,
        f"box[0-1].ssd over {HOME}",
        "box[0-1].ssd",
        "box[0-1].host over box[0-1].ssd",
    ]


def test_what_lies_in_a_box_alone_has_one_copy(load: Load) -> None:
    """PL-5: a set with two copies cannot live on disks of boxes."""
    assert "box[0-1].ssd" not in allowed(table(load, "copies: 2", DISKS))


def test_an_exclusive_set_keeps_one_copy_only(load: Load) -> None:
    """PL-5: with `copy: exclusive` memory or flash, not both."""
    assert allowed(table(load, "copy: exclusive")) == [HOME, "box[0-1].host"]


def test_a_rebuildable_set_may_be_recomputed(load: Load) -> None:
    """PL-5: `if_no_room: recompute` adds the chain that stores nothing."""
    assert allowed(table(load, "if_no_room: recompute")) == ["recompute", HOME, COPY]


def test_hbm_is_left_to_decoding_unless_named(load: Load) -> None:
    """PL-6: memory of GPUs is a place only for a set that lists G1."""
    assert not any("gpu" in name for name in allowed(table(load, "copy: exclusive")))
    assert allowed(table(load, "tiers: [G1]")) == ["box[0-1].gpu[0-1]"]


def test_tiers_hold_for_homes_and_copies(load: Load) -> None:
    """PL-6: a set of G3.5 only has no copy in G2; a set of G2 only lives in memory alone."""
    assert allowed(table(load, "tiers: [G3.5]")) == [HOME]
    assert allowed(table(load, "tiers: [G2]")) == ["box[0-1].host"]


def test_a_home_beyond_the_hop_limit_is_out(load: Load) -> None:
    """PL-7: one switch lies between boxes and flash, so `max: 0` switches leaves no home."""
    found = table(load, "", ("metric: switches, max: 1", "metric: switches, max: 0"))
    assert allowed(found) == []
    assert rejected(found)[0] == (HOME, "hops", "1 switch away, the limit is 0")


def test_each_metric_counts_its_own(load: Load) -> None:
    """PL-7: the same way is 1 switch, no link between switches, and 2 cables outside the boxes."""
    (leg,) = (chain.home_leg for chain in table(load).allowed if chain.copy is None)
    assert leg is not None
    assert (leg.hops.switches, leg.hops.switch_links, leg.hops.links) == (1, 0, 2)


def test_restore_is_first_byte_and_the_slowest_stage(load: Load) -> None:
    """PL-8: 10 GB at half of 50 GB/s after 1 ms are 401 ms from flash; at half of 100 GB/s 200 ms from memory."""
    seconds = {c.name.partition(" -> ")[2]: c.worst_seconds for c in table(load).allowed}
    assert seconds == {HOME: Fraction(401, 1000), COPY: Fraction(200, 1000)}


def test_a_medium_can_be_the_slowest_stage(load: Load) -> None:
    """PL-8: flash that reads at 20 GB/s takes a second for 10 GB at plan_to 50 %."""
    found = table(load, "", ("read: 80 GB/s", "read: 20 GB/s"))
    assert found.allowed[0].worst_seconds == Fraction(1001, 1000)


def test_an_object_arrives_at_several_gpus_in_parts(load: Load) -> None:
    """PL-8: with tp 2 each of the two cables from host to GPU carries half, so memory takes 100 ms for 10 GB."""
    found = table(load, "tp: 2")
    assert found.allowed[1].worst_seconds == Fraction(100, 1000)


def test_a_chain_slower_than_the_limit_is_out(load: Load) -> None:
    """PL-8: a limit of 300 ms leaves the copy in memory, which all turns find, and refuses flash alone."""
    found = table(load, "restore: 300 ms")
    assert allowed(found) == [COPY]
    assert rejected(found) == [(HOME, "restore:a/raw", "restoring takes 401.0 ms, the limit is 300 ms")]


def test_turns_that_miss_the_copy_count(load: Load) -> None:
    """PL-8: where 60 % of the turns leave their box, the copy does not save the chain from the limit."""
    assert allowed(table(load, "restore: 300 ms, sticky: 40%")) == []


def test_bytes_split_evenly_over_equal_ways(load: Load) -> None:
    """PL-9: with two leaves, half of the bytes cross each; DPUs and host carry all of them."""
    two = [("leaf: sn5610", '"leaf[0-1]": sn5610'), ("box[0-1].dpu -- leaf:", '"box[0-1].dpu -- leaf[0-1]":')]
    topology = load(cluster(RAW, *two, ("  cmx[0-1].dpu -- leaf:", '  "cmx[0-1].dpu -- leaf[0-1]":')))
    route = Router(topology).read_route("cmx0.flash", ["box0.gpu0"])
    assert route.edges["leaf1", "box0.dpu"] == Fraction(1, 2)
    assert (route.nodes["leaf0"], route.nodes["box0.host"]) == (Fraction(1, 2), 1)


def test_gpus_pass_nothing_on(load: Load) -> None:
    """PL-9: a GPU with a cable of its own to the switch is no way for its neighbour's bytes."""
    change = ("  box[0-1].dpu -- leaf", "  box[0-1].gpu0 -- leaf: 50 GB/s\n  box[0-1].dpu -- leaf")
    topology = load(cluster(RAW, change))
    route = Router(topology).read_route("cmx0.flash", ["box0.gpu1"])
    assert "box0.gpu0" not in route.nodes
