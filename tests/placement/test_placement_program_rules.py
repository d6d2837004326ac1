"""PL-24 to PL-27: how the rules become whole numbers, and what is left out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from placement_cluster import RAW, cluster

from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.model.objectives import UNITS
from cmxverify.placement.model.resources import whole_row
from cmxverify.placement.model.symmetry import Symmetry, find_symmetry
from cmxverify.placement.proof.outcome import Status
from cmxverify.placement.solving.solve import solve_program
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]
SHARES = st.fractions(min_value=0, max_value=10**6, max_denominator=10**7)


def symmetry(load: Load, *changes: tuple[str, str], workload: str = RAW) -> Symmetry:
    """Classes and pools of the small cluster."""
    from cmxverify.placement.model.demand import resolve_demand

    topology = load(cluster(workload, *changes))
    return find_symmetry(topology, resolve_demand(topology))


def test_equal_boxes_and_places_are_one(load: Load) -> None:
    """PL-24: two boxes are one class, two enclosures one pool."""
    found = symmetry(load)
    assert [each.label for each in found.box_classes] == ["box[0-1]"]
    assert [each.label for each in found.pools] == ["cmx[0-1].flash"]


@pytest.mark.parametrize(
    ("change", "classes", "pools"),
    [
        (("  cmx[0-1].dpu -- leaf: 50 GB/s", "  cmx0.dpu -- leaf: 50 GB/s\n  cmx1.dpu -- leaf: 40 GB/s"), 1, 2),
        (("  box[0-1].dpu -- leaf: 50 GB/s", "  box0.dpu -- leaf: 50 GB/s\n  box1.dpu -- leaf: 40 GB/s"), 2, 1),
    ],
)
def test_a_slower_cable_tells_apart(load: Load, change: tuple[str, str], classes: int, pools: int) -> None:
    """PL-24: what hangs on another cable is of another colour."""
    found = symmetry(load, change)
    assert (len(found.box_classes), len(found.pools)) == (classes, pools)


def test_who_runs_there_tells_boxes_apart(load: Load) -> None:
    """PL-24: a box that also runs another set is a class of its own."""
    other = "  a/more: {runs_on: box1, bytes: 20 GB, read: 1 GB/s, write: 0 GB/s}\n"
    assert [each.label for each in symmetry(load, workload=RAW + other).box_classes] == ["box0", "box1"]


def test_aggregation_does_not_change_the_optimum(load: Load) -> None:
    """PL-24: with every part its own unknown, the levels have the same values."""
    topology = load(cluster(RAW))
    together, apart = (
        solve_program(compile_placement(topology, aggregate=aggregate).program) for aggregate in (True, False)
    )
    assert together.status is apart.status is Status.OPTIMAL
    assert [level.value for level in together.levels] == [level.value for level in apart.levels]


@given(st.lists(SHARES, min_size=1, max_size=4), SHARES)
def test_rounding_never_allows_more(loads: list[Fraction], limit: Fraction) -> None:
    """PL-25: a whole-number point that satisfies the row satisfies the limit that it stands for."""
    named = {f"x{index}": load for index, load in enumerate(loads)}
    row = whole_row("row", named, limit, ())
    for point in product(range(4), repeat=len(loads)):
        values = dict(zip(named, point, strict=True))
        if row.holds(values):
            assert sum(load * values[name] for name, load in named.items()) <= limit


def test_exact_rows_lose_nothing() -> None:
    """PL-25: 0.3 x + 0.2 y <= 1.05 becomes 3 x + 2 y <= 10, which no whole-number point tells from it."""
    row = whole_row("row", {"x": Fraction(3, 10), "y": Fraction(1, 5)}, Fraction(21, 20), ())
    assert (row.terms, row.rhs) == ({"x": 3, "y": 2}, 10)


def test_long_fractions_are_cut_on_the_safe_side() -> None:
    """PL-25: where numbers would be huge, the largest becomes 10^9, loads are rounded up and the limit down."""
    third = Fraction(10**20 + 1, 3 * 10**20)
    row = whole_row("row", {"x": third, "y": Fraction(1, 7**20)}, Fraction(1), ())
    assert (row.terms, row.rhs) == ({"x": 333_333_334, "y": 1}, 10**9)


def test_units_of_levels() -> None:
    """PL-26: what one step of each level is worth."""
    expected = {"late": 10**9, "restore": 10**9, "power": 10**6, "cost": 1, "spread": 10**3}
    assert {key: 1 / unit for key, unit in UNITS.items()} == expected


def test_coefficients_are_rounded_to_the_nearest(load: Load) -> None:
    """PL-26: one turn a second over three chunks of 401 ms is 133,666,666.67 billionths, so 133,666,667."""
    few = "  a/raw: {runs_on: 'box[0-1]', bytes: 30 GB, read: 10 GB/s, write: 0 GB/s, object: 10 GB, tiers: [G3.5]}\n"
    program = compile_placement(load(cluster(few))).program
    restore = next(each for each in program.objectives if each.key == "restore")
    assert set(restore.terms.values()) == {133_666_667}


def test_rows_that_cannot_bind_are_left_out(load: Load) -> None:
    """PL-27: 100 chunks of 0.05 GB/s never fill a box's cable of 25 GB/s, so it has no row, but is a resource."""
    model = compile_placement(load(cluster(RAW)))
    assert "leaf to box0.dpu" in {each.label for each in model.resources}
    assert "leaf to box0.dpu" not in {row.name for row in model.program.rows}


def test_of_equal_rows_the_tightest_stays(load: Load) -> None:
    """PL-27: three kinds of cable and DPU lead out of an enclosure; rows of one left-hand side are all different."""
    rows = [tuple(sorted(row.terms.items())) for row in compile_placement(load(cluster(RAW))).program.rows]
    assert len(rows) == len(set(rows))
