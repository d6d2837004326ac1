"""Explanations as a user reads them: whole texts for the shipped rack cut in four ways, and what each must show."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from placement_zoo import ZOO

from cmxverify.placement.explaining.explain import Explained, explain_infeasible
from cmxverify.placement.explaining.explain_facts import describe
from cmxverify.placement.explaining.grouped import find_core
from cmxverify.placement.model.compile import compile_placement
from cmxverify.report.explanation_text import explanation_document, explanation_lines
from cmxverify.topology.load import find_topology, load_topology
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]

POWER = """\
4 explanations exist, the shortest:
  cmx-rack.yaml:13  each vera-x2 has room for 1.5 TB
  cmx-rack.yaml:21  acme/chat (:41) and acme/agents (:53) write 8.298 GB/s; one endures 3.472 GB/s  -> 3 enclosures
  cmx-rack.yaml:35  shelf may draw 1.4 kW (file: 2 kW)
  cmx-rack.yaml:38  hooli keeps to enclosures of its own, and hooli/private (:78) needs one  -> 1 enclosure
  so shelf needs at least 4 x 250 W idle + 1.5 J/GB x 351.2 GB/s = 1,527 W > 1,400 W
ways out, each solved again:
  power.shelf.budget = 1,572 W (+172 W)          optimal, 4 enclosures on, 1,572 W
  tenants.hooli.isolation = namespace            optimal, 3 enclosures on, 1,322 W
  workload.acme/agents.if_no_room = recompute    optimal, 4 enclosures on, 1,400 W, 16.2 late turns/s
  workload.acme/chat.if_no_room = recompute      optimal, 4 enclosures on, 1,400 W, 27.5 late turns/s
  workload.hooli/private.if_no_room = recompute  optimal, 3 enclosures on, 1,261 W, 10.0 late turns/s
  no help alone: templates.tray.nodes.host.kv = 3 TB (the device holds 3 TB);
  templates.enclosure.nodes.flash.dwpd = 3 DWPD (645.1 TB still fill 3, shelf needs 1,572 W);
  templates.enclosure.nodes.flash.usable (the device holds 307.2 TB);
  templates.enclosure.nodes.flash.count = 11 + usable = 337 TB (9.011 GB/s written still take 3, shelf needs 1,729 W);
  hops, restore, copies
"""
HOPS = """\
4 explanations exist, the shortest:
  cmx-rack.yaml:6  at most 0 switches away; the nearest for acme/agents (:53), cmx[0-3].flash, is 1 switch away
  so no place is left for acme/agents (:53)
ways out, each solved again:
  hops.max = 1  optimal, 4 enclosures on, 1,572 W
  no help alone: workload.acme/agents.if_no_room = recompute (acme/chat has no place); power, restore, copies, isolation
"""
CAPACITY = """\
9 explanations exist, the shortest:
  cmx-rack.yaml:21  acme/chat (:41) and acme/agents (:53) write 8.298 GB/s; one endures 1.157 GB/s, 1 DWPD of 100 TB
                    (--set)  -> 8 enclosures
  so 8 enclosures would have to be on, and there are 4
ways out, each solved again:
  templates.enclosure.nodes.flash.usable = 260 TB (2.6 times)   optimal, 4 enclosures on, 1,572 W
  templates.enclosure.nodes.flash.count = 11 + usable = 337 TB  optimal, 4 enclosures on, 1,729 W
  no help alone: templates.enclosure.nodes.flash.dwpd = 3 DWPD (8 enclosures needed, 4 there);
  cmx[0-8], 5 enclosures more (9.011 GB/s written still take 8, shelf needs 2,822 W);
  workload.acme/agents.if_no_room = recompute (6 enclosures needed, 4 there);
  workload.acme/chat.if_no_room = recompute (5 enclosures needed, 4 there); power, hops, restore, copies, isolation
"""
TENANTS = """\
12 explanations exist, the shortest:
  cmx-rack.yaml:21  acme/chat (:41) and acme/agents (:53) write 8.298 GB/s; one endures 3.472 GB/s  -> 3 enclosures
  cmx-rack.yaml:37  globex keeps to enclosures of its own, and globex/docs (:66) needs 2  -> 2 enclosures
  cmx-rack.yaml:76  globex/docs has 2 copies, each in another enclosure  -> 2 enclosures
  so 3 + 2 = 5 enclosures would have to be on, and there are 4
