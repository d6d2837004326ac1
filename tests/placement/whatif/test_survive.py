"""PL-33: which failures a workload survives, held against files that are written without the failed part."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from placement_cluster import RAW, cluster, with_keys

from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.model.demand import resolve_demand
from cmxverify.placement.solving.feasible import find_feasible
from cmxverify.placement.whatif.failures import find_failure_classes, without
from cmxverify.placement.whatif.survive import Judged, Verdict, judge_survival
from cmxverify.topology.load import load_topology
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]
ONE_ENCLOSURE = (('"cmx[0-1]": enclosure', '"cmx[1-1]": enclosure'), ("cmx[0-1].dpu -- leaf", "cmx[1-1].dpu -- leaf"))
ONE_BOX = (('"box[0-1]": box', '"box[1-1]": box'), ("box[0-1].dpu -- leaf", "box[1-1].dpu -- leaf"))
THREE_BOXES = (('"box[0-1]": box', '"box[0-2]": box'), ("box[0-1].dpu -- leaf", "box[0-2].dpu -- leaf"))


def raw(*, read: str = "10 GB/s", write: str = "0.05 GB/s") -> str:
    """The set of 1 TB with other rates."""
    return RAW.replace("read: 10 GB/s", f"read: {read}").replace("write: 0.05 GB/s", f"write: {write}")


def judged(topology: Topology, number: int = 1) -> dict[str, Judged]:
    """Every class by its label."""
    found = judge_survival(topology, number=number, time_limit_s=60).classes
    return {each.failure.label: each for each in found}


def test_one_enclosure_endures_all_that_is_written(load: Load) -> None:
    """PL-33: one endures 0.1 GB/s, which is more than 0.05."""
    each = judged(load(cluster()))["cmx[0-1]"]
    assert (each.verdict, each.tried) == (Verdict.SURVIVED, 1)


def test_missing_enclosures_are_counted(load: Load) -> None:
    """PL-33: 0.15 GB/s ask for two enclosures of 0.1, and one is left."""
    each = judged(load(cluster(raw(write="0.15 GB/s"))))["cmx[0-1]"]
    assert (each.verdict, each.reason) == (Verdict.LOST, "2 needed, 1 left")


def test_copies_need_enclosures_of_their_own(load: Load) -> None:
    """PL-33: two copies in one enclosure are no two copies."""
    each = judged(load(cluster(with_keys("copies: 2"))))["cmx[0-1]"]
    assert (each.verdict, each.reason) == (Verdict.LOST, "2 needed, 1 left")


def test_without_any_enclosure_no_place_is_left(load: Load) -> None:
    """PL-33: even if HBM took 4 x 40 GB of the 1 TB, two hosts of 100 GB would be too small for the rest."""
    each = judged(load(cluster()), number=2)["cmx[0-1]"]
    assert each.reason == "box[0-1].host would each have to hold at least 420 GB, and the limit is 100 GB"


def test_the_cables_of_the_box_that_is_left_may_not_do(load: Load) -> None:
    """PL-33: of 40 GB/s a host of 100 GB serves a tenth; 36 GB/s are more than its cable is planned to carry."""
    each = judged(load(cluster(raw(read="40 GB/s"))))["box[0-1]"]
    assert each.verdict is Verdict.LOST
    assert each.reason == "leaf to box1.dpu would have to carry at least 36 GB/s, and the limit is 25 GB/s"


def test_without_the_only_switch_nothing_is_reached(load: Load) -> None:
    """PL-33: 1 TB does not fit into hosts, and enclosures are out of reach."""
    assert judged(load(cluster()))["leaf"].verdict is Verdict.LOST


def test_an_instance_that_loses_a_gpu_is_lost(load: Load) -> None:
    """PL-33: one instance on the GPUs of both boxes has no readers once either is gone."""
    each = judged(load(cluster(with_keys("tp: 4"))))["box[0-1]"]
    assert (each.verdict, each.reason, each.bereft) == (Verdict.LOST, "only readers of a set", ("a/raw",))


def test_parts_that_hit_different_instances_are_not_alike(load: Load) -> None:
    """PL-33: of three boxes with two instances of three GPUs, the middle one takes both instances along."""
    workload = with_keys("tp: 3").replace("box[0-1]", "box[0-2]")
    topology = load(cluster(workload, *THREE_BOXES))
    found = judged(topology)
    assert found["box1"].bereft == ("a/raw",)
    assert found["box[0,2]"].verdict is Verdict.SURVIVED


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(read=st.integers(1, 48), write=st.integers(1, 199))
def test_the_verdict_is_that_of_a_file_without_the_part(load: Load, read: int, write: int) -> None:
    """PL-33: losing an enclosure or a box is as if the file had never named it."""
    text = raw(read=f"{read} GB/s", write=f"{write} MB/s")
    whole = load(cluster(text))
    if find_feasible(compile_placement(whole).program) is None:
        return
    found = judged(whole)
    one_box = cluster(text.replace("box[0-1]", "box1"), *ONE_BOX)
    for label, smaller in (("cmx[0-1]", cluster(text, *ONE_ENCLOSURE)), ("box[0-1]", one_box)):
        fits = find_feasible(compile_placement(load(smaller)).program) is not None
        assert (found[label].verdict is Verdict.SURVIVED) == fits, (label, found[label])


def test_several_parts_of_one_class_are_lost_at_once(load: Load) -> None:
    """PL-33: one of two enclosures may go, not both; a class of one part loses that one."""
    found = judged(load(cluster()), number=2)
    assert (found["cmx[0-1]"].verdict, found["cmx[0-1]"].lost) == (Verdict.LOST, 2)
    assert found["leaf"].lost == 1


def test_unlike_pairs_are_tried_each(load: Load) -> None:
    """PL-33: two of three alike boxes go in one way up to symmetry."""
    text = cluster(RAW.replace("box[0-1]", "box[0-2]"), *THREE_BOXES)
    assert judged(load(text), number=2)["box[0-2]"].tried == 1


def test_no_time_is_undecided_not_survived(load: Load) -> None:
    """PL-33: without time nothing is claimed but what needs no solver."""
    found = judge_survival(load(cluster()), time_limit_s=0)
    assert found.verdict is Verdict.UNDECIDED
    assert {each.verdict for each in found.classes} == {Verdict.UNDECIDED}


def test_what_is_lost_outweighs_what_is_undecided(load: Load) -> None:
    """PL-33: one failure that is not survived settles it."""
    found = judge_survival(load(cluster(with_keys("tp: 4"))), time_limit_s=0)
    assert {each.verdict for each in found.classes} == {Verdict.UNDECIDED, Verdict.LOST}
    assert found.verdict is Verdict.LOST


def test_progress_names_each_class(load: Load) -> None:
    """Whoever waits is told what is looked at."""
    told: list[str] = []
    judge_survival(load(cluster()), progress=lambda what, _: told.append(what))
    assert told[:3] == ["cmx[0-1]", "leaf", "box[0-1]"]


def test_a_reduced_cluster_is_whole_in_itself(load: Load) -> None:
    """Nothing of it names what is gone, and its chunk is the old one."""
    power = "power: {shelf: {of: 'cmx[0-1]', budget: 1 kW}}\n"
    whole = load(cluster(more=power))
    left = without(whole, ["cmx0"])
    assert whole.nodes.keys() - left.nodes.keys() == {"cmx0.dpu", "cmx0.flash"}
    assert whole.containers.keys() - left.containers.keys() == {"cmx0"}
    assert left.places.keys() <= left.nodes.keys()
    assert {end for link in left.links for end in (link.a, link.b)} <= left.nodes.keys()
    assert [limit.members for limit in left.power] == [("cmx1",)]
    assert left.chunk == 10 * 10**9


def test_a_power_limit_of_what_is_gone_is_gone(load: Load) -> None:
    """A budget over one enclosure ends with it."""
    whole = load(cluster(more="power: {shelf: {of: cmx0, budget: 1 kW}}\n"))
    assert without(whole, ["cmx0"]).power == ()


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("cmx-rack", ["cmx[0-3]", "leaf[0-1]", "tray[00-07]", "tray[08-15]", "tray16", "tray17"]),
        ("hbm-only", ["server0"]),
        ("shared-g4", ["storage0", "leaf[0-1]", "server[0-2]", "server3"]),
    ],
)
def test_what_can_fail_in_shipped_clusters(name: str, labels: list[str]) -> None:
    """Stores, switches and trays, alike ones once."""
    topology = load_topology(name)
    assert [each.label for each in find_failure_classes(topology, resolve_demand(topology))] == labels


def test_wide_containers_and_second_dpus_can_fail(load: Load) -> None:
    """A rack around trays fails as one; a DPU of a tray with two fails alone, the only one of an enclosure does not."""
    rack = "  rack:\n    nodes: {'box[0-1]': box, leaf: sn5610}\n    links: {'box[0-1].dpu[0-1] -- leaf': 50 GB/s}\n"
    dpu = "dpu: {is: bluefield-4, rate: 100 GB/s}\n    links:\n      gpu"
    text = (
        cluster(RAW.replace("box[0-1]", "rack.box[0-1]"))
        .replace("nodes: {\"box[0-1]\": box, leaf: sn5610,", "nodes: {rack: rack,")
        .replace("\nnodes: {rack", f"\n{rack}nodes: {{rack")
        .replace(dpu, dpu.replace("dpu:", "dpu[0-1]:"))
        .replace("host -- dpu:", "host -- dpu[0-1]:")
        .replace("  box[0-1].dpu -- leaf: 50 GB/s\n", "")
        .replace("cmx[0-1].dpu -- leaf", "cmx[0-1].dpu -- rack.leaf")
    )
    topology = load(text)
    labels = [each.label for each in find_failure_classes(topology, resolve_demand(topology))]
    assert labels == ["cmx[0-1]", "rack.leaf", "rack.box[0-1]", "rack.box[0-1].dpu[0-1]", "rack"]


def test_the_rack_of_the_quick_start() -> None:
    """Three of its parts cannot be missed, each told with its numbers."""
    found = judged(load_topology("cmx-rack"))
    reasons = {label: each.reason for label, each in found.items() if each.verdict is Verdict.LOST}
    assert reasons == {
        "cmx[0-3]": "4 needed, 3 left",
        "leaf[0-1]": "reads 331.9 of 240 GB/s",
        "tray16": "only readers of a set",
        "tray17": "only readers of a set",
    }
