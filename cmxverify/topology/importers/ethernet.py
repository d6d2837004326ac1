"""Joining what several devices say about their Ethernet neighbours: each cable is seen from one end or from both."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from cmxverify.errors import Location
from cmxverify.topology.importers.names import kind_of_name, short_hosts
from cmxverify.topology.importers.stated import kind_of_model
from cmxverify.topology.importers.structure import Kind, StructureBuilder

MAX_DETAILS = 20
_MANAGEMENT = re.compile(r"(?:eth0|mgmt\d*|ma\d|management\d*|fxp0|oob\d*)", re.IGNORECASE)

End = tuple[str, str]
"""Device and port, as the file spells them; the port may be empty."""


@dataclass(frozen=True, slots=True)
class _Sighting:
    a: End
    b: End
    rate: Fraction | None
    at: Location


@dataclass(slots=True)
class EthernetFabric:
    """Devices and sightings of cables; ``finish`` turns them into nodes and cables."""

    builder: StructureBuilder
    _kinds: dict[str, tuple[Kind, Location]] = field(default_factory=dict)
    _models: dict[str, str] = field(default_factory=dict)
    _sightings: list[_Sighting] = field(default_factory=list)

    def device(self, name: str, kind: Kind, at: Location, *, model: str = "") -> None:
        """Note a device; a known kind beats an unknown one, a stated model beats none."""
        self._models[name] = self._models.get(name) or model
        known = self._kinds.get(name)
        if known is None or known[0] is Kind.UNKNOWN:
            self._kinds[name] = (kind, known[1] if known else at)

    def cable(self, a: End, b: End, rate: Fraction | None, at: Location) -> None:
        """Note a cable as seen from ``a``."""
        self._sightings.append(_Sighting(a, b, rate, at))

    def finish(self) -> None:
        """Join devices by short host name and cables by port, leave out management ports, report what disagrees."""
        names = short_hosts(self._kinds)
        for original, (kind, at) in self._kinds.items():
            model = self._models[original]
            guesses = (kind, kind_of_model(model), kind_of_name(names[original]))
            known = next((guess for guess in guesses if guess is not Kind.UNKNOWN), Kind.UNKNOWN)
            self.builder.node(names[original], known, at, model=model)
        used: dict[End, tuple[str, int]] = {}
        cables: list[_Sighting] = []
        conflicts: list[str] = []
        for seen in self._sightings:
            a, b = (names[seen.a[0]], seen.a[1]), (names[seen.b[0]], seen.b[1])
            if self._is_management(seen):
                self.builder.skip("cables of management ports")
                continue
            self._merge(_Sighting(a, b, seen.rate, seen.at), used, cables, conflicts)
        for cable in cables:
            self.builder.cable(cable.a[0], cable.b[0], cable.rate, cable.at)
        for text in conflicts[:MAX_DETAILS]:
            self.builder.warn(text)
        if len(conflicts) > MAX_DETAILS:
            self.builder.warn(f"{len(conflicts) - MAX_DETAILS} more ports whose two ends disagree")

    def _is_management(self, seen: _Sighting) -> bool:
        """A switch's eth0 or mgmt port is out of band; a host's eth0 may well carry its data."""
        for device, port in (seen.a, seen.b):
            kind = self._kinds[device][0]
            is_switch = kind is Kind.SWITCH or (kind is Kind.UNKNOWN and kind_of_name(device) is Kind.SWITCH)
            if is_switch and _MANAGEMENT.fullmatch(port):
                return True
        return False

    @staticmethod
    def _merge(
        seen: _Sighting, used: dict[End, tuple[str, int]], cables: list[_Sighting], conflicts: list[str]
    ) -> None:
        """One port has one cable: a second sighting of either end with the same peer is the same cable.

        The two ends may spell a port differently (a MAC address on one side), so one matching end suffices.
        """
        for end, peer in ((seen.a, seen.b), (seen.b, seen.a)):
            known = used.get(end) if end[1] else None
            if known is None:
                continue
            first = cables[known[1]]
            if known[0] != peer[0]:
                conflicts.append(
                    f"{seen.at}: port {end[1]} of '{end[0]}' leads to '{peer[0]}' here and to '{known[0]}' at "
                    f"{first.at}, which is kept"
                )
            elif first.rate is None:
                cables[known[1]] = _Sighting(first.a, first.b, seen.rate, first.at)
            elif seen.rate is not None and seen.rate != first.rate:
                what = f"rate of '{end[0]}' port {end[1]} differs from {first.at}"
                conflicts.append(f"{seen.at}: {what}; the slower is taken")
                cables[known[1]] = _Sighting(first.a, first.b, min(seen.rate, first.rate), first.at)
            return
        for end, peer in ((seen.a, seen.b), (seen.b, seen.a)):
            if end[1]:
                used[end] = (peer[0], len(cables))
        cables.append(seen)
