"""Lines of ``size`` in cases that the shipped rack does not show."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cmxverify.placement.model.set_size import size_sets
from cmxverify.report.sizing_json import exact, set_json
from cmxverify.report.sizing_table import set_lines
from cmxverify.topology.load import load_topology

CHAT = "workload.acme/chat"


def line(label: str, *changes: str, width: int = 120) -> str:
    """The line of that label, with what it is folded into."""
    (size,) = size_sets(load_topology("cmx-rack", overrides=changes), only=("acme/chat",))
    lines = set_lines(size, width=width)
    start = next(at for at, each in enumerate(lines) if each.startswith(f"  {label}"))
    folded = []
    for each in lines[start + 1 :]:
        if not each.startswith(" " * 16):
            break
        folded.append(each.strip())
    return " ".join([lines[start].strip(), *folded])


def bands(*shares: int) -> str:
    told = (f"b{at}: {{share: {share}%, every: {at + 1} h}}" for at, share in enumerate(shares))
    return f"{CHAT}.turns={{{', '.join(told)}}}"


def test_bands_share_the_unit_of_the_smallest() -> None:
    changes = (bands(4, 96), f"{CHAT}.sessions=288k")
    assert line("stored", *changes).endswith("b0 11,520 sessions 47.2 TB, b1 276,480 sessions 1,132.5 TB")


def test_bands_far_apart_have_a_unit_each() -> None:
    turns = f"{CHAT}.turns={{hot: {{share: 0.001%, every: 1 s}}, cold: {{share: 99.999%, every: 1 h}}}}"
    changes = (turns, f"{CHAT}.sessions=1M")
    assert line("stored", *changes).endswith("hot 10 sessions 40.96 GB, cold 999,990 sessions 4.096 PB")


def test_many_bands_are_shortened_and_their_turns_added_up() -> None:
    many = bands(10, 10, 10, 10, 20, 40)
    assert "b1 6,000 sessions 24.6 TB, ... 3 more, b5 24,000 sessions 98.3 TB" in line("stored", many)
    assert line("reads", many).startswith("reads         5.25 turns/s = ")


def test_one_band_is_not_listed() -> None:
    assert line("stored", f"{CHAT}.turns={{every: 60 s}}") == "stored        x 60,000 = 245.8 TB"


def test_weights_of_two_models_are_named() -> None:
    found = line("G1", "workload.acme/agents.runs_on=tray[00-07]")
    assert found == (
        "G1            32 x 288 GB x 90 % - 8 x 70.6 GB weights of llama-3.1-70b - 4 x 671 GB weights of deepseek-v3 "
        "= 5.05 TB: 1,231 sessions decode at once"
    )


def test_given_room_loses_no_weights() -> None:
    found = line("G1", "templates.tray.nodes.gpu[0-3]={is: rubin, kv: 100 GB}")
    assert found == "G1            32 x 100 GB given = 3.2 TB: 781 sessions decode at once"


def test_unknown_weights_are_told() -> None:
    changes = (f"{CHAT}.model=minimax-m3",)
    assert "- unknown weights of minimax-m3, taken as 0 = 8.29 TB" in line("G1", *changes)
    assert "needs the number of parameters, which is unknown" in line("article A22", *changes)


@pytest.mark.parametrize("width", [60, 80, 100])
def test_narrow_terminals_lose_nothing(width: int) -> None:
    wide, narrow = (" ".join(line("article A22", width=each).split()) for each in (120, width))
    assert wide == narrow


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_asked(width: int) -> None:
    for size in size_sets(load_topology("cmx-rack")):
        assert max(map(len, set_lines(size, width=width))) <= width


def test_copies_of_a_set_are_written_each() -> None:
    changes = (f"{CHAT}.copies=2", f"{CHAT}.spread=enclosure")
    assert "x 60,000 = 245.8 TB, 2 copies 491.5 TB" in line("stored", *changes)
    assert line("reads", *changes).endswith("= 4.59 GB/s, 2 copies 9.18 GB/s")


def test_whole_figures_stay_whole_and_others_are_floats() -> None:
    assert [type(exact(value)) for value in (3, Fraction(6, 2), Fraction(1, 3))] == [int, int, float]
    (size,) = size_sets(load_topology("cmx-rack"), only=("acme/chat",))
    assert set_json(size)["bands"][0] == {
        "name": "hot",
        "count": 2400,
        "stored_bytes": 9_830_400_000_000,
        "reads_per_s": 40,
    }
