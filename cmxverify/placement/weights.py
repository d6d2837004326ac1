"""Room for KV blocks: what weights and the engine leave of HBM; all of the other tiers' room."""

from __future__ import annotations

from fractions import Fraction

from cmxverify.errors import InputError
from cmxverify.placement.demand import WorkingSet
from cmxverify.topology.model import Place, Tier, Topology

HBM_FOR_ENGINE = Fraction(9, 10)
"""Share of HBM that engines take by default (vLLM's ``gpu_memory_utilization``)."""


def kv_room(topology: Topology, place: Place, sets: tuple[WorkingSet, ...]) -> Fraction:
    """Bytes for KV blocks in a place: for a GPU 90 % of HBM minus its share of the weights, unless ``kv`` is given.

    Raises:
        InputError: If the weights of the sets that run on a GPU do not fit.
    """
    if place.tier is not Tier.G1 or "kv" in place.key_at:
        return place.capacity
    room = place.capacity * HBM_FOR_ENGINE
    for each in sets:
        if place.node in each.gpus:
            room -= each.weight_bytes / each.entry.spec.tp
            if room < 0:
                need = float(each.weight_bytes / each.entry.spec.tp / 10**9)
                what = f"{each.name}: {need:.1f} GB of weights a GPU do not fit in {place.node}"
                raise InputError(what, at=each.entry.where("model"), fix="Raise tp, or run on larger GPUs.")
    return room
