"""Tables and picture of a plan, read from the shipped topologies as ``solve`` prints them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.model.plan import Plan, read_plan
from cmxverify.placement.model.resources import ResourceKind
from cmxverify.placement.proof.outcome import LevelResult, Outcome, Status
from cmxverify.placement.solving.solve import solve_program
from cmxverify.report.amounts import amount, millis, percent, rate, size
from cmxverify.report.placement_limits import limit_table, shown_limits
from cmxverify.report.placement_picture import place_fills
from cmxverify.report.placement_tables import opened_lines, plan_lines, verdict_lines
from cmxverify.topology.load import load_topology


@cache
def plan_of(name: str, *overrides: str) -> tuple[Plan, Outcome]:
    model = compile_placement(load_topology(name, overrides=overrides))
    outcome = solve_program(model.program, time_limit_s=60)
    assert outcome.values is not None
    return read_plan(model, outcome.values), outcome


def test_limits_of_a_rack() -> None:
    """The fullest first, one of each kind at least, equal ones on one way once, names without noise."""
    plan, _ = plan_of("cmx-rack")
    assert limit_table(plan, width=100)[1:6] == [
        "  G2 host, 18 places            27.0 TB     27.0 TB  100 %",
        "  cmx[0-2] endurance          9.01 GB/s  10.42 GB/s   87 %",
        "  shelf power                   1,572 W     2,000 W   79 %",
        "  cmx[0-2] capacity            645.1 TB    900.0 TB   72 %",
        "  cmx[0-2] network read      331.9 GB/s  480.0 GB/s   69 %",
    ]
    assert {each.kind for each in shown_limits(plan)} == set(ResourceKind)
    assert len({each.share for each in shown_limits(plan)}) == len(shown_limits(plan)) == 10


def test_limits_that_hardly_bind_are_left_out() -> None:
    """What is used to less than a hundredth is no news."""
    plan, _ = plan_of("hbm-g2")
    assert [each.label for each in shown_limits(plan)] == ["G1 HBM, 8 places", "G2 host, 1 place"]


@pytest.mark.parametrize("name", ["cmx-rack", "hbm-only", "hbm-g2", "hbm-g3", "shared-g4", "article"])
@pytest.mark.parametrize("width", [120, 100, 80, 60])
def test_lines_fit_the_terminal(name: str, width: int) -> None:
    """Tables continue below, lists wrap; at 60 columns nothing is wider."""
    plan, outcome = plan_of(name)
    assert max(map(len, plan_lines(plan, outcome, width=width))) <= width


def test_copies_that_are_not_stored_ask_for_nothing() -> None:
    """Five copies find no five enclosures, so the set is recomputed: what is on is there for others."""
    plan, _ = plan_of("cmx-rack", "workload.globex/docs.copies=5", "workload.globex/docs.if_no_room=recompute")
    assert "copies are kept apart" not in "\n".join(opened_lines(plan, width=120))


def test_what_is_on_and_what_asks_for_it() -> None:
    """Endurance needs 2.6 of the three that are shared; a narrow terminal has the reasons on a further line."""
    plan, _ = plan_of("cmx-rack")
    wide, narrow = (opened_lines(plan, width=width) for width in (120, 80))
    assert wide == [
        "  4 of 4 enclosures on: 3 shared (endurance asks 2.6, capacity 2.2, read rate 2.1), "
        "1 for hooli (read rate asks 0.2)"
    ]
    assert " ".join(line.strip() for line in narrow) == wide[0].strip()
    assert opened_lines(plan_of("hbm-g2")[0], width=80) == []


def test_late_turns_have_a_column() -> None:
    """Only where there are some."""
    plan, outcome = plan_of("hbm-g3", "workload.acme/chat.sticky=60%")
    heading = plan_lines(plan, outcome, width=120)[0]
    assert heading.endswith("late/s")
    assert "late/s" not in plan_lines(*plan_of("hbm-g3"), width=120)[0]


def test_fills_of_a_picture() -> None:
    """Shares of rooms: host memory is full, the tenant's enclosure says whose it is."""
    fills = place_fills(plan_of("cmx-rack")[0])
    assert fills["tray00.host"].share == 1
    assert (fills["cmx3.flash"].label, float(fills["cmx3.flash"].share)) == (
        "hooli 16 %",
        pytest.approx(0.164),
    )
    assert fills["cmx0.flash"].share == fills["cmx2.flash"].share
    off = place_fills(plan_of("cmx-rack", "tenants.hooli.isolation=namespace")[0])["cmx3.flash"]
    assert (off.share, off.label) == (0, "off")


def verdict(outcome: Outcome, *, width: int = 120) -> list[str]:
    return verdict_lines(outcome, saved="plan.json", gap=Fraction(1, 1000), seconds=2.04, width=width)


def test_the_verdict_is_the_first_word() -> None:
    """Four statuses; a wide gap, and a plan of which nothing is proved, say so."""
    level = LevelResult("power", 1000, 900, Fraction(1))
    feasible = Outcome(Status.FEASIBLE, {}, (level,))
    assert verdict(feasible)[0].startswith(
        "feasible   within 10.00 % of the proved bound at every level, wider than the 0.10 % asked for"
    )
    assert verdict(Outcome(Status.FEASIBLE, {}))[0].startswith("feasible   a plan, but nothing is proved")
    assert verdict(Outcome(Status.INFEASIBLE))[0].startswith("infeasible   proved; certificate in plan.json")
    assert verdict(Outcome(Status.UNKNOWN))[0].startswith("unknown   neither a plan nor a proof")


def test_a_long_name_goes_to_the_next_line() -> None:
    """The time stays at the right end of the first."""
    lines = verdict(Outcome(Status.OPTIMAL, {}), width=50)
    assert lines == [
        "optimal   proved at every level              2.0 s",
        "  plan and certificate in plan.json",
    ]


@pytest.mark.parametrize(
    ("share", "digits", "text"),
    [
        (Fraction(1), 0, "100 %"),
        (Fraction(9999, 10000), 0, "99 %"),
        (Fraction(99999, 100000), 2, "> 99.99 %"),
        (Fraction(1, 2), 1, "50.0 %"),
    ],
)
def test_a_share_below_one_is_never_printed_as_one(share: Fraction, digits: int, text: str) -> None:
    """100 % means that nothing is left."""
    assert percent(share, digits) == text


def test_amounts_in_their_units() -> None:
    """TB or GB, GB/s or MB/s, W; nothing is 0."""
    assert [size(Fraction(0)), size(Fraction(10**12)), size(Fraction(5 * 10**10))] == [
        "0",
        "1.0 TB",
        "50.0 GB",
    ]
    assert [rate(Fraction(2 * 10**9)), rate(Fraction(10**6))] == ["2.0 GB/s", "1.0 MB/s"]
    assert amount(Fraction(1234), ResourceKind.POWER) == "1,234 W"
    assert (millis(None), millis(Fraction(1, 5)), millis(Fraction(1, 5), exact=True)) == ("-", "200.0", "200")
