"""Read a topology: a file or a shipped name, its includes and overrides, into a ``Topology``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import resources
from pathlib import Path

import networkx as nx

from cmxverify.catalog.devices import devices
from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.fields import validate_tree
from cmxverify.topology.expand import Expansion, expand_file
from cmxverify.topology.extent import Template
from cmxverify.topology.model import (
    Container,
    HopLimit,
    HopMetric,
    Link,
    Node,
    NodeKind,
    Place,
    PowerLimit,
    Prices,
    Tenant,
    Topology,
)
from cmxverify.topology.override import apply_overrides
from cmxverify.topology.resolve import Resolved, resolve_nodes
from cmxverify.topology.schema import PriceTerms, TemplateSpec, TopologyFile
from cmxverify.topology.select import select_members
from cmxverify.yaml_tree import YamlTree, parse_yaml, read_text
from cmxverify.units import Dimension, parse_quantity
from cmxverify.workload.schema import WorkloadSpec, read_workload

_DEFAULT_PLAN_TO = Fraction(4, 5)
_PARTS = ("templates", "nodes", "links")


@dataclass
class _Files:
    """Texts read so far, by shown name."""

    texts: dict[str, str] = field(default_factory=dict)

    def read(self, path: Path, shown: str) -> YamlTree:
        text = read_text(path, shown=shown)
        self.texts[shown] = text
        return parse_yaml(text, shown)


def shipped_topologies() -> list[str]:
    """Names of the topologies that come with the package."""
    folder = resources.files("models") / "topologies"
    return sorted(Path(each.name).stem for each in folder.iterdir() if each.name.endswith(".yaml"))


def find_topology(name: str) -> Path:
    """Path of a file, or of a shipped topology of that name; a file of the same name wins.

    Raises:
        InputError: If there is neither.
    """
    path = Path(name)
    if path.exists():
        return path
    if name in shipped_topologies():
        return Path(str(resources.files("models") / "topologies" / f"{name}.yaml"))
    fix = f"Shipped topologies: {', '.join(shipped_topologies())}."
    near = did_you_mean(name, shipped_topologies())
    raise InputError("no such file or shipped topology", at=Location(name), fix=near if "mean" in near else fix)


def load_topology(name: str | Path, *, overrides: Iterable[str] = (), only: Iterable[str] = ()) -> Topology:
    """Read a topology file or shipped name.

    Args:
        overrides: ``PATH=VALUE`` changes, as of ``--set``.
        only: Working sets to keep, ``tenant/name``; empty keeps all.

    Raises:
        InputError: For anything that the file says wrongly; the first breach, with its line.
    """
    path = find_topology(str(name))
    shown = str(name) if str(name) == str(path) else path.name
    files = _Files()
    tree = files.read(path, shown)
    overrides = tuple(overrides)
    apply_overrides(tree, overrides)
    return _build(tree, path, shown, files, overrides, tuple(only))


def _build(
    tree: YamlTree, path: Path, shown: str, files: _Files, overrides: tuple[str, ...], only: tuple[str, ...]
) -> Topology:
    spec = validate_tree(TopologyFile, tree)
    templates = _templates(tree, spec, path.parent, files, (path.resolve(),))
    _refuse_shadowing(templates)
    root = Template("", TemplateSpec(nodes=spec.nodes, links=spec.links), tree)
    expansion = expand_file(root, templates)
    resolved = resolve_nodes(expansion, templates)
    graph = _graph(resolved, expansion.links)
    workload = _workload(tree, path.parent, files)
    return Topology(
        name=spec.name,
        file=shown,
        graph=graph,
        nodes=resolved.nodes,
        links=tuple(expansion.links),
        containers=expansion.containers,
        places=_reachable(resolved, graph),
        plan_to=spec.plan_to or _DEFAULT_PLAN_TO,
        plan_to_at=tree.locate(("plan_to",)),
        chunk=spec.chunk,
        hops=_hops(spec, tree),
        software={key: (text, tree.locate(("software", key))) for key, text in spec.software.items()},
        power=_power(spec, tree, expansion),
        tenants=_tenants(spec, tree, templates),
        prices=_prices(tree, templates),
        workload=workload.only(list(only)) if workload and only else workload,
        assumed=tuple(resolved.assumed.values()),
        texts=files.texts,
        overrides=overrides,
    )


def _templates(
    tree: YamlTree, spec: TopologyFile, folder: Path, files: _Files, inside: tuple[Path, ...]
) -> dict[str, Template]:
    """Templates of the included files, in order, then the file's own; a later one of a name wins."""
    found: dict[str, Template] = {}
    includes = [spec.include] if isinstance(spec.include, str) else spec.include or []
    for name in includes:
        found |= _included(name, tree.locate(("include",)), folder, files, inside)
    for name, template in spec.templates.items():
        template_tree = tree.find(("templates", name))
        assert template_tree is not None, name
        found[name] = Template(name, template, template_tree)
    return found


