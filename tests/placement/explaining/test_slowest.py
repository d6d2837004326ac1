"""What holds a restore up, named as the file names it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from placement_cluster import cluster, with_keys

from cmxverify.placement.explaining.slowest import slowest_stage
from cmxverify.placement.model.compile import compile_placement
from cmxverify.topology.model import Topology


def slowest(load: Callable[..., Topology], *changes: tuple[str, str], keys: str = "restore: 1 ms") -> str:
    """Of the first chain that the restore limit forbids."""
    topology = load(cluster(with_keys(keys), *changes))
    chain = next(each.chain for each in compile_placement(topology).table.rejected if each.fact == "restore:a/raw")
    stage = slowest_stage(topology, chain)
    return f"{stage.name} {stage.fact.partition('@')[0]}" if stage else ""


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("  box[0-1].dpu -- leaf: 50 GB/s", "  box[0-1].dpu -- leaf: 20 GB/s", "box[0-1].dpu -- leaf link"),
        ("  cmx[0-1].dpu -- leaf: 50 GB/s", "  cmx[0-1].dpu -- leaf: 20 GB/s", "cmx[0-1].dpu -- leaf link"),
        ("      host -- dpu: 100 GB/s", "      host -- dpu: 20 GB/s", "host -- dpu link"),
        ("read: 80 GB/s", "read: 20 GB/s", "flash read"),
        ("rate: 100 GB/s}\n    links:\n      gpu", "rate: 20 GB/s}\n    links:\n      gpu", "dpu dpu"),
    ],
)
def test_each_kind_of_stage_is_named(load: Callable[..., Topology], old: str, new: str, name: str) -> None:
    """Cables, also of a template, a card and the medium, whichever allows an object the least."""
    assert slowest(load, (old, new)) == name


def test_what_is_read_near_is_not_held_up_by_a_home(load: Callable[..., Topology]) -> None:
    """In a box's own memory alone no shared place takes time."""
    keys = "restore: 1 ms, tiers: [G2], copy: exclusive"
    assert slowest(load, keys=keys) == ""
