"""What a file states of a device is used where the catalog knows it, and named where it does not: all formats."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmxverify.catalog.devices import devices
from cmxverify.topology.importers.draft import Draft, draft_topology
from cmxverify.topology.importers.overlay import Overlay, read_overlay
from cmxverify.topology.importers.stated import kind_of_model, known_device, pci_model, stated
from cmxverify.topology.importers.structure import Kind, Structure
from cmxverify.topology.importers.write import write_topology


def pci(kind: str, *, ids: str = "10de:2330", said: str = "") -> str:
    """One PCI device of a hwloc file."""
    return f'<object type="PCIDev" pci_type="{kind} [{ids}]">{said}</object>'


def hwloc(*devices: str, cpu: str = "", memory: int = 0) -> str:
    """A hwloc file of one NUMA node."""
    package = f'<object type="Package"><info name="CPUModel" value="{cpu}"/></object>' if cpu else ""
    bridges = "".join(f'<object type="Bridge" bridge_type="0-1">{device}</object>' for device in devices)
    node = f'<object type="NUMANode" local_memory="{memory}"/>'
    return f'<topology><object type="Machine">{package}{node}{bridges}</object></topology>'


def nccl(device: str, *, cpu: str = "") -> str:
    """An NCCL file of one CPU and one device."""
    return f'<system><cpu numaid="0" {cpu}>{device}</cpu></system>'


def lldp(described: str, **neighbour: Any) -> str:
    """What a host sees over LLDP: one switch."""
    bridge = {"type": "Bridge", "enabled": True}
    chassis = {"x1": {"id": {"type": "mac", "value": "0"}, "descr": described, "capability": bridge}}
    return json.dumps({"host": "dgx-1", "lldp": {"interface": {"eth2": {"chassis": chassis, **neighbour}}}})


def netq(**switch: str) -> str:
    """NetQ's map of one switch."""
    node = {"id": "n1", "name": "x1", "tier": 1, **switch}
    return json.dumps([{"links": [], "nodes": [{"compounded_nodes": [node]}]}])


def node_link(**node: str) -> str:
    """A graph of one node."""
    return json.dumps({"nodes": [{"id": "x1", **node}], "edges": []})


def graphml(**node: str) -> str:
    """A graph of one node as GraphML."""
    attributes = "".join(f'<data key="{key}">{value}</data>' for key, value in node.items())
    return f'<graphml><graph><node id="x1">{attributes}</node></graph></graphml>'


def switch(description: str, *, devid: str = "0xd2f2") -> str:
    """ibnetdiscover's record of one switch."""
    return f'vendid=0x2c9\ndevid={devid}\nSwitch\t65 "S-aa01"\t# "{description}" base port 0 lid 2 lmc 0\n'


GPU_INFO = '<object type="OSDev" name="cuda0"><info name="GPUModel" value="{}"/></object>'
DRIVE_INFO = '<object type="OSDev" name="nvme0n1"><info name="Model" value="{}"/></object>'
PCI_INFO = '<info name="PCIDevice" value="{}"/>'
V100 = "Tesla V100-SXM3-32GB-H"

