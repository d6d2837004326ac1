"""Slurm ``topology.conf``: a tree of switches (SwitchName=) or blocks of nodes (BlockName=)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.topology.importers.hostlists import expand_hostlist
from cmxverify.topology.importers.rates import cabling_rate
from cmxverify.topology.importers.source import SourceText
from cmxverify.topology.importers.structure import Kind, Structure, StructureBuilder

ENTRY = re.compile(r"^[ \t]*(?:SwitchName|BlockName)[ \t]*=", re.IGNORECASE | re.MULTILINE)
_PAIR = re.compile(r"\b([A-Za-z]{1,40})\s*=\s*(\"[^\"]*\"|\S+)")
_KEYS = ("SwitchName", "BlockName", "Switches", "Nodes", "LinkSpeed", "BlockSizes")


@dataclass(frozen=True, slots=True)
class _Entry:
    keys: dict[str, str]
    at: Location


def read_slurm(source: SourceText) -> Structure:
    """Read switches, nodes and blocks. Rates are known only where LinkSpeed holds a unit; Slurm does not use it.

    Raises:
        InputError: If a line is not ``Key=value`` words, a key is unknown, or a range is malformed.
    """
    builder = StructureBuilder(source.name, "slurm", box="block")
    entries = _entries(source)
    switches = [entry for entry in entries if "switchname" in entry.keys]
    for entry in switches:
        for name in expand_hostlist(entry.keys["switchname"], entry.at):
            builder.node(name, Kind.SWITCH, entry.at)
    for entry in entries:
        if "blockname" in entry.keys:
            _block(builder, entry)
    for entry in switches:
        _switch(builder, entry)
    if not switches:
        builder.warn("the file has blocks only: no cables are known; add them in the overlay")
    return builder.build()


def _entries(source: SourceText) -> list[_Entry]:
    entries: list[_Entry] = []
    pending, first = "", 0
    for number, raw in enumerate(source.lines(), 1):
        line = raw.split("#", 1)[0].rstrip()
        first = first if pending else number
        pending += line.removesuffix("\\") + " "
        if line.endswith("\\"):
            continue
        if pending.strip():
            entries.append(_entry(pending.strip(), source.at(first)))
        pending = ""
    if pending.strip():
        entries.append(_entry(pending.strip(), source.at(first)))
    return entries


def _entry(line: str, at: Location) -> _Entry:
    if _PAIR.sub("", line).strip():
        fix = "Write lines such as 'SwitchName=leaf0 Nodes=node[00-17]'."
        raise InputError(f"not a line of topology.conf: '{line[:60]}'", at=at, fix=fix)
    keys: dict[str, str] = {}
    for key, value in _PAIR.findall(line):
        if key.lower() not in {known.lower() for known in _KEYS}:
            raise InputError(f"unknown key '{key}'", at=at, fix=did_you_mean(key, _KEYS))
        if key.lower() in keys:
            raise InputError(f"key '{key}' is given twice in one line", at=at, fix="Keep one of the two.")
        keys[key.lower()] = value.strip('"')
    return _Entry(keys, at)


def _block(builder: StructureBuilder, entry: _Entry) -> None:
    block = entry.keys["blockname"]
    for name in expand_hostlist(entry.keys.get("nodes", ""), entry.at):
        builder.node(name, Kind.HOST, entry.at, container=(block,))


def _switch(builder: StructureBuilder, entry: _Entry) -> None:
    speed = entry.keys.get("linkspeed", "")
    rate = cabling_rate(speed, entry.at) if re.search(r"[A-Za-z]", speed) else None
    if speed and rate is None:
        builder.skip("LinkSpeed values without a unit")
    children = [(name, Kind.HOST) for name in expand_hostlist(entry.keys.get("nodes", ""), entry.at)]
    for name in expand_hostlist(entry.keys.get("switches", ""), entry.at):
        if not builder.has(name):
            builder.warn(f"{entry.at}: switch '{name}' has no line of its own")
        children.append((name, Kind.SWITCH))
    for switch in expand_hostlist(entry.keys["switchname"], entry.at):
        for name, kind in children:
            builder.cable(builder.node(name, kind, entry.at), switch, rate, entry.at)
