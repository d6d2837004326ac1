"""Leaving out what a topology file cannot hold: PCIe switches are folded into cables, NVSwitches are dropped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.topology.importers.machine import slowest
from cmxverify.topology.importers.structure import Cable, FoundNode, Kind, counted


@dataclass(frozen=True, slots=True)
class Folded:
    """Nodes and cables without PCIe switches and NVSwitches, and one line for each thing that was given up."""

    nodes: tuple[FoundNode, ...]
    cables: tuple[Cable, ...]
    notes: tuple[str, ...]


def fold_switches(nodes: Iterable[FoundNode], cables: Iterable[Cable], kept: frozenset[str]) -> Folded:
    """Replace each way from a device over PCIe switches to a host by one cable at the slowest rate on it.

    KV blocks go through host memory, so ways between two devices under one switch are given up; that devices
    share a switch's uplink is not modelled. Switches in ``kept`` (the overlay names a device for them) stay.
    """
    nodes, cables = tuple(nodes), tuple(cables)
    pcie = {n.name for n in nodes if n.kind is Kind.PCIE_SWITCH and n.name not in kept}
    dropped = {n.name for n in nodes if n.kind is Kind.NVSWITCH and n.name not in kept}
    gone = pcie | dropped
    folded = list(_ways(nodes, cables, pcie, gone))
    left = [cable for cable in cables if cable.a not in gone and cable.b not in gone]
    notes: list[str] = []
    if pcie:
        notes.append(
            f"folded {counted(len(pcie), 'PCIe switch')} into the cables beneath, each at the slowest rate on its way "
            "to the host; that devices share an uplink is not modelled"
        )
    if dropped:
        lost = sum(cable.count for cable in cables if cable.a in dropped or cable.b in dropped)
        notes.append(
            f"left out {counted(len(dropped), 'NVSwitch')} with {counted(lost, 'cable')}; an overlay that names a "
            "device for them keeps them"
        )
    return Folded(tuple(n for n in nodes if n.name not in gone), (*left, *folded), tuple(notes))


def _ways(
    nodes: tuple[FoundNode, ...], cables: tuple[Cable, ...], pcie: set[str], gone: set[str]
) -> Iterable[Cable]:
    neighbours: dict[str, list[tuple[str, Cable]]] = defaultdict(list)
    for cable in cables:
        if cable.a in pcie or cable.b in pcie:
            neighbours[cable.a].append((cable.b, cable))
            neighbours[cable.b].append((cable.a, cable))
    hosts = [node.name for node in nodes if node.kind is Kind.HOST]
    for host in hosts:
        reached: set[str] = {host}
        frontier: list[tuple[str, Fraction | None]] = [(host, None)]
        while frontier:
            name, rate = frontier.pop()
            for other, cable in neighbours[name]:
                if other in reached or (name == host and other not in pcie):
                    continue
                reached.add(other)
                way = slowest(rate, cable.rate)
                if other in pcie:
                    frontier.append((other, way))
                elif other not in gone and other not in hosts:
                    yield Cable(min(host, other), max(host, other), way, cable.at)
