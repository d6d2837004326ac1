"""NCCL topology XML (``NCCL_TOPO_DUMP_FILE``): CPUs, PCIe tree, GPUs, NICs and NVLinks of one machine."""

from __future__ import annotations

from fractions import Fraction

from cmxverify.errors import InputError, Location
from cmxverify.topology.importers.machine import Machine, pci_kind
from cmxverify.topology.importers.rates import NVLINK_GBYTE, pcie_rate
from cmxverify.topology.importers.source import SourceText
from cmxverify.topology.importers.stated import pci_model, stated
from cmxverify.topology.importers.structure import Kind, Structure, StructureBuilder
from cmxverify.topology.importers.xml_tree import Element, read_xml


def read_nccl(source: SourceText) -> Structure:
    """Read one machine: a host node per ``<cpu>``, PCIe rates from ``link_speed`` x ``link_width``.

    Raises:
        InputError: If the root is not ``<system>`` or a value is not of its type.
    """
    root = read_xml(source)
    if root.tag != "system":
        raise InputError(f"root element is <{root.tag}>, not <system>", at=root.at, fix="Pass --format.")
    reader = _Reader(StructureBuilder(source.name, "nccl", box="machine"), source.stem)
    hosts = [reader.cpu(cpu) for cpu in root.named("cpu")]
    reader.machine.join_hosts(hosts, root.at)
    for stray in root.children:
        if stray.tag != "cpu":
            reader.builder.skip(f"<{stray.tag}> elements outside <cpu>")
    reader.nvlinks()
    return reader.builder.build()


class _Reader:
    def __init__(self, builder: StructureBuilder, machine: str) -> None:
        self.builder, self.machine = builder, Machine(builder, machine)
        self._gpu_at_bus: dict[str, tuple[str, str]] = {}
        self._nvlinks: list[tuple[str, str, Element]] = []

    def cpu(self, element: Element) -> str:
        host = self.machine.add(Kind.HOST, element.at, model=_cpu_model(element))
        for child in element.children:
            if child.tag == "pci":
                self._pci(child, host)
            else:
                self._attached(child, host, None, element.at)
        return host

    def _pci(self, element: Element, parent: str) -> None:
        kind = self._kind(element)
        if kind is None:
            self.builder.skip("PCI devices of other classes")
            return
        rate = pcie_rate(element.get("link_speed"), element.get("link_width"))
        bus = element.get("busid").lower()
        name = self.machine.add(kind, element.at, model=_model(element, kind))
        self.builder.cable(parent, name, rate, element.at)
        for child in element.children:
            if child.tag == "pci":
                self._pci(child, name)
            elif child.tag == "gpu":
                self._gpu(child, name, bus)
            elif child.tag != "nic":
                self.builder.skip(f"<{child.tag}> elements")

    def _kind(self, element: Element) -> Kind | None:
        if any(element.named("gpu")):
            return Kind.GPU
        return Kind.NIC if any(element.named("nic")) else pci_kind(element.get("class"))

    def _gpu(self, element: Element, name: str, bus: str) -> None:
        self._gpu_at_bus[bus] = (name, element.get("sm"))
        for link in element.named("nvlink"):
            self._nvlinks.append((name, element.get("sm"), link))
        for link in element.named("c2c"):
            megabytes = _number(link, "bw") * _number(link, "count")
            host = f"host{self._host_number()}"
            self.builder.cable(host, name, Fraction(megabytes * 10**6) or None, link.at)

    def _host_number(self) -> int:
        return self.machine.count_of(Kind.HOST) - 1

    def _attached(self, element: Element, host: str, rate: Fraction | None, at: Location) -> None:
        """A ``<nic>`` right under a ``<cpu>``: a network interface without a PCI device, as in containers."""
        if element.tag != "nic":
            self.builder.skip(f"<{element.tag}> elements")
            return
        name = self.machine.add(Kind.NIC, element.at)
        self.builder.cable(host, name, rate, at)

    def nvlinks(self) -> None:
        """Cable GPUs with GPUs (seen from both ends) and with the NVSwitches that only NVLinks name."""
        switches: dict[str, str] = {}
        seen: set[frozenset[str]] = set()
        for gpu, sm, link in self._nvlinks:
            target = link.get("target").lower()
            count = _number(link, "count")
            rate = _nvlink_rate(sm)
            if target in self._gpu_at_bus:
                peer = self._gpu_at_bus[target][0]
                if frozenset((gpu, peer)) in seen or peer == gpu:
                    continue
                seen.add(frozenset((gpu, peer)))
            elif pci_kind(link.get("tclass")) is Kind.NVSWITCH:
                if target not in switches:
                    switches[target] = self.machine.add(Kind.NVSWITCH, link.at)
                peer = switches[target]
            else:
                self.builder.skip("NVLinks to devices that are not in the file")
                continue
            if count:
                self.builder.cable(gpu, peer, rate, link.at, count=count)


def _nvlink_rate(sm: str) -> Fraction | None:
    gigabytes = NVLINK_GBYTE.get(int(sm)) if sm.isascii() and sm.isdigit() and len(sm) < 5 else None
    return Fraction(gigabytes) * 10**9 if gigabytes else None


def _number(element: Element, name: str) -> int:
    text = element.get(name, "0").strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        what = f"{name}=\"{text[:40]}\" of <{element.tag}> is not a whole number"
        raise InputError(what, at=element.at, fix="Write it as digits, or remove the element.")
    return int(text)


def _model(element: Element, kind: Kind) -> str:
    """What the PCI ids stand for; else, of a GPU, the compute capability."""
    known = pci_model(element.get("vendor"), element.get("device"))
    capability = next((gpu.get("sm") for gpu in element.named("gpu")), "")
    if known or kind is not Kind.GPU or not capability.isdigit():
        return known
    return stated(f"compute capability {capability[:-1]}.{capability[-1]}")


def _cpu_model(cpu: Element) -> str:
    """``x86_64 GenuineIntel family 6 model 143``: NCCL gives no product name."""
    words = [cpu.get("arch"), cpu.get("vendor")]
    words += [f"{word} {cpu.get(key)}" for word, key in (("family", "familyid"), ("model", "modelid")) if cpu.get(key)]
    return stated(*words)
