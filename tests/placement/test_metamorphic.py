"""What must not change an answer, or may change it one way only; and odd clusters that once were answered wrongly."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from placement_cluster import RAW, cluster
from random_topologies import random_text

from cmxverify.placement.auditing.placement_file import write_placement
from cmxverify.placement.auditing.verify import verify_placement
from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.model.plan import read_plan
from cmxverify.placement.proof.outcome import Outcome, Status
from cmxverify.placement.solving.solve import solve_program
from cmxverify.topology.load import load_topology

SEEDS = range(12)
NEW_NAMES = {"box": "zoo", "leaf": "aleph", "pool": "quux", "set": "ant"}
IN_HBM = "  a/raw: {runs_on: 'box[0-1]', bytes: BYTES, read: 1 GB/s, write: 0 GB/s, object: 10 GB, tiers: [G1]}\n"


def answer(text: str, folder: Path) -> Outcome:
    """The proved answer to a file; a plan must be accepted by ``verify``."""
    (folder / "rack.yaml").write_text(text)
    model = compile_placement(load_topology(folder / "rack.yaml"))
    outcome = solve_program(model.program, time_limit_s=20)
    if outcome.values is not None:
        path = folder / "rack.placement.json"
        write_placement(path, model, outcome, read_plan(model, outcome.values))
        assert verify_placement(path).faults == ()
    return outcome


def levels(outcome: Outcome) -> list[int] | Status:
    """Values of all levels, or the status where there is no optimum."""
    return [level.value for level in outcome.levels] if outcome.status is Status.OPTIMAL else outcome.status


def no_worse(more: Outcome, less: Outcome) -> bool:
    """Whether an answer is at least as good as another, level by level."""
    if less.status is Status.INFEASIBLE:
        return True
    assert less.status is Status.OPTIMAL
    return more.status is Status.OPTIMAL and levels(more) <= levels(less)  # type: ignore[operator]


@pytest.mark.parametrize("seed", SEEDS)
def test_names_say_nothing(seed: int, folder: Path) -> None:
    """Other names of boxes, switches and sets, in another order of the alphabet, leave every value as it is."""
    text = random_text(Random(seed))
    renamed = re.sub(r"\b(box|leaf|pool|set)(?![a-z])", lambda name: NEW_NAMES[name[0]], text)
    assert renamed != text
    assert levels(answer(renamed, folder)) == levels(answer(text, folder))


@pytest.mark.parametrize("seed", SEEDS)
def test_order_says_nothing(seed: int, folder: Path) -> None:
    """Sets in reverse order leave every value as it is."""
    text = random_text(Random(seed))
    head, _, sets = text.partition("workload:\n")
    reverse = head + "workload:\n" + "".join(reversed(sets.splitlines(keepends=True)))
    assert levels(answer(reverse, folder)) == levels(answer(text, folder))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("more", [("usable: 1 TB", "usable: 2 TB"), (" kW}", "9 kW}"), ("kv: 200 GB", "kv: 900 GB")])
def test_more_is_never_worse(seed: int, more: tuple[str, str], folder: Path) -> None:
    """Larger enclosures (of unchanged wear), budgets or host memories give the same optimum or a better one."""
    text = random_text(Random(seed)).replace("dwpd: 1 DWPD}", "dwpd: 9 DWPD}")
    if more[0] not in text:
        pytest.skip("nothing of that size in this cluster")
    assert no_worse(answer(text.replace(*more), folder), answer(text, folder))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_set_less_always_fits(seed: int, folder: Path) -> None:
    """What fits together fits with the last set taken out."""
    lines = random_text(Random(seed)).splitlines(keepends=True)
    if lines[-2] == "workload:\n":
        pytest.skip("one set only")
    if answer("".join(lines), folder).status is Status.OPTIMAL:
        assert answer("".join(lines[:-1]), folder).status is Status.OPTIMAL


def test_ten_times_everything_is_the_same(folder: Path) -> None:
    """Sizes and rates times ten, seconds as they are: same turns, same restore times."""
    set_ = "  a/raw: {runs_on: 'box[0-1]', bytes: 1 TB, read: 10 GB/s, write: 0.05 GB/s, object: 10 GB}\n"
    text = cluster(set_)
    big = text.replace("40 GB}", "400 GB}").replace(": 100 GB", ": 1000 GB").replace("8640 GB", "86400 GB")
    big = big.replace("50 GB/s", "500 GB/s").replace("read: 80", "read: 800").replace("write: 40", "write: 400")
    big = big.replace("1 TB", "10 TB").replace(": 10 GB", ": 100 GB").replace("0.05", "0.5")
    assert levels(answer(big, folder)) == levels(answer(text, folder))


def test_halves_are_a_whole(folder: Path) -> None:
    """Two sets of half the size on the same boxes do what one does."""
    half = RAW.replace("1 TB", "500 GB").replace("10 GB/s", "5 GB/s").replace("0.05", "0.025")
    halves = half + half.replace("a/raw", "a/more")
    assert levels(answer(cluster(halves), folder)) == levels(answer(cluster(RAW), folder))


@pytest.mark.parametrize(("read", "status"), [("14 GB/s", Status.OPTIMAL), ("16 GB/s", Status.INFEASIBLE)])
def test_chained_enclosures_share_a_cable(read: str, status: Status, folder: Path) -> None:
    """PL-14: behind the first enclosure hangs the second; both read over the first one's 15 GB/s to the leaf.

    What is read fills 12 TB, more than either holds.
    """
    keys = f"bytes: 12 TB, read: {read}, write: 0 GB/s, object: 10 GB, tiers: [G3.5]"
    set_ = f"  a/raw: {{runs_on: 'box[0-1]', {keys}}}\n"
    chain = ("  cmx[0-1].dpu -- leaf: 50 GB/s", "  cmx0.dpu -- leaf: 30 GB/s\n  cmx1.dpu -- cmx0.dpu: 50 GB/s")
    assert answer(cluster(set_, chain, ("metric: switches, max: 1", "metric: switches")), folder).status is status


def test_endless_room_is_not_coarse(folder: Path) -> None:
    """PL-4: enclosures a million times larger than what is stored leave room for the same copies in host memory."""
    text = cluster(RAW, ("chunk: 10 GB\n", ""))
    assert no_worse(answer(text.replace("8640 GB", "8640 PB"), folder), answer(text, folder))


def test_ranks_in_boxes_apart_read_at_once(folder: Path) -> None:
    """PL-8: an instance with a rank in each of two unlike boxes waits for both of its halves, also says the auditor."""
    keys = "bytes: 1 TB, read: 10 GB/s, write: 0 GB/s, object: 10 GB, tiers: [G3.5]"
    apart = f"  a/raw: {{runs_on: 'box0.gpu0,box1.gpu0', tp: 2, {keys}}}\n"
    beside = f"  a/more: {{runs_on: box1, {keys.replace('10 GB/s', '1 GB/s')}}}\n"
    assert answer(cluster(apart + beside), folder).status is Status.OPTIMAL


@pytest.mark.parametrize("sticky", ["tray", "rack", "none", "60%"])
def test_one_box_is_always_returned_to(sticky: str, folder: Path) -> None:
    """PL-16: where all instances share a box no turn can land elsewhere, whatever ``sticky`` says."""
    keys = f"read: 1 GB/s, write: 0 GB/s, object: 10 GB, tiers: [G2], copy: exclusive, sticky: {sticky}"
    found = answer(cluster(f"  a/raw: {{runs_on: box0, bytes: 100 GB, {keys}}}\n"), folder)
    assert found.levels[0].value == 0


@pytest.mark.parametrize("gpus", [("80 GB", ""), ("", "80 GB")])
@pytest.mark.parametrize(("size", "status"), [("280 GB", Status.OPTIMAL), ("320 GB", Status.INFEASIBLE)])
def test_all_of_hbm_and_most_of_it_differ(gpus: tuple[str, str], size: str, status: Status, folder: Path) -> None:
    """PL-12: a GPU of 80 GB whose ``kv`` is 80 GB is not like its neighbour that keeps 72 GB, in either order."""
    lines = [f"gpu{i}: {{is: h100-sxm{f', kv: {kv}' if kv else ''}}}" for i, kv in enumerate(gpus)]
    change = ("gpu[0-1]: {is: h100-sxm, kv: 40 GB}", "\n      ".join(lines))
    assert answer(cluster(IN_HBM.replace("BYTES", size), change), folder).status is status


def test_sets_of_one_model_load_it_once(folder: Path) -> None:
    """PL-12: two sets on the same instances; with the weights twice, HBM would not hold their sessions."""
    keys = 'runs_on: "box[0-1]", context: 1k, new_tokens: 10, turns: {every: 10 s}, tiers: [G1], copy: exclusive'
    sets = (f"  a/{name}: {{model: llama-3.1-8b, {keys}, sessions: {n}}}\n" for name, n in (("x", 40), ("y", 1300)))
    changes = (("gpu[0-1]: {is: h100-sxm, kv: 40 GB}", "gpu[0-1]: {is: h100-sxm}"), ("chunk: 10 GB", "chunk: 10 MB"))
    assert answer(cluster("".join(sets), *changes), folder).status is Status.OPTIMAL


def test_cables_at_other_leaves_make_another_pool(folder: Path) -> None:
    """PL-24: two cables at one leaf and one at the other: alone, either enclosure would overload a leaf's cable.

    Planned to half, 15 GB/s are read. One enclosure alone brings two thirds of it, 10 GB/s, over one leaf's cable
    to the box, which takes 8; the two together bring 7.5 GB/s over each.
    """
    keys = "bytes: 1 TB, read: 15 GB/s, write: 0 GB/s, object: 10 GB, tiers: [G3.5]"
    text = cluster(
        f"  a/raw: {{runs_on: box0, {keys}}}\n",
        ("leaf: sn5610", '"leaf[0-1]": sn5610'),
        ("  box[0-1].dpu -- leaf: 50 GB/s", "  box[0-1].dpu -- leaf[0-1]: 16 GB/s"),
        (
            "  cmx[0-1].dpu -- leaf: 50 GB/s",
            "  cmx0.dpu -- leaf0: {rate: 50 GB/s, count: 2}\n  cmx0.dpu -- leaf1: 50 GB/s\n"
            "  cmx1.dpu -- leaf1: {rate: 50 GB/s, count: 2}\n  cmx1.dpu -- leaf0: 50 GB/s",
        ),
    )
    found = answer(text, folder)
    assert found.values is not None
    assert [value for name, value in found.values.items() if name.startswith("on ")] == [1, 1]
