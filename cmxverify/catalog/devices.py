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
    if name not in _tables():
        raise InputError(f"unknown device '{name}'", at=at, fix=did_you_mean(name, _tables()))
    return _read_device(name)


def devices(kind: str | None = None) -> tuple[Device, ...]:
    """All devices, or those of one kind, in the order of the data files.

    Raises:
        InputError: If the kind is unknown.
    """
    if kind is not None and kind not in KIND_FILES:
        raise InputError(f"unknown device kind '{kind}'", fix=did_you_mean(kind, KIND_FILES))
    return tuple(_read_device(name) for name, (of_kind, _) in _tables().items() if kind in (None, of_kind))


def device_names() -> tuple[str, ...]:
    """Names of all devices, without parsing their figures."""
    return tuple(_tables())


@cache
def _tables() -> Mapping[str, tuple[str, Mapping[str, Any]]]:
    """Kind and raw table of every device; figures are parsed when a device is asked for."""
    found: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for kind, file in KIND_FILES.items():
        for name, table in read_data_file(file).items():
            if name in found:
                raise InputError(f"device '{name}' is defined twice", at=Location(file), fix="Rename one.")
            found[name] = kind, table
    return MappingProxyType(found)


@cache
def _read_device(name: str) -> Device:
    kind, table = _tables()[name]
    at = Location(f"{KIND_FILES[kind]}[{name}]")
    figures = {
        key: read_figure(key, part, at) for key, part in table.items() if key not in ("title", "notes")
    }
    return Device(name, table["title"], kind, MappingProxyType(figures), tuple(table.get("notes", ())))
