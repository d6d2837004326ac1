"""PL-32: an answer beside an earlier one, and the least that has to move between them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from placement_cluster import RAW, cluster
from shipped_plans import solved

from cmxverify.errors import InputError
from cmxverify.placement.auditing.placement_file import placement_document, write_placement
from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.model.plan import read_plan
from cmxverify.placement.proof.outcome import LevelResult, Outcome, Status
from cmxverify.placement.proof.program import Objective, Program, Row, Sense, Variable
from cmxverify.placement.solving.solve import solve_program
from cmxverify.placement.whatif.compare_plans import (
    Earlier,
    Homes,
    figures_of,
    keep_earlier,
    movement,
    read_earlier,
)
from cmxverify.topology.load import load_topology
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]
SHARING = "tenants.hooli.isolation=namespace"
BYTES = st.lists(st.sampled_from("xyz"), max_size=5)


def homes(places: list[str]) -> Homes:
    """One set with a byte at each place named."""
    return {"set": {place: Fraction(count) for place, count in Counter(places).items()}}


@given(BYTES, BYTES)
def test_no_matching_of_bytes_moves_less(old: list[str], new: list[str]) -> None:
    """PL-32: brute force over all ways to tell which old byte is which new one."""
    short, long = sorted((old, new), key=len)
    kept = max(sum(a == b for a, b in zip(short, way, strict=False)) for way in permutations(long))
    move = movement(homes(old), homes(new))
    assert (move.moved, move.added - move.dropped) == (len(short) - kept, len(new) - len(old))


def test_sets_do_not_stand_in_for_each_other() -> None:
    """PL-32: two sets that change places both move."""
    one, two = {"x": Fraction(3)}, {"y": Fraction(3)}
    assert movement({"a": one, "b": two}, {"a": two, "b": one}).moved == 6


def test_a_tenant_that_gives_up_its_enclosure_moves() -> None:
    """PL-32: hooli's 492 chunks of 100 GB leave cmx3, and nothing else moves."""
    before, after = figures_of(solved("cmx-rack")[0]), figures_of(solved("cmx-rack", SHARING)[0])
    move = movement(before.homes, after.homes)
    assert (move.moved, move.added, move.dropped) == (492 * 10**11, 0, 0)
    assert before.homes["hooli/private"] == {"cmx3.flash": 492 * 10**11}
    assert before.on - after.on == {"cmx3"}


@pytest.mark.parametrize("name", ["cmx-rack", "hbm-g3", "shared-g4"])
def test_a_file_says_of_a_plan_what_the_plan_says(folder: Path, name: str) -> None:
    """PL-32: figures read from a file are those of the plan that it was written from, exactly."""
    plan, outcome = solved(name)
    write_placement(folder / "p.json", plan.model, outcome, plan)
    earlier = read_earlier(folder / "p.json", plan.model.topology)
    assert earlier.figures == figures_of(plan)
    assert earlier.values == dict(plan.values)


def test_what_is_recomputed_has_no_home(load: Load) -> None:
    """PL-32: chunks without a home are bytes nowhere."""
    text = cluster(RAW.replace("bytes: 1 TB", "bytes: 20 TB").replace("object", "if_no_room: recompute, object"))
    model = compile_placement(load(text))
    values = solve_program(model.program).values
    assert values is not None
    plan = read_plan(model, values)
    held = sum(figures_of(plan).homes["a/raw"].values(), Fraction(0))
    assert 0 < held < 20 * 10**12
    assert held == sum(plan.sets[0].stored.values(), Fraction(0))


CHOICE = Program(
    (Variable("x", 0, 2), Variable("y", 0, 2)),
    (Row("both", {"x": 1, "y": 1}, Sense.AT_LEAST, 2),),
    (Objective("power", {"x": 1, "y": 1}),),
)


def kept(values: dict[str, int], status: Status = Status.OPTIMAL) -> bool:
    """Whether these earlier values are kept where x = 2 is the answer, for two in all."""
    answer = Outcome(status, {"x": 2, "y": 0}, (LevelResult("power", 2, 2, Fraction(1)),))
    figures = figures_of(solved("hbm-g3")[0])
    found = keep_earlier(CHOICE, answer, Earlier("p.json", figures, values))
    assert found == replace(answer, values=found.values)
    return found.values == values


def test_an_earlier_plan_that_is_as_good_is_kept() -> None:
    """PL-32: of plans that are equally good the earlier one moves nothing."""
    assert kept({"x": 0, "y": 2})


@pytest.mark.parametrize("values", [{"x": 2, "y": 1}, {"x": 0, "y": 1}, {"x": 3, "y": -1}, {"x": 2}, {"x": 0, "z": 2}])
def test_other_earlier_plans_are_not_kept(values: dict[str, int]) -> None:
    """PL-32: worse ones, forbidden ones, and plans of other programs."""
    assert not kept(values)


def test_without_a_proof_nothing_is_kept() -> None:
    """PL-32: a certificate speaks of the plan that it was made for."""
    assert not kept({"x": 0, "y": 2}, Status.FEASIBLE)


def document() -> dict[str, object]:
    """A placement of hbm-g3 as a file says it."""
    plan, outcome = solved("hbm-g3")
    return dict(json.loads(json.dumps(placement_document(plan.model, outcome, plan))))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("figures", "tiers", "G3", "watts"), 5, "expected a string, found 5"),
        (("figures", "tiers", "G3", "watts"), None, "expected a string, found null"),
        (("figures", "limits"), {}, "expected a list, found an object"),
        (("figures", "sets", "acme/chat"), {}, "key 'restore_mean' is missing"),
        (("figures",), {}, "key 'sets' is missing"),
        (("certificate", "values"), 3, "expected an object, found 3"),
        (("plan", "assignments", 0, "home"), "a[0", "is not a name or a range"),
        (("topology", "file"), "other.yaml", "this is a placement of other.yaml, not of hbm-g3.yaml"),
    ],
)
def test_damaged_files_get_one_message(folder: Path, path: tuple[str | int, ...], value: object, message: str) -> None:
    """PL-32: what is wrong and in which file."""
    content = document()
    *way, last = path
    inner: object = content
    for step in way:
        inner = inner[step]  # type: ignore[index]
    inner[last] = value  # type: ignore[index]
    (folder / "p.json").write_text(json.dumps(content))
    with pytest.raises(InputError) as caught:
        read_earlier(folder / "p.json", load_topology("hbm-g3"))
    assert message in caught.value.what
    assert caught.value.at is not None
    assert caught.value.at.file == "p.json" or "p.json" in str(caught.value.at)


def test_a_refusal_cannot_be_compared_with(folder: Path) -> None:
    """PL-32: a file that proves infeasibility holds no plan."""
    topology = load_topology("cmx-rack", overrides=["power.shelf.budget=1 kW"])
    model = compile_placement(topology)
    write_placement(folder / "p.json", model, solve_program(model.program), None)
    with pytest.raises(InputError, match="this placement has no plan to compare with"):
        read_earlier(folder / "p.json", topology)
