"""topograph YAML and Slurm topology.conf."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cmxverify.errors import InputError, Location
from cmxverify.topology.importers.hostlists import expand_hostlist


def test_topograph_current_form(read: Callable[..., Any]) -> None:
    """Switch tree, blocks as hostlists, NVLink domains as containers."""
    structure = read("model-topograph.yaml")
    assert structure.kinds() == {"host": 8, "switch": 3}
    assert structure.cable_count == 2 + 8
    assert {n.container for n in structure.nodes if n.name.startswith("n12")} == {("nvl-2",)}


def test_topograph_old_form(read: Callable[..., Any]) -> None:
    """Lists with names, capacity blocks attached by the switch."""
    structure = read("model-topograph-old.yaml")
    assert structure.kinds() == {"host": 5, "switch": 3}
    assert {c.a for c in structure.cables if c.b == "sw2"} == {"1101", "1102", "1103", "core"}
    assert {n.container for n in structure.nodes if n.name == "1101"} == {("cb2",)}


def test_topograph_wrong_type_names_line(read_text: Callable[..., Any]) -> None:
    """A mapping where a name should be is one error with its line."""
    with pytest.raises(InputError, match="'nodes' is not a name") as caught:
        read_text("switches:\n  core: {}\nblocks:\n- switch: core\n  nodes: [{a: 1}]\n")
    assert caught.value.at.line == 5


def test_slurm_tree(read: Callable[..., Any], gbit: Callable[..., Any]) -> None:
    """Several brackets in a word, several switches in a line, continued lines, keys in any case."""
    structure = read("topology.conf")
    assert structure.kinds() == {"host": 8, "switch": 4}
    cables = gbit(structure)
    assert cables["leaf2", "r2n03"] == (400, 1)
    assert cables["leaf1", "spine"] == (None, 1)
    assert structure.skipped == {"LinkSpeed values without a unit": 1}


def test_slurm_blocks(read: Callable[..., Any]) -> None:
    """Blocks are containers; a file of blocks has no cables, and says so."""
    structure = read("blocks.conf")
    assert {n.container for n in structure.nodes} == {("b1",), ("b2",)}
    assert "no cables are known" in structure.warnings[0]


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("SwitchName=a Nodes=n[3-1]\n", "runs backwards", 1),
        ("# x\nSwitchName=a Nods=n1\n", "unknown key 'Nods'", 2),
        ("SwitchName=a Nodes=n1\nhello world\n", "not a line of topology.conf", 2),
        ("SwitchName=a Nodes=n[0-1000000]\n", "stands for more than 100,000 names", 1),
        ("SwitchName=a Nodes=n[0-60000],m[0-60000]\n", "more than 100,000 names", 1),
        ("SwitchName=a Nodes=n1 Nodes=n2\n", "given twice", 1),
    ],
)
def test_slurm_errors_name_the_line(read_text: Callable[..., Any], text: str, what: str, line: int) -> None:
    """Each breach is one message with file and line."""
    with pytest.raises(InputError, match=what) as caught:
        read_text(text)
    assert caught.value.at.line == line


def test_hostlist_commas_inside_and_outside_brackets() -> None:
    """Only commas outside brackets separate words."""
    assert expand_hostlist("a[1,3],b,c[1-2]x", Location("t")) == ["a1", "a3", "b", "c1x", "c2x"]
