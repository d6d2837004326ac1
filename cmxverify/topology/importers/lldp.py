"""LLDP neighbours as ``lldpcli show neighbors -f json`` (or ``json0``) prints them, one or many devices."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from cmxverify.errors import InputError
from cmxverify.topology.importers.ethernet import EthernetFabric
from cmxverify.topology.importers.rates import ethernet_rate
from cmxverify.topology.importers.source import SourceText, read_json
from cmxverify.topology.importers.stated import kind_of_model, stated
from cmxverify.topology.importers.structure import Kind, Structure, StructureBuilder

_HOST_KEYS = ("host", "hostname", "device", "system", "name", "local")


def read_lldp(sources: Sequence[SourceText]) -> Structure:
    """Read the neighbours of one device a file, or of many in one file.

    lldpcli does not print whose neighbours these are. The device's name is taken from a ``local-chassis`` beside
    them, from a key ``host`` (or ``hostname``, ``device``) or the mapping key around them, else from the file name.

    Raises:
        InputError: If a file is not JSON of this shape.
    """
    name = sources[0].name if len(sources) == 1 else f"{sources[0].name} and {len(sources) - 1} more"
    fabric = EthernetFabric(StructureBuilder(name, "lldp"))
    for source in sources:
        found = list(_devices(read_json(source), source.stem, source))
        if not found:
            fix = "Write it with 'lldpcli show neighbors -f json'."
            raise InputError("no 'lldp' object in this file", at=source.at(), fix=fix)
        for device, lldp in found:
            _neighbours(fabric, device, lldp, source)
    fabric.finish()
    return fabric.builder.build()


def _devices(document: Any, name: str, source: SourceText) -> Iterator[tuple[str, Any]]:
    """Each device's name and its ``lldp`` value, wherever they stand."""
    if isinstance(document, list):
        for item in document:
            yield from _devices(item, name, source)
    elif isinstance(document, dict) and "lldp" in document:
        local = _local_name(document)
        yield local or name, document["lldp"]
    elif isinstance(document, dict):
        for key, value in document.items():
            if isinstance(value, dict | list):
                yield from _devices(value, str(key), source)


def _local_name(document: dict[str, Any]) -> str:
    for local in _list(document.get("local-chassis")):
        for chassis in _list(local.get("chassis") if isinstance(local, dict) else None):
            name, _ = _chassis(chassis)
            if name:
                return name
    return next((text for key in _HOST_KEYS if (text := _scalar(document.get(key)))), "")


def _neighbours(fabric: EthernetFabric, device: str, lldp: Any, source: SourceText) -> None:
    fabric.device(device, Kind.UNKNOWN, source.at())
    for block in _list(lldp):
        if not isinstance(block, dict):
            raise InputError(f"'lldp' of '{device}' is not an object", at=source.at(), fix="Is the file complete?")
        for local_port, body in _interfaces(block.get("interface")):
            _neighbour(fabric, (device, local_port), body, source)


def _interfaces(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """``[{"eth0": {...}}]``, ``{"eth0": {...}}`` or json0's ``[{"name": "eth0", ...}]``."""
    for item in _list(value):
        if not isinstance(item, dict):
            continue
        named = _scalar(item.get("name"))
        if named:
            yield named, item
            continue
        for port, body in item.items():
            yield from ((str(port), one) for one in _list(body) if isinstance(one, dict))


def _neighbour(fabric: EthernetFabric, local: tuple[str, str], body: dict[str, Any], source: SourceText) -> None:
    chassis = _list(body.get("chassis"))
    name, facts = _chassis(chassis[0]) if chassis else ("", {})
    if not name:
        fabric.builder.skip("neighbours without a name or chassis id")
        return
    at = source.line_of(name)
    fabric.device(name, _kind(facts), at, model=_model(body, facts))
    ports = [port for port in _list(body.get("port")) if isinstance(port, dict)]
    port = ports[0] if ports else {}
    fabric.cable(local, (name, _port_name(port)), _rate(port), at)


def _chassis(value: Any) -> tuple[str, dict[str, Any]]:
    """Name and facts of ``{"sw1": {"id": ...}}`` or of ``{"id": ..., "name": ...}``; the id if there is no name."""
    if not isinstance(value, dict):
        return "", {}
    if "id" not in value and len(value) == 1:
        key, facts = next(iter(value.items()))
        if isinstance(facts, dict):
            return str(key), facts
    name = _scalar(value.get("name"))
    for each in _list(value.get("id")):
        name = name or (_scalar(each.get("value")) if isinstance(each, dict) else "")
    return name, value


def _kind(facts: dict[str, Any]) -> Kind:
    """Bridges and routers are switches, stations are hosts; hosts that route or bridge containers are told apart."""
    enabled = {
        _scalar(item.get("type")).lower()
        for item in _list(facts.get("capability"))
        if isinstance(item, dict) and item.get("enabled") in (True, "on", "true")
    }
    description = _scalar(facts.get("descr")).lower()
    if "station" in enabled or any(word in description for word in ("ubuntu", "red hat", "rocky", "dgx os")):
        return Kind.HOST
    return Kind.SWITCH if enabled & {"bridge", "router"} else Kind.UNKNOWN


_RUNS_ON = re.compile(r"running on (?:an? )?(?P<model>.+)|HwSku: *(?P<sku>[^ ,]+)|^(?P<plain>[^ ,]+) Ethernet Switch")
"""How Cumulus Linux and EOS, SONiC, and plain descriptions name the hardware under the system."""


def _model(body: dict[str, Any], facts: dict[str, Any]) -> str:
    """The neighbour's hardware: from LLDP-MED's inventory, or from a description that names it."""
    for med in _list(body.get("lldp-med")):
        for inventory in _list(med.get("inventory")) if isinstance(med, dict) else []:
            if isinstance(inventory, dict) and (model := stated(_scalar(inventory.get("model")))):
                return model
    whole = _scalar(facts.get("descr"))
    named, described = _RUNS_ON.search(whole), stated(whole)
    if named:
        return stated(*(text for text in named.groups() if text))
    return described if kind_of_model(described) is not Kind.UNKNOWN else ""


def _port_name(port: dict[str, Any]) -> str:
    for each in _list(port.get("id")):
        if isinstance(each, dict) and _scalar(each.get("type")) != "mac":
            return _scalar(each.get("value"))
    described = _scalar(port.get("descr"))
    identity = next((_scalar(each.get("value")) for each in _list(port.get("id")) if isinstance(each, dict)), "")
    return described if described and " " not in described else identity


def _rate(port: dict[str, Any]) -> Fraction | None:
    for negotiation in _list(port.get("auto-negotiation")):
        if isinstance(negotiation, dict):
            return ethernet_rate(_scalar(negotiation.get("current")))
    return None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _scalar(value: Any) -> str:
    """Text of ``"x"``, ``{"value": "x"}`` or ``[{"value": "x"}]``."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = value.get("value")
    return value.strip() if isinstance(value, str) else ""
