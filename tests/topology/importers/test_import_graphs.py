"""Node-link JSON and GraphML."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cmxverify.errors import InputError


def test_node_link_old_key(read: Callable[..., Any], gbit: Callable[..., Any]) -> None:
    """``links``: parallel edges add up, a rate without a unit is left unknown and counted."""
    structure = read("graph-links.json")
    assert gbit(structure) == {("h1", "leaf0"): (400, 2), ("h2", "leaf0"): (None, 1)}
    assert structure.skipped == {"'speed' values without a unit": 1}
    assert {n.container for n in structure.nodes if n.name == "h1"} == {("r1",)}


def test_node_link_new_key_and_positions(read: Callable[..., Any], gbit: Callable[..., Any]) -> None:
    """``edges``: ends may be positions in the node list; the unit may stand in the key."""
    assert gbit(read("graph-edges.json")) == {("node7", "sw1"): (200, 2)}


def test_node_link_latency(read: Callable[..., Any]) -> None:
    """A latency with its unit in the key is exact."""
    [cable] = [c for c in read("graph-links.json").cables if c.a == "h1"]
    assert cable.latency * 10**9 == 1500


def test_node_link_dangling_edge_names_its_end(read_text: Callable[..., Any]) -> None:
    """An edge to nowhere is one error."""
    with pytest.raises(InputError, match="ends at 'x', which is no node"):
        read_text('{"nodes": [{"id": "a"}], "links": [{"source": "a", "target": "x"}]}')


def test_graphml_nested_graph_is_a_container(read: Callable[..., Any], gbit: Callable[..., Any]) -> None:
    """The node that holds a graph is the container of its nodes; keys are looked up by their names."""
    structure = read("graph.graphml")
    assert {n.name: n.container for n in structure.nodes} == {"s": (), "a": ("rack1",), "b": ("rack1",)}
    assert gbit(structure) == {("a", "s"): (400, 1), ("b", "s"): (400, 1), ("a", "b"): (None, 1)}


def test_graphml_dangling_edge_names_line(read_text: Callable[..., Any]) -> None:
    """An edge to nowhere is one error with its line."""
    text = '<graphml>\n<graph>\n<node id="a"/>\n<edge source="a" target="x"/>\n</graph></graphml>'
    with pytest.raises(InputError, match="'x', which is no node") as caught:
        read_text(text)
    assert caught.value.at.line == 4