KNOWN = {
    "hwloc names the GPU": (hwloc(pci("0302", said=GPU_INFO.format("NVIDIA H200"))), "h200-sxm"),
    "hwloc has the GPU's ids": (hwloc(pci("0302", ids="10de:2901")), "b200"),
    "hwloc names the NIC": (hwloc(pci("0207", ids="15b3:1021")), "connectx-7"),
    "hwloc has a DPU": (
        hwloc(pci("0200", said=PCI_INFO.format("MT43244 BlueField-3 integrated ConnectX-7 network controller"))),
        "bluefield-3",
    ),
    "hwloc names the drive": (hwloc(pci("0108", said=DRIVE_INFO.format("Micron_9550_MTFDLAL7T6THB"))), "micron-9550"),
    "hwloc names the host": (hwloc(cpu="NVIDIA Grace"), "grace"),
    "NCCL has the GPU's ids": (nccl('<pci class="0x030200" vendor="0x10de" device="0x2335"/>'), "h200-sxm"),
    "NCCL has the NIC's ids": (nccl('<pci class="0x020700" vendor="0x15b3" device="0x1023"/>'), "connectx-8"),
    "NCCL has the DPU's ids": (nccl('<pci class="0x020000" vendor="0x15b3" device="0xa2dc"/>'), "bluefield-3"),
    "ibnetdiscover has the order code": (switch("MF0;x1:MQM9790/U1"), "qm9700"),
    "ibnetdiscover has the device id": (switch("Quantum Mellanox Technologies"), "qm9700"),
    "LLDP describes the switch": (lldp("Cumulus Linux version 5.9 running on NVIDIA SN5600"), "sn5600"),
    "LLDP has SONiC's SKU": (lldp("SONiC Software Version: x - HwSku: Mellanox-SN4700-O28 - Kernel: y"), "sn4700"),
    "LLDP-MED has the model": (lldp("", **{"lldp-med": {"inventory": {"model": "MSN5400"}}}), "sn5400"),
    "NetQ has the platform": (netq(platform="SN5610"), "sn5610"),
    "node-link has the model": (node_link(model="BlueField-4", role="dpu"), "bluefield-4"),
    "node-link has a type": (node_link(type="sn5610"), "sn5610"),
    "GraphML has the model": (graphml(model="SN6810"), "sn6810"),
    "GraphML has a drive": (graphml(kind="ssd", model="Solidigm D5-P5336"), "solidigm-d5-p5336"),
    "a cable list has the model": ("from,to,model_b\nx0,x1,SN5600\n", "sn5600"),
    "a cable list has role and type": (
        "from,to,to_device_role,to_device_type\nx0,x1,leaf,SN5600\n",
        "sn5600",
    ),
}
UNKNOWN = {
    "hwloc names the GPU": (hwloc(pci("0302", said=GPU_INFO.format(V100))), f"1 GPU (h100-sxm stands in for {V100})"),
    "a card is no module": (hwloc(pci("0302", ids="10de:2331")), "1 GPU (h100-sxm stands in for H100 PCIe)"),
    "hwloc has ids only": (hwloc(pci("0302", ids="10de:1eb8")), "(h100-sxm stands in for PCI device 10de:1eb8)"),
    "hwloc has the NIC's ids": (hwloc(pci("0207", ids="15b3:101b")), "1 NIC (connectx-7 stands in for ConnectX-6)"),
    "hwloc names the drive": (
        hwloc(pci("0108", ids="144d:a80a", said=DRIVE_INFO.format("Test drive"))),
        "1 flash node (tlc-gen6-30tb stands in for Test drive)",
    ),
    "hwloc names the CPU": (hwloc(cpu="AMD EPYC 9654"), "1 host (x86-ddr5 stands in for AMD EPYC 9654)"),
    "NCCL has the GPU's ids": (
        nccl('<pci class="0x030200" vendor="0x10de" device="0x20b2"/>'),
        "1 GPU (h100-sxm stands in for A100 SXM4 80GB)",
    ),
    "NCCL has the capability": (
        nccl('<pci class="0x030200"><gpu sm="80"/></pci>'),
        "1 GPU (h100-sxm stands in for compute capability 8.0)",
    ),
    "NCCL has the DPU's ids": (
        nccl('<pci class="0x020000" vendor="0x15b3" device="0xa2d6"/>'),
        "1 DPU (bluefield-4 stands in for BlueField-2)",
    ),
    "NCCL has the architecture": (nccl("", cpu='arch="arm64"'), "1 host (x86-ddr5 stands in for arm64)"),
    "ibnetdiscover has the order code": (switch("MF0;x1:MQM8700/U1"), "1 switch (sn4700 stands in for MQM8700)"),
    "ibnetdiscover has the device id": (
        switch("Quantum Mellanox Technologies", devid="0xd2f0"),
        "1 switch (sn4700 stands in for Quantum)",
    ),
    "LLDP describes the switch": (
        lldp("EOS version 4.30 running on an Arista Networks DCS-7060DX5"),
        "1 switch (sn4700 stands in for Arista Networks DCS-7060DX5)",
    ),
    "NetQ has the platform": (netq(platform="AS9516"), "1 switch (sn4700 stands in for AS9516)"),
    "node-link has the model": (node_link(role="leaf", model="Z9664"), "1 switch (sn4700 stands in for Z9664)"),
    "GraphML has the model": (graphml(role="dpu", model="Salina 400"), "1 DPU (bluefield-4 stands in for Salina 400)"),
    "a cable list has the model": (
        "from,to,model_b\nx0,leaf1,DCS-7060\n",
        "1 switch (sn4700 stands in for DCS-7060)",
    ),
    "a cable list has the device type": (
        "from,to,device_type_b\nx0,leaf1,DCS-7060\n",
        "1 switch (sn4700 stands in for DCS-7060)",
    ),
    "topograph has the block's type": (
        "switches: {s: {}}\nblocks: [{name: b, switch: s, type: GB300, nodes: [n1]}]\n",
        "1 host (x86-ddr5 stands in for GB300)",
    ),
}


