"""A fabric file of another tool with an overlay becomes a topology that is judged, solved and verified."""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command_runs import Run
from shared_files import needs, shared

from cmxverify.topology.load import load_topology
from cmxverify.topology.model import Topology

FIXTURES = Path(__file__).parents[1] / "fixtures" / "fabrics"
DGX = shared("topologies", "ibnetdiscover_dgx_cluster_excerpt.out")
QUILL = FIXTURES / "quill.ibnet"
CABLES = FIXTURES / "leaf-spine.csv"
OVERLAY = FIXTURES / "leaf-spine-overlay.yaml"


def solve_and_verify(run: Run, *, places: str) -> None:
    """Solve ``fabric.yaml`` to proved optimality, and have the auditor accept it."""
    solved = run("solve", "fabric.yaml", "-o", "plan.json", "--time-limit", 300)
    assert solved.code == 0, solved.out + solved.err
    assert solved.out.startswith("optimal   proved at every level")
    told = re.sub(r" \([a-z ]+ asks [^)]*\)", "", " ".join(solved.out.split()))  # without what asks for them
    assert places in told
    verified = run("verify", "plan.json")
    assert verified.code == 0, verified.out + verified.err
    assert verified.out.startswith("accepted   optimal")


def errors_of(run: Run) -> set[str]:
    """The rules that ``fabric.yaml`` breaks."""
    judged = run("lint", "fabric.yaml", "--json")
    errors = {each["rule"] for each in judged.document["findings"] if each["verdict"] == "error"}
    assert judged.code == bool(errors)
    return errors


@needs(DGX)
def test_a_real_infiniband_fabric_is_placed_and_verified(run: Run) -> None:
    """28 DGX servers as ibnetdiscover saw them; flash and a store come from the overlay, nothing is assumed."""
    overlay = FIXTURES / "dgx-overlay.yaml"
    assert run("import", DGX, "--overlay", overlay, "-o", "fabric.yaml", "--strict").code == 0
    solve_and_verify(run, places="6 of 6 places on: 4 shared, 2 for globex")


@needs(DGX)
def test_lint_sees_what_is_wrong_with_infiniband_cards(run: Run) -> None:
    """The file's cards are ConnectX-7, and CMX wants a BlueField in the server: one error, and only that one."""
    run("import", DGX, "--overlay", FIXTURES / "dgx-overlay.yaml", "-o", "fabric.yaml")
    assert errors_of(run) == {"TP-11"}


def test_an_invented_infiniband_fabric_is_placed_and_verified(run: Run) -> None:
    """Eight servers and three flash boxes on two leaves: imported with nothing assumed, solved, verified."""
    imported = run("import", QUILL, "--overlay", FIXTURES / "quill-overlay.yaml", "-o", "fabric.yaml", "--strict")
    assert "(ibnetdiscover): 11 hosts, 4 switches; 34 cables" in " ".join(imported.out.split())
    assert "note" not in imported.out
    assert errors_of(run) == {"TP-11"}  # the file's cards are ConnectX-7, where CMX wants a BlueField
    solve_and_verify(run, places="2 of 3 enclosures on: 1 shared, 1 for initech")


def test_switches_are_what_the_fabric_says_they_are(run: Run) -> None:
    """Order codes of the file decide; without an overlay hosts are assumed, and their cards are named."""
    imported = run("import", QUILL, "-o", "fabric.yaml")
    told = " ".join(imported.out.split())
    assert "assumed 11 values: device of 11 hosts (x86-ddr5)" in told
    assert "the file names adapters (connectx-7 in 11 hosts)" in told
    assert {node.device for node in load_topology("fabric.yaml").nodes.values()} == {"x86-ddr5", "qm9700"}


def test_an_ethernet_fabric_from_a_cable_list_is_placed_and_verified(run: Run) -> None:
    """Two racks from a cable list of 88 rows: clean by the rules, solved, verified."""
    assert run("import", CABLES, "--overlay", OVERLAY, "-o", "fabric.yaml", "--strict").code == 0
    assert run("lint", "fabric.yaml").out == "0 errors, 0 warnings, 0 hints from 24 rules\n"
    solve_and_verify(run, places="5 of 6 enclosures on: 4 shared, 1 for hooli")


