"""Graphs as other programs store them: networkx node-link JSON (``links`` or ``edges``) and GraphML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cmxverify.errors import InputError, Location
from cmxverify.topology.importers.attributes import (
    cable_figures,
    container_word,
    node_container,
    node_kind,
    node_model,
    normal,
)
from cmxverify.topology.importers.source import SourceText, read_json
from cmxverify.topology.importers.structure import Structure, StructureBuilder
from cmxverify.topology.importers.xml_tree import Element, read_xml


def read_node_link(source: SourceText) -> Structure:
    """Read node-link JSON; the ends of an edge are node ids or, in old files, positions in the node list.

    Raises:
        InputError: If nodes or edges are missing or malformed, or an end names no node.
    """
    document = read_json(source)
    builder = StructureBuilder(source.name, "node-link")
    if not isinstance(document, dict) or not isinstance(document.get("nodes"), list):
        raise InputError("no list of 'nodes'", at=source.at(), fix="Write it with networkx.node_link_data.")
    edges = document.get("edges", document.get("links"))
    if not isinstance(edges, list):
        raise InputError("no list of 'edges' or 'links'", at=source.at(), fix="Write it with networkx.node_link_data.")
    names: dict[str, str] = {}
    for index, node in enumerate(document["nodes"]):
        key = _end(node.get("id", node.get("name", index)) if isinstance(node, dict) else node, source, "node")
        attributes = _texts(node) if isinstance(node, dict) else {}
        label = attributes.get("name") or key
        at = source.line_of(key)
        container, model = node_container(attributes), node_model(attributes)
        names[key] = builder.node(label, node_kind(label, attributes), at, container=container, model=model)
        if container:
            builder.box = container_word(attributes)
    by_position = not any(str(n) in names for n in range(len(names)))
    ordered = list(names.values())
    for edge in edges:
        if not isinstance(edge, dict):
            what = f"edge {str(edge)[:40]} is not an object"
            raise InputError(what, at=source.at(), fix="Give 'source' and 'target'.")
        listed = ordered if by_position else []
        a, b = (_resolve(edge.get(side), names, listed, source) for side in ("source", "target"))
        figures = cable_figures(_texts(edge), source.at(), builder)
        builder.cable(a, b, figures.rate, source.at(), count=figures.count, latency=figures.latency)
    return builder.build()


def _end(value: Any, source: SourceText, what: str) -> str:
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and value and all(isinstance(part, str | int) for part in value):
        return "-".join(str(part) for part in value)
    problem = f"{what} {str(value)[:40]} has no usable id"
    raise InputError(problem, at=source.at(), fix="Ids are texts or whole numbers.")


def _resolve(value: Any, names: Mapping[str, str], ordered: list[str], source: SourceText) -> str:
    key = _end(value, source, "edge end")
    if key in names:
        return names[key]
    if isinstance(value, int) and 0 <= value < len(ordered):
        return ordered[value]
    at = source.line_of(key)
    raise InputError(f"an edge ends at '{key[:60]}', which is no node", at=at, fix="List every node in 'nodes'.")


def _texts(members: Mapping[str, Any]) -> dict[str, str]:
    return {
        normal(str(key)): str(value)
        for key, value in members.items()
        if isinstance(value, str | int) and not isinstance(value, bool)
    }


def read_graphml(source: SourceText) -> Structure:
    """Read GraphML; a graph nested in a node makes that node the container of its nodes.

    Raises:
        InputError: If the root is not ``<graphml>`` with a graph, or an edge names no node.
    """
    root = read_xml(source)
    graph = next(root.named("graph"), None)
    if root.tag != "graphml" or graph is None:
        raise InputError("no <graphml> with a <graph>", at=root.at, fix="Pass --format if it is another format.")
    reader = _GraphMl(StructureBuilder(source.name, "graphml"), root)
    reader.nodes(graph, ())
    reader.edges(graph)
    return reader.builder.build()


class _GraphMl:
    def __init__(self, builder: StructureBuilder, root: Element) -> None:
        self.builder = builder
        self._keys = {key.get("id"): normal(key.get("attr.name") or key.get("id")) for key in root.named("key")}
        self._names: dict[str, str] = {}

    def _attributes(self, element: Element) -> dict[str, str]:
        return {
            self._keys.get(part.get("key"), normal(part.get("key"))): part.text.strip()
            for part in element.named("data")
            if part.text.strip()
        }

    def nodes(self, graph: Element, container: tuple[str, ...]) -> None:
        for node in graph.named("node"):
            key, attributes = node.get("id"), self._attributes(node)
            if not key or key in self._names:
                what = f"node id '{key}' is given twice" if key else "a node has no id"
                raise InputError(what, at=node.at, fix="Give every node an id of its own.")
            label = attributes.get("name") or attributes.get("label") or key
            inner = next(node.named("graph"), None)
            if inner is not None:
                self.nodes(inner, (*container, label))
                continue
            if self.builder.has(label):
                label = key
            where, model = container or node_container(attributes), node_model(attributes)
            kind = node_kind(label, attributes)
            self._names[key] = self.builder.node(label, kind, node.at, container=where, model=model)
            if where and not container:
                self.builder.box = container_word(attributes)

    def edges(self, graph: Element) -> None:
        for edge in graph.named("edge"):
            a, b = (self._resolve(edge.get(side), edge.at) for side in ("source", "target"))
            figures = cable_figures(self._attributes(edge), edge.at, self.builder)
            self.builder.cable(a, b, figures.rate, edge.at, count=figures.count, latency=figures.latency)
        for node in graph.named("node"):
            for inner in node.named("graph"):
                self.edges(inner)

    def _resolve(self, key: str, at: Location) -> str:
        if key not in self._names:
            fix = "Edges join nodes of the file; a node that holds a graph cannot be cabled itself."
            raise InputError(f"an edge ends at '{key[:60]}', which is no node", at=at, fix=fix)
        return self._names[key]
