import time

import pytest

from cmxverify.errors import InputError, Location
from cmxverify.topology.select import outermost, select_members

NAMES = ["cmx0", "cmx1", "tray00", "tray00.gpu0", "tray00.gpu1", "tray01", "tray01.gpu0", "leaf0"]


def select(pattern: str) -> list[str]:
    return select_members(pattern, NAMES, Location("f.yaml", 3))


@pytest.mark.parametrize(
    ("pattern", "members"),
    [
        ("cmx0", ["cmx0"]),
        ("cmx[0-1], leaf0", ["cmx0", "cmx1", "leaf0"]),
        ("cmx[0,1],cmx0", ["cmx0", "cmx1"]),
        ("tray*.gpu0", ["tray00.gpu0", "tray01.gpu0"]),
        ("tray[00-01].gpu*", ["tray00.gpu0", "tray00.gpu1", "tray01.gpu0"]),
        ("cmx?", ["cmx0", "cmx1"]),
        ("cmx0,,", ["cmx0"]),
    ],
)
def test_lists_ranges_and_globs_select(pattern: str, members: list[str]) -> None:
    """Each member comes once, in order; commas inside brackets do not split."""
    assert select(pattern) == members


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("cmy0", "'cmy0' names nothing in this topology\n  Did you mean 'cmx0'?"),
        ("tray[0-3]", "'tray[0-3]' names nothing in this topology\n  Did you mean 'tray01'?"),
        ("zz*", "'zz*' names nothing in this topology\n  Known:"),
        ("cmx[0-3]", "'cmx2' of 'cmx[0-3]' does not exist\n  Did you mean 'cmx1'?"),
        ("cmx[0", "'cmx[0' is not a name or a range\n"),
        (
            "gpu0",
            "'gpu0' names nothing in this topology\n  Names start at the outermost container: 'tray00.gpu0'.",
        ),
        (
            "gpu?",
            "'gpu?' names nothing in this topology\n  Names start at the outermost container: 'tray00.gpu0'.",
        ),
        (" , ", "a name or range is expected here\n  Write it as tray[00-07]."),
    ],
)
def test_what_names_nothing_is_refused(pattern: str, message: str) -> None:
    """A typo and a range that is not all there are told apart."""
    with pytest.raises(InputError) as caught:
        select(pattern)
    assert str(caught.value).startswith(f"f.yaml:3: {message}")


def test_large_patterns_are_refused_at_once() -> None:
    """A million names, and a thousand globs over all names, do not start."""
    begin = time.process_time()
    for pattern in ("cmx[0-999999]", "cmx[0-99999]*"):
        with pytest.raises(InputError, match="stands for more than"):
            select(pattern)
    assert time.process_time() - begin < 0.5


def test_outermost_drops_what_lies_inside() -> None:
    """A name that only begins like another does not lie inside it."""
    assert outermost(["r1.cmx0.flash", "r1", "r1.cmx0", "r10.leaf0", "leaf0"]) == ["r1", "r10.leaf0", "leaf0"]
