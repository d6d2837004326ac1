from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from sample_topologies import TEXTS, sample

from cmxverify.errors import InputError
from cmxverify.report.drawing.build import build_scene
from cmxverify.report.drawing.fonts import NAME, SMALL, text_width
from cmxverify.report.drawing.geometry import Drawing
from cmxverify.report.drawing.layout import lay_out
from cmxverify.report.drawing.palette import TIERS, cell_colour, contrast, text_colour
from cmxverify.report.drawing.scene import MOST_OF_A_KIND, Row, Zone, percent
from cmxverify.report.picture import PlaceFill, draw_topology, is_our_picture, picture_bytes


def _drawing(name: str, folder: Path) -> Drawing:
    return lay_out(build_scene(sample(name, folder), subtitle="what there is"))


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_overlaps(name: str, tmp_path: Path) -> None:
    """Cards, switches and labels of bundles keep apart, and cells keep apart inside their card."""
    drawing = _drawing(name, tmp_path)
    solid = [card.frame for card in drawing.cards] + [placed.box for placed in drawing.switches]
    solid += [pill.box for pill in drawing.pills]

    assert not [pair for pair in combinations(solid, 2) if pair[0].overlaps(pair[1])]
    for card in drawing.cards:
        boxes = [cell.box for cell in card.cells] + [card.title]
        assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


@pytest.mark.parametrize("name", TEXTS)
def test_texts_fit_their_boxes(name: str, tmp_path: Path) -> None:
    """Every cell is as wide as its text, at sizes that can be read."""
    for card in _drawing(name, tmp_path).cards:
        for placed in card.cells:
            assert text_width(placed.cell.title, NAME) <= placed.box.width
            assert text_width(placed.cell.detail, SMALL) <= placed.box.width


@pytest.mark.parametrize("name", TEXTS)
def test_pictures_stay_on_a_page(name: str, tmp_path: Path) -> None:
    """At most about twenty cards a zone, at most 19 inches wide, and everything inside."""
    drawing = _drawing(name, tmp_path)

    assert all(sum(c.card.zone is zone for c in drawing.cards) <= MOST_OF_A_KIND for zone in Zone)
    assert drawing.width <= 19
    assert all(c.frame.right <= drawing.width and c.frame.bottom <= drawing.height for c in drawing.cards)


@pytest.mark.parametrize("name", TEXTS)
def test_every_node_is_drawn_once(name: str, tmp_path: Path) -> None:
    """Merging loses no node and doubles none."""
    topology = sample(name, tmp_path)
    scene = build_scene(topology)
    names = [n for card in scene.cards for cell in card.cells for n in cell.names]
    names += [n for box in scene.switches for n in box.names]

    assert sorted(names) == sorted(topology.nodes)


def test_rack_shows_trays_one_by_one_and_bundles_cables(tmp_path: Path) -> None:
    """18 trays with 4 GPUs, host and DPU each; two cables a tray."""
    scene = build_scene(sample("rack", tmp_path))
    trays = [card for card in scene.cards if card.zone is Zone.COMPUTE]

    assert [card.title for card in trays] == [f"tray{at:02d}" for at in range(18)]
    assert [cell.title for cell in trays[0].cells] == ["gpu0", "gpu1", "gpu2", "gpu3", "host", "dpu"]
    assert [bundle.text for bundle in scene.bundles] == ["18 x 2 x 400 Gb/s", "4 x 4 x 400 Gb/s"]


def test_pod_shows_racks_with_counts_and_enclosures_by_name(tmp_path: Path) -> None:
    """1,152 GPUs are sixteen boxes with counts; the 32 enclosures keep their names."""
    scene = build_scene(sample("pod", tmp_path))
    rack, store = scene.cards[0], scene.cards[-1]

    assert [cell.title for cell in rack.cells] == ["72 GPUs", "18 hosts", "18 DPUs", "leaf0", "leaf1"]
    assert [cell.title for cell in store.row(Row.G35)] == [f"cmx{at:02d}" for at in range(16)]
    assert [bundle.text for bundle in scene.bundles] == ["16 x 8 x 800 Gb/s", "2 x 64 x 800 Gb/s"]