@pytest.fixture
def draft(read_text: Callable[..., Structure]) -> Callable[[str], Draft]:
    """A text as it is drafted without an overlay."""
    return lambda text: draft_topology(read_text(text), Overlay())


@pytest.mark.parametrize("case", KNOWN)
def test_what_the_catalog_knows_is_used(draft: Callable[[str], Draft], case: str) -> None:
    """The device comes from the file, and the written topology says so in the file's words."""
    text, device = KNOWN[case]
    found = draft(text)
    assert device in [node.what for node in found.nodes]
    assert f": {device}  # device from the file: " in write_topology(found)
    assert device not in [each.value for each in found.assumed]


@pytest.mark.parametrize("case", UNKNOWN)
def test_what_the_catalog_does_not_know_is_named_with_its_stand_in(draft: Callable[[str], Draft], case: str) -> None:
    """An assumption, counted, told in full, and marked in the written topology."""
    text, told = UNKNOWN[case]
    found = draft(text)
    assert any(str(each).endswith(told) for each in found.assumed), [str(each) for each in found.assumed]
    said = told.partition(" stands in for ")[2].rstrip(")")
    assert f"  # assumed; the file says {said}\n" in write_topology(found)


def test_strict_refuses_a_stand_in(tmp_path: Path) -> None:
    """A V100 is not planned as an H100 unless the user says so."""
    from cmxverify.cli.main import main

    (tmp_path / "m.xml").write_text(hwloc(pci("0302", said=GPU_INFO.format(V100))))
    with pytest.raises(SystemExit) as left:
        main(["import", str(tmp_path / "m.xml"), "-o", str(tmp_path / "t.yaml"), "--strict"])
    assert left.value.code == 2
    assert not (tmp_path / "t.yaml").exists()


def test_the_overlay_wins_over_what_the_file_says(draft: Callable[[str], Draft], tmp_path: Path) -> None:
    """Whoever writes an overlay knows better; nothing is left assumed."""
    (tmp_path / "o.yaml").write_text('cmxverify-overlay: 1\ndevices: {"gpu*": h200-sxm, "*": grace}\n')
    structure = draft(hwloc(pci("0302", said=GPU_INFO.format(V100)), cpu="Xeon")).structure
    found = draft_topology(structure, read_overlay(tmp_path / "o.yaml"))
    assert sorted(node.what for node in found.nodes) == ["grace", "h200-sxm"]
    assert not [each for each in found.assumed if each.figure == "device"]


def test_an_overlay_that_contradicts_the_file_is_noted(draft: Callable[[str], Draft], tmp_path: Path) -> None:
    """Once for all such nodes, and in the written topology; not where the catalog lacks the stated model."""
    (tmp_path / "o.yaml").write_text('cmxverify-overlay: 1\ndevices: {"gpu*": {is: b200}, "*": grace}\n')
    gpus = [pci("0302", said=GPU_INFO.format(name)) for name in ("NVIDIA H200", "NVIDIA H200", V100)]
    found = draft_topology(draft(hwloc(*gpus)).structure, read_overlay(tmp_path / "o.yaml"))
    assert [note for note in found.notes if "overlay" in note] == [
        "the overlay takes 2 GPUs for b200, the file says NVIDIA H200"
    ]
    assert "gpu2: {is: b200}  # the file says Tesla V100-SXM3-32GB-H\n" in write_topology(found)


