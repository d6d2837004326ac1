"""What a topology holds, counted in the words of those who build it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cmxverify.topology.headcount import head_counts, switch_role
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]
FLASH = "{is: tlc-gen6-30tb, count: 2}"


def test_racks_of_several_layouts_are_racks(load: Load) -> None:
    """`rack` and `rack-2` differ inside only; one of them has a GPU, so all stand first."""
    topology = load(
        """cmxverify: 1
name: t
templates:
  rack: {nodes: {gpu: rubin, host: grace}, links: {gpu -- host: 450 GB/s}}
  rack-2: {nodes: {"leaf[0-1]": sn5610}}
nodes: {"r[1-2]": rack, r3: rack-2, "spine[0-1]": sn5610}
"""
    )
    assert head_counts(topology) == ((3, "rack"), (2, "leaf switch"), (2, "spine switch"))


def test_a_number_in_a_name_is_no_layout(load: Load) -> None:
    """`tray-2` alone keeps its name."""
    topology = load("cmxverify: 1\nname: t\ntemplates: {tray-2: {nodes: {gpu: rubin}}}\nnodes: {t0: tray-2}\n")
    assert head_counts(topology) == ((1, "tray-2"),)


def test_hosts_in_racks_are_counted_but_not_those_of_trays(load: Load) -> None:
    """A rack that holds two hosts makes its hosts worth counting, also in a rack with one."""
    topology = load(
        f"""cmxverify: 1
name: t
templates:
  rack: {{nodes: {{"h[0-1]": grace, cmx0: {FLASH}, cmx1: {FLASH}}}}}
  rack-2: {{nodes: {{h0: grace}}}}
  tray: {{nodes: {{host: grace}}}}
nodes: {{r1: rack, r2: rack-2, t: tray, lone: grace}}
"""
    )
    assert head_counts(topology) == ((2, "rack"), (1, "tray"), (4, "host"), (2, "flash box"))


def test_many_kinds_of_switches_are_one_number(load: Load) -> None:
    """Names of no pattern say nothing one by one."""
    topology = load("cmxverify: 1\nname: t\nnodes: {north: sn5610, south: sn5610, east: sn5610, west: sn5610}\n")
    assert head_counts(topology) == ((4, "switch"),)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("A09-P1-IBLEAF-04-04", "leaf"),
        ("a09-p1-ibleaf-04", "leaf"),
        ("r1-leaf0", "leaf"),
        ("gpu-leaf3", "gpu-leaf"),
        ("spine-box-L01-U1", "spine"),
        ("Core", "core"),
        ("stor1", "stor"),
        ("oob-sw", "oob"),
        ("switch17", ""),
        ("sw-1", ""),
        ("S3", ""),
        ("17", ""),
    ],
)
def test_roles_of_switches(name: str, role: str) -> None:
    """What the name says that a switch does, without the rack, the unit and the number."""
    assert switch_role(name) == role
