"""The auditor's account of a plan: which bytes lie in which place, and who reads and writes them from where.

What each chunk causes. Of ``n`` chunks out of a part's ``N``, with ``r`` copies, each home takes ``1/r`` of the
reads. Turns that land where the copy can be read (``sticky``) read the copy, the others the home, as far as they
can read that. New bytes go to every home. A copy in the box is taken from the bytes as they pass: from there on
only the cables that lead aside to it carry more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from cmxverify.errors import InputError, Location
from cmxverify.placement.auditing.audit_network import Loads, Network
from cmxverify.placement.auditing.audit_plan import PlanClaims, PlannedChunks
from cmxverify.placement.model.demand import HeatBand, WorkingSet
from cmxverify.topology.model import NodeKind, Place, Tier, Topology
from cmxverify.topology.select import select_members
from cmxverify.workload.kv_shape import Attention

NO_BOX = "all"
"""How plans call the box of GPUs that lie in no container."""


class PlanError(Exception):
    """A plan that names what does not exist, or says something without meaning; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Group:
    """An assignment with everything named: boxes with the set's GPUs in each, and places."""

    line: PlannedChunks
    working_set: WorkingSet
    band: HeatBand
    boxes: Mapping[str, tuple[str, ...]]
    shared: tuple[Place, ...]
    """Places of a shared home that are on for the owner."""
    pool_room: Fraction
    """Bytes that all places of a shared home have room for."""
    home: Mapping[str, tuple[Place, ...]]
    """Places of a home inside each box."""
    copy: Mapping[str, tuple[Place, ...]]
    """Places of the copy inside each box."""

    @property
    def gpus(self) -> tuple[str, ...]:
        """The set's GPUs in the boxes."""
        return tuple(gpu for gpus in self.boxes.values() for gpu in gpus)

    @property
    def share(self) -> Fraction:
        """The boxes' part of the set."""
        return Fraction(len(self.gpus), len(self.working_set.gpus))

    @property
    def copies(self) -> int:
        """Home copies of every chunk."""
        return self.working_set.entry.spec.copies

    @property
    def turns(self) -> Fraction:
        """Turns/s of all that the part holds, times the part of it that these chunks are."""
        return self.band.reads * self.share

    def needed(self, chunk: Fraction) -> int:
        """Chunks of one copy of the whole part, rounded up."""
        size = self.band.objects * self.share * self.working_set.object_bytes / chunk
        return -(-size.numerator // size.denominator)


@dataclass
class Account:
    """Totals by single place (bytes, bytes/s) and by single cable direction and node, reads and writes apart."""

    placed: dict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    read: dict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    written: dict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    reads: Loads = field(default_factory=Loads)
    writes: Loads = field(default_factory=Loads)


def name_everything(topology: Topology, sets: Mapping[str, WorkingSet], claims: PlanClaims) -> list[Group]:
    """Look up every name of a plan.

    Raises:
        PlanError: If something named does not exist or does not fit.
    """
    if claims.chunk <= 0:
        raise PlanError("a chunk has no bytes")
    boxes: dict[str, list[str]] = defaultdict(list)
    for name, node in topology.nodes.items():
        if node.kind is NodeKind.GPU:
            boxes[node.container].append(name)
    return [_Naming(topology, sets, claims, boxes, line).group() for line in claims.assignments]


@dataclass(frozen=True)
class _Naming:
    topology: Topology
    sets: Mapping[str, WorkingSet]
    claims: PlanClaims
    all_boxes: Mapping[str, list[str]]
    line: PlannedChunks

    def group(self) -> Group:
        line = self.line
        if line.working_set not in self.sets:
            raise PlanError(f"there is no working set {line.working_set!r}")
        working_set = self.sets[line.working_set]
        band = next((band for band in working_set.bands if band.name == line.band), None)
        if band is None:
            raise PlanError(f"{line.working_set} has no band {line.band!r}")
        if line.chunks < 1:
            raise PlanError(f"{line.working_set} {line.band}: {line.chunks} chunks are placed; it must be 1 or more")
        boxes = self.boxes(working_set)
        home = self.places(line.home)
        shared = bool(home) and all(map(is_shared, home))
        return Group(
            line,
            working_set,
            band,
            boxes,
            self.on(home) if shared else (),
            sum((place.capacity for place in home), Fraction(0)),
            {} if shared or not home else self.inside(boxes, home),
            self.inside(boxes, self.places(line.copy)) if line.copy is not None else {},
        )

    def boxes(self, working_set: WorkingSet) -> dict[str, tuple[str, ...]]:
        names = [box or NO_BOX for box in self.all_boxes]
        members = frozenset(working_set.gpus)
        found: dict[str, tuple[str, ...]] = {}
        for name in self.select(self.line.boxes, names):
            box = "" if name == NO_BOX and "" in self.all_boxes else name
            found[box] = tuple(gpu for gpu in self.all_boxes[box] if gpu in members)
            if not found[box]:
                raise PlanError(f"{working_set.name} runs on no GPU of {name}")
        return found

    def places(self, pattern: str | None) -> list[Place]:
        if pattern is None:
            return []
        return [self.topology.places[name] for name in self.select(pattern, self.topology.places)]

    def on(self, home: list[Place]) -> tuple[Place, ...]:
        line = self.line
        names = {name for opened in self.claims.opened if opened.owner == line.owner for name in opened.places}
        found = tuple(place for place in home if place.node in names)
        if not found:
            raise PlanError(f"{line.working_set} {line.band} is placed in {line.home}, where nothing is on for it")
        return found

    def inside(self, boxes: Mapping[str, tuple[str, ...]], places: list[Place]) -> dict[str, tuple[Place, ...]]:
        found: dict[str, tuple[Place, ...]] = {}
        for box, gpus in boxes.items():
            own = [place for place in places if not is_shared(place) and is_within(box, place.scope or "")]
            found[box] = tuple(p for p in own if p.tier is not Tier.G1 or p.node in gpus)
            if not found[box]:
                where = f"{box or NO_BOX} has no place of its own among {self.line.copy or self.line.home}"
                raise PlanError(f"{self.line.working_set} {self.line.band}: {where}")
        strangers = {place.node for place in places} - {place.node for own in found.values() for place in own}
        if strangers:
            raise PlanError(f"{min(strangers)} belongs to none of the boxes {self.line.boxes}")
        return found

    def select(self, pattern: str, names: object) -> list[str]:
        try:
            return select_members(pattern, names, Location("plan"))  # type: ignore[arg-type]
        except InputError as error:
            raise PlanError(f"{self.line.working_set} {self.line.band}: {error.what}") from None


def is_shared(place: Place) -> bool:
    """Whether a place is switched on for a plan; others are memory and disks of boxes."""
    return place.tier in (Tier.G35, Tier.G4) or (place.tier is Tier.G3 and place.scope is None)


def is_within(box: str, scope: str) -> bool:
    """Whether a box is a container or lies in it; '' is the whole file."""
    return scope in ("", box) or box.startswith(scope + ".")


def readers(working_set: WorkingSet) -> list[tuple[str, ...]]:
    """GPUs that one object goes to, of every instance; under attention dp each rank has objects of its own."""
    if working_set.entry.spec.attention == "dp":
        return [(gpu,) for gpu in working_set.gpus]
    ranks = working_set.entry.spec.tp
    return [working_set.gpus[first : first + ranks] for first in range(0, len(working_set.gpus), ranks)]


def found(group: Group, scopes: Mapping[str, str | None]) -> Fraction:
    """Share of the turns that land where they can read what an earlier turn left.

    Args:
        scopes: For each box, the container whose GPUs can read what its turns leave; None for all GPUs.

    Raises:
        PlanError: If the share is not the same for all boxes.
    """
    shares = {_found(group, box, scope) for box, scope in scopes.items()}
    if len(shares) > 1:
        raise PlanError(f"turns do not return to {group.line.boxes} alike")
    return shares.pop()


def _found(group: Group, box: str, scope: str | None) -> Fraction:
    sticky = group.working_set.entry.spec.sticky
    if scope is None or sticky == "tray":
        return Fraction(1)
    every = readers(group.working_set)
    if isinstance(sticky, Fraction):
        others = [gpus for gpus in every if not _touches(gpus, box)]
        near = sum(_touches(gpus, scope) for gpus in others)
        return sticky + (1 - sticky) * Fraction(near, len(others)) if others else Fraction(1)
    around = every if sticky == "none" else [gpus for gpus in every if _touches(gpus, box.rpartition(".")[0])]
    return Fraction(sum(_touches(gpus, scope) for gpus in around), len(around))


def _touches(gpus: tuple[str, ...], container: str) -> bool:
    return not container or any(gpu.startswith(container + ".") for gpu in gpus)


def served(group: Group) -> tuple[Fraction, Fraction]:
    """Shares of the turns that find their KV at all, and that find the copy."""
    if group.line.home is None:
        return Fraction(0), Fraction(0)
    home = {box: (group.shared or group.home[box])[0].scope for box in group.boxes}
    whole = found(group, home)
    copy = {box: places[0].scope for box, places in group.copy.items()}
    return whole, min(whole, found(group, copy)) if copy else Fraction(0)


def held_times(working_set: WorkingSet, place: Place) -> Fraction:
    """How often a place holds a session: HBM once for every rank that needs the same heads or latent."""
    spec, shape = working_set.entry.spec, working_set.shape
    if place.tier is not Tier.G1 or shape is None or spec.context is None:
        return Fraction(1)
    attention = Attention(spec.attention)
    resident = shape.resident_bytes(spec.context, working_set.dtype, tp=spec.tp, attention=attention)
    return resident / shape.bytes_of_sequence(spec.context, working_set.dtype)


@dataclass(frozen=True, slots=True)
class Rates:
    """Bytes/s of one assignment: read near and at home, written to its home and to its copy."""

    near: Fraction
    home: Fraction
    written: Fraction
    copied: Fraction

    @classmethod
    def of(cls, group: Group, chunk: Fraction) -> Rates:
        """Rates of a group that is placed somewhere."""
        whole = group.needed(chunk)
        part = Fraction(group.line.chunks, whole * group.copies)
        reads = group.turns * group.working_set.object_bytes * part
        writes = group.band.writes * group.share
        all_served, near = served(group)
        copied = writes * part if group.copy else Fraction(0)
        return cls(reads * near, reads * (all_served - near), writes * group.line.chunks / whole, copied)


class Accountant:
    """Adds up all groups of a plan."""

    def __init__(self, network: Network, chunk: Fraction) -> None:
        self.network, self.chunk = network, chunk
        self.account = Account()
        self._reads: dict[str, dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        self._writes: dict[str, dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))

    def add(self, group: Group) -> None:
        """Add what one assignment stores, reads and writes."""
        if group.line.home is None:
            return
        rates, size = Rates.of(group, self.chunk), self.chunk * group.line.chunks
        if group.shared:
            for place in group.shared:
                share = Fraction(1, len(group.shared))
                self._store(place, size * share, rates.home * share, rates.written * share)
                self._flow(place.node, group.gpus, rates.home * share, rates.written * share)
        else:
            self._boxes(group, group.home, size, rates.home, rates.written)
        if group.copy:
            self._boxes(group, group.copy, size / group.copies, rates.near, rates.copied, aside=True)

    def finish(self) -> Account:
        """Send all flows over the cables."""
        self.network.send(self._reads, self.account.reads)
        self.network.send(self._writes, self.account.writes)
        return self.account

    def _store(self, place: Place, size: Fraction, read: Fraction, written: Fraction) -> None:
        self.account.placed[place.node] += size
        self.account.read[place.node] += read
        self.account.written[place.node] += written

    def _flow(self, place: str, gpus: tuple[str, ...], read: Fraction, written: Fraction) -> None:
        for gpu in gpus:
            if gpu != place:
                self._reads[gpu][place] += read / len(gpus)
                self._writes[place][gpu] += written / len(gpus)

    def _boxes(
        self,
        group: Group,
        places: Mapping[str, tuple[Place, ...]],
        size: Fraction,
        read: Fraction,
        written: Fraction,
        *,
        aside: bool = False,
    ) -> None:
        """Each box alike, each of its places alike; every GPU uses every place of its box, but HBM only its own."""
        for box, own in places.items():
            share = Fraction(1, len(places) * len(own))
            for place in own:
                held = size * share * held_times(group.working_set, place)
                self._store(place, held, read * share, written * share)
                users = (place.node,) if place.tier is Tier.G1 else group.boxes[box]
                self._flow(place.node, users, read * share, Fraction(0) if aside else written * share)
                if aside:
                    homes = group.shared or group.home[box]
                    self._lead_aside(place, users, homes, written * share)

    def _lead_aside(
        self, place: Place, gpus: tuple[str, ...], homes: tuple[Place, ...], written: Fraction
    ) -> None:
        """Load only what the way to the copy has beside the way to the home."""
        if all(self.network.door(gpu) == place.node for gpu in gpus):
            return  # every way passes here
        used = Loads()
        for home in homes:
            self.network.send({home.node: dict.fromkeys(gpus, Fraction(1))}, used)
        extra = Loads()
        self.network.send({place.node: dict.fromkeys(gpus, written / len(gpus))}, extra)
        for cable, rate in extra.cables.items():
            if cable not in used.cables:
                self.account.writes.cables[cable] += rate
        for node, rate in extra.through.items():
            if node not in used.through and all(home.node != node for home in homes):
                self.account.writes.through[node] += rate