ways out, each solved again:
  tenants.globex.isolation = namespace         optimal, 4 enclosures on, 1,572 W
  workload.globex/docs.if_no_room = recompute  optimal, 4 enclosures on, 1,527 W, 40.0 late turns/s
  no help alone: workload.globex/docs.copies = 1 (5 enclosures needed, 4 there);
  templates.enclosure.nodes.flash.dwpd = 3 DWPD (5 enclosures needed, 4 there);
  templates.enclosure.nodes.flash.usable (the device holds 307.2 TB);
  templates.enclosure.nodes.flash.count = 11 + usable = 337 TB (6 enclosures needed, 4 there);
  cmx[0-5], 2 enclosures more (8.298 GB/s written still take 3, shelf needs 2,072 W);
  workload.acme/agents.if_no_room = recompute (5 enclosures needed, 4 there);
  workload.acme/chat.if_no_room = recompute (5 enclosures needed, 4 there); power, hops, restore
"""
BOTH_APART = "tenants={hooli: {isolation: enclosure}, globex: {isolation: enclosure}}"
VARIANTS = {
    "power.shelf.budget=1.4kW": POWER,
    "hops.max=0": HOPS,
    "templates.enclosure.nodes.flash.usable=100TB": CAPACITY,
    BOTH_APART: TENANTS,
}


@cache
def explained(name: str, *overrides: str) -> Explained:
    topology = load_topology(name, overrides=overrides)
    return explain_infeasible(
        topology, lambda more: load_topology(name, overrides=(*overrides, *more)), time_limit_s=120
    )


@pytest.mark.parametrize("override", VARIANTS)
def test_a_cut_rack_is_explained(override: str) -> None:
    """The smallest core in the file's words with file and line, its arithmetic, and ways out that were solved."""
    assert "\n".join(explanation_lines(explained("cmx-rack", override))) + "\n" == VARIANTS[override]


@pytest.mark.parametrize("override", VARIANTS)
def test_a_core_is_smallest_and_each_fact_needed(override: str) -> None:
    """At most seven lines, proved to be the shortest, each shown necessary by a point of all the others."""
    found = explained("cmx-rack", override)
    assert found.core is not None
    assert found.core.smallest_proved
    assert found.core.irreducible
    assert len(found.sentences) <= 7
    assert all(each.at is not None for each in found.sentences)


def test_a_pod_within_two_switches_is_explained() -> None:
    """``switches`` at most 2 forbids every CMX rack of a leaf-spine fabric: one line says so."""
    found = explained("cmx-pod", "hops.metric=switches", "hops.max=2")
    assert found.core is not None
    assert [each.text for each in found.sentences] == [
        "at most 2 switches away; the nearest for acme/agents-code (../workloads/cmx-pod.yaml:41), "
        "store0.cmx[00-15].flash, is 3 switches away"
    ]
    assert [way.remedy.override for way in found.trials.ways_out if way.helps] == ["hops.max=3"]


def test_alike_sets_of_a_pod_are_one_line() -> None:
    """Enclosures of a third endure too little: two lines instead of eleven, the shortest, and each line needed."""
    model = compile_placement(
        load_topology("cmx-pod", overrides=("templates.enclosure.nodes.flash.usable=200TB",)), explain=True
    )
    found = find_core(model.program, time_limit_s=60)
    assert found is not None
    assert found.explanation.facts == ("dwpd@cmx-pod.yaml:14", "sets")
    assert found.explanation.smallest_proved
    assert set(found.explanation.necessity) == set(found.explanation.facts)
    lines = [each.text for each in describe(model, found.facts, time_limit_s=5, sets_as_one=True)]
    assert lines[0].startswith(f"acme/chat-en and {len(found.group) - 1} more sets keep ")
    assert lines[1] == "each tlc-gen6-30tb endures 1 DWPD of 200 TB: 2.315 GB/s"


def refused(load: Load, text: str) -> list[str]:
    """The explanation's own lines for a text, without ways out."""
    topology = load(text)
    found = explain_infeasible(
        topology, lambda more: load_topology("rack.yaml", overrides=more), time_limit_s=60
    )
    lines = explanation_lines(found)
    end = next(
        (at for at, line in enumerate(lines) if line.startswith(("ways out", "no single"))), len(lines)
    )
    return lines[1:end]


