"""Ways out of the shipped rack: each is solved again, amounts are the least, and what does not help says why."""

from __future__ import annotations

from functools import cache

import pytest

from cmxverify.placement.explaining.explain import Explained, explain_infeasible
from cmxverify.placement.explaining.trials import WayOut
from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.solving.feasible import Undecided, find_feasible
from cmxverify.topology.load import load_topology

FLASH = "templates.enclosure.nodes.flash"


@cache
def explained(*cut: str) -> Explained:
    return explain_infeasible(
        load_topology("cmx-rack", overrides=cut),
        lambda more: load_topology("cmx-rack", overrides=(*cut, *more)),
        time_limit_s=120,
    )


def way_out(cut: tuple[str, ...], line: str) -> WayOut:
    return next(way for way in explained(*cut).trials.ways_out if way.remedy.line == line)


def fits(*overrides: str) -> bool:
    found = find_feasible(compile_placement(load_topology("cmx-rack", overrides=overrides)).program, time_limit_s=30)
    assert not isinstance(found, Undecided)
    return found is not None


@pytest.mark.parametrize(
    ("cut", "line", "offered", "less"),
    [
        (f"{FLASH}.usable=100TB", f"{FLASH}.usable", "=260 TB", "=250 TB"),
        (f"{FLASH}.count=2", f"{FLASH}.read", "=140 GB/s", "=130 GB/s"),
        (f"{FLASH}.count=2", f"{FLASH}.count", "=5", "=4"),
        ("power.shelf.budget=1.4kW", "power.shelf.budget", "=1572 W", "=1571 W"),
        (f"{FLASH}.dwpd=0.3 DWPD", f"{FLASH}.dwpd", "=0.9 DWPD", "=0.8 DWPD"),
    ],
)
def test_an_amount_that_is_offered_is_the_least(cut: str, line: str, offered: str, less: str) -> None:
    """Rooms, rates, drives, budgets and endurance: what is offered has a plan, one printed step less has none."""
    way = way_out((cut,), line)
    assert (way.remedy.override, way.helps, way.least) == (line + offered, True, True)
    assert fits(cut, line + offered)
    assert not fits(cut, line + less)


@pytest.mark.parametrize("cut", ["power.shelf.budget=1.4kW", f"{FLASH}.usable=100TB", f"{FLASH}.count=2"])
def test_no_room_is_offered_that_the_device_has_not(cut: str) -> None:
    """Of 10 x 30.72 TB at most 300 TB are offered; where that is no help, the text says what the device holds."""
    ways = [way for way in explained(cut).trials.ways_out if way.remedy.line.endswith((".usable", ".kv"))]
    assert ways
    for way in ways:
        amount = way.remedy.override.partition("=")[2]
        assert amount in ("260 TB", "3 TB", "")
        assert way.helps or way.result.startswith("the device holds ")


def test_more_drives_are_offered_with_their_room() -> None:
    """Where the file gives the room, drives come with what they hold; fewer of them would not do."""
    cut = (f"{FLASH}.count=3", f"{FLASH}.usable=90TB")
    way = way_out(cut, f"{FLASH}.count")
    assert way.helps
    assert way.least
    assert fits(*cut, way.remedy.override, *way.remedy.also)
    count = int(way.remedy.override.partition("=")[2]) - 1
    assert not fits(*cut, f"{FLASH}.count={count}", f"{FLASH}.usable={count * 3072 // 100} TB")


def test_the_slowest_cables_of_a_restore_are_made_faster() -> None:
    """Sessions come too late over a cable of 40 Gb/s: the least that does, many times that, is offered for its line."""
    line = "links.tray[00-17].dpu -- leaf[0-1]"
    way = way_out((f"{line}=40 Gb/s",), f"{line}.rate")
    assert (way.remedy.override, way.helps, way.least) == (f"{line}=200 Gb/s", True, True)
    assert fits(way.remedy.override)
    assert not fits(f"{line}=190 Gb/s")


def test_more_enclosures_are_offered_where_they_help() -> None:
    """With two drives each, five more do: the range is written longer everywhere, and four more do not."""
    way = way_out((f"{FLASH}.count=2",), "more cmx0")
    assert (way.remedy.text, way.helps, way.least) == ("cmx[0-8], 5 enclosures more", True, True)
    more = (way.remedy.override, *way.remedy.also)
    assert fits(f"{FLASH}.count=2", *more)
    assert not fits(f"{FLASH}.count=2", *(each.replace("[0-8]", "[0-7]") for each in more))


@pytest.mark.parametrize(
    ("cut", "line", "why"),
    [
        ("power.shelf.budget=1.4kW", f"{FLASH}.dwpd", "645.1 TB still fill 3, shelf needs 1,572 W"),
        ("hops.max=0", "workload.acme/agents.if_no_room", "acme/chat has no place"),
        ("workload.globex/docs.copies=5", "more cmx0", "globex/docs keeps 5 copies apart, shelf needs 2,073 W"),
        (f"{FLASH}.usable=100TB", f"{FLASH}.dwpd", "8 enclosures needed, 4 there"),
    ],
)
def test_no_help_has_a_reason(cut: str, line: str, why: str) -> None:
    """What is left in the way of a plan after the change, in a few words with proved numbers."""
    way = way_out((cut,), line)
    assert (way.helps, way.result) == (False, why)


def test_room_is_offered_up_to_what_the_device_holds() -> None:
    """A host cut to 10 GB may have any room of its 3 TB again: what suffices is offered, however many times it is."""
    cut = ("templates.tray.nodes.host.kv=10 GB", "power.shelf.budget=1.6kW")
    way = way_out(cut, "templates.tray.nodes.host.kv")
    assert (way.remedy.override.partition("=")[2], way.helps, way.least) == ("1.2 TB", True, True)
    assert fits(*cut, way.remedy.override)
    assert not fits(*cut, "templates.tray.nodes.host.kv=1.1 TB")
