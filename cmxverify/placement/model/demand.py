"""Working sets on a topology: who reads, how many bytes in each heat band, how often."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.topology.gpu_memory import served_dtype
from cmxverify.topology.model import NodeKind, Topology
from cmxverify.topology.select import select_members
from cmxverify.workload.dtype import Dtype
from cmxverify.workload.hf_config import shape_of
from cmxverify.workload.kv_shape import KvShape
from cmxverify.workload.schema import SetEntry, TraceBands

DEFAULT_OBJECT = Fraction(10**9)
"""Bytes of one read where a set is given as raw bytes and rates without ``object``."""


@dataclass(frozen=True, slots=True)
class HeatBand:
    """A part of a set whose blocks are read equally often.

    ``objects`` sessions or documents; ``reads`` per second over all of them; ``writes`` in bytes/s of one copy.
    """

    name: str
    objects: Fraction
    reads: Fraction
    writes: Fraction


@dataclass(frozen=True, slots=True)
class WorkingSet:
    """One working set, its traffic resolved to bytes and rates.

    ``gpus`` in order; each ``ranks`` consecutive ones run one instance. ``object_bytes`` is what one turn
    brings back to the GPU: a session's or a document's KV.
    """

    entry: SetEntry
    gpus: tuple[str, ...]
    object_bytes: Fraction
    bands: tuple[HeatBand, ...]
    weight_bytes: Fraction
    isolation: str
    shape: KvShape | None
    dtype: Dtype

    @property
    def name(self) -> str:
        """``tenant/name``."""
        return self.entry.full_name

    @property
    def reads(self) -> Fraction:
        """Turns or reads per second, over all bands."""
        return sum((band.reads for band in self.bands), Fraction(0))

    @property
    def stored_bytes(self) -> Fraction:
        """Bytes of one copy of everything."""
        return sum((band.objects for band in self.bands), Fraction(0)) * self.object_bytes

    @property
    def instances(self) -> int:
        """Engines that run it, each on ``tp`` GPUs."""
        return len(self.gpus) // self.entry.spec.tp

    def readers(self, instance: int) -> tuple[str, ...]:
        """GPUs that one object of an instance goes to: all its ranks, or one under attention dp."""
        first = instance * self.entry.spec.tp
        count = 1 if self.entry.spec.attention == "dp" else self.entry.spec.tp
        return self.gpus[first : first + count]


def resolve_demand(topology: Topology) -> tuple[WorkingSet, ...]:
    """Resolve every working set of a topology.

    Raises:
        InputError: If there is no workload, a model is unknown, ``runs_on`` names no GPUs, ranks do not divide
            the GPUs, or weights do not fit.
    """
    if topology.workload is None:
        fix = "Add a 'workload:' section; see 'cmxverify init'."
        raise InputError("the topology has no workload to place", at=Location(topology.file), fix=fix)
    return tuple(_resolve(entry, topology) for entry in topology.workload.sets)


def _resolve(entry: SetEntry, topology: Topology) -> WorkingSet:
    spec = entry.spec
    gpus = _gpus(entry, topology)
    if len(gpus) % spec.tp:
        fix = f"Choose tp so that it divides {len(gpus)}, or change runs_on."
        what = f"{entry.full_name}: tp {spec.tp} does not divide its {len(gpus)} GPUs"
        raise InputError(what, at=entry.where("tp"), fix=fix)
    shape = _shape(entry)
    dtype = Dtype(spec.kv_dtype) if spec.kv_dtype else (shape.kv_dtype if shape and shape.kv_dtype else Dtype.BF16)
    object_bytes = spec.object or DEFAULT_OBJECT
    if shape is not None and spec.context is not None:
        object_bytes = shape.bytes_of_sequence(spec.context, dtype)
    if object_bytes <= 0:
        raise InputError(f"{entry.full_name}: one object has no bytes", at=entry.where("context"), fix="Check context.")
    return WorkingSet(
        entry=entry,
        gpus=gpus,
        object_bytes=object_bytes,
        bands=_bands(entry, shape, dtype, object_bytes),
        weight_bytes=_weights(shape, spec.kv_dtype),
        isolation=_isolation(entry, topology),
        shape=shape,
        dtype=dtype,
    )


def _gpus(entry: SetEntry, topology: Topology) -> tuple[str, ...]:
    at = entry.where("runs_on")
    assert entry.spec.runs_on is not None, entry.full_name
    names: Mapping[str, object] = {**topology.nodes, **topology.containers}
    members = select_members(entry.spec.runs_on, names, at)
    found = dict.fromkeys(n for m in members for n in topology.members(m) if topology.nodes[n].kind is NodeKind.GPU)
    if not found:
        fix = "Name GPUs, or trays and racks that hold some."
        raise InputError(f"{entry.full_name}: runs_on '{entry.spec.runs_on}' holds no GPU", at=at, fix=fix)
    return tuple(found)


def _shape(entry: SetEntry) -> KvShape | None:
    if entry.spec.model is None:
        return None
    return shape_of(entry.spec.model, entry.folder, entry.where("model"))


def _weights(shape: KvShape | None, kv_dtype: str | None) -> Fraction:
    """Weights as ``show`` counts them; 16 bits where no format is known, nothing where their number is not."""
    if shape is None or shape.parameters is None:
        return Fraction(0)
    return shape.weight_bytes(served_dtype(shape, kv_dtype) or Dtype.BF16)


def _isolation(entry: SetEntry, topology: Topology) -> str:
    """Template whose instances the set's tenant owns alone, '' where it shares."""
    wanted = entry.spec.isolation
    if wanted is not None and wanted != "namespace":
        templates = {container.template for container in topology.containers.values()}
        if wanted not in templates:
            fix = did_you_mean(wanted, [*templates, "namespace"])
            raise InputError(f"isolation '{wanted}' is no template", at=entry.where("isolation"), fix=fix)
        return wanted
    tenant = topology.tenants.get(entry.tenant)
    return tenant.isolation if tenant and wanted is None else ""


def _bands(entry: SetEntry, shape: KvShape | None, dtype: Dtype, object_bytes: Fraction) -> tuple[HeatBand, ...]:
    spec = entry.spec
    keep = 1 + spec.reserve
    if spec.sessions is not None:
        per_turn = Fraction(spec.new_tokens or 0) * (shape.bytes_per_token(dtype) if shape else 0)
        return _turn_bands(entry, keep, per_turn)
    if spec.documents is not None:
        assert spec.reads is not None, entry.full_name
        assert spec.rewritten is not None, entry.full_name
        writes = spec.documents * object_bytes / spec.rewritten
        return (HeatBand("all", spec.documents * keep, spec.reads, writes),)
    assert spec.bytes is not None, entry.full_name
    reads = (spec.read or Fraction(0)) / object_bytes
    return (HeatBand("all", spec.bytes / object_bytes * keep, reads, spec.write or Fraction(0)),)


def _turn_bands(entry: SetEntry, keep: Fraction, bytes_per_turn: Fraction) -> tuple[HeatBand, ...]:
    turns = entry.spec.turns
    assert turns is not None, entry.full_name
    sessions = Fraction(entry.spec.sessions or 0)
    if isinstance(turns, TraceBands):
        from cmxverify.workload.trace_bands import measure_bands

        shares = measure_bands(entry.folder / turns.source, turns.bands, at=entry.where("turns"))
    else:
        shares = {name: (band.share, band.every) for name, band in turns.items()}
    bands = []
    for name, (share, every) in shares.items():
        reads = sessions * share / every
        bands.append(HeatBand(name, sessions * share * keep, reads, reads * bytes_per_turn))
    return tuple(bands)
