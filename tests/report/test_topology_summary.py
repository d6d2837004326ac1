from __future__ import annotations

import json
from pathlib import Path

import pytest
from sample_topologies import TEXTS, sample

from cmxverify.report.topology_summary import summary_json, summary_lines
from cmxverify.topology.summary import summarise


def test_shipped_rack_prints_the_figures_of_one_rack() -> None:
    """72 GPUs: rooms, rates, hops and the tray's bottleneck."""
    from cmxverify.topology.load import load_topology

    lines = summary_lines(summarise(load_topology("cmx-rack")), picture="p.svg")

    assert lines[0].endswith("72 GPUs, 18 trays, 2 leaf switches, 4 enclosures; 94 KV places; picture p.svg")
    assert lines[1:5] == [
        "  tier        places  room for KV  read rate    a GPU       switches  watched figure",
        "  G1 HBM          72      15.1 TB               210 GB      0         after 3.6 TB of weights",
        "  G2 host         18      27.0 TB  1.8 TB/s ea  375 GB      0",
        "  G3.5 CMX         4   1,200.0 TB  200 GB/s ea  16.7 TB     1         11.1 GB/s a GPU; tray DPU allows 25",
    ]


def test_limits_are_told_in_short(tmp_path: Path) -> None:
    """Hop limit with its metric, budgets of one and of each, the planned share."""
    text = " ".join(line.strip() for line in summary_lines(summarise(sample("pod", tmp_path))))

    assert "limits: at most 2 switch links from GPU to place; store-rack 14 kW each for store[0-1]; " in text
    assert "site 26 kW for store[0-1]; rates planned to 80 %" in text


def test_assumed_figures_are_of_the_whole_box(tmp_path: Path) -> None:
    """Ten drives of 25 W make an enclosure of 250 W, and the catalog entry is named."""
    assert summary_lines(summarise(sample("rack", tmp_path)))[-1] == (
        "assumed, not published: enclosure idle 250 W, full 550 W; first byte 200 us (cmxverify catalog tlc-gen6-30tb)"
    )


def test_places_beyond_the_hop_limit_are_pointed_out(tmp_path: Path) -> None:
    """A limit that no route keeps shows in the table before anything is solved."""
    path = tmp_path / "rack.yaml"
    path.write_text(TEXTS["rack"].replace("max: 2", "max: 0"), encoding="utf-8")
    from cmxverify.topology.load import load_topology

    assert "all beyond the limit of 0" in "\n".join(summary_lines(summarise(load_topology(path))))


@pytest.mark.parametrize("width", [60, 80, 100, 120])
@pytest.mark.parametrize("name", TEXTS)
def test_no_line_is_wider_than_the_terminal(name: str, width: int, tmp_path: Path) -> None:
    """Every sample fits, with its assumed figures, which are long."""
    lines = summary_lines(summarise(sample(name, tmp_path)), picture="x.svg", width=width)
    assert [line for line in lines if len(line) > width] == []


@pytest.mark.parametrize("width", [60, 80, 100])
def test_limits_over_names_without_a_pattern_fit(width: int, tmp_path: Path) -> None:
    """Adapters called by their GUID cannot be written as one range."""
    names = [f"ca-{number:016x}" for number in (0xE09D7303, 0xE09D73030085, 0x2C5E, 0xAB03)]
    store = "{kind: store, usable: 9 TB, read: 80 GB/s, idle: 1 kW, full: 2 kW}"
    path = tmp_path / "t.yaml"
    path.write_text(
        f"""cmxverify: 1
name: t
nodes: {{{", ".join(f"{name}: {store}" for name in names)}}}
power: {{flash: {{each: "ca-*", budget: 300 W}}}}
""",
        encoding="utf-8",
    )
    from cmxverify.topology.load import load_topology

    lines = summary_lines(summarise(load_topology(path)), width=width)
    assert [line for line in lines if len(line) > width] == []
    told = "".join("".join(lines).split())
    assert [name for name in names if name.removeprefix("ca-") not in told] == []


def test_the_headline_is_split_between_its_parts(tmp_path: Path) -> None:
    """A count keeps its noun, the picture its name."""
    lines = summary_lines(summarise(sample("rack", tmp_path)), picture="p.svg", width=40)
    assert [line.strip() for line in lines[:3]] == [
        "rack   72 GPUs, 18 trays,",
        "2 leaf switches, 4 enclosures;",
        "94 KV places; picture p.svg",
    ]


def test_a_place_that_no_gpu_reads_has_no_rate(tmp_path: Path) -> None:
    """An imported fabric may know no GPUs: `none` switches away, and no rate of nought."""
    path = tmp_path / "t.yaml"
    path.write_text("cmxverify: 1\nname: t\nnodes: {host: grace}\n", encoding="utf-8")
    from cmxverify.topology.load import load_topology

    row = next(line for line in summary_lines(summarise(load_topology(path))) if "G2 host" in line)
    assert ("none" in row, "B/s" in row) == (True, False)


def test_json_holds_exact_bytes(tmp_path: Path) -> None:
    """Machines get base units under fixed keys."""
    found = json.loads(json.dumps(summary_json(summarise(sample("rack", tmp_path))), default=float))

    cmx = found["tiers"][2]
    assert (cmx["tier"], cmx["room_bytes"], cmx["hops"]) == ("G3.5", 1.2e15, [1, 1])
    assert (cmx["inlet"], cmx["inlet_bytes_per_s_a_gpu"]) == ("tray DPU", 25e9)
