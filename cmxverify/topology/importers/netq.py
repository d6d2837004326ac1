"""NVIDIA NetQ topology JSON, as its fetch-topology call returns it: tiers of devices and bundles of cables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cmxverify.errors import InputError
from cmxverify.topology.importers.attributes import node_model, normal
from cmxverify.topology.importers.ethernet import End, EthernetFabric
from cmxverify.topology.importers.source import SourceText, read_json
from cmxverify.topology.importers.structure import Kind, Structure, StructureBuilder

_BETWEEN = "-*-"


def read_netq(source: SourceText) -> Structure:
    """Read devices (tier -1: hosts; 0 and up: switches) and cables; NetQ gives no rates here.

    Raises:
        InputError: If the shape is another one, or a cable names a device that is not listed.
    """
    document = read_json(source)
    parts = document if isinstance(document, list) else [document]
    fabric = EthernetFabric(StructureBuilder(source.name, "netq"))
    names: dict[str, str] = {}
    for part in parts:
        for node in _members(part, "nodes", source):
            for device in _members(node, "compounded_nodes", source) if "compounded_nodes" in node else [node]:
                _device(fabric, device, names, source)
    for part in parts:
        for link in _members(part, "links", source):
            _bundle(fabric, link, names, source)
    fabric.finish()
    return fabric.builder.build()


def _members(value: Any, key: str, source: SourceText) -> list[dict[str, Any]]:
    members = value.get(key, []) if isinstance(value, dict) else None
    if not isinstance(members, list) or not all(isinstance(member, dict) for member in members):
        raise InputError(f"'{key}' is not a list of objects", at=source.at(), fix="Is this NetQ's topology JSON?")
    return members


def _device(fabric: EthernetFabric, device: dict[str, Any], names: dict[str, str], source: SourceText) -> None:
    identity, name = device.get("id"), device.get("name")
    if not isinstance(identity, str) or not identity:
        raise InputError("a node has no id", at=source.at(), fix="Is the file complete?")
    names[identity] = name if isinstance(name, str) and name else identity
    tier, described = device.get("tier"), str(device.get("device_type", "")).lower()
    kind = Kind.UNKNOWN
    if described in ("switch", "host"):
        kind = Kind(described)
    elif isinstance(tier, int):
        kind = Kind.SWITCH if tier >= 0 else Kind.HOST
    facts = {normal(key): value for key, value in device.items() if isinstance(value, str)}
    fabric.device(names[identity], kind, source.line_of(names[identity]), model=node_model(facts))


def _bundle(fabric: EthernetFabric, link: dict[str, Any], names: dict[str, str], source: SourceText) -> None:
    cables = _members(link, "compounded_links", source)
    for cable in cables or [link]:
        ends = list(_ends(cable))
        identity = str(cable.get("id", ""))
        at = source.line_of(identity)
        if len(ends) != 2:
            raise InputError(f"link '{identity[:80]}' has {len(ends)} ends", at=at, fix="A link joins two interfaces.")
        for device, _ in ends:
            if device not in names:
                what = f"link '{identity[:80]}' ends at '{device[:60]}', which is no node"
                raise InputError(what, at=at, fix="Export nodes and links in one call.")
        (a, a_port), (b, b_port) = ends
        fabric.cable((names[a], a_port), (names[b], b_port), None, at)


def _ends(cable: dict[str, Any]) -> Iterator[End]:
    """From ``interfaces``, else from an id such as ``node9:swp17s0-*-node12:ens4f0np0``."""
    interfaces = cable.get("interfaces")
    if isinstance(interfaces, list) and interfaces:
        for interface in interfaces:
            if isinstance(interface, dict) and isinstance(interface.get("node"), str):
                yield interface["node"], str(interface.get("interface") or "")
        return
    identity = cable.get("id")
    for end in identity.split(_BETWEEN) if isinstance(identity, str) and _BETWEEN in identity else ():
        device, _, port = end.partition(":")
        yield device, port
