"""Devices of the catalog: GPUs, hosts, DPUs, NICs, switches, flash and other media, stores.

The figures live in ``data/*.toml``. A topology names a device and may override any figure; what it does
not override keeps the catalog's value, and an assumed one stays marked as assumed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from cmxverify.catalog.figure import Figure, read_figure
from cmxverify.catalog.sources import read_data_file
from cmxverify.errors import InputError, Location, did_you_mean

KIND_FILES: Mapping[str, str] = {
    "gpu": "gpus.toml",
    "host": "hosts.toml",
    "dpu": "dpus.toml",
    "nic": "nics.toml",
    "switch": "switches.toml",
    "flash": "media.toml",
    "store": "stores.toml",
}
"""Device kinds, in the order they are listed, and the data file of each."""


@dataclass(frozen=True, slots=True)
class Device:
    """One device: figures by key (see ``figure.DIMENSIONS``), each with its source or its range."""

    name: str
    title: str
    kind: str
    figures: Mapping[str, Figure]
    notes: tuple[str, ...] = ()

    def assumed(self) -> tuple[Figure, ...]:
        """The figures that nobody publishes."""
        return tuple(figure for figure in self.figures.values() if figure.assumed)


def device(name: str, at: Location | None = None) -> Device:
    """Look up one device.

    Raises:
        InputError: If there is none of that name; names the nearest one.

    >>> device("bluefield-4").figures["rate"].text()
    '100 GB/s'
    """
    found = _all_devices().get(name)
    if found is None:
        raise InputError(f"unknown device '{name}'", at=at, fix=did_you_mean(name, _all_devices()))
    return found


def devices(kind: str | None = None) -> tuple[Device, ...]:
    """All devices, or those of one kind, in the order of the data files.

    Raises:
        InputError: If the kind is unknown.
    """
    if kind is not None and kind not in KIND_FILES:
        raise InputError(f"unknown device kind '{kind}'", fix=did_you_mean(kind, KIND_FILES))
    return tuple(each for each in _all_devices().values() if kind in (None, each.kind))


@cache
def _all_devices() -> Mapping[str, Device]:
    found: dict[str, Device] = {}
    for kind, file in KIND_FILES.items():
        for name, entry in read_data_file(file).items():
            if name in found:
                raise InputError(
                    f"device '{name}' is defined twice", at=Location(file), fix="Rename one of them."
                )
            found[name] = _read_device(name, kind, entry, Location(file))
    return MappingProxyType(found)


def _read_device(name: str, kind: str, entry: Mapping[str, Any], at: Location) -> Device:
    figures = {
        key: read_figure(key, part, Location(f"{at.file}[{name}]"))
        for key, part in entry.items()
        if key not in ("title", "notes")
    }
    return Device(name, entry["title"], kind, MappingProxyType(figures), tuple(entry.get("notes", ())))