SMALL = ZOO["one switch"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "object: 10 GB",
            "object: 10 GB, restore: 300 ms",
            [
                "  rack.yaml:10  each vera-x2 has room for 100 GB",
                "  rack.yaml:27  a/raw is restored within 300 ms; from cmx[0-2].flash it takes 401.0 ms, slowest on "
                "box[0-3].dpu -- leaf",
                "                (:24)",
                "  so box[0-3].host would each have to hold at least 250 GB, and the limit is 100 GB",
            ],
        ),
        (
            "object: 10 GB",
            "object: 10 GB, tiers: [G4]",
            [
                "  rack.yaml:27  a/raw keeps to the tiers G4; "
                "G2 (box[0-3].host) and G3.5 (cmx[0-2].flash) are there, too",
                "  so no place is left for a/raw (:27)",
            ],
        ),
        (
            "object: 10 GB",
            "object: 10 GB, copies: 4",
            [
                "  rack.yaml:27  a/raw keeps 4 TB and takes 1.0 turns/s",
                "  rack.yaml:27  a/raw has 4 copies, each in another place  -> 4 enclosures",
                "  so 4 enclosures would have to be on, and there are 3",
            ],
        ),
        (
            "bytes: 1 TB",
            "bytes: 100 TB",
            [
                "  rack.yaml:18  a/raw (:27) fills 100 TB; one holds 8.64 TB  -> 12 enclosures",
                "  so 12 enclosures would have to be on, and there are 3",
            ],
        ),
        (
            "read: 10 GB/s,",
            "read: 200 GB/s,",
            [
                "  rack.yaml:10  each vera-x2 has room for 100 GB",
                "  rack.yaml:24  cables of 50 GB/s, planned to 50 %",
                "  rack.yaml:27  a/raw keeps 1 TB and takes 20.0 turns/s",
                "  so leaf to box0.dpu would have to carry at least 30 GB/s, and the limit is 25 GB/s",
            ],
        ),
        (
            "write: 0.02 GB/s",
            "write: 2 GB/s",
            [
                "  rack.yaml:18  a/raw (:27) writes 2 GB/s; one endures 100 MB/s  -> 20 enclosures",
                "  so 20 enclosures would have to be on, and there are 3",
            ],
        ),
        (
            "workload:",
            "power: {rack: {of: 'box[0-3]', budget: 1 kW}}\nworkload:",
            ["  rack.yaml:26  rack may draw 1 kW", "  so rack needs 8,800 W for what is always on > 1,000 W"],
        ),
        (
            "workload:",
            "power: {shelf: {of: 'cmx[0-2]', budget: 110 W}}\nworkload:",
            [
                "  rack.yaml:10  each vera-x2 has room for 100 GB",
                "  rack.yaml:26  shelf may draw 110 W",
                "  rack.yaml:28  a/raw keeps 1 TB and takes 1.0 turns/s",
                "  so shelf needs at least 1 x 100 W idle + 4 J/GB x 6.02 GB/s = 124 W > 110 W",
            ],
        ),
        (
            "hops: {metric: switches}",
            "hops: {metric: links, max: 1}",
            [
                "  rack.yaml:5  at most 1 link away; the nearest for a/raw (:27), cmx[0-2].flash, is 2 links away",
                "  so no place is left for a/raw (:27)",
            ],
        ),
    ],
)
def test_each_kind_of_limit_is_told(load: Load, old: str, new: str, expected: list[str]) -> None:
    """Restore, tiers, copies, room, cables, endurance, base power, idle power and hops, in sentences with numbers."""
    assert refused(load, SMALL.replace(old, new)) == expected


def test_two_tenants_claim_one_enclosure(load: Load) -> None:
    """Two want the only enclosure: one isolation is enough to rule the other set out; no rate or room is blamed."""
    text = (
        ZOO["a tenant apart"]
        .replace('"cmx[0-2]": enclosure', '"cmx0": enclosure')
        .replace("cmx[0-2].dpu", "cmx0.dpu")
    )
    lines = refused(load, text.replace("workload:", "tenants: {a: {isolation: enclosure}}\nworkload:"))
    assert lines == [
        "  rack.yaml:26  a keeps to enclosures of its own, and a/raw (:28) needs one  -> 1 enclosure",
        "  rack.yaml:29  b/own keeps 1 TB and takes 1.0 turns/s",
        "  so 1 + 1 = 2 enclosures would have to be on, and there is 1",
    ]


def test_gpus_without_a_way_are_told(load: Load) -> None:
    """Where no place that may hold a set is joined to its GPUs, the conclusion says so."""
    island = "  island:\n    nodes: {gpu: {is: h100-sxm, kv: 40 GB}}\n"
    text = SMALL.replace("nodes: {", f"{island}nodes: {{alone: island, ").replace(
        "runs_on: 'box[0-3]'", "runs_on: alone"
    )
    assert refused(load, text) == [
        "  rack.yaml:29  a/raw keeps 1 TB and takes 1.0 turns/s",
        "  so no place is left: none that may hold a/raw is joined to alone",
    ]


