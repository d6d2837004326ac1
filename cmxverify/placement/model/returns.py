"""Which share of a set's turns a store serves: those that land where it can be read."""

from __future__ import annotations

from fractions import Fraction

from cmxverify.placement.model.stores import Part, reader_groups
from cmxverify.topology.model import Place


def share_served(part: Part, place: Place) -> Fraction:
    """Share of the turns of a part that find what its first box left in a place.

    A turn runs on one of the set's groups of GPUs. ``sticky`` says which: one of the box that it ran on
    before, any in the same rack, any at all, or the box with the given share and any other with the rest.

    Args:
        place: Read by all GPUs, or by those of its ``scope`` only.
    """
    wanted = part.working_set.entry.spec.sticky
    if place.scope is None or wanted == "tray":
        return Fraction(1)
    box = part.boxes.boxes[0].path
    groups = reader_groups(part.working_set)
    served = [group for group in groups if _touches(group, place.scope)]
    if isinstance(wanted, Fraction):
        others = sum(not _touches(group, box) for group in groups)
        if not others:
            return Fraction(1)  # there is nowhere else to go
        served_others = sum(not _touches(group, box) for group in served)
        return wanted + (1 - wanted) * Fraction(served_others, others)
    if wanted == "rack":
        rack = box.rpartition(".")[0]
        groups = tuple(group for group in groups if _touches(group, rack))
        served = [group for group in served if _touches(group, rack)]
    return Fraction(len(served), len(groups))


def _touches(group: tuple[str, ...], container: str) -> bool:
    return not container or any(gpu.startswith(container + ".") for gpu in group)
