"""Templates and ranges unfolded: from the schema to named nodes, containers and cables, with their lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from cmxverify.catalog.devices import device_names
from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.topology.extent import Template, refuse_excess, split_link
from cmxverify.topology.hostlist import expand_ranges
from cmxverify.topology.model import Container, Link
from cmxverify.topology.schema import LinkDetail, NodeDetail
from cmxverify.yaml_tree import YamlTree

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_\-]{0,79}")
_LONGEST_PATH = 250


@dataclass(frozen=True, slots=True)
class RawNode:
    """A named device before the catalog is asked about it."""

    name: str
    container: str
    detail: NodeDetail
    at: Location
    tree: YamlTree


@dataclass
class Expansion:
    """Everything that the file names, in order."""

    nodes: dict[str, RawNode] = field(default_factory=dict)
    containers: dict[str, Container] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)


def expand_file(root: Template, templates: Mapping[str, Template]) -> Expansion:
    """Unfold a file, given as a nameless template, with the templates it may use.

    Raises:
        InputError: For unknown devices, cyclic templates, names given twice, dangling or repeated cables, or
            too many names or cables.
    """
    refuse_excess(root, templates)
    result = Expansion()
    _Unfolder(templates, result).scope("", root)
    return result


class _Unfolder:
    def __init__(self, templates: Mapping[str, Template], result: Expansion) -> None:
        self.templates, self.result = templates, result
        self.devices = frozenset(device_names())
        self.linked: dict[tuple[str, str, Fraction, Fraction], Location] = {}
        """Where two nodes were joined by cables of one kind."""

    def scope(self, prefix: str, template: Template) -> None:
        """Unfold the nodes, then the cables, of one template instance ('' = the file itself)."""
        for pattern, detail in template.spec.nodes.items():
            tree = template.tree.find(("nodes", pattern))
            assert tree is not None, pattern
            at = template.tree.locate(("nodes", pattern))
            for name in expand_ranges(pattern, at):
                self.node(prefix, name, detail, at, tree)
        for pattern, link in template.spec.links.items():
            self.link(prefix, pattern, link, template.tree.locate(("links", pattern)))

    def node(self, prefix: str, name: str, detail: NodeDetail, at: Location, tree: YamlTree) -> None:
        path = prefix + name
        if not _NAME.fullmatch(name) or len(path) > _LONGEST_PATH:
            fix = "Use letters, digits, '-' and '_', at most 80; dots come from templates."
            raise InputError(f"'{name}' is not a node name", at=at, fix=fix)
        self.refuse_twice(path, at)
        template = self.templates.get(detail.is_) if detail.is_ is not None else None
        if template is not None:
            self.instance(path, template, detail, at, tree)
        elif detail.is_ is not None and detail.is_ not in self.devices:
            what = f"'{detail.is_}' is neither a template nor in the catalog"
            raise InputError(what, at=at, fix=did_you_mean(detail.is_, {*self.devices, *self.templates}))
        else:
            self.result.nodes[path] = RawNode(path, prefix.rstrip("."), detail, at, tree)

    def instance(self, path: str, template: Template, detail: NodeDetail, at: Location, tree: YamlTree) -> None:
        extra = sorted(detail.model_fields_set - {"is_"})
        if extra:
            fix = f"Change the nodes inside template '{template.name}', or make a template of its own."
            what = f"'{extra[0]}' cannot override an instance of template '{template.name}'"
            raise InputError(what, at=tree.locate((extra[0],)), fix=fix)
        self.result.containers[path] = Container(path, template.name, path.rpartition(".")[0], at)
        self.scope(path + ".", template)

    def refuse_twice(self, path: str, at: Location) -> None:
        earlier = self.result.nodes.get(path) or self.result.containers.get(path)
        if earlier is not None:
            fix = f"It is named in {_line(earlier.at, at)} already; rename one."
            raise InputError(f"name '{path}' is given twice", at=at, fix=fix)

    def link(self, prefix: str, pattern: str, detail: LinkDetail, at: Location) -> None:
        ends = split_link(pattern, at)
        left, right = ([self.end(prefix, name, at) for name in expand_ranges(end, at)] for end in ends)
        pairs = zip(left, right, strict=True) if detail.pairwise else ((a, b) for a in left for b in right)
        for a, b in pairs:
            self.refuse_repeated(a, b, detail, at)
            self.result.links.append(Link(a, b, detail.rate, detail.latency or Fraction(0), detail.count, at))

    def refuse_repeated(self, a: str, b: str, detail: LinkDetail, at: Location) -> None:
        """A cable works in both directions; listed again from the other end it would count double."""
        if a == b:
            raise InputError(f"'{a}' is linked to itself", at=at, fix="Name two different nodes.")
        kind = (min(a, b), max(a, b), detail.rate, detail.latency or Fraction(0))
        if kind in self.linked:
            fix = "A link works in both directions; write parallel cables as {rate: ..., count: 2}."
            what = f"'{a}' and '{b}' are linked with this rate in {_line(self.linked[kind], at)} already"
            raise InputError(what, at=at, fix=fix)
        self.linked[kind] = at

    def end(self, prefix: str, name: str, at: Location) -> str:
        path = prefix + name
        if path in self.result.nodes:
            return path
        if path in self.result.containers:
            inner = next((n for n in self.result.nodes if n.startswith(path + ".")), path + ".dpu")
            fix = f"Name a node inside it, such as '{inner[len(prefix) :]}'."
            raise InputError(f"link ends at '{name}', which is a template instance", at=at, fix=fix)
        near = [n[len(prefix) :] for n in self.result.nodes if n.startswith(prefix)]
        raise InputError(f"link ends at '{name}', which is no node", at=at, fix=did_you_mean(name, near))


def _line(earlier: Location, here: Location) -> str:
    """``line 7``, or ``base.yaml:7`` if it stands in another file."""
    return f"line {earlier.line}" if earlier.file == here.file else f"{earlier.file}:{earlier.line}"
