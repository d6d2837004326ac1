"""Who reads in boxes that stand alone (the full model), under attention dp over several boxes."""

from __future__ import annotations

from collections.abc import Callable

from placement_cluster import cluster, with_keys

from cmxverify.placement.model.compile import compile_placement
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]


def test_every_rank_of_attention_dp_reads(load: Load) -> None:
    """Under attention dp an instance over both boxes holds objects in each, so each has its own restore time."""
    topology = load(cluster(with_keys("tp: 4, attention: dp")))
    chains = compile_placement(topology, aggregate=False).table.allowed
    seconds = {chain.part.boxes.label: chain.worst_seconds for chain in chains if chain.home_label == "cmx0.flash"}
    assert set(seconds) == {"box0", "box1"}
    assert seconds["box0"] == seconds["box1"] > 0
