"""What GPU memory leaves for KV blocks: 90 % of HBM minus the weights of the models that run there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.topology.model import Place, Tier, Topology
from cmxverify.topology.select import select_members
from cmxverify.workload.dtype import Dtype
from cmxverify.workload.kv_shape import KvShape
from cmxverify.workload.schema import SetEntry

HBM_SHARE = Fraction(9, 10)
"""Share of HBM that an engine plans with; the rest is activations and the runtime (vLLM's default, too)."""


@dataclass(frozen=True, slots=True)
class GpuMemory:
    """Bytes over all GPUs: ``room`` for KV blocks, ``weights`` taken off before.

    ``given`` counts GPUs whose room the file states (``kv``); nothing is taken off there. ``unknown`` names
    working sets whose weights could not be told. ``crowded`` counts GPUs that the weights alone fill.
    """

    room: Fraction
    weights: Fraction
    given: int
    unknown: tuple[str, ...]
    crowded: int


def gpu_memory(topology: Topology) -> GpuMemory:
    """Add up the room of all G1 places.

    An instance of a model spreads its weights evenly over its ``tp`` GPUs; sets that run the same model on
    the same GPUs share its instances.
    """
    weights, unknown = _weights_by_gpu(topology)
    gpus = [place for place in topology.places.values() if place.tier is Tier.G1]
    given = [place for place in gpus if "kv" in place.key_at]
    room, taken, crowded = Fraction(0), Fraction(0), 0
    for place in gpus:
        loaded = sum(weights.get(place.node, {}).values(), Fraction(0))
        left = room_of_gpu(place, loaded)
        room += max(left, Fraction(0))
        crowded += left < 0
        taken += loaded if place not in given else 0
    return GpuMemory(room, taken, len(given), unknown, crowded)


def room_of_gpu(place: Place, weights: Fraction) -> Fraction:
    """Bytes for KV in one GPU that holds ``weights`` bytes of models; negative if they do not fit."""
    return place.capacity if "kv" in place.key_at else place.capacity * HBM_SHARE - weights


def served_dtype(shape: KvShape, kv_dtype: str | None) -> Dtype | None:
    """Format that the weights are served in: the published one, or the KV format where that is narrower.

    An assumption: whoever stores KV in 8 bits also serves 8-bit weights. A set does not say.
    """
    if shape.weights is None:
        return None
    return min(shape.weights, Dtype(kv_dtype or shape.weights.value), key=lambda dtype: dtype.bits)


def _weights_by_gpu(topology: Topology) -> tuple[Mapping[str, Mapping[str, Fraction]], tuple[str, ...]]:
    """Bytes of weights by GPU and model, and the sets that name a model of unknown weights."""
    found: dict[str, dict[str, Fraction]] = {}
    unknown: list[str] = []
    for entry in topology.workload.sets if topology.workload else ():
        if entry.spec.model is None or entry.spec.runs_on is None:
            continue
        size = _weight_bytes(entry)
        if size is None:
            unknown.append(entry.full_name)
            continue
        for gpu in _readers(topology, entry):
            loaded = found.setdefault(gpu, {})
            loaded[entry.spec.model] = max(loaded.get(entry.spec.model, Fraction(0)), size / entry.spec.tp)
    return found, tuple(unknown)


def _weight_bytes(entry: SetEntry) -> Fraction | None:
    shape = _shape(entry, str(entry.spec.model))
    dtype = served_dtype(shape, entry.spec.kv_dtype)
    return None if dtype is None or shape.parameters is None else shape.weight_bytes(dtype)


def _shape(entry: SetEntry, model: str) -> KvShape:
    from cmxverify.workload.hf_config import shape_of

    return shape_of(model, entry.folder, entry.where("model"))


def _readers(topology: Topology, entry: SetEntry) -> list[str]:
    names = [*topology.nodes, *topology.containers]
    chosen = select_members(str(entry.spec.runs_on), names, entry.where("runs_on"))
    members = [name for path in chosen for name in topology.members(path)]
    return [name for name in members if name in topology.places and topology.places[name].tier is Tier.G1]
