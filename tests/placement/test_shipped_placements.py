"""Known answers: what the shipped topologies hold, where, and how well it is proved."""

from __future__ import annotations

from fractions import Fraction

import pytest
from shipped_plans import solved

from cmxverify.placement.model.resources import ResourceKind
from cmxverify.placement.proof.outcome import Status
from cmxverify.topology.model import Tier

TB, GB = 10**12, 10**9
RACK = {
    # stored TB, copy in G2 TB, turns/s, % from G2, CMX GB/s, restore ms mean and worst
    "acme/chat": (245.9, 12.0, 70.0, 57.5, 121.8, 23.5, 51.4),
    "acme/agents": (337.4, 12.0, 66.0, 61.0, 180.8, 46.2, 88.0),
    "globex/docs": (61.8, 1.5, 40.0, 4.9, 29.3, 9.4, 9.8),
    "hooli/private": (49.2, 1.5, 10.0, 3.0, 39.7, 49.9, 51.4),
}


@pytest.mark.parametrize("name", RACK)
def test_the_rack_serves_each_set(name: str) -> None:
    """Stored, copied, read and restored as worked out by hand over all subsets of enclosures."""
    plan, _ = solved("cmx-rack")
    (found,) = (each for each in plan.sets if each.working_set.name == name)
    assert found.mean_seconds is not None
    assert found.worst_seconds is not None
    figures = (
        found.stored[Tier.G35] / TB,
        found.copied[Tier.G2] / TB,
        found.turns,
        found.from_tier[Tier.G2] * 100,
        found.reads[Tier.G35] / GB,
        found.mean_seconds * 1000,
        found.worst_seconds * 1000,
    )
    assert tuple(round(float(figure), 1) for figure in figures) == RACK[name]
    assert found.hops == 1


def test_the_rack_binds_where_it_was_worked_out() -> None:
    """Four enclosures, G2 full, endurance at 86.5 %, 1,571.85 W of 2 kW, 29.93 ms in the mean; all of it proved."""
    plan, outcome = solved("cmx-rack")
    shares = {each.label: round(float(each.share * 100), 1) for each in plan.limits}
    assert outcome.status is Status.OPTIMAL
    assert all(level.gap == 0 for level in outcome.levels)
    assert len(plan.on_places()) == 4
    assert shares["cmx[0-2] endurance"] == 86.5
    assert shares["cmx[0-2] capacity"] == 71.7
    assert shares["cmx[0-2] network read"] == 69.1
    assert shares["cmx3 capacity (hooli)"] == 16.4
    assert shares["tray17 DPU"] == 49.6
    power = next(each for each in plan.limits if each.kind is ResourceKind.POWER)
    assert round(float(power.used), 2) == 1571.85
    assert plan.mean_seconds is not None
    assert round(float(plan.mean_seconds * 1000), 2) == 29.93


def test_sharing_saves_an_enclosure_of_the_rack() -> None:
    """Without hooli's isolation three enclosures do: 1,322 W and endurance at 93 %, restore unchanged."""
    plan, _ = solved("cmx-rack", "tenants.hooli.isolation=namespace")
    power = next(each for each in plan.limits if each.kind is ResourceKind.POWER)
    endurance = next(each for each in plan.limits if each.kind is ResourceKind.ENDURANCE)
    assert len(plan.on_places()) == 3
    assert round(float(power.used)) == 1322
    assert round(float(endurance.share * 100)) == 93
    assert plan.mean_seconds == solved("cmx-rack")[0].mean_seconds


@pytest.mark.parametrize(
    ("name", "levels"),
    [
        ("hbm-only", {"late": 0, "restore": 0, "power": 0}),
        ("hbm-g2", {"late": 0, "restore": 0.00489, "power": 0}),
        ("hbm-g3", {"late": 0, "restore": 2.80924, "power": 147.81}),
        ("shared-g4", {"late": 0, "restore": 1.40212, "power": 2593.71}),
        ("article", {"late": 0, "restore": 1.42349, "power": 1500.0}),
    ],
)
def test_small_topologies_are_proved(name: str, levels: dict[str, float]) -> None:
    """Late turns/s, seconds of restoring a second and switchable watts, each equal to its proved bound."""
    _, outcome = solved(name)
    assert outcome.status is Status.OPTIMAL
    assert all(level.gap == 0 for level in outcome.levels)
    found = {level.key: float(level.value * level.unit) for level in outcome.levels}
    assert found == pytest.approx(levels, rel=1e-4, abs=1e-5)


def test_the_pod_is_proved_and_busy() -> None:
    """22 of 32 enclosures within 0.1 % at every level; three limits of different kinds above 85 %, one a link."""
    plan, outcome = solved("cmx-pod")
    busy = {each.kind for each in plan.limits if each.share > Fraction(85, 100)}
    assert all(level.gap <= Fraction(1, 1000) for level in outcome.levels)
    assert len(plan.on_places()) == 22
    assert ResourceKind.LINK in busy
    assert len(busy) >= 3
    assert len(plan.sets) == 40
