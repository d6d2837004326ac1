"""Who stores and where: a heat band on a class of boxes, and the memory and disks of these boxes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.placement.model.demand import HeatBand, WorkingSet
from cmxverify.placement.model.symmetry import Box, BoxClass, Pool, Symmetry
from cmxverify.topology.hostlist import compress_names
from cmxverify.topology.model import Place, Tier
from cmxverify.workload.kv_shape import Attention

VOLATILE = (Tier.G1, Tier.G2)
"""Memory: what it alone holds is lost with its box."""
_NEAR_FIRST = (Tier.G1, Tier.G2, Tier.G3)


@dataclass(frozen=True, slots=True)
class LocalStore:
    """Alike places of one tier in, or for, every box of a class, filled evenly."""

    tier: Tier
    boxes: BoxClass
    places: Mapping[str, tuple[Place, ...]]
    label: str
    """Names of the places as ranges; unique."""

    @property
    def first(self) -> Place:
        """A place of the first box; the others are like it."""
        return self.places[self.boxes.boxes[0].path][0]

    @property
    def shares(self) -> Mapping[str, Fraction]:
        """Share of the store's bytes on each place; a place may serve several boxes."""
        found: dict[str, Fraction] = {}
        for places in self.places.values():
            for place in places:
                part = Fraction(1, len(places) * len(self.places))
                found[place.node] = found.get(place.node, Fraction(0)) + part
        return found


Store = Pool | LocalStore


@dataclass(frozen=True, slots=True)
class Part:
    """A heat band on one class of boxes: its share of the band's objects and traffic.

    ``chunks`` is the demand in whole chunks, rounded up; reads per second, writes in bytes/s of one copy.
    """

    working_set: WorkingSet
    band: HeatBand
    boxes: BoxClass
    gpus: tuple[str, ...]
    share: Fraction
    chunks: int

    @property
    def name(self) -> str:
        """``tenant/name band @ boxes``; unique."""
        return f"{self.working_set.name} {self.band.name} @ {self.boxes.label}"

    @property
    def reads(self) -> Fraction:
        """Turns per second."""
        return self.band.reads * self.share

    @property
    def writes(self) -> Fraction:
        """Bytes/s of new KV, for one copy."""
        return self.band.writes * self.share

    @property
    def copies(self) -> int:
        """Copies that a home keeps of every chunk."""
        return self.working_set.entry.spec.copies

    @property
    def own_gpus(self) -> tuple[str, ...]:
        """GPUs of the set in the first box, which stands for its class."""
        mine = frozenset(self.gpus)
        return tuple(gpu for gpu in self.boxes.boxes[0].gpus if gpu in mine)

    @property
    def reader_groups(self) -> tuple[tuple[str, ...], ...]:
        """GPU groups that one object goes to: the first box's stand for all, groups across boxes are all seen."""
        mine, seen = frozenset(self.gpus), frozenset(self.own_gpus)
        groups = (group for group in reader_groups(self.working_set) if not mine.isdisjoint(group))
        return tuple(group for group in groups if not seen.isdisjoint(group) or not self._in_one_box(group))

    def _in_one_box(self, group: tuple[str, ...]) -> bool:
        return any(frozenset(group) <= frozenset(box.gpus) for box in self.boxes.boxes)


def reader_groups(working_set: WorkingSet) -> tuple[tuple[str, ...], ...]:
    """GPU groups of all instances; under attention dp every rank has objects of its own, so each is a group."""
    if working_set.entry.spec.attention == "dp":
        return tuple((gpu,) for gpu in working_set.gpus)
    return tuple(working_set.readers(instance) for instance in range(working_set.instances))


def rank_copies(working_set: WorkingSet) -> Fraction:
    """How often HBM holds a session: ranks that need the same heads or the same latent have a copy each."""
    spec, shape = working_set.entry.spec, working_set.shape
    if shape is None or spec.context is None:
        return Fraction(1)
    resident = shape.resident_bytes(
        spec.context, working_set.dtype, tp=spec.tp, attention=Attention(spec.attention)
    )
    return resident / shape.bytes_of_sequence(spec.context, working_set.dtype)


def tier_of(store: Store) -> Tier:
    """Tier of a store."""
    return store.first.tier if isinstance(store, Pool) else store.tier


def is_nearer(copy: LocalStore, home: Store) -> bool:
    """Whether a copy lies in a nearer tier than its home."""
    order = list(Tier)
    return order.index(copy.tier) < order.index(tier_of(home))


def find_local_stores(symmetry: Symmetry, part: Part) -> tuple[LocalStore, ...]:
    """Memory and disks that the part's boxes may use, nearest tier first; unlike places are stores apart."""
    first = part.boxes.boxes[0].path
    found = []
    for tier in _NEAR_FIRST:
        kinds = dict.fromkeys(_kind(symmetry, place) for place in symmetry.local.get(first, ()) if place.tier is tier)
        for kind in kinds:
            places = {box.path: tuple(_own_places(symmetry, box, kind, part)) for box in part.boxes.boxes}
            if all(places.values()):
                label = compress_names(dict.fromkeys(p.node for group in places.values() for p in group))
                found.append(LocalStore(tier, part.boxes, places, label))
    return tuple(found)


def _kind(symmetry: Symmetry, place: Place) -> tuple[Tier, int | None]:
    """HBM is one store whatever runs beside the set: an instance spreads its sessions evenly over its ranks."""
    return place.tier, None if place.tier is Tier.G1 else symmetry.colours[place.node]


def _own_places(symmetry: Symmetry, box: Box, kind: tuple[Tier, int | None], part: Part) -> Iterator[Place]:
    mine = frozenset(part.gpus)
    for place in symmetry.local.get(box.path, ()):
        if _kind(symmetry, place) == kind and (place.tier is not Tier.G1 or place.node in mine):
            yield place
