"""LLDP neighbours, NetQ topologies and cable lists."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmxverify.errors import InputError
from cmxverify.topology.importers.formats import read_structure


def test_lldp_folder_joins_both_views(read: Callable[..., Any], gbit: Callable[..., Any]) -> None:
    """The switch spells the host's port as a MAC address; it is still one cable, at the negotiated rate."""
    assert gbit(read("lldp"))["dgx-01", "leaf0"] == (400, 1)


def test_lldp_kinds_and_domain_names(read: Callable[..., Any]) -> None:
    """A routing Ubuntu host is a host; fully qualified names join with short ones."""
    kinds = {node.name: node.kind.value for node in read("lldp").nodes}
    assert kinds == {"dgx-01": "host", "leaf0": "switch", "oob-sw": "switch"}


def test_lldp_json0_with_many_devices(read: Callable[..., Any], gbit: Callable[..., Any]) -> None:
    """json0 wraps every value in a list; a port with two peers is reported and the first kept."""
    structure = read("lldp-json0.json")
    assert gbit(structure) == {("cmx0", "leaf0"): (800, 1), ("leaf0", "spine0"): (None, 1)}
    assert any("port swp1 of 'leaf0' leads to 'spine0' here and to 'cmx0'" in w for w in structure.warnings)


def test_lldp_mapping_of_devices(read_text: Callable[..., Any]) -> None:
    """The key around an lldp object names the device whose neighbours it holds."""
    lldp = {"interface": {"swp1": {"chassis": {"h1": {"id": {}}}, "port": {"id": {"type": "ifname", "value": "e0"}}}}}
    structure = read_text(json.dumps({"leaf7": {"lldp": lldp}}))
    assert {(c.a, c.b) for c in structure.cables} == {("h1", "leaf7")}


def test_lldp_local_chassis_names_the_device(read_text: Callable[..., Any]) -> None:
    """``local-chassis`` beside the neighbours wins over the file name."""
    lldp = {"interface": [{"e0": {"chassis": {"leaf7": {"id": {}}}, "port": {}}}]}
    structure = read_text(json.dumps({"local-chassis": {"chassis": {"h9": {"id": {}}}}, "lldp": lldp}))
    assert {node.name for node in structure.nodes} == {"h9", "leaf7"}


def test_lldp_management_port_of_a_switch_is_left_out(read_text: Callable[..., Any]) -> None:
    """eth0 of a switch is out of band; eth0 of a host is not."""
    neighbour = {"chassis": {"x1": {"capability": [{"type": "Bridge", "enabled": True}]}}, "port": {}}
    switch = read_text(json.dumps({"host": "leaf0", "lldp": {"interface": [{"eth0": neighbour}]}}))
    host = read_text(json.dumps({"host": "dgx-1", "lldp": {"interface": [{"eth0": neighbour}]}}))
    assert (switch.cable_count, host.cable_count) == (0, 1)


def test_several_files_must_be_lldp(fixture: Callable[..., Path]) -> None:
    """Only LLDP files are merged."""
    with pytest.raises(InputError, match="this is csv, and 2 files are given"):
        read_structure([fixture("cables.csv"), fixture("lldp-json0.json")])


def test_netq(read: Callable[..., Any], gbit: Callable[..., Any]) -> None:
    """Bundles give one cable each, ids serve where interfaces lack, tiers tell hosts from switches."""
    structure = read("netq.json")
    assert gbit(structure) == {("dgx-01", "leaf0"): (None, 2), ("leaf0", "spine0"): (None, 1)}
    assert structure.kinds() == {"host": 1, "switch": 3}
    assert structure.skipped == {"cables of management ports": 1}


def test_netq_dangling_link(read_text: Callable[..., Any], fixture: Callable[..., Path]) -> None:
    """A link to a node that is not listed is one error."""
    text = fixture("netq.json").read_text().replace('"id": "node2", "name"', '"id": "node77", "name"')
    with pytest.raises(InputError, match="ends at 'node2', which is no node"):
        read_text(text)


def test_cable_list_ranges_racks_and_units(read: Callable[..., Any], gbit: Callable[..., Any]) -> None:
    """Ranges are cabled all to all; 400G, 400 Gb/s and 800GbE are all read; racks are containers."""
    structure = read("cables.csv")
    cables = gbit(structure)
    assert cables["leaf1", "tray03"] == (400, 1)
    assert cables["leaf0", "spine0"] == (800, 4)
    assert structure.cable_count == 8 + 2 + 8
    assert {n.container for n in structure.nodes if n.name != "spine0"} == {("r1",)}


def test_cable_list_repeated_columns(read: Callable[..., Any], gbit: Callable[..., Any]) -> None:
    """device;port;device;port with semicolons; a port in two rows is reported."""
    structure = read("cables-devices.csv")
    assert gbit(structure) == {("node1", "switch1"): (100, 1), ("node2", "switch1"): (None, 1)}
    assert structure.warnings == ("port swp1 of 'switch1' is in 2 rows",)


@pytest.mark.parametrize(
    "header",
    ["a,b", "from,to", "Source,Destination", "A Device,A Port,B Device,B Port", "device_a,port_a,device_b,port_b"],
)
def test_cable_list_headers(read_text: Callable[..., Any], header: str) -> None:
    """Common headers name the two ends."""
    row = "h1,e0,leaf0,s0" if "ort" in header else "h1,leaf0"
    assert {(c.a, c.b) for c in read_text(f"{header}\n{row}\n").cables} == {("h1", "leaf0")}


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("from,to,rate\na,b,400 Gbps\nc,d,4 W\n", "is a power", 3),
        ("from,to,rate\na,b,0G\n", "not above zero", 2),
        ("from,to\na,\n", "end B of this cable is empty", 2),
        ("from,to\na,b,c\n", "3 fields, but the header has 2", 2),
        ("from,to,count\na,b,0\n", "cable count 0", 2),
        ("from,to,count\na,b,-1\n", "not a whole number", 2),
        ('from,to\n"a,b\n', "not valid CSV", 2),
        ("from,to,latency\na,b,5\na,b,-5 us\n", "latency '-5 us' is negative", 3),
    ],
)
def test_cable_list_errors_name_the_line(read_text: Callable[..., Any], text: str, what: str, line: int) -> None:
    """Each breach is one message with file and line."""
    with pytest.raises(InputError, match=what) as caught:
        read_text(text)
    assert caught.value.at.line == line
