"""How large a topology file unfolds, told before anything is built: ten levels of ``x[0-9]`` are refused at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cmxverify.errors import InputError, Location
from cmxverify.topology.hostlist import MAX_NAMES, count_names
from cmxverify.topology.schema import LinkDetail, TemplateSpec
from cmxverify.yaml_tree import YamlTree

MAX_CABLES = 400_000
MAX_LEVELS = 20
LINK = " -- "
"""What stands between the two ends of a cable."""


@dataclass(frozen=True, slots=True)
class Template:
    """A template with the tree it was read from, for the lines of its parts."""

    name: str
    spec: TemplateSpec
    tree: YamlTree


@dataclass(frozen=True, slots=True)
class Extent:
    """What one instance stands for: names (nodes and inner instances), cables, and levels of templates."""

    names: int
    cables: int
    levels: int = 0


def refuse_excess(root: Template, templates: Mapping[str, Template]) -> None:
    """Check that a file unfolds to an amount that can be held.

    Raises:
        InputError: For templates inside themselves or more than 20 levels deep, more than 100,000 nodes and
            instances, or more than 400,000 cables; with the line that first exceeds.
    """
    _Counter(templates).extent(root, ())


class _Counter:
    def __init__(self, templates: Mapping[str, Template]) -> None:
        self.templates = templates
        self.known: dict[str, Extent] = {}

    def extent(self, template: Template, inside: tuple[str, ...]) -> Extent:
        """Extent of one instance, each template counted once; ``inside`` names those around it."""
        if template.name in self.known:
            return self.known[template.name]
        names = cables = levels = 0
        for pattern, detail in template.spec.nodes.items():
            at = template.tree.locate(("nodes", pattern))
            inner = self.inner(detail.is_, at, inside)
            count = count_names(pattern, at)
            names, cables = names + count * (1 + inner.names), cables + count * inner.cables
            levels = max(levels, inner.levels)
            _refuse_large(Extent(names, cables, levels), at)
        for pattern, link in template.spec.links.items():
            at = template.tree.locate(("links", pattern))
            cables += _count_pairs(pattern, link, at) * link.count
            _refuse_large(Extent(names, cables, levels), at)
        self.known[template.name] = Extent(names, cables, levels + 1)
        return self.known[template.name]

    def inner(self, name: str | None, at: Location, inside: tuple[str, ...]) -> Extent:
        template = self.templates.get(name) if name is not None else None
        if template is None:
            return Extent(0, 0)
        if template.name in inside:
            chain = " -> ".join((*inside[inside.index(template.name) :], template.name))
            raise InputError(f"template '{template.name}' contains itself: {chain}", at=at, fix="Break the circle.")
        if len(inside) > MAX_LEVELS:
            raise _too_deep(at)
        return self.extent(template, (*inside, template.name))


def split_link(pattern: str, at: Location) -> tuple[str, str]:
    """The two ends of ``a -- b``, still as ranges.

    Raises:
        InputError: If it is not two names with `` -- `` between them.
    """
    left, separator, right = (part.strip() for part in pattern.partition(LINK))
    if not separator or LINK in f" {right} " or not left or not right:
        raise InputError(f"'{pattern[:80]}' is not a link", at=at, fix="Write it as 'a -- b: 400 Gb/s'.")
    return left, right


def _count_pairs(pattern: str, link: LinkDetail, at: Location) -> int:
    left, right = (count_names(end, at) for end in split_link(pattern, at))
    if not link.pairwise:
        return left * right
    if left != right:
        fix = "Make both ranges equally long, or drop pairwise."
        raise InputError(f"'{pattern[:80]}' pairs {left} with {right} nodes", at=at, fix=fix)
    return left


def _refuse_large(extent: Extent, at: Location) -> None:
    fix = "Describe a part of the cluster; equal parts behave alike."
    if extent.names > MAX_NAMES:
        raise InputError(f"the file stands for more than {MAX_NAMES:,} nodes", at=at, fix=fix)
    if extent.cables > MAX_CABLES:
        raise InputError(f"the file stands for more than {MAX_CABLES:,} cables", at=at, fix=fix)
    if extent.levels > MAX_LEVELS:
        raise _too_deep(at)


def _too_deep(at: Location) -> InputError:
    what = f"templates are nested deeper than {MAX_LEVELS} levels"
    return InputError(what, at=at, fix="Join some of the levels.")
