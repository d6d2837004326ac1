"""State graphs for other tools."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import networkx
import pytest

from cmxverify.checking.check import Choices, check
from cmxverify.checking.state_graph import BREACH, INITIAL, refuse_graph_file, state_graph, write_graph
from cmxverify.errors import InputError
from cmxverify.modeling import Model, Range, action
from cmxverify.modeling.compile import compiled
from cmxverify.modeling.loading import load_model


@cache
def graph(name: str) -> networkx.MultiDiGraph[int]:
    """Of a shipped model without bounds."""
    return state_graph(compiled(load_model(name).model))


@pytest.mark.parametrize("name", ["peterson", "die-hard", "dekker"])
def test_the_graph_is_what_an_engine_counts(name: str) -> None:
    """States, transitions (self-loops and equal successors included), depth."""
    report = check(load_model(name).model, {}, Choices(engine="packed", symmetry=False)).report
    found = graph(name)
    assert (found.number_of_nodes(), found.number_of_edges()) == (report.main.states, report.main.transitions)


def test_nodes_bear_the_state_in_words() -> None:
    """And which are initial."""
    first = graph("peterson").nodes[0]
    assert (first["at[0]"], first["turn"], first[INITIAL]) == ("RAISE_FLAG", "0", True)


def test_edges_bear_the_step() -> None:
    """Action and instance."""
    assert graph("peterson").edges[0, 1, 0] == {"action": "raises_flag", "instance": "raises_flag(p=0)"}


def test_a_breach_has_no_edge() -> None:
    """The state it starts from says so."""
    found = graph("hour-clock:HourClockThirteen")
    (text,) = [text for _, text in found.nodes(data=BREACH) if text]
    assert text.startswith("ticks(): RANGE: 13 is stored")


def test_too_many_states_are_refused() -> None:
    """Before memory and patience are used up."""
    with pytest.raises(InputError, match="the state graph of Peterson has more than 20 states"):
        state_graph(compiled(load_model("peterson").model), most=20)


def test_graphml_is_read_again(folder: Path) -> None:
    """By networkx."""
    write_graph(graph("peterson"), folder / "g.graphml")
    again = networkx.read_graphml(folder / "g.graphml", node_type=int, force_multigraph=True)
    assert dict(again.nodes(data=True)) == dict(graph("peterson").nodes(data=True))


def test_node_link_json_is_read_again(folder: Path) -> None:
    """By networkx, too."""
    write_graph(graph("peterson"), folder / "g.json")
    again = networkx.node_link_graph(json.loads((folder / "g.json").read_text()), edges="edges")
    assert networkx.utils.graphs_equal(again, graph("peterson"))


def test_dot_has_a_line_for_each_node_and_edge(folder: Path) -> None:
    """Quoted, initial states with a double border."""
    write_graph(graph("peterson"), folder / "g.dot")
    lines = (folder / "g.dot").read_text().splitlines()
    assert len(lines) == 3 + 26 + 52
    assert lines[2].startswith('  0 [label="at[0] = RAISE_FLAG\\nat[1] = RAISE_FLAG\\n')
    assert lines[2].endswith(", peripheries=2];")


def test_other_endings_are_refused() -> None:
    """With those that are known."""
    with pytest.raises(InputError, match=r"x\.pdf: a graph cannot be written as '\.pdf'"):
        refuse_graph_file(Path("x.pdf"))


class Depth(Model):
    """A field with the name of an attribute."""

    depth: Range(0, 2)

    @action
    def goes(self) -> None:
        """Round."""
        self.depth = (self.depth + 1) % 3


def test_fields_may_bear_any_name() -> None:
    """No attribute of ours hides them."""
    assert [cells["depth"] for _, cells in state_graph(compiled(Depth)).nodes(data=True)] == ["0", "1", "2"]
