"""``ibnetdiscover`` output: the record form (one stanza a device) and the ``--ports`` form (one line a port)."""

from __future__ import annotations

import re

from cmxverify.errors import InputError, Location
from cmxverify.topology.importers.ib_fabric import Fabric
from cmxverify.topology.importers.source import SourceText
from cmxverify.topology.importers.stated import pci_model
from cmxverify.topology.importers.structure import Structure

RECORD_LINE = re.compile(r'^(?:Switch|Ca|Rt)\s+\d+\s+"[SHR]-[0-9a-fA-F]{1,16}"', re.MULTILINE)
PORTS_LINE = re.compile(r"^(?:CA|SW|RT)\s+\d+\s+\d+\s+0x[0-9a-fA-F]{1,16}\s", re.MULTILINE)

_HEADER = re.compile(r'^(Switch|Ca|Rt)\s+(\d+)\s+"([SHR])-([0-9a-fA-F]{1,16})"\s*(?:#\s*"([^"]*)")?')
_PORT = re.compile(
    r"^\[(\d{1,3})\](?:\[[^\]]*\])?(?:\([0-9a-fA-F]+\))?\s+"
    r'"([SHR])-([0-9a-fA-F]{1,16})"\[(\d{1,3})\](?:\[[^\]]*\])?(?:\([0-9a-fA-F]+\))?\s*(?:#(.*))?$'
)
_QUOTED = re.compile(r'"([^"]*)"')
_SPEED = re.compile(r"(\d{1,2}x\s?(?:[A-Z]+\d*|\?\?\?))\s*$")
_ID = re.compile(r"^(vend|dev)id\s*=\s*0x([0-9a-fA-F]{1,6})\s*$")
_OUI, _MELLANOX = "2c9", "15b3"
"""One vendor as InfiniBand and as PCI number it; device ids are the same in both."""

_ATTRIBUTE = re.compile(r"^(?:vendid|devid|sysimgguid|switchguid|caguid|rtguid|[A-Za-z ]+)\s*=")
_PORTS_FORM = re.compile(
    r"^(CA|SW|RT)\s+(\d+)\s+(\d{1,3})\s+0x([0-9a-fA-F]{1,16})\s+(\d{1,2}x\s+\S+)"
    r"(?:\s+-\s+(CA|SW|RT)\s+(\d+)\s+(\d{1,3})\s+0x([0-9a-fA-F]{1,16})\s+\(\s*'(.{0,256})'\s+-\s+'(.{0,256})'\s*\)"
    r"|\s+'(.{0,256})')?\s*$"
)
_LETTER = {"Switch": "S", "Ca": "H", "Rt": "R", "SW": "S", "CA": "H", "RT": "R"}


def read_ibnetdiscover(source: SourceText) -> Structure:
    """Read either form.

    Raises:
        InputError: If a line fits neither form.
    """
    fabric = Fabric(source)
    if RECORD_LINE.search(source.text):
        _read_records(source, fabric)
    else:
        _read_ports(source, fabric)
    return fabric.structure()


def _read_records(source: SourceText, fabric: Fabric) -> None:
    device: tuple[str, str] | None = None
    ids: dict[str, str] = {}
    for number, raw in enumerate(source.lines(), 1):
        line, at = raw.rstrip(), source.at(number)
        header = _HEADER.match(line)
        if header:
            device = (header.group(3), header.group(4).lower())
            name, product = header.group(5) or "", _product(ids)
            fabric.device(device[1], _LETTER[header.group(1)], name, at, product=product, own_record=True)
        elif line.startswith("["):
            if device is None:
                raise InputError("a port line stands before any device", at=at, fix="Is the top of the file cut off?")
            _read_record_port(line, device, fabric, at)
        elif not line:
            device, ids = None, {}
        elif stated_id := _ID.match(line):
            ids[stated_id.group(1)] = stated_id.group(2).lower()
        elif not line.startswith("#") and not _ATTRIBUTE.match(line):
            raise _unreadable(line, at)


def _product(ids: dict[str, str]) -> str:
    return pci_model(_MELLANOX, ids.get("dev", "").zfill(4)) if ids.get("vend") == _OUI and "dev" in ids else ""


def _read_record_port(line: str, device: tuple[str, str], fabric: Fabric, at: Location) -> None:
    match = _PORT.match(line)
    if match is None:
        raise _unreadable(line, at)
    number, letter, guid, peer_number, comment = match.groups()
    guid, comment = guid.lower(), comment or ""
    quoted = _QUOTED.findall(comment)
    speed = _SPEED.search(comment)
    fabric.device(guid, letter, quoted[-1] if quoted else "", at)
    if speed and "???" in speed.group(1):
        fabric.down_ports += 1
        return
    text = speed.group(1).replace(" ", "") if speed else ""
    fabric.cable((device[1], int(number)), (guid, int(peer_number)), text, at)


def _read_ports(source: SourceText, fabric: Fabric) -> None:
    for number, line in enumerate(source.lines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        at = source.at(number)
        match = _PORTS_FORM.match(line)
        if match is None:
            raise _unreadable(line, at)
        kind, _, port, guid, speed, peer_kind, _, peer_port, peer_guid, name, peer_name, lone_name = match.groups()
        guid = guid.lower()
        fabric.device(guid, _LETTER[kind], name or lone_name or "", at, own_record=True)
        if peer_guid is None or "?" in speed:
            fabric.down_ports += 1
            continue
        fabric.device(peer_guid.lower(), _LETTER[peer_kind], peer_name, at)
        ends = (guid, int(port)), (peer_guid.lower(), int(peer_port))
        fabric.cable(*ends, re.sub(r"\s+", "", speed), at)


def _unreadable(line: str, at: Location) -> InputError:
    fix = "Use the unchanged output of ibnetdiscover, with or without --ports; is the file complete?"
    return InputError(f"not a line of ibnetdiscover: '{line[:60]}'", at=at, fix=fix)