def test_drives_of_a_range_are_changed_by_their_key(load: Load) -> None:
    """A node that the file names by a range is changed with all of the range, under the key that stands there."""
    text = ZOO["two drives an enclosure"].replace("bytes: 1 TB", "bytes: 60 TB")
    topology = load(text)
    found = explain_infeasible(
        topology, lambda more: load_topology("rack.yaml", overrides=more), time_limit_s=60
    )
    helping = [way.remedy.override for way in found.trials.ways_out if way.helps]
    assert "templates.enclosure.nodes.flash[0-1].usable=10 TB" in helping


def test_isolation_of_a_set_is_lifted_where_it_stands(load: Load) -> None:
    """The way out of a set's own ``isolation`` is at the set, not at its tenant."""
    text = (
        ZOO["a tenant apart"]
        .replace('"cmx[0-2]": enclosure', '"cmx0": enclosure')
        .replace("cmx[0-2].dpu", "cmx0.dpu")
    )
    topology = load(text)
    found = explain_infeasible(
        topology, lambda more: load_topology("rack.yaml", overrides=more), time_limit_s=60
    )
    assert "workload.b/own.isolation=namespace" in [
        way.remedy.override for way in found.trials.ways_out if way.helps
    ]


def test_time_that_is_up_is_said() -> None:
    """Without time there is no core, and the text says that none was found."""
    topology = load_topology("cmx-rack", overrides=("power.shelf.budget=1.4kW",))
    found = explain_infeasible(topology, lambda more: topology, time_limit_s=1e-6)
    assert explanation_lines(found) == ["  no explanation was found in the time"]
    assert explanation_document(found)["facts"] == []


def test_the_document_says_what_the_text_says() -> None:
    """For machines: facts, sentences with places, the conclusion, and each change with its result."""
    found = explanation_document(explained("cmx-rack", "hops.max=0"))
    assert found["facts"] == ["hops", "set:acme/agents"]
    assert found["sentences"][0]["at"].startswith("cmx-rack.yaml:6")
    assert found["ways_out"][0] == {
        "set": ["hops.max=1"],
        "helps": True,
        "least": True,
        "result": "optimal, 4 enclosures on, 1,572 W",
    }
    assert (found["smallest"], found["irreducible"], found["others"]) == (True, True, 3)


def test_the_time_of_a_near_copy_is_told_of_the_copy() -> None:
    """Where every turn finds its near copy, the time that is too long is the copy's, and so says the sentence."""
    cut = ("workload.acme/chat.restore=1ms",)
    found = explain_infeasible(
        load_topology("cmx-rack", overrides=cut),
        lambda more: load_topology("cmx-rack", overrides=(*cut, *more)),
        time_limit_s=60,
    )
    assert found.sentences[0].text == (
        "acme/chat is restored within 1 ms; from tray[00-07].host (a copy over cmx[0-3].flash) it takes 2.8 ms"
    )


def test_two_claims_on_one_enclosure_are_lifted_together(tmp_path: Path) -> None:
    """Two tenants want the only enclosure: no other set is blamed, no single change helps, sharing by both does."""
    text = find_topology("cmx-rack").read_text(encoding="utf-8")
    for old, new in (
        ("cmx[0-3]", "cmx0"),
        ("  hooli: {isolation: enclosure}", "  hooli: {isolation: enclosure}\n  globex: {isolation: enclosure}"),
        ("sessions: 60k", "sessions: 4k"),
        ("sessions: 48k", "sessions: 2k"),
        ("documents: 40k", "documents: 2k"),
        ("copies: 2", "copies: 1"),
    ):
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "two.yaml"
    path.write_text("\n".join(line for line in text.splitlines() if "spread:" not in line), encoding="utf-8")
    found = explain_infeasible(
        load_topology(path), lambda more: load_topology(path, overrides=more), time_limit_s=60
    )
    assert found.facts == ("iso:globex", "set:globex/docs", "set:hooli/private")
    helping = [(way.remedy.override, *way.remedy.also) for way in found.trials.ways_out if way.helps]
    assert helping == [("tenants.hooli.isolation=namespace", "tenants.globex.isolation=namespace")]
    assert "ways out, each solved again:" in explanation_lines(found)