def test_an_imported_fabric_is_shown_in_full(run: Run) -> None:
    """Every tray, switch and enclosure of the cable list is there; flash lies one to three switches away."""
    run("import", CABLES, "--overlay", OVERLAY, "-o", "fabric.yaml")
    shown = run("show", "fabric.yaml").out
    assert "96 GPUs, 3 racks, 24 trays" in " ".join(shown.split())
    assert "4 leaf switches" in shown
    assert "flash 2.2 kW for r1.cmx[0-2], r2.cmx[3-5];" in shown
    assert Path("leaf-spine.svg").exists()


@pytest.mark.parametrize("write", ["lldp", "netq"])
def test_other_views_of_one_fabric_give_the_same_topology(run: Run, write: str) -> None:
    """What the switches see over LLDP, and NetQ's map, hold the same nodes and cables as the cable list."""
    Path("overlay.yaml").write_text(without_racks(OVERLAY.read_text()))
    Path("cables.csv").write_text("\n".join(",".join(row) for row in cable_rows(with_racks=False)))
    run("import", "cables.csv", "--overlay", "overlay.yaml", "-o", "fabric.yaml")
    source = {"lldp": lldp_files, "netq": netq_file}[write]()
    imported = run("import", source, "--overlay", "overlay.yaml", "-o", "other.yaml", "--strict")
    assert imported.code == 0, imported.err
    fabric, other = load_topology("fabric.yaml"), load_topology("other.yaml")
    assert set(other.nodes) == set(fabric.nodes)
    assert cables_of(other) == cables_of(fabric)


def cable_rows(*, with_racks: bool = True) -> list[list[str]]:
    """Header and rows of the cable list."""
    rows = list(csv.reader(CABLES.read_text().splitlines()))
    return rows if with_racks else [row[:6] for row in rows]


def without_racks(overlay: str) -> str:
    """The overlay for views that do not know racks."""
    return overlay.replace("r[1-2].", "").replace("r1.", "").replace("r2.", "")


def cables_of(topology: Topology) -> set[tuple[frozenset[str], Fraction, int]]:
    """Both ends of every link with its rate and number."""
    return {(frozenset((link.a, link.b)), link.rate, link.count) for link in topology.links}


def lldp_files() -> Path:
    """One ``lldpcli show neighbors -f json`` a switch, as in a folder of downloads."""
    seen: dict[str, list[Any]] = defaultdict(list)
    for _, a, port_a, b, port_b, speed, *_ in cable_rows()[1:]:
        for device, port, peer, peer_port in ((a, port_a, b, port_b), (b, port_b, a, port_a)):
            seen[device].append({port: neighbour(peer, peer_port, speed)})
    folder = Path("lldp")
    folder.mkdir()
    for device, interfaces in seen.items():
        if "leaf" in device or "spine" in device:
            text = json.dumps({"lldp": {"interface": interfaces}})
            (folder / f"{device}.json").write_text(text)
    return folder


def neighbour(name: str, port: str, speed: str) -> dict[str, Any]:
    """What lldpd tells about the device at the other end of one cable."""
    bridge = {"type": "Bridge", "enabled": "leaf" in name or "spine" in name}
    return {
        "via": "LLDP",
        "chassis": {name: {"id": {"type": "local", "value": name}, "capability": [bridge]}},
        "port": {
            "id": {"type": "ifname", "value": port},
            "auto-negotiation": {"current": f"{speed}baseCR8"},
        },
    }


def netq_file() -> Path:
    """NetQ's map: compounded links between numbered nodes, no rates."""
    rows = cable_rows()[1:]
    names = sorted({row[1] for row in rows} | {row[3] for row in rows})
    number = {name: f"node{index}" for index, name in enumerate(names)}
    links: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for _, a, port_a, b, port_b, *_ in rows:
        links[number[a], number[b]].append({"id": f"{number[a]}:{port_a}-*-{number[b]}:{port_b}"})
    listed = [{"id": f"{a}-*-{b}", "compounded_links": each} for (a, b), each in links.items()]
    kinds = {name: "switch" if "leaf" in name or "spine" in name else "host" for name in names}
    nodes = [{"id": number[name], "name": name, "device_type": kinds[name]} for name in names]
    path = Path("netq.json")
    path.write_text(json.dumps([{"links": listed, "nodes": [{"id": "tier-1", "compounded_nodes": nodes}]}]))
    return path
