"""Keys of a topology's own file: where nodes and cables stand in it, and how ranges are written longer."""

from __future__ import annotations

from collections.abc import Callable

from placement_zoo import ZOO

from cmxverify.placement.explaining.written import Written
from cmxverify.topology.load import load_topology
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]


def rack(*overrides: str) -> Written:
    return Written(load_topology("cmx-rack", overrides=overrides))


def test_a_node_is_found_by_its_range() -> None:
    """``gpu[0-3]`` stands for gpu2 in its template, ``leaf[0-1]`` for a node of the file itself."""
    found = [rack().node(name) for name in ("tray03.gpu2", "leaf1", "cmx2.flash", "cmx3")]
    paths = [key.path for key in found if key]
    assert paths == [
        "templates.tray.nodes.gpu[0-3]",
        "nodes.leaf[0-1]",
        "templates.enclosure.nodes.flash",
        "nodes.cmx[0-3]",
    ]


def test_a_figure_is_added_where_only_a_device_is_named() -> None:
    """``dpu: bluefield-4`` becomes a mapping, and what comes of it loads."""
    key = rack().node("tray00.dpu")
    assert key is not None
    assert key.override("rate", "900 Gb/s") == "templates.tray.nodes.dpu={is: bluefield-4, rate: 900 Gb/s}"
    topology = load_topology("cmx-rack", overrides=(key.override("rate", "900 Gb/s"),))
    assert topology.nodes["tray05.dpu"].rate == 900 * 10**9 / 8


def test_cables_are_found_by_their_line() -> None:
    """The rate of the cables of a line can be set."""
    written = rack()
    link = next(each for each in written.topology.links if each.a.startswith("cmx") and each.b.startswith("leaf"))
    key = written.link(link.at)
    assert key is not None
    assert key.override("rate", "800 Gb/s") == "links.cmx[0-3].dpu[0-1] -- leaf[0-1]=800 Gb/s"


def test_a_range_grows_everywhere() -> None:
    """Two enclosures more stand among the nodes, the cables and the budget, and only those change."""
    grown = rack().grown("cmx1", 2)
    assert grown is not None
    assert grown[0] == "cmx[0-5]"
    topology = load_topology("cmx-rack", overrides=grown[1])
    assert [len(limit.members) for limit in topology.power] == [6]
    assert len(topology.links) == len(rack().topology.links) + 2 * (2 + 4)


def test_numbers_keep_their_digits() -> None:
    """``cmx[00-15]`` in a rack of its own becomes ``cmx[00-16]`` in its template."""
    grown = Written(load_topology("cmx-pod")).grown("store0.cmx03", 1)
    assert grown is not None
    assert grown[0] == "cmx[00-16]"
    assert [each.partition("=")[0] for each in grown[1]] == ["templates.store-rack.nodes", "templates.store-rack.links"]


def test_a_budget_in_other_words_is_not_escaped(load: Load) -> None:
    """Where a budget names the enclosures one by one, no more of them are written: they would draw unseen."""
    text = ZOO["one switch"].replace(
        "workload:", "power: {shelf: {of: 'cmx[0,1,2]', budget: 1 kW}}\nworkload:"
    )
    assert Written(load(text)).grown("cmx0", 1) is None
