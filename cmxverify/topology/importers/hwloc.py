"""hwloc XML (``lstopo topo.xml``), versions 2 and 3: NUMA nodes, PCIe tree, GPUs, NICs and NVMe of one machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from cmxverify.errors import InputError
from cmxverify.topology.importers.machine import Machine, pci_kind, slowest
from cmxverify.topology.importers.source import SourceText
from cmxverify.topology.importers.stated import pci_model, stated
from cmxverify.topology.importers.structure import Kind, Structure, StructureBuilder
from cmxverify.topology.importers.xml_tree import Element, read_xml

KIBIBYTE = 1024
"""hwloc gives the size of a block device in these."""

_GPU_VENDORS = ("10de", "1002", "8086")
_PCI_IDS = re.compile(r"\[([0-9a-fA-F]{4}):([0-9a-fA-F]{4})\]")
_SPEED = re.compile(r"\d{1,6}(?:\.\d{1,9})?")


def read_hwloc(source: SourceText) -> Structure:
    """Read one machine: a host node per NUMA node; ``pci_link_speed`` is GB/s per direction.

    Bridges with one device beneath them are folded into its cable; NVLinks come from the bandwidth matrix.

    Raises:
        InputError: If the root is not ``<topology>`` or there is no Machine object in it.
    """
    root = read_xml(source)
    machines = [child for child in root.named("object") if child.get("type") == "Machine"]
    if root.tag != "topology" or not machines:
        fix = "Write the file with 'lstopo --of xml', or pass --format."
        raise InputError("no <topology> with a Machine object", at=root.at, fix=fix)
    builder = StructureBuilder(source.name, "hwloc", box="machine")
    reader = _Reader(builder, source.stem)
    reader.numa_nodes(machines[0])
    reader.walk(machines[0], reader.hosts[0])
    reader.machine.join_hosts(reader.hosts, machines[0].at)
    reader.nvlinks(root)
    return builder.build()


class _Reader:
    def __init__(self, builder: StructureBuilder, machine: str) -> None:
        self.builder, self.machine = builder, Machine(builder, machine)
        self.hosts: list[str] = []
        self._host_of: dict[int, str] = {}
        self._names: dict[str, str] = {}
        self._cpu = ""

    def numa_nodes(self, machine: Element) -> None:
        """One host node per NUMA node, or one for a machine that lists none."""
        packages = (element for element in _objects(machine) if element.get("type") == "Package")
        self._cpu = next((model for each in packages if (model := stated(_facts(each).get("CPUModel", "")))), "")
        for element in _objects(machine):
            if element.get("type") == "NUMANode":
                self._host_of[id(element)] = self._add_host(element)
        if not self.hosts:
            self._add_host(machine)

    def _add_host(self, element: Element) -> str:
        name = self.machine.add(Kind.HOST, element.at, model=self._cpu, size=_whole(element.get("local_memory")))
        self.hosts.append(name)
        return name

    def walk(self, element: Element, host: str) -> None:
        """Go down packages and groups; I/O hangs on the NUMA node beside it (version 2 on) or around it."""
        own = [self._host_of[id(child)] for child in element.children if id(child) in self._host_of]
        host = own[0] if own else host
        for child in element.children:
            if child.tag != "object":
                continue
            if child.get("type") in ("Bridge", "PCIDev"):
                self._pci(child, host, None)
            else:
                self.walk(child, self._host_of.get(id(child), host))

    def _pci(self, element: Element, parent: str, above: Fraction | None) -> None:
        """Add a device, or a bridge with several beneath it, under ``parent``; ``above`` is the slowest rate so far."""
        rate = slowest(above, _link_rate(element))
        if element.get("type") == "PCIDev":
            self._device(element, parent, rate)
            return
        below = [child for child in element.children if _holds_device(child)]
        self._count_others(element)
        # A host bridge is the root complex, not a link of its own, so that its children hang on the host.
        if len(below) > 1 and element.get("bridge_type", "1-1") != "0-1":
            name = self.machine.add(Kind.PCIE_SWITCH, element.at)
            self.builder.cable(parent, name, rate, element.at)
            parent, rate = name, None
        for child in below:
            self._pci(child, parent, rate)

    def _count_others(self, bridge: Element) -> None:
        others = sum(child.get("type") == "PCIDev" and _device_kind(child) is None for child in bridge.children)
        if others:
            self.builder.skip("PCI devices of other classes", others)

    def _device(self, element: Element, parent: str, rate: Fraction | None) -> None:
        kind = _device_kind(element)
        if kind is None:
            self.builder.skip("PCI devices of other classes")
            return
        facts = _device_facts(element)
        size = _whole(facts.get("Size", "")) * KIBIBYTE if kind is Kind.FLASH else 0
        name = self.machine.add(kind, element.at, model=_model(element, facts), size=size)
        self._names[f"PCIDev:{element.get('gp_index')}"] = name
        for inner in element.named("object"):
            self._names[f"OSDev:{inner.get('gp_index')}"] = name
        self.builder.cable(parent, name, rate, element.at)

    def nvlinks(self, root: Element) -> None:
        """Read the NVLinkBandwidth matrix, MB/s per direction between two objects; the larger of the two ways."""
        for matrix in root.children:
            if not matrix.tag.startswith("distances2") or matrix.get("name") != "NVLinkBandwidth":
                continue
            prefix = f"{matrix.get('type')}:" if matrix.get("type") else ""
            ends = [self._names.get(prefix + word) for word in _words(matrix, "indexes")]
            values = _words(matrix, "u64values")
            if len(values) != len(ends) ** 2:
                what = f"NVLinkBandwidth has {len(values)} values for {len(ends)} objects"
                raise InputError(what, at=matrix.at, fix="Write the file again with lstopo.")
            self._matrix(matrix, ends, values)

    def _matrix(self, matrix: Element, ends: list[str | None], values: list[str]) -> None:
        size = len(ends)
        for row in range(size):
            for column in range(row + 1, size):
                a, b = ends[row], ends[column]
                pair = (values[row * size + column], values[column * size + row])
                if not all(v.isascii() and v.isdigit() and len(v) < 12 for v in pair):
                    fix = "Write the file again with lstopo."
                    raise InputError("NVLinkBandwidth holds a value that is no number", at=matrix.at, fix=fix)
                megabytes = max(int(pair[0]), int(pair[1]))
                if megabytes and a and b and a != b:
                    self.builder.cable(a, b, Fraction(megabytes * 10**6), matrix.at)


def _objects(element: Element) -> Iterator[Element]:
    for child in element.named("object"):
        yield child
        yield from _objects(child)


def _holds_device(element: Element) -> bool:
    if element.get("type") == "PCIDev":
        return _device_kind(element) is not None
    return element.get("type") == "Bridge" and any(_holds_device(child) for child in element.children)


def _device_kind(element: Element) -> Kind | None:
    if element.get("subtype") == "NVSwitch":
        return Kind.NVSWITCH
    kind = pci_kind(element.get("pci_type"))
    vendor = re.search(r"\[([0-9a-fA-F]{4}):", element.get("pci_type"))
    if kind is Kind.GPU and (vendor is None or vendor.group(1).lower() not in _GPU_VENDORS):
        return None
    return None if kind in (Kind.NVSWITCH, Kind.PCIE_SWITCH) else kind


def _link_rate(element: Element) -> Fraction | None:
    text = element.get("pci_link_speed")
    return Fraction(text) * 10**9 or None if _SPEED.fullmatch(text) else None


def _facts(element: Element) -> dict[str, str]:
    return {info.get("name"): info.get("value") for info in element.named("info")}


def _device_facts(element: Element) -> dict[str, str]:
    """What is said of a PCI device and of the OS devices in it."""
    inner = [_facts(child) for child in element.named("object")]
    return {name: value for facts in (*inner, _facts(element)) for name, value in facts.items()}


def _model(element: Element, facts: dict[str, str]) -> str:
    """The product's name, else what the PCI ids stand for; GPU libraries know it best."""
    named = facts.get("GPUModel") or facts.get("Model") or facts.get("PCIDevice") or ""
    ids = _PCI_IDS.search(element.get("pci_type"))
    return stated(named) or (pci_model(*ids.groups()) if ids else "")


def _whole(text: str) -> int:
    """A count as hwloc writes it, 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0


def _words(matrix: Element, tag: str) -> list[str]:
    return [word for part in matrix.named(tag) for word in part.text.split()]
