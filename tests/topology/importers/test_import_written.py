"""What is written loads, says what is assumed, and keeps the overlay's words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cmxverify.errors import InputError
from cmxverify.topology.importers.draft import Draft, draft_topology
from cmxverify.topology.importers.formats import read_structure
from cmxverify.topology.importers.overlay import Overlay, read_overlay
from cmxverify.topology.importers.write import write_topology

NAMES = [
    *("fabric.ibnet", "fabric-ports.ibnet", "machine-nccl.xml", "machine-hwloc.xml", "model-topograph.yaml"),
    *("model-topograph-old.yaml", "topology.conf", "blocks.conf", "graph-links.json", "graph-edges.json"),
    *("graph.graphml", "lldp", "lldp-json0.json", "netq.json", "cables.csv", "cables-devices.csv"),
]


@pytest.fixture
def write(fixture: Callable[..., Path], tmp_path: Path) -> Callable[..., Any]:
    """Draft, text and path of an imported fixture with an overlay given as text or fixture name."""

    def write_it(name: str, overlay: str = "") -> tuple[Draft, str, Path]:
        applied = Overlay()
        if overlay:
            path = fixture(overlay) if overlay.endswith(".yaml") else tmp_path / "overlay.yaml"
            if not overlay.endswith(".yaml"):
                path.write_text(f"cmxverify-overlay: 1\n{overlay}")
            applied = read_overlay(path)
        draft = draft_topology(read_structure([fixture(name)]), applied)
        text = write_topology(draft, tmp_path)
        (tmp_path / "out.yaml").write_text(text)
        return draft, text, tmp_path / "out.yaml"

    return write_it


@pytest.mark.parametrize("name", NAMES)
def test_written_topology_loads_with_the_same_nodes_and_cables(write: Callable[..., Any], name: str) -> None:
    """Round trip: what the loader sees is what was drafted."""
    from cmxverify.topology.load import load_topology

    draft, _, path = write(name)
    topology = load_topology(path)
    assert set(topology.nodes) == {".".join(node.path) for node in draft.nodes}
    assert topology.graph.number_of_edges() == sum(link.count for link in draft.links)
    drafted = {frozenset((".".join(link.a), ".".join(link.b))) for link in draft.links}
    assert {frozenset((link.a, link.b)) for link in topology.links} == drafted


@pytest.mark.parametrize("name", NAMES)
def test_written_rates_never_exceed_the_drafted_ones(write: Callable[..., Any], name: str) -> None:
    """A rate is exact to six decimals of a GB/s, and rounded down."""
    from cmxverify.topology.load import load_topology

    draft, _, path = write(name)
    drafted = {frozenset((".".join(link.a), ".".join(link.b))): link.rate for link in draft.links}
    for link in load_topology(path).links:
        assert 0 <= drafted[frozenset((link.a, link.b))] - link.rate < 1000


def test_assumed_values_are_counted_and_marked(write: Callable[..., Any]) -> None:
    """One per device and per cable that neither file nor overlay knows."""
    draft, text, _ = write("cables-devices.csv")
    assert [str(each) for each in draft.assumed][1:] == ["device of 1 switch (sn4700)", "rate of 1 cable (100 Gb/s)"]
    assert draft.assumed_count == 4
    assert "node2 -- switch1: 100 Gb/s  # rate assumed" in text


def test_overlay_leaves_nothing_assumed(write: Callable[..., Any]) -> None:
    """Devices, templates and cables of the overlay fill everything; its sections stand word for word."""
    draft, text, _ = write("cables.csv", "ethernet-overlay.yaml")
    assert draft.assumed == ()
    assert "plan_to: 75%                       # kept word for word\n" in text
    assert "      tray[00-03]: tray\n" in text


def test_cables_of_a_replaced_node_are_dealt_out(write: Callable[..., Any]) -> None:
    """Two cables of an enclosure go to its two DPUs, one each."""
    from cmxverify.topology.load import load_topology

    _, _, path = write("cables.csv", "ethernet-overlay.yaml")
    topology = load_topology(path)
    assert [topology.graph.number_of_edges(f"r1.cmx0.dpu{n}", f"r1.leaf{n}") for n in range(2)] == [1, 1]
    assert topology.graph.degree("r1.tray02.dpu") == 3


def test_overlay_rates_fill_only_what_the_file_leaves_open(write: Callable[..., Any]) -> None:
    """A stated rate stays; the first matching pattern wins."""
    overlay = 'cables:\n  "node*": {rate: 200 Gb/s, latency: 1 us}\n  "*": 400 Gb/s\n'
    _, text, _ = write("cables-devices.csv", overlay)
    assert "node1 -- switch1: 100 Gb/s\n" in text
    assert "node2 -- switch1: 400 Gb/s\n" in text


def test_overlay_rate_by_two_patterns(write: Callable[..., Any]) -> None:
    """Both ends are matched, in either direction."""
    _, text, _ = write("cables-devices.csv", 'cables: {"switch? -- node2": {rate: 200 Gb/s, latency: 1 us}}\n')
    assert "node2 -- switch1: {rate: 200 Gb/s, latency: 1 us}\n" in text


def test_overlay_adds_and_ignores_nodes(write: Callable[..., Any]) -> None:
    """Ignored nodes vanish with their cables; further nodes and links are written word for word."""
    overlay = 'ignore: ["node2"]\nnodes:\n  cmx0: cmx-article   # new\nlinks: {"cmx0 -- switch1": 400 Gb/s}\n'
    draft, text, _ = write("cables-devices.csv", overlay)
    assert [node.path for node in draft.nodes] == [("node1",), ("switch1",)]
    assert "  cmx0: cmx-article   # new\n" in text
    assert "  cmx0 -- switch1: 400 Gb/s\n" in text


def test_unused_patterns_are_reported_with_their_line(write: Callable[..., Any]) -> None:
    """A pattern that decides nothing is most often a typing error."""
    draft, _, _ = write("cables-devices.csv", 'devices:\n  "nodde*": grace\n  "node1": grace\n')
    [note] = [note for note in draft.notes if "decides nothing" in note]
    assert "overlay.yaml:3:3: pattern 'nodde*'" in note


def test_include_is_written_relative_to_the_new_file(fixture: Callable[..., Path], tmp_path: Path) -> None:
    """The overlay's include still leads to the same file from another folder."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "parts" / "t.yaml").write_text("x: 1\n")
    overlay = tmp_path / "parts" / "overlay.yaml"
    overlay.write_text("cmxverify-overlay: 1\ninclude: t.yaml\n")
    draft = draft_topology(read_structure([fixture("cables.csv")]), read_overlay(overlay))
    assert 'include: "../parts/t.yaml"\n' in write_topology(draft, tmp_path / "out")


