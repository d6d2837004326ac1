"""NCCL and hwloc XML: one machine with its PCIe tree."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cmxverify.errors import InputError
from cmxverify.topology.importers.fold import fold_switches
from cmxverify.topology.importers.structure import Kind


def test_nccl_kinds(read: Callable[..., Any]) -> None:
    """GPUs, NICs, CPUs and switches are told apart by class and children."""
    assert read("machine-nccl.xml").kinds() == {"gpu": 2, "host": 2, "nic": 2, "PCIe switch": 1, "NVSwitch": 1}


def test_nccl_pcie_rate_is_lanes_times_transfers_times_coding(read: Callable[..., Any]) -> None:
    """32 GT/s x 8 lanes with 128b/130b."""
    rates = {(c.a, c.b): c.rate for c in read("machine-nccl.xml").cables}
    assert rates["nic0", "pcie0"] == Fraction(32 * 10**9 * 8, 8) * Fraction(128, 130)


def test_nccl_nvlink_between_gpus_counts_once(read: Callable[..., Any]) -> None:
    """Both GPUs list the link; it is nine cables of 25 GB/s."""
    [cable] = [c for c in read("machine-nccl.xml").cables if (c.a, c.b) == ("gpu0", "gpu1")]
    assert (cable.rate, cable.count) == (25 * 10**9, 9)


def test_nccl_c2c_rate(read: Callable[..., Any]) -> None:
    """bw x count in MB/s joins a GPU to its own CPU."""
    rates = [c.rate for c in read("machine-nccl.xml").cables if (c.a, c.b) == ("gpu1", "host1")]
    assert 44712 * 5 * 10**6 in rates


def test_nccl_bad_count_names_line(read_text: Callable[..., Any], fixture: Callable[..., Path]) -> None:
    """A count that is no number is one error with its line."""
    text = fixture("machine-nccl.xml").read_text().replace('count="5"', 'count="five"')
    with pytest.raises(InputError, match="not a whole number") as caught:
        read_text(text)
    assert caught.value.at.line == text[: text.index("five")].count("\n") + 1


def test_hwloc_kinds_and_pass_through_bridges(read: Callable[..., Any]) -> None:
    """A bridge with one device is no node; a VGA of the board is no GPU; NVMe is flash."""
    structure = read("machine-hwloc.xml")
    assert structure.kinds() == {"gpu": 2, "host": 2, "nic": 1, "flash": 1, "PCIe switch": 1}
    assert structure.skipped == {"PCI devices of other classes": 1}


def test_hwloc_slowest_bridge_counts(read: Callable[..., Any]) -> None:
    """A Gen5 drive behind a slower bridge gets the bridge's rate."""
    [cable] = [c for c in read("machine-hwloc.xml").cables if "flash0" in (c.a, c.b)]
    assert (cable.b, cable.rate) == ("host0", Fraction("7.876923") * 10**9)


def test_hwloc_nvlink_matrix(read: Callable[..., Any]) -> None:
    """The bandwidth matrix joins GPUs by their OS devices, in MB/s."""
    [cable] = [c for c in read("machine-hwloc.xml").cables if (c.a, c.b) == ("gpu0", "gpu1")]
    assert cable.rate == 450_000 * 10**6


def test_hwloc_version_1_nests_io_in_the_numa_node(read_text: Callable[..., Any]) -> None:
    """In version 1 files the NUMA node holds its package and bridges."""
    bridge = '<object type="Bridge" bridge_type="0-1"><object type="PCIDev" pci_type="0302 [10de:2330]"/></object>'
    nodes = "".join(f'<object type="NUMANode" os_index="{n}">{bridge}</object>' for n in range(2))
    structure = read_text(f'<topology><object type="Machine">{nodes}</object></topology>')
    assert [(c.a, c.b) for c in structure.cables if "gpu1" in (c.a, c.b)] == [("gpu1", "host1")]


def test_fold_keeps_the_slowest_rate_to_the_host(read: Callable[..., Any]) -> None:
    """Devices beneath a PCIe switch hang on its host; the switch is gone."""
    structure = read("machine-hwloc.xml")
    folded = fold_switches(structure.nodes, structure.cables, frozenset())
    assert Kind.PCIE_SWITCH not in {node.kind for node in folded.nodes}
    rates = {(c.a, c.b): c.rate for c in folded.cables}
    assert rates["gpu0", "host0"] == Fraction("31.507692") * 10**9


def test_fold_keeps_switches_that_the_overlay_names(read: Callable[..., Any]) -> None:
    """A switch with a device of the overlay stays."""
    structure = read("machine-hwloc.xml")
    folded = fold_switches(structure.nodes, structure.cables, frozenset({"pcie0"}))
    assert folded.cables == structure.cables


@pytest.mark.parametrize("name", ["machine-nccl.xml", "machine-hwloc.xml"])
def test_entity_bombs_are_refused(read_text: Callable[..., Any], fixture: Callable[..., Path], name: str) -> None:
    """A DOCTYPE is accepted, an entity definition is not."""
    text = fixture(name).read_text()
    body = text[text.index("<system") if "<system" in text else text.index("<topology") :]
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>\n'
    with pytest.raises(InputError, match="entities is refused"):
        read_text(bomb + body)


def test_external_entities_are_refused(read_text: Callable[..., Any]) -> None:
    """No file is read for an entity."""
    text = '<!DOCTYPE topology [<!ENTITY x SYSTEM "file:///etc/hostname">]><topology>&x;</topology>'
    with pytest.raises(InputError, match="entities is refused"):
        read_text(text)


def test_deep_xml_is_refused(read_text: Callable[..., Any]) -> None:
    """Nesting has a limit."""
    with pytest.raises(InputError, match="more than 100 levels"):
        read_text("<topology>" + "<object>" * 200 + "</object>" * 200 + "</topology>")
