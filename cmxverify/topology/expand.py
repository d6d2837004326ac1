"""Templates and ranges unfolded: from the schema to named nodes, containers and cables, with their lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.topology.hostlist import MAX_NAMES, expand_ranges
from cmxverify.topology.model import Container, Link
from cmxverify.topology.schema import LinkDetail, NodeDetail, TemplateSpec
from cmxverify.yaml_tree import YamlTree

MAX_CABLES = 400_000
_LINK = " -- "


@dataclass(frozen=True, slots=True)
class Template:
    """A template with the tree it was read from, for the lines of its parts."""

    name: str
    spec: TemplateSpec
    tree: YamlTree


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
    cables: int = 0


def expand_file(root: Template, templates: Mapping[str, Template]) -> Expansion:
    """Unfold a file, given as a nameless template, with the templates it may use.

    Raises:
        InputError: For cyclic templates, names given twice, dangling cables, or too many names.
    """
    result = Expansion()
    _Unfolder(templates, result).scope("", root, ())
    return result


class _Unfolder:
    def __init__(self, templates: Mapping[str, Template], result: Expansion) -> None:
        self.templates, self.result = templates, result

    def scope(self, prefix: str, template: Template, inside: tuple[str, ...]) -> None:
        """Unfold the nodes, then the cables, of one template instance ('' = the file itself)."""
        for pattern, detail in template.spec.nodes.items():
            tree = template.tree.find(("nodes", pattern))
            assert tree is not None, pattern
            at = template.tree.locate(("nodes", pattern))
            for name in expand_ranges(pattern, at):
                self.node(prefix, name, detail, at, tree, inside)
        for pattern, link in template.spec.links.items():
            self.link(prefix, pattern, link, template.tree.locate(("links", pattern)))

    def node(
        self, prefix: str, name: str, detail: NodeDetail, at: Location, tree: YamlTree, inside: tuple[str, ...]
    ) -> None:
        if not name or "." in name:
            raise InputError(f"'{name}' is not a node name", at=at, fix="Use letters, digits, '-' and '_'.")
        path = prefix + name
        self.refuse_twice(path, at)
        if detail.is_ in self.templates:
            self.instance(path, self.templates[detail.is_], detail, at, inside)
        else:
            self.result.nodes[path] = RawNode(path, prefix.rstrip("."), detail, at, tree)
        if len(self.result.nodes) > MAX_NAMES:
            fix = "Describe a part of the cluster; equal parts behave alike."
            raise InputError(f"the file stands for more than {MAX_NAMES:,} nodes", at=at, fix=fix)

    def instance(self, path: str, template: Template, detail: NodeDetail, at: Location, inside: tuple[str, ...]) -> None:
        if template.name in inside:
            chain = " -> ".join((*inside[inside.index(template.name) :], template.name))
            raise InputError(f"template '{template.name}' contains itself: {chain}", at=at, fix="Break the circle.")
        extra = sorted(detail.model_fields_set - {"is_"})
        if extra:
            fix = f"Change the nodes inside template '{template.name}', or make a template of its own."
            raise InputError(f"'{extra[0]}' cannot override a template instance", at=at, fix=fix)
        self.result.containers[path] = Container(path, template.name, path.rpartition(".")[0], at)
        self.scope(path + ".", template, (*inside, template.name))

    def refuse_twice(self, path: str, at: Location) -> None:
        earlier = self.result.nodes.get(path) or self.result.containers.get(path)
        if earlier is not None:
            fix = f"It is named in line {earlier.at.line} already; rename one."
            raise InputError(f"name '{path}' is given twice", at=at, fix=fix)

    def link(self, prefix: str, pattern: str, detail: LinkDetail, at: Location) -> None:
        left, separator, right = pattern.partition(_LINK)
        if not separator or _LINK in right or not left.strip() or not right.strip():
            raise InputError(f"'{pattern[:80]}' is not a link", at=at, fix="Write it as 'a -- b: 400 Gb/s'.")
        ends = [[self.end(prefix, n, at) for n in expand_ranges(side.strip(), at)] for side in (left, right)]
        pairs = self.pairs(ends, detail, pattern, at)
        for a, b in pairs:
            if a == b:
                raise InputError(f"'{a}' is linked to itself", at=at, fix="Name two different nodes.")
            self.result.links.append(Link(a, b, detail.rate, detail.latency or 0 * detail.rate, detail.count, at))

    def pairs(
        self, ends: list[list[str]], detail: LinkDetail, pattern: str, at: Location
    ) -> list[tuple[str, str]]:
        left, right = ends
        if detail.pairwise and len(left) != len(right):
            fix = "Make both ranges equally long, or drop pairwise."
            raise InputError(f"'{pattern[:80]}' pairs {len(left)} with {len(right)} nodes", at=at, fix=fix)
        self.result.cables += (len(left) if detail.pairwise else len(left) * len(right)) * detail.count
        if self.result.cables > MAX_CABLES:
            raise InputError(f"the file stands for more than {MAX_CABLES:,} cables", at=at, fix="Describe a part of it.")
        return list(zip(left, right, strict=True)) if detail.pairwise else [(a, b) for a in left for b in right]

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
