"""Numbered devices of one machine, and folding of PCIe switches: shared by the NCCL and the hwloc reader."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from cmxverify.errors import Location
from cmxverify.topology.importers.structure import Kind, StructureBuilder

_PREFIX = {
    Kind.GPU: "gpu",
    Kind.HOST: "host",
    Kind.NIC: "nic",
    Kind.DPU: "dpu",
    Kind.FLASH: "flash",
    Kind.NVSWITCH: "nvswitch",
    Kind.PCIE_SWITCH: "pcie",
}


class Machine:
    """Adds the devices of one machine to a structure, numbered by kind in the order of the file."""

    def __init__(self, builder: StructureBuilder, name: str) -> None:
        self.builder, self.container = builder, (name,)
        self._count: Counter[Kind] = Counter()

    def add(self, kind: Kind, at: Location, *, model: str = "", size: int = 0) -> str:
        """Add the next device of a kind; returns its name, as ``gpu3``. A NIC whose model is a BlueField is a DPU."""
        kind = Kind.DPU if kind is Kind.NIC and "bluefield" in model.lower() else kind
        name = f"{_PREFIX[kind]}{self._count[kind]}"
        self._count[kind] += 1
        return self.builder.node(name, kind, at, container=self.container, model=model, size=size)

    def count_of(self, kind: Kind) -> int:
        """How many devices of a kind were added."""
        return self._count[kind]

    def join_hosts(self, hosts: list[str], at: Location) -> None:
        """Connect the NUMA nodes of one machine pairwise; no file format states that rate."""
        for index, a in enumerate(hosts):
            for b in hosts[index + 1 :]:
                self.builder.cable(a, b, None, at)


def pci_kind(pci_class: str) -> Kind | None:
    """The kind of a PCI class code such as ``0x030200`` or ``0302``; None for what a topology does not hold.

    >>> pci_kind("0x020700"), pci_kind("0108"), pci_kind("0x0c0330")
    (<Kind.NIC: 'nic'>, <Kind.FLASH: 'flash'>, None)
    """
    code = pci_class.lower().removeprefix("0x")[:4]
    if code in ("0302", "0300", "1200"):
        return Kind.GPU
    if code in ("0200", "0207", "0280"):
        return Kind.NIC
    return {"0108": Kind.FLASH, "0604": Kind.PCIE_SWITCH, "0680": Kind.NVSWITCH}.get(code)


def slowest(*rates: Fraction | None) -> Fraction | None:
    """The least of the known rates."""
    return min((rate for rate in rates if rate is not None), default=None)
