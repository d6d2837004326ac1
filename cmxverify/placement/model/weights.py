"""Room for KV blocks: what weights and the engine leave of HBM; all of the other tiers' room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from cmxverify.errors import InputError
from cmxverify.placement.model.demand import WorkingSet
from cmxverify.topology.gpu_memory import room_of_gpu
from cmxverify.topology.model import Place, Tier, Topology


def kv_room(topology: Topology, place: Place, sets: tuple[WorkingSet, ...]) -> Fraction:
    """Bytes for KV blocks in a place: for a GPU 90 % of HBM minus its share of the weights, unless ``kv`` is given.

    Raises:
        InputError: If the weights of the sets that run on a GPU do not fit.
    """
    if place.tier is not Tier.G1 or "kv" in place.key_at:
        return place.capacity
    loaded = weights_on_gpu(place.node, sets)
    room = room_of_gpu(place, sum(loaded.values(), Fraction(0)))
    if room < 0:
        heaviest = max((each for each in sets if place.node in each.gpus), key=_share_of_gpu)
        need = f"{float(sum(loaded.values()) / 10**9):.1f} GB of weights a GPU ({', '.join(loaded)})"
        what = f"{heaviest.name}: {need} do not fit in {place.node}"
        raise InputError(what, at=heaviest.entry.where("model"), fix="Raise tp, or run on larger GPUs.")
    return room


def weights_on_gpu(gpu: str, sets: Iterable[WorkingSet]) -> Mapping[str, Fraction]:
    """Bytes of weights on one GPU by model; sets that run the same model there share its instances."""
    loaded: dict[str, Fraction] = {}
    for each in sets:
        model = each.entry.spec.model
        if model is not None and gpu in each.gpus:
            loaded[model] = max(loaded.get(model, Fraction(0)), _share_of_gpu(each))
    return loaded


def _share_of_gpu(each: WorkingSet) -> Fraction:
    """An instance spreads its weights evenly over its ranks."""
    return each.weight_bytes / each.entry.spec.tp
