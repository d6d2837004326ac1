"""PL-16: which share of the turns finds what a store holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from placement_zoo import ZOO

from cmxverify.placement.model.compile import compile_placement
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]


def served(load: Load, text: str, home: str) -> set[Fraction]:
    """Shares of the turns that chains with this home, without a copy, serve."""
    model = compile_placement(load(text))
    return {
        chain.served
        for chain in model.table.allowed
        if chain.home_label.startswith(home) and chain.copy is None
    }


@pytest.mark.parametrize(
    ("sticky", "box", "rack"),
    [
        ("tray", Fraction(1), Fraction(1)),
        ("rack", Fraction(1, 2), Fraction(1)),
        ("none", Fraction(1, 4), Fraction(1, 2)),
        ("40%", Fraction(2, 5), Fraction(2, 5) + Fraction(3, 5) / 3),
    ],
)
def test_turns_land_where_sticky_says(load: Load, sticky: str, box: Fraction, rack: Fraction) -> None:
    """Two racks of two boxes: a disk of a box, and one that its rack shares."""
    text = ZOO["disks for a rack"].replace("sticky: none", f"sticky: {sticky}")
    assert served(load, text, "rack") >= {rack}
    own = text.replace(", shared_by: rack", "")
    assert box in served(load, own, "rack")


def test_an_instance_across_boxes_lands_in_both(load: Load) -> None:
    """With tp 4 over boxes of two GPUs there are two instances: half of the turns come back to a box."""
    text = ZOO["instances across boxes"].replace("tp: 4", "tp: 4, sticky: none, tiers: [G2]")
    assert served(load, text, "box") == {Fraction(1, 2)}


def test_ranks_of_attention_dp_land_alone(load: Load) -> None:
    """Under attention dp a session is one rank's: a quarter of the ranks is in a box."""
    text = ZOO["attention dp across boxes"].replace("tp: 4", "tp: 4, sticky: none, tiers: [G2]")
    assert served(load, text, "box") == {Fraction(1, 4)}


def test_shared_places_serve_every_turn(load: Load) -> None:
    """Whatever ``sticky`` says."""
    assert served(load, ZOO["turns anywhere"], "cmx") == {Fraction(1)}
