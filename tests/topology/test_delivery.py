from collections.abc import Callable
from fractions import Fraction

import pytest
from sample_texts import FLAT, POD, RACK, SMALL, flat

from cmxverify.topology.delivery import deliverable_read
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]
GB = 10**9


def read(topology: Topology, name: str) -> Fraction:
    return deliverable_read(topology, topology.places[name]) / GB


def test_an_enclosure_delivers_what_its_cables_carry(load: Load) -> None:
    """Two DPUs of two cables of 400 Gb/s each: 200 GB/s of the 280 that the flash reads."""
    assert read(load(RACK), "cmx0.flash") == 200


def test_a_large_enclosure_delivers_twice_as_much(load: Load) -> None:
    """Four DPUs with eight cables: 400 GB/s."""
    assert read(load(POD), "store1.cmx15.flash") == 400


def test_a_dpu_bounds_what_passes_it(load: Load) -> None:
    """However many cables leave it, a DPU passes 100 GB/s."""
    text = RACK.replace("cmx[0-3].dpu[0-1] -- leaf[0-1]: 400", "cmx[0-3].dpu[0-1] -- leaf[0-1]: 3200")
    assert read(load(text), "cmx0.flash") == 200


def test_the_inner_links_bound_what_leaves_the_box(load: Load) -> None:
    """A flash on slow PCIe delivers no more than that."""
    text = RACK.replace('"dpu[0-1] -- flash": 128 GB/s', '"dpu[0-1] -- flash": 7 GB/s')
    assert read(load(text), "cmx0.flash") == 14


def test_a_host_delivers_to_its_gpus_only(load: Load) -> None:
    """Four links of 450 GB/s; the DPU is no way out, for only the tray's GPUs may read."""
    assert read(load(RACK), "tray00.host") == 1800


def test_hbm_delivers_its_own_rate(load: Load) -> None:
    """Reading HBM is bound by the memory alone."""
    topology = load(RACK)
    rate = topology.places["tray00.gpu0"].read
    assert rate is not None
    assert read(topology, "tray00.gpu0") == rate / GB


def test_a_shared_host_delivers_outside_too(load: Load) -> None:
    """Shared with all, what leaves through the DPU adds to what the tray's own GPUs take."""
    text = RACK.replace("kv: 1.5 TB", "kv: 1.5 TB, shared_by: all")
    assert read(load(text), "tray00.host") == 1800 + 100


@pytest.mark.parametrize("switch", ["s: {kind: switch}", "s: {kind: nic, rate: 9 GB/s}"])
def test_a_flat_file_is_one_box(load: Load, switch: str) -> None:
    """Without templates a host reaches its GPUs through the switches between them."""
    topology = load(
        flat(nodes=switch, links="s -- gpu: 30 GB/s").replace("gpu -- host: 64 GB/s", "s -- host: 64 GB/s")
    )
    assert read(topology, "host") == (30 if "switch" in switch else 9)


def test_other_flash_passes_nothing_on(load: Load) -> None:
    """Two flash nodes in one box do not lend each other their DPUs."""
    text = SMALL.replace(
        "      flash: {", "      other: {is: tlc-gen6-30tb, count: 10, usable: 1 TB}\n      flash: {"
    )
    text = text.replace(
        "dpu[0-1] -- flash: 128 GB/s",
        "dpu0 -- flash: 128 GB/s\n      flash -- other: 128 GB/s\n      dpu1 -- other: 128 GB/s",
    )
    assert read(load(text), "cmx0.flash") == 50


def test_an_unlinked_box_delivers_nothing(load: Load) -> None:
    """A storage rack without uplinks, as part of a cluster, delivers 0."""
    store = "s: {kind: store, usable: 1 PB, read: 9 GB/s, idle: 1 W, full: 2 W}"
    assert read(load(f"cmxverify: 1\nname: part\nnodes: {{{store}}}\n"), "s") == 0


def test_parallel_cables_add_up(load: Load) -> None:
    """Three cables carry three times as much."""
    assert read(load(FLAT.replace("64 GB/s", "{rate: 64 GB/s, count: 3}")), "host") == 192
