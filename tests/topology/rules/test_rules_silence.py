"""What the rules must not say, and where they say less than an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from rules_cluster import BY_ARTICLE, CMX_LINK, SPINE, TRAY_DPU, TRAY_LINK, findings, load, of_rule

from cmxverify.topology.load import load_topology, shipped_topologies
from cmxverify.topology.model import HopMetric
from cmxverify.topology.routes import Router
from cmxverify.topology.rules.registry import judge
from cmxverify.topology.rules.subject import Profile

MINE = ("hbm-only", "hbm-g2", "hbm-g3", "shared-g4")


def test_hops_that_hold_are_reported(tmp_path: Path) -> None:
    """TP-5: all three counts are printed though nothing is wrong."""
    found = [each for each in findings(tmp_path, "article") if each.rule.id == "TP-5"]

    text = "farthest place: 1 switch, 0 switch links, 2 links; 2 hops hold in each metric"
    assert [(each.word, each.text, str(each.at.line)) for each in found] == [("ok", text, "0")]


def test_hops_that_hold_in_no_metric_are_an_error(tmp_path: Path) -> None:
    """TP-5: five switches are too far, whatever a hop is."""
    spines = "leaf[0-1] -- spine: 800 Gb/s"
    deeper = (
        ("leaf[0-1]: sn5610", "leaf[0-1]: sn5610\n  spine[0-1]: sn5610\n  core: sn5610"),
        SPINE[1],
        (
            CMX_LINK,
            SPINE[2][1].replace(
                spines,
                "leaf[0-1] -- spine[0-1]: {rate: 800 Gb/s, pairwise: true}\n  spine[0-1] -- core: 800 Gb/s",
            ),
        ),
    )
    found = of_rule("TP-5", findings(tmp_path, "article", *deeper))

    text = "farthest place: 5 switches, 4 switch links, 6 links; 2 hops hold in no metric"
    assert [(each.word, each.text) for each in found] == [("error", text)]


def test_hops_in_one_sweep_agree_with_routes(tmp_path: Path) -> None:
    """The sweep that rules use counts as the routes do that plans use."""
    topology = load(tmp_path, *SPINE)
    router = Router(topology)
    gpus = [name for name in topology.places if name.endswith(("gpu0", "gpu3"))]
    for place in ("cmx0.flash", "cmx1.flash", "tray0.host"):
        counts = router.hops_from(place)
        for gpu in (each for each in gpus if router.reaches(place, each)):
            route = router.read_route(place, [gpu])
            assert [counts[gpu].by(m) for m in HopMetric] == [route.hops.by(m) for m in HopMetric]


def test_a_nixl_that_dynamo_brings_is_not_missed(tmp_path: Path) -> None:
    """TP-7: Dynamo's images hold NIXL, so it need not be named."""
    assert of_rule("TP-7", findings(tmp_path, "article", (', nixl: "1.4"', ""))) == []


@pytest.mark.parametrize(
    ("rule", "profile"), [("TP-6", "article"), ("TP-7", "article"), ("TP-8", "published")]
)
def test_software_that_is_not_named_is_a_hint(rule: str, profile: str, tmp_path: Path) -> None:
    """What a file does not say cannot be wrong, but is asked for."""
    nothing = ('software: {dynamo: "1.5", nixl: "1.4", doca: "4.4"}', "software: {}")
    found = of_rule(rule, findings(tmp_path, profile, nothing))

    assert [each.word for each in found] == ["hint"]


def test_a_version_that_cannot_be_compared_is_a_warning(tmp_path: Path) -> None:
    """TP-8: 'latest' is neither old nor new."""
    found = of_rule("TP-8", findings(tmp_path, "published", ('doca: "4.4"', 'doca: "latest"')))

    assert [(each.word, each.text) for each in found] == [
        ("warning", "DOCA 'latest' is no version that can be compared")
    ]


def test_two_digit_versions_are_not_decimals(tmp_path: Path) -> None:
    """TP-8: DOCA 4.10 is later than 4.4."""
    assert of_rule("TP-8", findings(tmp_path, "published", ('doca: "4.4"', 'doca: "4.10"'))) == []


