"""The auditor: agrees with placement on random clusters, cable by cable, and sees every kind of broken plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import pytest
from placement_cluster import cluster, with_keys
from random_topologies import random_topology

from cmxverify.placement.auditing.audit import audit_plan
from cmxverify.placement.auditing.audit_network import Network, largest_flow
from cmxverify.placement.auditing.audit_plan import ClaimedLevel, PlanClaims, PlannedChunks, SwitchedOn
from cmxverify.placement.model.compile import PlacementModel, compile_placement
from cmxverify.placement.model.plan import read_plan
from cmxverify.placement.model.resources import ResourceKind
from cmxverify.placement.proof.outcome import Outcome
from cmxverify.placement.solving.solve import solve_program
from cmxverify.topology.load import load_topology
from cmxverify.topology.model import HopMetric, Topology
from cmxverify.topology.routes import Router

LEVELS = ("late", "restore", "power", "spread")


def claims_of(model: PlacementModel, outcome: Outcome) -> PlanClaims:
    """A solved plan, as a file would state it."""
    assert outcome.values is not None
    plan = read_plan(model, outcome.values)
    keys = ("working_set", "band", "boxes", "copy", "home", "owner", "chunks")
    return PlanClaims(
        model.chunk,
        tuple(PlannedChunks(*(getattr(line, key) for key in keys)) for line in plan.assignments),
        tuple(SwitchedOn(on.pool, on.owner, on.places) for on in plan.opened),
        tuple(ClaimedLevel(level.key, level.value, level.unit) for level in outcome.levels),
    )


@pytest.mark.parametrize("aggregate", [True, False])
@pytest.mark.parametrize("seed", range(25))
def test_solved_plans_of_random_clusters_are_accepted(seed: int, aggregate: bool, tmp_path: Path) -> None:
    """Merging equal parts, orbits and even splits lose nothing: place by place and cable by cable all holds."""
    topology = random_topology(Random(seed), tmp_path)
    model = compile_placement(topology, objectives=LEVELS, aggregate=aggregate)
    outcome = solve_program(model.program, time_limit_s=5)
    if outcome.values is None:
        pytest.skip(f"{outcome.status.value}: no plan to audit")
    audit = audit_plan(topology, claims_of(model, outcome))
    assert audit.faults == ()
    assert _differing_cables(model, outcome, audit.cables) == []


def _differing_cables(
    model: PlacementModel, outcome: Outcome, cables: Mapping[tuple[str, str], Fraction]
) -> list[tuple[str, Fraction, Fraction]]:
    """Cables outside enclosures whose load placement and auditor see differently."""
    assert outcome.values is not None
    loads = {f"{a} to {b}": load for (a, b), load in cables.items()}
    found: list[tuple[str, Fraction, Fraction]] = []
    for resource in model.resources:
        if resource.kind is ResourceKind.LINK and not resource.per_on:
            expected = resource.used(outcome.values)
            seen = [(name, expected, loads.get(name, Fraction(0))) for name in resource.members]
            found += [each for each in seen if each[1] != each[2]]
    return found


@pytest.mark.parametrize("seed", range(12))
def test_hops_are_those_of_the_router(seed: int, tmp_path: Path) -> None:
    """Two searches, written apart, count the same in all three metrics, and the same latency."""
    topology = random_topology(Random(seed * 7 + 2), tmp_path)
    router, network = Router(topology), Network(topology)
    for place in topology.places.values():
        for gpu, hops in router.hops_from(place.node).items():
            if topology.nodes[gpu].kind.value == "gpu" and gpu != place.node:
                own = network.distance(place.node, gpu)
                assert [hops.by(metric) for metric in HopMetric] == [own.switches, own.switch_links, own.links]


def test_largest_flow_is_the_smallest_cut() -> None:
    """Two ways of 3 and 5 out of a node that gets 6: 6 pass; through a neck of 2 only 2."""
    edges = {("s", "a"): 6, ("a", "b"): 3, ("a", "c"): 5, ("b", "t"): 9, ("c", "t"): 9}
    assert largest_flow({edge: Fraction(rate) for edge, rate in edges.items()}, "s", "t") == 6
    edges |= {("s", "a"): 9, ("b", "t"): 1, ("c", "t"): 1}
    assert largest_flow({edge: Fraction(rate) for edge, rate in edges.items()}, "s", "t") == 2


# --- broken plans


@cache
def rack() -> tuple[Topology, PlanClaims]:
    """The shipped rack and its optimal plan."""
    topology = load_topology("cmx-rack")
    model = compile_placement(topology)
    return topology, claims_of(model, solve_program(model.program))


def faults(claims: PlanClaims, *, overrides: tuple[str, ...] = ()) -> str:
    """All that the auditor says, of the rack or of one that differs from it."""
    topology = load_topology("cmx-rack", overrides=overrides) if overrides else rack()[0]
    return "\n".join(audit_plan(topology, claims).faults)


def with_line(claims: PlanClaims, index: int, **changes: object) -> PlanClaims:
    """A plan with one assignment changed."""
    lines = list(claims.assignments)
    lines[index] = replace(lines[index], **changes)  # type: ignore[arg-type]
    return replace(claims, assignments=tuple(lines))


def test_the_plan_of_the_rack_is_accepted() -> None:
    """And its exact objectives lie within rounding of the levels."""
    assert faults(rack()[1]) == ""


CHANGES: list[tuple[Callable[[PlanClaims], PlanClaims], str]] = [
    (lambda c: with_line(c, 0, chunks=c.assignments[0].chunks - 1), "chunks are placed,"),
    (lambda c: with_line(c, 0, chunks=c.assignments[0].chunks + 1), "chunks are placed,"),
    (lambda c: with_line(c, 0, chunks=10**900), "about 1e899 chunks are placed, 99 are needed"),
    (lambda c: with_line(c, 0, chunks=0), "it must be 1 or more"),
    (lambda c: replace(c, chunk=Fraction(0)), "a chunk has no bytes"),
    (lambda c: replace(c, assignments=c.assignments[1:]), "acme/chat hot: 0 GPUs are served, it runs on 32"),
    (lambda c: replace(c, assignments=c.assignments[2:]), "acme/chat cold @ tray[00-07]:"),
    (lambda c: with_line(c, 0, working_set="acme/none"), "there is no working set 'acme/none'"),
    (lambda c: with_line(c, 0, band="warm"), "has no band 'warm'"),
    (lambda c: with_line(c, 1, boxes="tray[00-06]"), "60 GPUs are served, it runs on 32"),
    (lambda c: with_line(c, 0, boxes="tray[00-06]"), "tray07.host belongs to none of the boxes"),
    (lambda c: with_line(c, 0, boxes="tray[00-08]"), "runs on no GPU of tray08"),
    (lambda c: with_line(c, 0, boxes="tray[40-48]"), "names nothing in this topology"),
    (lambda c: with_line(c, 0, copy="tray[08-15].host"), "has no place of its own"),
    (lambda c: with_line(c, 0, copy="tray[00-08].host"), "belongs to none of the boxes"),
    (lambda c: with_line(c, 0, copy="tray[00-07].gpu[0-3]"), "which it does not allow"),
    (lambda c: with_line(c, 0, home=None), "is left out, which it does not allow"),
    (lambda c: with_line(c, 0, owner="hooli"), "is owned by hooli"),
    (lambda c: with_line(c, 0, home="cmx3.flash"), "where nothing is on for it"),
    (lambda c: replace(c, opened=c.opened[:1]), "where nothing is on for it"),
    (lambda c: _opened(c, 0, ("cmx0.flash", "cmx1.flash")), "the limit is"),
    (lambda c: _opened(c, 0, ("cmx0.flash", "cmx1.flash", "cmx3.flash")), "cmx3.flash is on twice"),
    (lambda c: _opened(c, 0, ("cmx0.flash", "cmx1.flash", "tray00.host")), "tray00.host is on, but is no shared place"),
    (lambda c: with_line(c, 1, copy="tray[00-07].host"), "tray00.host holds"),
]


def _opened(claims: PlanClaims, index: int, places: tuple[str, ...]) -> PlanClaims:
    opened = list(claims.opened)
    opened[index] = replace(opened[index], places=places)
    return replace(claims, opened=tuple(opened))


@pytest.mark.parametrize(("change", "fault"), CHANGES, ids=[fault for _, fault in CHANGES])
def test_a_broken_plan_is_refused(change: Callable[[PlanClaims], PlanClaims], fault: str) -> None:
    """For the reason that it is broken."""
    assert fault in faults(change(rack()[1]))


@pytest.mark.parametrize(
    ("override", "fault"),
    [
        ("templates.enclosure.nodes.flash.usable=200 TB", "cmx0.flash holds 2.15033e+14 B, the limit is 2e+14"),
        ("templates.enclosure.nodes.flash.read=90 GB/s", "cmx0.flash reads"),
        ("templates.enclosure.nodes.flash.dwpd=0.5 DWPD", "cmx0.flash wears"),
        ("templates.tray.nodes.host.kv=1 TB", "tray00.host holds"),
        ("templates.tray.links.host -- dpu=40 GB/s", "cables tray17.dpu to tray17.host carry"),
        ("power.shelf.budget=1.5 kW", "shelf draws 1571.85 W, the limit is 1500"),
        ("hops.max=0", "1 switches away, the limit is 0"),
        ("workload.acme/chat.restore=40 ms", "restored in"),
        ("workload.acme/chat.tiers=[G3.5]", "is placed in tier G2, which it does not allow"),
        ("workload.acme/chat.copy=exclusive", "has a copy in its box, but asks for one copy only"),
        ("workload.globex/docs.copies=3", "chunks are placed"),
        ("plan_to=40%", "carry"),
    ],
)
def test_a_plan_for_another_cluster_is_refused(override: str, fault: str) -> None:
    """What holds in the shipped rack breaks one limit in a smaller one."""
    assert fault in faults(rack()[1], overrides=(override,))


def test_copies_of_what_is_stored_are_apart(load: Callable[..., Topology]) -> None:
    """Two enclosures keep no three copies of 60 chunks apart, though each holds fewer than the 100 that there are."""
    topology = load(cluster(with_keys("copies: 3, spread: enclosure, if_no_room: recompute")))
    lines = (
        PlannedChunks("a/raw", "all", "box[0-1]", None, "cmx[0-1].flash", "", 180),
        PlannedChunks("a/raw", "all", "box[0-1]", None, None, "", 40),
    )
    opened = (SwitchedOn("cmx[0-1].flash", "", ("cmx0.flash", "cmx1.flash")),)
    found = audit_plan(topology, PlanClaims(Fraction(10**10), lines, opened, ())).faults
    assert "a/raw all @ box[0-1]: cmx0 holds 1.5 copies, it may hold one of each chunk" in found


@pytest.mark.parametrize("key", ["restore", "power"])
def test_a_level_that_is_not_reached_is_refused(key: str) -> None:
    """By more than rounding: half a unit for each chunk and place that is on."""
    claims = rack()[1]
    units = sum(line.chunks for line in claims.assignments) + 4

    def levels(by: int) -> PlanClaims:
        changed = tuple(replace(lv, value=lv.value + by * (lv.key == key)) for lv in claims.levels)
        return replace(claims, levels=changed)

    assert faults(levels(0)) == ""
    assert f"level {key} is said to be" in faults(levels(2 * units))
    assert f"level {key} is said to be" in faults(levels(-2 * units))