def test_stated_sizes_are_used(draft: Callable[[str], Draft]) -> None:
    """Half of the memory that a host has is room for KV, as in the catalog; all of a drive is."""
    drive = '<object type="OSDev"><info name="Model" value="D1"/><info name="Size" value="3750738264"/></object>'
    text = write_topology(draft(hwloc(pci("0108", said=drive), memory=810_234_351_616)))
    assert "{is: x86-ddr5, kv: 405 GB}  # assumed; the file says 810 GB of memory\n" in text
    assert "{is: tlc-gen6-30tb, usable: 3840 GB}  # assumed; the file says D1, 3840 GB\n" in text


def test_cards_of_hosts_are_named_once(draft: Callable[[str], Draft]) -> None:
    """A fabric file names the card; a host is written without one, and that is said."""
    port = '[1](bb0{0})\t"S-aa01"[{0}]\t# lid 1 "x1" lid 2 4xNDR\n'
    record = 'vendid=0x2c9\ndevid=0x1021\nCa\t1 "H-bb0{0}"\t# "{1}"\n' + port
    hosts = [record.format(1, "dgx-1 mlx5_0"), record.format(2, "MT4129 ConnectX7 Mellanox Technologies")]
    text = "\n".join([switch("MF0;x1:MQM9700/U1"), *hosts])
    [note] = [note for note in draft(text).notes if "adapters" in note]
    assert note.startswith("the file names adapters (connectx-7 in 2 hosts); ")


def test_ids_of_other_vendors_are_not_looked_up(draft: Callable[[str], Draft]) -> None:
    """A device id means something only together with its vendor."""
    text = switch("x1").replace("vendid=0x2c9", "vendid=0x1175")
    assert [node.stated for node in draft(text).nodes] == [""]


def test_a_stated_model_beats_a_guess_by_name(draft: Callable[[str], Draft]) -> None:
    """A node called like a host is a switch if its model is one."""
    found = draft(node_link(name="node7", model="SN5610"))
    assert [(node.what, node.stated) for node in found.nodes] == [("sn5610", "SN5610")]


def test_a_role_is_no_model(draft: Callable[[str], Draft]) -> None:
    """'leaf' in a type says what the switch does, not what it is."""
    [assumed] = draft(node_link(type="leaf")).assumed
    assert (assumed.value, assumed.stated) == ("sn4700", "")


@pytest.mark.parametrize("kind", [Kind.GPU, Kind.HOST, Kind.DPU, Kind.NIC, Kind.SWITCH, Kind.FLASH, Kind.STORE])
def test_every_catalog_name_is_known_by_itself(kind: Kind) -> None:
    """A file that uses the catalog's names is understood, none is taken for another."""
    names = [device.name for device in devices(kind.value)]
    assert [known_device(name, kind) for name in names] == names


@pytest.mark.parametrize(
    "model",
    ["GH200 480GB", "H100 NVL", "H100 PCIe", "H100 64GB", "H800 80GB", "A100-SXM4-80GB", "H100 or H200", "XH100", ""],
)
def test_lookalikes_are_not_known(model: str) -> None:
    """Another form, another size, a longer name, or two names: no device."""
    assert known_device(model, Kind.GPU) == ""


@given(st.text(max_size=200))
def test_any_text_makes_one_short_line(text: str) -> None:
    """Comments stay comments, whatever a file holds."""
    found = stated(text)
    assert len(found) <= 80
    assert found.isprintable()
    assert kind_of_model(found) in Kind


def test_malformed_ids_name_nothing() -> None:
    """Neither half an id nor a text."""
    assert [pci_model(*ids) for ids in (("", ""), ("0x10de", ""), ("10de", "23300"), ("x", "y"))] == [""] * 4
