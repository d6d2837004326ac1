"""Real files that nobody in this project wrote; exact counts. Skipped where they are not at hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared_files import needs, shared

from cmxverify.topology.importers.draft import draft_topology
from cmxverify.topology.importers.formats import read_structure
from cmxverify.topology.importers.overlay import Overlay
from cmxverify.topology.importers.write import write_topology

FOLDER = shared("topologies")
pytestmark = needs(FOLDER)

COUNTS = {
    "ibnetdiscover_dgx_cluster_excerpt.out": ("ibnetdiscover", {"host": 33, "switch": 39}, 180),
    "ibnetdiscover_ports_small_1.out": ("ibnetdiscover", {"host": 3, "switch": 4}, 4),
    "azure_nd96asr_v4_a100_nccl_topo.xml": ("nccl", {"gpu": 8, "host": 4, "nic": 8, "PCIe switch": 4}, 26),
    "hwloc_nvidia_dgx2.xml": ("hwloc", {"gpu": 16, "host": 2, "PCIe switch": 14, "NVSwitch": 12}, 139),
    "topograph_nvl72_model.yaml": ("topograph", {"host": 72, "switch": 7}, 78),
    "topograph_small_tree_model.yaml": ("topograph", {"host": 6, "switch": 3}, 8),
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name: str) -> None:
    """Nodes by kind and cables, exactly."""
    structure = read_structure([FOLDER / name])
    assert (structure.format, structure.kinds(), structure.cable_count) == COUNTS[name]


@pytest.mark.parametrize("name", COUNTS)
def test_loads(name: str, tmp_path: Path) -> None:
    """What is written from a real file loads."""
    from cmxverify.topology.load import load_topology

    path = tmp_path / "t.yaml"
    path.write_text(write_topology(draft_topology(read_structure([FOLDER / name]), Overlay())))
    assert load_topology(path).nodes


def test_every_gpu_of_the_dgx2_has_six_nvlinks() -> None:
    """A V100 has six NVLinks, one to each NVSwitch of its half."""
    structure = read_structure([FOLDER / "hwloc_nvidia_dgx2.xml"])
    links = [c for c in structure.cables if "nvswitch" in c.a + c.b and "gpu" in c.a + c.b]
    per_gpu = {gpu: sum(c.count for c in links if gpu in (c.a, c.b)) for gpu in (f"gpu{n}" for n in range(16))}
    assert set(per_gpu.values()) == {6}
    assert {c.rate for c in links} == {25 * 10**9}


def test_all_links_of_the_ndr_fabric_are_400_gigabit() -> None:
    """4xNDR."""
    structure = read_structure([FOLDER / "ibnetdiscover_dgx_cluster_excerpt.out"])
    assert {c.rate for c in structure.cables} == {50 * 10**9}
    assert structure.skipped == {"aggregation nodes inside switches": 4}
