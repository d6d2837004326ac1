"""Read a topology: a file or a shipped name, its includes and overrides, into a ``Topology``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from cmxverify.catalog.devices import device_names
from cmxverify.errors import InputError, Location
from cmxverify.topology.expand import expand_file
from cmxverify.topology.extent import Template
from cmxverify.topology.files import FileReader, SourceFile, find_topology, shipped_topologies
from cmxverify.topology.limits import (
    read_hops,
    read_power,
    read_prices,
    read_tenants,
    refuse_idle_tenants,
    refuse_unknown_domains,
)
from cmxverify.topology.model import Link, NodeKind, Topology
from cmxverify.topology.override import apply_overrides, leads_into
from cmxverify.topology.resolve import Resolved, resolve_nodes
from cmxverify.topology.schema import TemplateSpec, validate_topology
from cmxverify.workload.schema import WorkloadSpec, read_workload
from cmxverify.yaml_tree import YamlTree

__all__ = ["find_topology", "load_topology", "shipped_topologies"]


def load_topology(
    name: str | Path, *, overrides: Iterable[str] = (), only: Iterable[str] = (), shown: str | None = None
) -> Topology:
    """Read a topology file or shipped name.

    Args:
        overrides: ``PATH=VALUE`` changes, as of ``--set``.
        only: Working sets to keep, ``tenant/name``; empty keeps all.
        shown: Name of the file in messages, where it is not the one that it is found by.

    Raises:
        InputError: For anything that the file says wrongly; the first breach, with its line.
    """
    path = find_topology(str(name))
    is_shipped = str(name) in shipped_topologies() and path != Path(name)
    file = SourceFile(path, shown or (path.name if is_shipped else str(path)))
    reader = FileReader()
    tree = reader.read(file)
    changes = tuple(overrides)
    apply_overrides(tree, (each for each in changes if not (_has_workload_file(tree) and leads_into(each, "workload"))))
    return _build(tree, file, reader, changes, tuple(only))


def _build(
    tree: YamlTree, file: SourceFile, reader: FileReader, overrides: tuple[str, ...], only: tuple[str, ...]
) -> Topology:
    spec = validate_topology(tree)
    if not spec.nodes:
        raise InputError("the file has no nodes", at=tree.locate(("nodes",)), fix="Name at least one under 'nodes:'.")
    templates = reader.read_templates(tree, spec, file)
    expansion = expand_file(Template("", TemplateSpec(nodes=spec.nodes, links=spec.links), tree), templates)
    resolved = resolve_nodes(expansion)
    _refuse_unreachable(resolved, expansion.links)
    used = {container.template for container in expansion.containers.values()}
    workload = _workload(tree, file, reader, used, only, overrides)
    tenants = read_tenants(spec, tree, used)
    refuse_idle_tenants(tenants, workload)
    return Topology(
        name=spec.name,
        file=file.shown,
        nodes=resolved.nodes,
        links=tuple(expansion.links),
        containers=expansion.containers,
        places=resolved.places,
        plan_to=spec.plan_to,
        plan_to_at=tree.locate(("plan_to",)),
        chunk=spec.chunk,
        hops=read_hops(spec, tree),
        software={key: (text, tree.locate(("software", key))) for key, text in spec.software.items()},
        power=read_power(spec, tree, [*expansion.nodes, *expansion.containers]),
        tenants=tenants,
        prices=read_prices(tree, [*device_names(), *templates]),
        workload=workload,
        assumed=tuple(resolved.assumed.values()),
        texts=reader.texts,
        overrides=overrides,
        only=only,
        chunk_at=tree.locate(("chunk",)),
        digests=reader.digests,
    )


def _refuse_unreachable(resolved: Resolved, links: Iterable[Link]) -> None:
    """Every place needs a way to some GPU; files without GPUs describe a part and are let be."""
    found = {name for name, node in resolved.nodes.items() if node.kind is NodeKind.GPU}
    if not found:
        return
    neighbours = _neighbours(links)
    waiting = list(found)
    while waiting:
        for other in neighbours.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                if resolved.nodes[other].kind.passes_traffic:
                    waiting.append(other)
    stranded = next((place for name, place in resolved.places.items() if name not in found), None)
    if stranded is not None:
        fix = "Link it, through hosts, DPUs, NICs or switches, to a GPU; or remove it."
        raise InputError(f"'{stranded.node}' can be reached by no GPU", at=stranded.at, fix=fix)


def _neighbours(links: Iterable[Link]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for link in links:
        found.setdefault(link.a, []).append(link.b)
        found.setdefault(link.b, []).append(link.a)
    return found


def _has_workload_file(tree: YamlTree) -> bool:
    section = tree.child("workload")
    return section is not None and isinstance(section.value, str)


def _workload(
    tree: YamlTree,
    file: SourceFile,
    reader: FileReader,
    used: set[str],
    only: tuple[str, ...],
    overrides: tuple[str, ...],
) -> WorkloadSpec | None:
    section = tree.child("workload")
    if section is None or section.value is None:
        if only:
            fix = "Leave out --only, or add a 'workload:'."
            raise InputError("the topology has no workload", at=Location(f"--only {only[0]}"), fix=fix)
        return None
    source = file
    if isinstance(section.value, str):
        source = file.beside(section.value)
        section = reader.read(source, tree.locate(("workload",)))
        apply_overrides(section, (each for each in overrides if leads_into(each, "workload")), within="workload")
    workload = read_workload(section, source.path.parent)
    refuse_unknown_domains(workload, used)
    kept = workload.only(list(only)) if only else workload
    for name in kept.named_files():
        reader.note(source.beside(name))
    return kept
