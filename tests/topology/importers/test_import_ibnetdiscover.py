"""ibnetdiscover: both forms, joined hosts, compared ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmxverify.errors import InputError


def test_hosts_join_across_hcas(read: Callable[..., Any], gbit: Callable[..., Any]) -> None:
    """Two HCAs of one host make one node with two cables."""
    assert gbit(read("fabric.ibnet"))["dgx-01", "leaf0"] == (400, 2)


def test_link_seen_from_both_ends_counts_once(read: Callable[..., Any]) -> None:
    """Five cables of leaf0 and two to spine0, three of them seen twice: seven in all."""
    assert read("fabric.ibnet").cable_count == 7


def test_disagreeing_ends_are_reported_with_both_lines(read: Callable[..., Any]) -> None:
    """A width that differs at the two ends is a warning with both lines; the slower rate is taken."""
    structure = read("fabric.ibnet")
    [warning] = [w for w in structure.warnings if "other end" in w]
    assert "fabric.ibnet:17: 4xNDR here, 2xNDR at the other end" in warning
    assert "fabric.ibnet:27)" in warning
    assert [c.rate * 8 / 10**9 for c in structure.cables if c.b == "spine0"] == [400, 200]


def test_vendor_description_is_not_a_host_name(read: Callable[..., Any]) -> None:
    """HCAs with a vendor's default description are not joined into one host."""
    assert "ca-bb00000000000004" in {node.name for node in read("fabric.ibnet").nodes}


def test_units_of_a_modular_switch_keep_apart(read: Callable[..., Any]) -> None:
    """The leaf board of a director switch is a node of its own."""
    assert "spine-box-L01-U1" in {node.name for node in read("fabric.ibnet").nodes}


def test_down_ports_and_aggregation_nodes_are_counted(read: Callable[..., Any]) -> None:
    """What is left out is counted by sort."""
    assert read("fabric.ibnet").skipped == {"aggregation nodes inside switches": 1, "ports that are down": 1}


def test_ports_form(read: Callable[..., Any], gbit: Callable[..., Any]) -> None:
    """One line a port: the same fabric, down ports skipped."""
    structure = read("fabric-ports.ibnet")
    assert gbit(structure) == {("dgx-01", "leaf0"): (400, 2)}
    assert structure.skipped == {"ports that are down": 2}


def test_port_cabled_twice_is_a_warning(read_text: Callable[..., Any]) -> None:
    """One port with two peers is reported, and the first is kept."""
    text = (
        "SW 2 1 0xa1 4x NDR - CA 3 1 0xb1 ( 'leaf0' - 'h1 mlx5_0' )\n"
        "SW 2 1 0xa1 4x NDR - CA 4 1 0xb2 ( 'leaf0' - 'h2 mlx5_0' )\n"
    )
    structure = read_text(text)
    assert structure.cable_count == 1
    assert any("port 1 of 'leaf0' is cabled twice" in w for w in structure.warnings)


def test_cut_line_names_file_and_line(fixture: Callable[..., Path], read_text: Callable[..., Any]) -> None:
    """A line that was cut off is one error with its line."""
    whole = fixture("fabric.ibnet").read_text()
    text = whole[: whole.index("bb00000000000003") + 4]
    with pytest.raises(InputError) as caught:
        read_text(text)
    assert caught.value.at is not None
    assert caught.value.at.line == text.count("\n") + 1


def test_cut_ports_line_is_not_a_down_port(read_text: Callable[..., Any]) -> None:
    """A line of the ports form that breaks off after its speed is an error, not a port without a peer."""
    with pytest.raises(InputError, match="not a line of ibnetdiscover"):
        read_text("SW 2 1 0xa1 4x NDR - CA 3 1\n")


@pytest.mark.parametrize(
    ("speed", "gbits"),
    [("4xSDR", 8), ("4xQDR", 32), ("4xFDR", 54.5), ("4xEDR", 100), ("4xHDR", 200), ("2xHDR", 100), ("4xXDR", 800)],
)
def test_data_rates(read_text: Callable[..., Any], gbit: Callable[..., Any], speed: str, gbits: float) -> None:
    """Rates are data rates, after line coding."""
    structure = read_text(f"SW 2 1 0xa1 {speed[:2]} {speed[2:]} - CA 3 1 0xb1 ( 'leaf0' - 'h1 mlx5_0' )\n")
    assert gbit(structure)["h1", "leaf0"] == (gbits, 1)
