"""The size of a working set on a topology: what is stored, what an engine holds of it, what fits in HBM at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.errors import InputError
from cmxverify.placement.model.demand import WorkingSet, resolve_demand
from cmxverify.placement.model.weights import kv_room, weights_on_gpu
from cmxverify.topology.model import Place, Topology
from cmxverify.workload.allocation import Allocator
from cmxverify.workload.kv_shape import Attention
from cmxverify.workload.sizing import DEFAULT_RESERVE, HeatBand, SizingReport, size_sessions


@dataclass(frozen=True, slots=True)
class Memory:
    """``gpus`` of ``each`` bytes; ``given`` where the file states the room for KV, so that nothing is taken off."""

    gpus: int
    each: Fraction
    given: bool


@dataclass(frozen=True, slots=True)
class Load:
    """Weights of a model in that memory: ``instances`` of ``each`` bytes."""

    model: str
    instances: int
    each: Fraction


@dataclass(frozen=True, slots=True)
class GpuRoom:
    """Room for KV in the GPUs that a set runs on: their memory, the weights taken off it, and what is left.

    ``sessions`` (or documents) fit in it at once by the algorithmic minimum, ``allocated`` by what an engine takes,
    copies on several ranks counted in both.
    """

    memory: tuple[Memory, ...]
    weights: tuple[Load, ...]
    room: Fraction
    sessions: int
    allocated: int


@dataclass(frozen=True, slots=True)
class SetSize:
    """One working set with every factor; ``report`` and ``gpus`` are ``None`` where it is given as raw bytes."""

    working_set: WorkingSet
    reserve: Fraction
    report: SizingReport | None
    gpus: GpuRoom | None

    @property
    def count(self) -> int:
        """Sessions or documents kept; of raw bytes, none are known."""
        return self.working_set.entry.spec.sessions or self.working_set.entry.spec.documents or 0

    @property
    def stored(self) -> Fraction:
        """Bytes of one copy, without reserve."""
        return self.report.stored if self.report else self.working_set.entry.spec.bytes or Fraction(0)

    @property
    def read_rate(self) -> Fraction:
        """Bytes a second brought back when every turn reads its whole session or document."""
        return self.working_set.reads * self.working_set.object_bytes

    @property
    def write_rate(self) -> Fraction:
        """Bytes a second written of one copy."""
        return sum((band.writes for band in self.working_set.bands), Fraction(0))


def size_sets(
    topology: Topology, *, only: tuple[str, ...] = (), reserve: Fraction | None = None, page_tokens: int = 16
) -> tuple[SetSize, ...]:
    """Size the working sets of a topology, or those named; weights of all of them count in what HBM has room for.

    Args:
        reserve: A fraction of one; ``None`` takes what each set says, or 20 % where it says nothing.

    Raises:
        InputError: As ``resolve_demand``; if a name of ``only`` is unknown, ranks cannot split the heads, or
            weights do not fit.
    """
    sets = resolve_demand(topology)
    if only and topology.workload is not None:
        kept = {entry.full_name for entry in topology.workload.only(list(only)).sets}
    else:
        kept = {each.name for each in sets}
    allocator = Allocator(page_tokens=page_tokens)
    return tuple(_size(each, topology, sets, reserve, allocator) for each in sets if each.name in kept)


def _size(
    each: WorkingSet,
    topology: Topology,
    sets: tuple[WorkingSet, ...],
    reserve: Fraction | None,
    allocator: Allocator,
) -> SetSize:
    if reserve is None:
        spec = each.entry.spec
        reserve = spec.reserve if "reserve" in spec.model_fields_set else DEFAULT_RESERVE
    report = _report(each, reserve, allocator)
    return SetSize(each, reserve, report, _gpu_room(each, report, topology, sets) if report else None)


def _report(each: WorkingSet, reserve: Fraction, allocator: Allocator) -> SizingReport | None:
    spec = each.entry.spec
    count = spec.sessions or spec.documents
    if each.shape is None or spec.context is None or count is None:
        return None
    try:
        return size_sessions(
            each.shape,
            dtype=each.dtype,
            context=spec.context,
            sessions=count,
            new_tokens=spec.new_tokens or 0,
            bands=_bands(each, count),
            reserve=reserve,
            allocator=allocator,
            tp=spec.tp,
            attention=Attention(spec.attention),
        )
    except InputError as error:
        raise InputError(f"{each.name}: {error.what}", at=each.entry.where("tp"), fix=error.fix) from None


def _bands(each: WorkingSet, count: int) -> tuple[HeatBand, ...]:
    """The bands of the demand as shares and periods; its objects hold the reserve, shares do not."""
    whole = sum((band.objects for band in each.bands), Fraction(0))
    shares = ((band, band.objects / whole) for band in each.bands)
    return tuple(
        HeatBand(band.name, share, count * share / band.reads if band.reads else None) for band, share in shares
    )


def _gpu_room(
    each: WorkingSet, report: SizingReport, topology: Topology, sets: tuple[WorkingSet, ...]
) -> GpuRoom | None:
    places = [topology.places[name] for name in each.gpus if name in topology.places]
    if each.shape is None or not places:
        return None
    room = sum((kv_room(topology, place, sets) for place in places), Fraction(0))
    minimum = each.shape.resident_bytes(
        report.context, each.dtype, tp=report.tp, attention=report.attention
    )
    memory = Counter((place.capacity, _is_given(place)) for place in places)
    return GpuRoom(
        memory=tuple(Memory(gpus, size, given) for (size, given), gpus in memory.items()),
        weights=_loads(places, sets),
        room=room,
        sessions=int(room // minimum),
        allocated=int(room // report.allocation.allocated),
    )


def _is_given(place: Place) -> bool:
    return "kv" in place.key_at


def _loads(places: list[Place], sets: tuple[WorkingSet, ...]) -> tuple[Load, ...]:
    """Weights by model on these GPUs; as one load where they hold no whole number of instances."""
    totals: dict[str, Fraction] = {}
    for place in places:
        for model, size in ({} if _is_given(place) else weights_on_gpu(place.node, sets)).items():
            totals[model] = totals.get(model, Fraction(0)) + size
    whole = {each.entry.spec.model: each.weight_bytes for each in sets}
    loads = []
    for model, total in totals.items():
        instances = total / whole[model] if whole[model] else Fraction(0)
        exact = instances.denominator == 1
        loads.append(Load(model, int(instances) if exact else 1, whole[model] if exact else total))
    return tuple(loads)