def test_more_than_twenty_equal_trays_become_a_stack(tmp_path: Path) -> None:
    """64 trays that hang alike are one card, with their number and all cables."""
    scene = build_scene(sample("many-trays", tmp_path))

    assert [(card.title, card.count) for card in scene.cards] == [("tray[00-63]", 64), ("lake", 1)]
    assert scene.bundles[0].text == "64 x 4 x 400 Gb/s"


def test_loose_servers_stand_by_their_switch(tmp_path: Path) -> None:
    """A graph without containers is grouped by what its servers are joined to."""
    scene = build_scene(sample("flat", tmp_path))

    assert [(card.title, card.count) for card in scene.cards[:2]] == [("node[00-07]", 8), ("node[08-15]", 8)]
    assert [box.level for box in scene.switches] == [0] * 6 + [1] * 2


def test_no_line_crosses_a_switch_that_it_does_not_join(tmp_path: Path) -> None:
    """Cables from a leaf past the spines to a store run beside the spines."""
    drawing = _drawing("flat", tmp_path)
    spines = [placed.box for placed in drawing.switches if placed.switch.level == 1]
    points = [point for wire in drawing.wires for point in wire.points]

    assert not [p for p in points for box in spines if box.x < p[0] < box.right and box.y < p[1] < box.bottom]
    assert any(len(wire.points) == 5 for wire in drawing.wires)


def test_fills_print_shares_and_merge_by_bytes(tmp_path: Path) -> None:
    """A named place shows its label; merged places show their range and the share of all their bytes."""
    topology = sample("pod", tmp_path)
    fills = {name: PlaceFill(Fraction(1, 2)) for name in topology.places if name.startswith("rack00")}
    fills |= {
        "rack00.tray00.host": PlaceFill(Fraction(1)),
        "store0.cmx00.flash": PlaceFill(Fraction(9, 10), "acme"),
    }
    scene = build_scene(topology, fills=fills)
    gpus, hosts = scene.cards[0].cells[:2]
    store = next(card for card in scene.cards if card.title == "store0")

    assert (gpus.detail, gpus.share) == ("50 %", Fraction(1, 2))
    assert (hosts.detail, hosts.share) == ("50-100 %", Fraction(19, 36))
    assert store.row(Row.G35)[0].detail == "acme"
    assert scene.cards[1].cells[0].detail == ""


def test_percent_never_claims_empty_or_full() -> None:
    """Rounding keeps 0 % and 100 % for what is exactly that."""
    shares = (Fraction(0), Fraction(1, 1000), Fraction(999, 1000), Fraction(1))

    assert [percent(share) for share in shares] == ["0 %", "<1 %", "99 %", "100 %"]


@pytest.mark.parametrize("row", TIERS)
@pytest.mark.parametrize("share", [None, 0.0, 0.5, 1.0])
def test_text_has_contrast_on_every_fill(row: Row, share: float | None) -> None:
    """At least 4.5 to 1, as WCAG asks for small text."""
    fill = cell_colour(row, share)

    assert contrast(fill, text_colour(fill)) >= 4.5


def test_contrast_of_black_and_white_is_21() -> None:
    """The known ends of the scale."""
    assert contrast((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)) == pytest.approx(21)


@pytest.mark.parametrize("form", ["svg", "png"])
def test_same_input_gives_the_same_bytes(form: str, tmp_path: Path) -> None:
    """No date, no random ids."""
    topology = sample("hbm-only", tmp_path)

    assert picture_bytes(topology, form) == picture_bytes(topology, form)


def test_a_picture_is_known_as_ours(tmp_path: Path) -> None:
    """Both formats carry the mark by which a later run may replace them."""
    topology = sample("hbm-only", tmp_path)
    for name in ("a.svg", "a.png"):
        draw_topology(topology, tmp_path / name)
        assert is_our_picture(tmp_path / name)


def test_other_suffixes_are_refused(tmp_path: Path) -> None:
    """One message with the name to write instead."""
    with pytest.raises(InputError) as caught:
        draw_topology(sample("hbm-only", tmp_path), tmp_path / "a.gif")

    assert caught.value.what == "pictures are .svg or .png, not '.gif'"


def test_missing_folder_is_one_message(tmp_path: Path) -> None:
    """A file that cannot be written is bad input, not a traceback."""
    with pytest.raises(InputError, match="its folder does not exist"):
        draw_topology(sample("hbm-only", tmp_path), tmp_path / "none" / "a.svg")
