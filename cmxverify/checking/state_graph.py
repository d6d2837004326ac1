"""The state graph of a small model as networkx, made by the Python source, and written for other tools."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cmxverify.errors import InputError, Location
from cmxverify.files import refuse_target, write_new
from cmxverify.modeling.compile import Compiled
from cmxverify.modeling.functions import BreachError, NotEnabled
from cmxverify.modeling.ir.evaluate import State

if TYPE_CHECKING:
    import networkx

MOST_STATES = 10_000
"""Of a graph; larger ones say nothing to people, and take the interpreter minutes."""
DEPTH, INITIAL, BREACH = "search depth", "is initial", "breached duty"
"""Attributes of a node beside its cells."""


def state_graph(compiled: Compiled, *, most: int = MOST_STATES) -> networkx.MultiDiGraph[int]:
    """All reachable states and transitions.

    Nodes are numbered in the order they are first reached, initial states first. A node has the value of each cell in
    words and, under names that no cell can have, its depth, whether it is initial, and what a step from it breaches.
    An edge has ``action`` and ``instance``; self-loops are there, too.

    Raises:
        InputError: If there are more than ``most`` states.
    """
    import networkx

    system = compiled.system
    graph: networkx.MultiDiGraph[int] = networkx.MultiDiGraph(name=system.name)
    numbers: dict[State, int] = {}
    pending: deque[State] = deque()

    def number_of(state: State, depth: int) -> int:
        if state not in numbers:
            if len(numbers) >= most:
                what = f"the state graph of {system.name} has more than {most:,} states"
                raise InputError(what, fix="Take smaller bounds: a graph is for small models.")
            numbers[state] = len(numbers)
            words = {cell.name: cell.label(value) for cell, value in zip(system.cells, state, strict=True)}
            graph.add_node(numbers[state], **words, **{DEPTH: depth, INITIAL: depth == 0})
            pending.append(state)
        return numbers[state]

    for state in system.initial:
        number_of(state, 0)
    while pending:
        state = pending.popleft()
        here = numbers[state]
        for instance, after in _steps(compiled, state):
            if isinstance(after, str):
                graph.nodes[here][BREACH] = f"{instance.name}: {after}"
            else:
                there = number_of(after, graph.nodes[here][DEPTH] + 1)
                graph.add_edge(here, there, action=instance.action, instance=instance.name)
    return graph


def _steps(compiled: Compiled, state: State) -> Iterator[tuple[Any, State | str]]:
    """Instances that the source takes in a state, with the state after, or with the breach."""
    model, plain = compiled.model, compiled.decode(state)
    for instance, call in zip(compiled.system.instances, model.instances(), strict=True):
        model.state = plain
        try:
            model.take(*call)
        except NotEnabled:
            continue
        except BreachError as error:
            yield instance, str(error)
        else:
            yield instance, compiled.encode(model.state)


def refuse_graph_file(path: Path) -> None:
    """Refuse a file that no graph can be written to.

    Raises:
        InputError: If its ending is none of those known, or it cannot be written.
    """
    if path.suffix.lower() not in _WRITERS:
        known = ", ".join(_WRITERS)
        what = f"a graph cannot be written as '{path.suffix or path.name}'"
        raise InputError(what, at=Location(str(path)), fix=f"Give a file that ends in one of {known}.")
    refuse_target(path)


def write_graph(graph: networkx.MultiDiGraph[int], path: Path) -> None:
    """Write a graph in the format that the file's ending names."""
    write_new(path, _WRITERS[path.suffix.lower()](graph))


def _as_dot(graph: networkx.MultiDiGraph[int]) -> str:
    lines = [f"digraph {_quoted(graph.graph['name'])} {{", "  node [shape=box];"]
    for node, cells in graph.nodes(data=True):
        label = "\n".join(f"{name} = {text}" for name, text in cells.items() if name not in (DEPTH, INITIAL))
        lines.append(f"  {node} [label={_quoted(label)}{', peripheries=2' if cells[INITIAL] else ''}];")
    for start, end, edge in graph.edges(data=True):
        lines.append(f"  {start} -> {end} [label={_quoted(edge['instance'])}];")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _as_graphml(graph: networkx.MultiDiGraph[int]) -> str:
    import networkx

    return "\n".join(networkx.generate_graphml(graph)) + "\n"


def _as_json(graph: networkx.MultiDiGraph[int]) -> str:
    """As ``networkx.node_link_graph(..., edges="edges")`` reads it."""
    nodes = [{"id": node, **cells} for node, cells in graph.nodes(data=True)]
    edges = [
        {"source": start, "target": end, "key": key, **edge}
        for start, end, key, edge in graph.edges(keys=True, data=True)
    ]
    whole = {"directed": True, "multigraph": True, "graph": graph.graph, "nodes": nodes, "edges": edges}
    return json.dumps(whole, indent=1) + "\n"


_WRITERS: dict[str, Callable[[Any], str]] = {".dot": _as_dot, ".graphml": _as_graphml, ".json": _as_json}
