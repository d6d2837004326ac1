"""The device catalog: what it must hold, and that no figure in it is silent about where it comes from."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cmxverify.catalog.devices import KIND_FILES, Device, device, devices
from cmxverify.catalog.figure import Figure
from cmxverify.errors import InputError
from cmxverify.units import Dimension, parse_quantity

EVERY_FIGURE = [
    pytest.param(each, figure, id=f"{each.name}-{figure.key}")
    for each in devices()
    for figure in each.figures.values()
]

NEEDED = {
    "gpu": {"hbm", "hbm_rate", "idle", "full", "bf16", "fp8", "nvlink_rate"},
    "host": {"memory", "kv", "memory_rate", "idle", "full"},
    "dpu": {"rate", "ports", "port_rate", "idle", "full"},
    "nic": {"rate", "ports", "port_rate", "idle", "full"},
    "switch": {"ports", "port_rate", "rate", "latency", "idle", "full"},
    "flash": {"capacity", "read", "write", "first_byte", "dwpd", "idle", "full", "warranty"},
    "store": {"capacity", "read", "write", "first_byte", "idle", "full"},
}


@pytest.mark.parametrize(("each", "figure"), EVERY_FIGURE)
def test_every_figure_has_source_or_range(each: Device, figure: Figure) -> None:
    """A graded figure cites a text; an assumed one has a true range around its default, and a reason."""
    assert len(figure.source) > 8
    assert figure.low <= figure.value <= figure.high
    assert figure.value > 0
    if figure.assumed:
        assert figure.low < figure.high
    elif figure.low < figure.high:
        assert figure.note, "sources disagree without a word about it"


@pytest.mark.parametrize("kind", KIND_FILES)
def test_every_device_of_a_kind_has_the_figures_a_topology_reads(kind: str) -> None:
    found = devices(kind)

    assert found
    assert {each.name: NEEDED[kind] - set(each.figures) for each in found} == {
        each.name: set() for each in found
    }


@pytest.mark.parametrize("each", devices(), ids=lambda each: each.name)
def test_idle_is_no_more_than_full(each: Device) -> None:
    assert each.figures["idle"].value <= each.figures["full"].value


@pytest.mark.parametrize(
    "each", [*devices("switch"), *devices("dpu"), *devices("nic")], ids=lambda each: each.name
)
def test_ports_make_up_the_rate(each: Device) -> None:
    """The sum of the ports of a switch, DPU or card equals its rate."""
    rates = each.figures
    assert rates["ports"].value * rates["port_rate"].value == rates["rate"].value


PROMISED = {
    "gpu": ["h100-sxm", "h200-sxm", "b200", "b300", "gb200", "gb300", "rubin"],
    "host": ["x86-ddr5", "grace", "vera", "vera-x2"],
    "dpu": ["bluefield-3", "bluefield-4", "bluefield-4-article"],
    "nic": ["connectx-7", "connectx-8", "connectx-9"],
    "switch": ["sn4700", "sn5400", "sn5600", "sn5610", "sn6800", "sn6810", "qm9700", "spectrum-x-article"],
    "flash": [
        *("tlc-gen4", "tlc-gen5", "tlc-gen6", "tlc-gen6-30tb", "tlc-gen6-25tb-3dwpd", "qlc-gen6", "stt-mram"),
        *(
            "micron-9650-pro",
            "micron-9650-max",
            "micron-9550",
            "micron-6600-ion",
            "optane-p4800x",
            "optane-p5800x",
        ),
        *("solidigm-d7-ps1010", "solidigm-d7-ps1030", "solidigm-d5-p5336"),
    ],
    "store": ["shared-store", "cmx-article"],
}


@pytest.mark.parametrize("kind", PROMISED)
def test_the_catalog_has_what_it_promises(kind: str) -> None:
    assert sorted(each.name for each in devices(kind)) == sorted(PROMISED[kind])


@pytest.mark.parametrize(
    ("name", "key", "text", "dimension"),
    [
        ("rubin", "hbm", "288 GB", Dimension.SIZE),
        ("h100-sxm", "hbm", "80 GB", Dimension.SIZE),
        ("bluefield-4", "rate", "800 Gb/s", Dimension.RATE),
        ("bluefield-4-article", "rate", "400 Gb/s", Dimension.RATE),
        ("vera-x2", "kv", "1.5 TB", Dimension.SIZE),
        ("sn5610", "full", "900 W", Dimension.POWER),
        ("tlc-gen6-30tb", "first_byte", "200 us", Dimension.TIME),
        ("cmx-article", "power_density", "15 W/TB", Dimension.POWER_DENSITY),
        ("micron-9650-max", "dwpd", "3 DWPD", Dimension.ENDURANCE),
    ],
)
def test_known_figures(name: str, key: str, text: str, dimension: Dimension) -> None:
    assert device(name).figures[key].value == parse_quantity(text, dimension)


def test_ten_planning_drives_make_the_enclosure_of_the_examples() -> None:
    """Ten drives read 280 GB/s, write 140 GB/s, rest at 250 W and work at 550 W."""
    drive = device("tlc-gen6-30tb").figures

    assert [10 * drive[key].value for key in ("read", "write", "idle", "full")] == [280e9, 140e9, 250, 550]


def test_rated_bytes_written_agree_with_the_warranty() -> None:
    """56,064 TB written over 30.72 TB at 1 DWPD last five years of 365 days."""
    drive = device("micron-9650-pro").figures
    days = Fraction(56_064 * 10**12) / drive["capacity"].value / (drive["dwpd"].value * 86_400)

    assert days == 1825
    assert abs(drive["warranty"].value / 86_400 - days) < 2


def test_the_article_box_of_15_watts_a_terabyte_is_consistent() -> None:
    store = device("cmx-article").figures
    assert store["power_density"].value * store["capacity"].value == store["full"].value


def test_an_unknown_device_names_the_nearest() -> None:
    with pytest.raises(InputError) as caught:
        device("bluefeld-4")
    assert str(caught.value) == "unknown device 'bluefeld-4'\n  Did you mean 'bluefield-4'?"


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(InputError, match="unknown device kind 'ssd'"):
        devices("ssd")


def test_a_device_lists_what_is_assumed() -> None:
    assert [figure.key for figure in device("tlc-gen6-30tb").assumed()] == ["first_byte", "idle", "full"]
