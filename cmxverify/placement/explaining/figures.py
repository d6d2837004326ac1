"""Better devices and cables: more room, rate or endurance in the line behind a fact, as far as the device goes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cmxverify.catalog.devices import device, device_names
from cmxverify.errors import Location
from cmxverify.placement.explaining.ladders import TIMES, Ladder, Remedy, fixed, two_digits
from cmxverify.placement.explaining.written import Key, Written
from cmxverify.placement.model.compile import PlacementModel
from cmxverify.topology.model import Place, Tier
from cmxverify.units import Dimension, format_quantity

_MOST_ENDURANCE = 30
"""Tenths of a drive write a day: drives that endure more than 3 are hardly sold."""
_FASTEST_PORT = 800
"""Gb/s that a port of today's network cards and switches has at most."""
_DAY = 86_400
_MEGA = 10**6


class Figures:
    """Ladders for the figures of places, cables and DPUs that facts stand for."""

    def __init__(self, model: PlacementModel, written: Written) -> None:
        self.topology, self.written = model.topology, written

    def of(self, fact: str) -> Iterator[Ladder]:
        """Changes of the figure, and of what gives it."""
        key = fact.partition("@")[0]
        if key in ("link", "dpu"):
            yield from self.rate(fact)
            return
        for place in self.topology.places.values():
            at = place.key_at.get(key, place.at)
            if fact == f"{key}@{at.file}:{at.line}":
                where = self.written.node(place.node)
                if where is not None:
                    yield from self.better(place, key, where)
                return

    def better(self, place: Place, key: str, where: Key) -> Iterator[Ladder]:
        """Of a place: the figure itself, room where endurance comes with room, and more drives."""
        if key == "dwpd":
            yield from self.endurance(place, where)
        if key in ("read", "write"):
            figure = place.read if key == "read" else place.write
            yield from self.amount(where, key, figure or Fraction(0), Dimension.RATE)
        if key in ("dwpd", "usable"):
            yield from self.room(place, "usable", where)
        if key == "kv" and (place.tier is not Tier.G1 or "kv" in place.key_at):
            yield from self.room(place, "kv", where)
        if place.drives > 1 or "count" in place.key_at:
            yield from self.drives(place, key, where)

    def endurance(self, place: Place, where: Key) -> Iterator[Ladder]:
        """Drives with more writes a day, in tenths."""
        tenths = (place.dwpd or 0) * _DAY * 10 // 1
        offered = range(int(tenths) + 1, _MOST_ENDURANCE + 1)
        path = f"{where.path}.dwpd"

        def rung(index: int) -> Remedy:
            value = f"{offered[index] / 10:g} DWPD"
            return Remedy(where.override("dwpd", value), f"{path} = {value}", path)

        if offered:
            yield Ladder(path, len(offered), rung)

    def room(self, place: Place, key: str, where: Key) -> Iterator[Ladder]:
        """As much room as its device holds; where that is all in use, one rung that says so."""
        held = self.held(place)
        limit = f"the device holds {format_quantity(held, Dimension.SIZE)}" if held else ""
        yield from self.amount(where, key, place.capacity, Dimension.SIZE, held, limit)

    def amount(
        self, where: Key, key: str, figure: Fraction, what: Dimension, most: Fraction | None = None, limit: str = ""
    ) -> Iterator[Ladder]:
        """More of a figure in numbers of two digits, up to what there is at most, if that is known, else some times."""
        top = most or figure * TIMES
        offered, path = two_digits(figure / _MEGA, top / _MEGA), f"{where.path}.{key}"

        def rung(index: int) -> Remedy:
            amount = Fraction(offered[index] * _MEGA)
            value = format_quantity(amount, what)
            last = bool(limit) and index == len(offered) - 1
            times = "" if last else f" ({float(amount / figure):.1f} times)"
            return Remedy(where.override(key, value), f"{path} = {value}{times}", path, limit=limit if last else "")

        if offered:
            yield Ladder(path, len(offered), rung)
        elif limit:
            yield fixed(Remedy("", path, path, limit=limit))

    def drives(self, place: Place, key: str, where: Key) -> Iterator[Ladder]:
        """More drives; with the room that they have where the file gives it, since it would stay as it is."""
        held, path = self.held(place), f"{where.path}.count"
        by_room = key in ("usable", "dwpd") and "usable" in place.key_at
        if by_room and held is None:
            return

        def rung(index: int) -> Remedy:
            count = place.drives + 1 + index
            text, override = f"{path} = {count}", where.override("count", str(count))
            if not by_room or held is None:
                return Remedy(override, text, path)
            terabytes = int(held / place.drives * count // 10**12)
            also = where.override("usable", f"{terabytes} TB")
            return Remedy(override, f"{text} + usable = {terabytes:,} TB", path, (also,))

        yield Ladder(path, place.drives * (TIMES - 1), rung, rising=True)

    def held(self, place: Place) -> Fraction | None:
        """Bytes that the device has in all, by the catalog; None if it is not in it."""
        node = self.topology.nodes[place.node]
        figures = device(node.device).figures if node.device in device_names() else {}
        figure = next((figures[key] for key in ("capacity", "memory", "hbm") if key in figures), None)
        return Fraction(figure.value) * place.drives if figure is not None else None

    def rate(self, fact: str) -> Iterator[Ladder]:
        """Faster cables, DPUs or NICs."""
        kind, _, place = fact.partition("@")
        if kind == "link":
            link = next(each for each in self.topology.links if _at(each.at) == place)
            where = self.written.link(link.at)
            figure = link.rate
        else:
            node = next(each for each in self.topology.nodes.values() if _at(each.at) == place)
            where, figure = self.written.node(node.name), node.rate or Fraction(0)
        if where is not None and figure:
            yield from self.bits(where, figure)

    def bits(self, where: Key, figure: Fraction) -> Iterator[Ladder]:
        """A network rate, in round numbers of Gb/s; up to what a port may have, or some times of what it is."""
        unit, path = Fraction(10**9, 8), f"{where.path}.rate"
        offered = two_digits(figure / unit, max(figure * TIMES / unit, Fraction(_FASTEST_PORT)))

        def rung(index: int) -> Remedy:
            value, times = f"{offered[index]} Gb/s", float(offered[index] * unit / figure)
            return Remedy(where.override("rate", value), f"{path} = {value} ({times:.1f} times)", path)

        if offered:
            yield Ladder(path, len(offered), rung)


def _at(at: Location) -> str:
    """As facts of links and DPUs name it."""
    return f"{at.file}:{at.line}:{at.column}"
