"""PL-10 to PL-19: what must hold. Loads and limits are worked out by hand, in bytes, bytes/s and watts."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from placement_cluster import RAW, cluster, with_keys

from cmxverify.errors import InputError
from cmxverify.placement.model.compile import PlacementModel, compile_placement
from cmxverify.placement.model.resources import Resource, ResourceKind
from cmxverify.placement.proof.outcome import Status
from cmxverify.placement.proof.program import Program, Row, Sense
from cmxverify.placement.solving.solve import solve_program
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]
GB = 10**9
HOME = "a/raw all @ box[0-1] -> cmx[0-1].flash"
COPY = "a/raw all @ box[0-1] -> box[0-1].host over cmx[0-1].flash"
ON = "on cmx[0-1]"
SHELF = "power: {shelf: {of: 'cmx[0-1]', budget: 400 W}}\n"
TWO_COPIES = "copies: 2, spread: enclosure"
IN_A_SHELF = (
    ("nodes: {\"box[0-1]\": box, leaf: sn5610, \"cmx[0-1]\": enclosure}", "nodes: {\"box[0-1]\": box, shelf: shelf}"),
    ("  box[0-1].dpu -- leaf: 50 GB/s\n", "  box[0-1].dpu -- shelf.leaf: 50 GB/s\n"),
    ("  cmx[0-1].dpu -- leaf: 50 GB/s\n", ""),
    (
        "      dpu -- flash: 100 GB/s\n",
        "      dpu -- flash: 100 GB/s\n  shelf:\n    nodes: {\"cmx[0-1]\": enclosure, leaf: sn5610}\n"
        "    links: {\"cmx[0-1].dpu -- leaf\": 50 GB/s}\n",
    ),
)
"""Both enclosures and their switch lie in one container."""
PRIVATE = "  b/raw: {runs_on: 'box[0-1]', bytes: 1 TB, read: 1 GB/s, write: 0 GB/s, isolation: enclosure}\n"


def model(load: Load, workload: str = RAW, *changes: tuple[str, str], more: str = "") -> PlacementModel:
    """The small cluster, compiled."""
    return compile_placement(load(cluster(workload, *changes, more=more)))


def limit(found: PlacementModel, kind: ResourceKind, label: str) -> Resource:
    """The tightest resource of a kind and label."""
    matching = [each for each in found.resources if each.kind is kind and each.label == label]
    assert matching, [each.label for each in found.resources]
    return min(matching, key=lambda each: each.limit)


def row(found: PlacementModel, name: str) -> Row:
    """The row of a name."""
    return next(each for each in found.program.rows if each.name == name)


def test_every_chunk_is_placed(load: Load) -> None:
    """PL-10: 100 chunks of two copies are 200 units over all chains."""
    demand = row(model(load, with_keys(TWO_COPIES)), "demand a/raw all @ box[0-1]")
    assert (demand.terms, demand.rhs) == ({HOME: 1, COPY: 1}, 200)


def test_a_recomputed_chunk_counts_for_all_its_copies(load: Load) -> None:
    """PL-10: leaving a chunk out leaves out both copies."""
    demand = row(model(load, with_keys(f"{TWO_COPIES}, if_no_room: recompute")), "demand a/raw all @ box[0-1]")
    assert demand.terms["a/raw all @ box[0-1] -> recompute"] == 2


def test_room_counts_what_is_on(load: Load) -> None:
    """PL-11: an enclosure of 8,640 GB that is on takes 864 chunks of 10 GB; at most two are on."""
    found = model(load)
    room = row(found, "cmx[0-1].flash capacity")
    assert (room.terms, room.rhs) == ({HOME: 1, COPY: 1, ON: -864}, 0)
    assert [(v.lower, v.upper) for v in found.program.variables if v.name == ON] == [(0, 2)]


def test_a_near_copy_is_spread_over_the_boxes(load: Load) -> None:
    """PL-12: a chunk of 10 GB puts 5 GB into each of two hosts of 100 GB."""
    room = limit(model(load), ResourceKind.CAPACITY, "box0.host capacity")
    assert (room.loads, room.limit) == ({COPY: 5 * GB}, 100 * GB)


def test_a_near_copy_is_one_however_many_homes(load: Load) -> None:
    """PL-12: with two copies at home, a unit is one of them, and half as much lies near."""
    room = limit(model(load, with_keys(TWO_COPIES)), ResourceKind.CAPACITY, "box0.host capacity")
    assert room.loads == {COPY: Fraction(5 * GB, 2)}


def test_gpus_keep_what_weights_leave(load: Load) -> None:
    """PL-12: 90 % of 80 GB, minus half of the 70,553,706,496 bytes of 8-bit weights for each rank of two."""
    chat = (
        "  a/chat: {model: llama-3.1-70b, kv_dtype: fp8, runs_on: 'box[0-1]', tp: 2, sessions: 10, context: 1k,\n"
        "           new_tokens: 1, turns: {every: 1 s}, tiers: [G1]}\n"
    )
    found = model(load, chat, ("gpu[0-1]: {is: h100-sxm, kv: 40 GB}", "gpu[0-1]: h100-sxm"))
    room = limit(found, ResourceKind.CAPACITY, "box0.gpu0 capacity")
    assert room.limit == 72 * GB - Fraction(70_553_706_496, 2)


def test_weights_that_do_not_fit_are_refused(load: Load) -> None:
    """PL-12: 141.1 GB of 16-bit weights do not fit one GPU of 72 GB."""
    chat = (
        "  a/chat: {model: llama-3.1-70b, kv_dtype: bf16, runs_on: box0, sessions: 10, context: 1k, new_tokens: 1,\n"
        "           turns: {every: 1 s}, tiers: [G1]}\n"
    )
    with pytest.raises(InputError, match=r"a/chat: 141\.1 GB of weights a GPU .*do not fit in box0\.gpu0"):
        model(load, chat, ("gpu[0-1]: {is: h100-sxm, kv: 40 GB}", "gpu[0-1]: h100-sxm"))


def test_media_are_planned_to_their_share(load: Load) -> None:
    """PL-13: 10 GB/s over 100 chunks read 0.1 GB/s each, of half of 80 GB/s; what a copy serves, flash does not."""
    media = limit(model(load), ResourceKind.READ, "cmx[0-1].flash read")
    assert (media.loads, media.limit, media.per_on) == ({HOME: GB // 10}, 40 * GB, (ON,))


def test_a_home_is_written_with_or_without_a_copy(load: Load) -> None:
    """PL-13: write-through: 0.05 GB/s over 100 chunks reach flash by every chain, at half of 40 GB/s."""
    media = limit(model(load), ResourceKind.WRITE, "cmx[0-1].flash write")
    assert (media.loads, media.limit) == ({HOME: 500_000, COPY: 500_000}, 20 * GB)


def test_cables_carry_their_direction(load: Load) -> None:
    """PL-14: a box reads half of a chunk's 0.1 GB/s through its cable of 50 GB/s at 50 %."""
    found = model(load)
    assert limit(found, ResourceKind.LINK, "leaf to box0.dpu").loads == {HOME: GB // 20}
    assert limit(found, ResourceKind.LINK, "box0.dpu to leaf").loads == {HOME: 250_000, COPY: 250_000}
    assert limit(found, ResourceKind.LINK, "leaf to box0.dpu").limit == 25 * GB


def test_a_dpu_reads_and_writes_with_all_of_its_rate(load: Load) -> None:
    """PL-14: 50 GB/s of a 100 GB/s DPU for reads, and as much for writes."""
    found = model(load)
    reads, writes = (limit(found, ResourceKind.DPU, name) for name in ("box0.dpu", "box0.dpu writes"))
    assert (reads.limit, writes.limit) == (50 * GB, 50 * GB)
    assert (reads.loads[HOME], writes.loads[HOME]) == (GB // 20, 250_000)


def test_cables_of_an_enclosure_count_for_each_that_is_on(load: Load) -> None:
    """PL-14: every enclosure brings its own cable of 25 GB/s."""
    cable = limit(model(load), ResourceKind.READ, "cmx[0-1] network read")
    assert (cable.limit, cable.per_on) == (25 * GB, (ON,))


def test_endurance_is_not_planned_below_the_rating(load: Load) -> None:
    """PL-15: 8,640 GB a day are 0.1 GB/s for each enclosure that is on, whatever plan_to says."""
    worn = limit(model(load), ResourceKind.ENDURANCE, "cmx[0-1].flash endurance")
    assert (worn.limit, worn.loads) == (GB // 10, {HOME: 500_000, COPY: 500_000})


@pytest.mark.parametrize(
    ("sticky", "near"),
    [("tray", Fraction(1)), ("none", Fraction(1, 2)), ("rack", Fraction(1, 2)), ("40%", Fraction(2, 5))],
)
def test_a_copy_serves_the_turns_that_return(load: Load, sticky: str, near: Fraction) -> None:
    """PL-16: all turns, one of two boxes' share, or the share given; the rest reads flash."""
    media = limit(model(load, with_keys(f"sticky: {sticky}")), ResourceKind.READ, "cmx[0-1].flash read")
    assert media.loads.get(COPY, Fraction(0)) == GB // 10 * (1 - near)


def test_a_budget_holds_idle_and_activity(load: Load) -> None:
    """PL-17: 100 W idle; 200 W more at the 50 GB/s that leave the box are 4 nJ a byte, read or written."""
    power = limit(model(load, more=SHELF), ResourceKind.POWER, "shelf power")
    assert power.limit == 400
    assert power.loads == {
        ON: 100,
        HOME: Fraction(4, GB) * (GB // 10 + 500_000),
        COPY: Fraction(4, GB) * 500_000,
    }


def test_base_power_is_taken_off_the_budget(load: Load) -> None:
    """PL-17: a budget over a shelf with its switch is reduced by the switch's full power, not by enclosures' DPUs."""
    topology = load(cluster(RAW, *IN_A_SHELF, more="power: {all: {of: shelf, budget: 4 kW}}\n"))
    power = limit(compile_placement(topology), ResourceKind.POWER, "all power")
    assert topology.nodes["shelf.leaf"].full_w
    assert power.limit == 4_000 - topology.nodes["shelf.leaf"].full_w


def test_no_domain_takes_more_than_one_copy_of_each_chunk(load: Load) -> None:
    """PL-18: of 200 units at most 100 an enclosure that is on."""
    spread = row(model(load, with_keys(TWO_COPIES)), "spread a/raw all @ box[0-1] in cmx[0-1]")
    assert (spread.terms, spread.rhs) == ({HOME: 1, COPY: 1, ON: -100}, 0)


def test_a_wider_domain_takes_all_its_pools_together(load: Load) -> None:
    """PL-18: where the failure domain is the shelf that holds both enclosures, it takes 100 of the 200 units."""
    found = model(load, with_keys("copies: 2, spread: shelf"), *IN_A_SHELF)
    (spread,) = (each for each in found.program.rows if each.name.startswith("spread"))
    assert (set(spread.terms.values()), spread.rhs) == ({1}, 100)


def test_what_is_recomputed_leaves_domains_fewer_copies_to_hold(load: Load) -> None:
    """PL-18: an enclosure that is a domain takes at most the chunks that are stored, 100 less the recomputed."""
    one = ("\"cmx[0-1]\": enclosure}", "\"cmx[0-1]\": enclosure, \"cmy\": enclosure}"), (
        "  cmx[0-1].dpu -- leaf: 50 GB/s\n",
        "  cmx[0-1].dpu -- leaf: 50 GB/s\n  cmy.dpu -- leaf: 40 GB/s\n",
    )
    found = model(load, with_keys(f"{TWO_COPIES}, if_no_room: recompute"), *one)
    stored = row(found, "spread a/raw all @ box[0-1] in cmy, of what is stored")
    assert stored.rhs == 100
    assert stored.terms.pop("a/raw all @ box[0-1] -> recompute") == 1
    assert set(stored.terms.values()) == {1}


@pytest.mark.parametrize("on", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("recomputed", [0, 30, 100])
@pytest.mark.parametrize("copies", [2, 3])
def test_a_pool_takes_what_is_stored_times_what_is_on(load: Load, on: int, recomputed: int, copies: int) -> None:
    """PL-18: of M chunks stored in r copies, k enclosures hold all if k is r or more, or M is 0, and else none."""
    four = [("\"cmx[0-1]\": enclosure", "\"cmx[0-3]\": enclosure"), ("  cmx[0-1].dpu --", "  cmx[0-3].dpu --")]
    keys = f"copies: {copies}, spread: enclosure, if_no_room: recompute"
    program = model(load, with_keys(keys), *four).program
    fixed = {"on cmx[0-3]": on, "a/raw all @ box[0-1] -> recompute": recomputed}
    rows = [Row(f"fixed {name}", {name: 1}, Sense.EQUAL, value) for name, value in fixed.items()]
    kept = [each for each in program.rows if each.name.startswith(("spread", "demand")) or " of spread" in each.name]
    found = solve_program(Program(program.variables, (*kept, *rows), ()), time_limit_s=20)
    assert (found.status is not Status.INFEASIBLE) == (on >= copies or recomputed == 100)


def test_copies_that_cannot_be_apart_are_not_stored(load: Load) -> None:
    """PL-18: three copies on two enclosures are none, and every turn is late; two thirds of the chunks do not help."""
    found = model(load, with_keys("copies: 3, spread: enclosure, if_no_room: recompute"))
    outcome = solve_program(found.program, time_limit_s=20)
    assert outcome.values is not None
    assert outcome.values["a/raw all @ box[0-1] -> recompute"] == 100


def test_a_tenant_has_members_of_its_own(load: Load) -> None:
    """PL-19: b's chunks count against what is on for b alone, and both owners share two enclosures."""
    found = model(load, RAW + PRIVATE)
    own = row(found, "cmx[0-1].flash capacity for b")
    assert {name: c for name, c in own.terms.items() if name.startswith("on")} == {f"{ON} for b": -864}
    assert not any(name.startswith("a/raw") for name in own.terms)
    members = row(found, "members of cmx[0-1]")
    assert (members.terms, members.rhs) == ({ON: 1, f"{ON} for b": 1}, 2)