def test_each_container_has_a_layout(read_text: Callable[..., Any]) -> None:
    """Groups with different names inside have templates of their own; one group has one."""
    graphs = "".join(
        f'<node id="rack{r}"><graph><node id="n{r}"/></graph></node>' for r in range(2)
    )
    structure = read_text(f"<graphml><graph>{graphs}</graph></graphml>")
    written = write_topology(draft_topology(structure, Overlay()))
    assert [line for line in written.splitlines() if "rack" in line] == [
        "  rack0: group  # from the file",
        "  rack1: group-2  # from the file",
    ]
    alike = replace(structure, nodes=tuple(replace(n, container=("r1",)) for n in structure.nodes))
    assert "group-2" not in write_topology(draft_topology(alike, Overlay()))


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("devces: {}\n", "unknown key 'devces'", 2),
        ("devices:\n  a: sn561\n", "unknown device 'sn561'", 3),
        ("replace:\n  a: tray\n", "unknown template 'tray'", 3),
        ("templates:\n  tray: {nodes: {host: grace}}\nreplace:\n  a: tray\n", "which inner node of 'tray'", 5),
        (
            "templates:\n  tray: {nodes: {dpu: bluefield-4}}\nreplace:\n  a: {template: tray, cables: dpq}\n",
            "no inner node 'dpq'",
            5,
        ),
        ("cables:\n  'a --': 400 Gb/s\n", "does not name two ends", 3),
        ("cables:\n  a: 400 Gbps\n  b: 3 TB\n", "is a size", 4),
        ("ignore: ['a[0-3]*']\n", "mixes a range with wildcards", 2),
        ("ignore: ['[0-9999999]']\n", "more than", 2),
        ("ignore: ['*']\n", "'ignore' leaves no node", 0),
    ],
)
def test_overlay_errors_name_the_line(write: Callable[..., Any], text: str, what: str, line: int) -> None:
    """Each breach of the overlay is one message with its line."""
    with pytest.raises(InputError, match=what) as caught:
        write("cables-devices.csv", text)
    assert caught.value.at.line == line


def test_too_large_a_topology_is_refused(write: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be read again is not written."""
    monkeypatch.setattr("cmxverify.topology.importers.write.MAX_BYTES", 100)
    with pytest.raises(InputError, match="the topology would have"):
        write("cables-devices.csv")


def test_overlay_needs_its_version(fixture: Callable[..., Path], tmp_path: Path) -> None:
    """A topology given as overlay is told apart."""
    (tmp_path / "o.yaml").write_text("cmxverify: 1\nname: x\n")
    with pytest.raises(InputError, match="'cmxverify-overlay: 1' is missing"):
        read_overlay(tmp_path / "o.yaml")