def _included(name: str, at: Location, folder: Path, files: _Files, inside: tuple[Path, ...]) -> dict[str, Template]:
    path = folder / name
    if path.resolve() in inside:
        raise InputError(f"'{name}' includes itself", at=at, fix="Remove the include.")
    if not path.exists():
        raise InputError(f"included file '{name}' does not exist", at=at, fix="Paths are relative to this file.")
    tree = files.read(path, name)
    spec = validate_tree(TopologyFile, tree)
    return _templates(tree, spec, path.parent, files, (*inside, path.resolve()))


def _refuse_shadowing(templates: Mapping[str, Template]) -> None:
    known = {each.name for each in devices()}
    for name, template in templates.items():
        if name in known:
            fix = "Choose another name for the template."
            raise InputError(f"template '{name}' has the name of a catalog device", at=template.tree.at, fix=fix)


def _graph(resolved: Resolved, links: list[Link]) -> nx.MultiGraph:
    """One edge per cable; nodes carry ``kind``, ``tier`` and ``container``."""
    graph = nx.MultiGraph()
    for name, node in resolved.nodes.items():
        place = resolved.places.get(name)
        tier = place.tier.value if place else None
        graph.add_node(name, kind=node.kind.value, device=node.device, tier=tier, container=node.container)
    for link in links:
        for _ in range(link.count):
            graph.add_edge(link.a, link.b, rate=link.rate, latency=link.latency)
    return graph


def _reachable(resolved: Resolved, graph: nx.MultiGraph) -> dict[str, Place]:
    gpus = {name for name, node in resolved.nodes.items() if node.kind is NodeKind.GPU}
    if not gpus:
        return resolved.places
    for component in nx.connected_components(graph):
        stranded = sorted(component & resolved.places.keys())
        if stranded and component.isdisjoint(gpus):
            at = resolved.places[stranded[0]].at
            fix = "Add a link to it, or remove it."
            raise InputError(f"'{stranded[0]}' can be reached by no GPU", at=at, fix=fix)
    return resolved.places


def _hops(spec: TopologyFile, tree: YamlTree) -> HopLimit:
    if spec.hops is None:
        return HopLimit()
    return HopLimit(HopMetric(spec.hops.metric), spec.hops.max, tree.locate(("hops", "max")))


def _power(spec: TopologyFile, tree: YamlTree, expansion: Expansion) -> tuple[PowerLimit, ...]:
    limits: list[PowerLimit] = []
    names: Mapping[str, object] = {**expansion.nodes, **expansion.containers}
    for name, power in spec.power.items():
        at = tree.locate(("power", name, "budget"))
        pattern = power.of or power.each
        if pattern is None or (power.of and power.each):
            raise InputError(f"power.{name} needs 'of' or 'each', one of them", at=at, fix="Write {of: ..., budget: ...}.")
        members = select_members(pattern, names, tree.locate(("power", name, "of" if power.of else "each")))
        budget = tree.find(("power", name, "budget"))
        groups = [members] if power.of else [[member] for member in members]
        for group in groups:
            title = name if power.of else f"{name} {group[0]}"
            text = budget.file_text if budget else None
            limits.append(PowerLimit(title, tuple(group), power.budget, at, text))
    return tuple(limits)


def _tenants(spec: TopologyFile, tree: YamlTree, templates: Mapping[str, Template]) -> dict[str, Tenant]:
    found: dict[str, Tenant] = {}
    for name, tenant in spec.tenants.items():
        at = tree.locate(("tenants", name, "isolation"))
        isolation = "" if tenant.isolation == "namespace" else tenant.isolation
        if isolation and isolation not in templates:
            fix = did_you_mean(isolation, [*templates, "namespace"])
            raise InputError(f"isolation '{isolation}' is no template", at=at, fix=fix)
        found[name] = Tenant(name, isolation, at)
    return found


def _prices(tree: YamlTree, templates: Mapping[str, Template]) -> Prices | None:
    section = tree.child("prices")
    if section is None:
        return None
    terms = {key: child for key, child in section.items() if key in PriceTerms.model_fields}
    fixed = validate_tree(PriceTerms, YamlTree(terms, section.at, section.keys_at))
    known = {each.name for each in devices()} | set(templates)
    bought: dict[str, Fraction] = {}
    rented: dict[str, Fraction] = {}
    for key, child in section.items():
        if key in terms:
            continue
        at = section.keys_at[key]
        if key not in known:
            raise InputError(f"price of '{key}', which is no template or device", at=at, fix=did_you_mean(key, known))
        rent = isinstance(child.value, str) and "/" in child.value
        value = parse_quantity(child.value, Dimension.MONEY_RATE if rent else Dimension.MONEY, at)
        if value < 0:
            raise InputError(f"'{child.value}' is negative", at=at, fix="Prices are 0 or more.")
        (rented if rent else bought)[key] = value
    return Prices(bought, fixed.energy, rented, fixed.life, section.at)


def _workload(tree: YamlTree, folder: Path, files: _Files) -> WorkloadSpec | None:
    section = tree.child("workload")
    if section is None:
        return None
    if isinstance(section.value, str):
        path = folder / section.value
        if not path.exists():
            fix = "Paths are relative to this file."
            raise InputError(f"workload file '{section.value}' does not exist", at=section.at, fix=fix)
        return read_workload(files.read(path, section.value), path.parent)
    return read_workload(section, folder)