def test_a_switch_off_the_way_is_not_judged(tmp_path: Path) -> None:
    """TP-1: the NVSwitch of a tray carries no CMX traffic."""
    edits = (
        ("ssd: {is", "nvswitch: {kind: switch}\n      ssd: {is"),
        ("ssd -- host: 64 GB/s", "ssd -- host: 64 GB/s\n      gpu[0-3] -- nvswitch: 1800 GB/s"),
    )
    assert findings(tmp_path, "published", *edits) == []


def test_a_broken_out_port_is_enough(tmp_path: Path) -> None:
    """TP-13: an 800G port carries two cables of 400G, so six cables need three ports."""
    assert (
        of_rule(
            "TP-13",
            findings(tmp_path, "published", ("leaf[0-1]: sn5610", "leaf[0-1]: {is: sn5610, ports: 3}")),
        )
        == []
    )


def test_a_slow_cable_of_a_slow_port_is_fine(tmp_path: Path) -> None:
    """TP-15: a cable as fast as the slower of its ports wastes nothing."""
    edits = (
        (TRAY_DPU, "dpu: {is: bluefield-4, port_rate: 200 Gb/s}\n"),
        (TRAY_LINK, TRAY_LINK.replace("400", "200")),
    )
    assert of_rule("TP-15", findings(tmp_path, "published", *edits)) == []


def test_a_flat_file_with_two_hosts_has_no_boxes(tmp_path: Path) -> None:
    """TP-20: without trays every host serves every GPU, which no server does."""
    path = tmp_path / "flat.yaml"
    path.write_text(
        "cmxverify: 1\nname: flat\nnodes: {'gpu[0-3]': h100-sxm, 'host[0-1]': x86-ddr5}\n"
        "links: {'gpu[0-3] -- host[0-1]': 64 GB/s}\n"
    )
    found = of_rule("TP-20", list(judge(load_topology(path), Profile.PUBLISHED)))

    assert [each.text for each in found] == ["G2 host of x86-ddr5 serves 4 GPUs, since the file has no trays"]


def test_a_box_of_equal_lines_speaks_once(tmp_path: Path) -> None:
    """Two trays and eight GPUs stand on one line: one finding, not sixteen."""
    found = of_rule("TP-11", findings(tmp_path, "published", (TRAY_DPU, "dpu: connectx-8\n")))

    assert len(found) == 1


def test_findings_stand_in_file_order(tmp_path: Path) -> None:
    """By line and column; what has no line comes last."""
    found = findings(tmp_path, "article")
    places = [(each.at.line == 0, each.at.line, each.at.column) for each in found]

    assert places == sorted(places)
    assert found[-1].at.line == 0


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("name", MINE)
def test_shipped_topologies_without_cmx_are_clean(name: str, profile: Profile) -> None:
    """Both profiles find nothing in them, not even a hint."""
    assert name in shipped_topologies()
    assert judge(load_topology(name), profile) == ()


def test_the_article_keeps_to_itself() -> None:
    """The shipped 'article' breaks no statement of the article; one switch is a warning."""
    found = judge(load_topology("article"), Profile.ARTICLE)

    assert {(each.rule.id, each.word) for each in found} == {("TP-5", "ok"), ("TP-21", "warning")}


def test_the_article_does_not_keep_to_what_is_published() -> None:
    """Its DPU rate, Dynamo and DOCA are errors, its 15 W/TB a warning."""
    found = judge(load_topology("article"), Profile.PUBLISHED)

    assert {each.rule.id for each in found if each.word == "error"} == {"TP-2", "TP-6", "TP-8"}
    assert {each.rule.id for each in found if each.word == "warning"} == {"TP-9", "TP-21"}


def test_article_cluster_is_the_article_alone(tmp_path: Path) -> None:
    """The good cluster with the article's figures breaks what is published in the same three points."""
    found = findings(tmp_path, "published", *BY_ARTICLE)

    assert {each.rule.id for each in found} == {"TP-2", "TP-6"}
