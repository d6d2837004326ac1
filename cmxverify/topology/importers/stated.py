"""What a file says a device is, in its own words, and which device of the catalog that is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from cmxverify.catalog.devices import Device, devices
from cmxverify.topology.importers.structure import Kind

MAX_STATED = 80
"""Characters that are kept of a stated model."""

PCI_MODELS: Mapping[tuple[str, str], str] = {
    ("10de", "1db1"): "V100 SXM2 16GB",
    ("10de", "1db4"): "V100 PCIe 16GB",
    ("10de", "1db5"): "V100 SXM2 32GB",
    ("10de", "1db8"): "V100 SXM3 32GB",
    ("10de", "20b0"): "A100 SXM4 40GB",
    ("10de", "20b2"): "A100 SXM4 80GB",
    ("10de", "20b5"): "A100 PCIe 80GB",
    ("10de", "2321"): "H100 NVL 94GB",
    ("10de", "2330"): "H100 SXM5 80GB",
    ("10de", "2331"): "H100 PCIe",
    ("10de", "2335"): "H200 SXM 141GB",
    ("10de", "233b"): "H200 NVL",
    ("10de", "2901"): "B200",
    ("10de", "2941"): "GB200",
    ("10de", "3182"): "B300 SXM6",
    ("10de", "31c2"): "GB300",
    ("15b3", "1017"): "ConnectX-5",
    ("15b3", "101b"): "ConnectX-6",
    ("15b3", "101d"): "ConnectX-6 Dx",
    ("15b3", "1021"): "ConnectX-7",
    ("15b3", "1023"): "ConnectX-8",
    ("15b3", "a2d6"): "BlueField-2",
    ("15b3", "a2dc"): "BlueField-3",
    ("15b3", "cb20"): "Switch-IB",
    ("15b3", "cf08"): "Switch-IB 2",
    ("15b3", "d2f0"): "Quantum",
    ("15b3", "d2f2"): "Quantum-2",
}
"""PCI vendor and device ids, as in the public PCI id list; InfiniBand's ``devid`` is the same number."""

_FAMILIES = ((re.compile(r"(?<![A-Z0-9])M?QM97\d\d|\bQuantum-2\b", re.IGNORECASE), "qm9700"),)
"""Order codes and chips whose names differ within one device of the catalog."""

_CARD = re.compile(r"PCIe|\bNVL\b|\bCNX\b", re.IGNORECASE)
"""Words of a GPU on a card, which is another device than the module of the same number."""

_GIGABYTES = re.compile(r"(\d{2,3}) ?GB\b", re.IGNORECASE)
_TOLERANCE = Fraction(1, 10)
"""GPUs are sold by round numbers: 288 GB for 275,040 MiB."""

_ORDER = (Kind.GPU, Kind.HOST, Kind.DPU, Kind.NIC, Kind.SWITCH, Kind.FLASH, Kind.STORE)
"""A DPU before a NIC: ``BlueField-3 integrated ConnectX-7`` is a DPU."""


def stated(*words: str) -> str:
    """One line of what a file says, without what no file should hold; '' if it says nothing.

    >>> stated("Tesla  V100-SXM3-32GB-H", "")
    'Tesla V100-SXM3-32GB-H'
    """
    text = " ".join(" ".join(words).split())
    return "".join(letter for letter in text if letter.isprintable())[:MAX_STATED].strip()


def pci_model(vendor: str, device: str) -> str:
    """The model of a PCI vendor and device id, with or without ``0x``; '' for none.

    >>> pci_model("0x10de", "0x2330"), pci_model("10DE", "1eb8")
    ('H100 SXM5 80GB', 'PCI device 10de:1eb8')
    """
    vendor, device = (word.lower().removeprefix("0x") for word in (vendor, device))
    if not (re.fullmatch(r"[0-9a-f]{4}", vendor) and re.fullmatch(r"[0-9a-f]{4}", device)):
        return ""
    return PCI_MODELS.get((vendor, device), f"PCI device {vendor}:{device}")


@cache
def known_device(model: str, kind: Kind) -> str:
    """The one device of a kind whose name stands in a stated model; '' for none or several.

    A GPU on a card, or with another size of memory, is not the module that the catalog has.

    >>> known_device("NVIDIA H100 80GB HBM3", Kind.GPU), known_device("NVIDIA H100 PCIe", Kind.GPU)
    ('h100-sxm', '')
    >>> known_device("MT2910 Family [ConnectX-7]", Kind.NIC), known_device("MSN4700-WS2FO", Kind.SWITCH)
    ('connectx-7', 'sn4700')
    """
    known = {device.name: device for device in devices(kind.value)}
    found = [name for pattern, name in _FAMILIES if name in known and pattern.search(model)]
    found += [name for name in known if name not in found and _spelling(name).search(model)]
    longest = [name for name in found if not any(name != other and other.startswith(f"{name}-") for other in found)]
    if len(longest) != 1 or not _same_module(known[longest[0]], model):
        return ""
    return longest[0]


def kind_of_model(model: str) -> Kind:
    """The kind of the catalog device that a stated model names, else unknown.

    >>> kind_of_model("SN5600"), kind_of_model("DCS-7060")
    (<Kind.SWITCH: 'switch'>, <Kind.UNKNOWN: 'unknown'>)
    """
    return next((kind for kind in _ORDER if known_device(model, kind)), Kind.UNKNOWN)


@cache
def _spelling(name: str) -> re.Pattern[str]:
    """A catalog name as labels write it: ``ConnectX7``, ``Micron_9550``, ``MSN5600``."""
    words = name.removesuffix("-sxm").split("-")
    return re.compile(r"(?<![a-z0-9])m?" + "[-_ ]?".join(map(re.escape, words)) + r"(?![a-z0-9])", re.IGNORECASE)


def _same_module(device: Device, model: str) -> bool:
    if device.kind != Kind.GPU.value:
        return True
    size, memory = _GIGABYTES.search(model), device.figures["hbm"].value
    if size and abs(Fraction(size.group(1)) * 10**9 / memory - 1) > _TOLERANCE:
        return False
    return not _CARD.search(model)
