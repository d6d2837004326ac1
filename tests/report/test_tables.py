from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cmxverify.report.tables import Align, Column, at_right, fold, format_table, hang, wrap_items

COLUMNS = [Column("tier", least=6), Column("places", Align.RIGHT), Column("watched figure")]


def test_cells_line_up_on_their_side() -> None:
    """Text goes left, numbers right, two blanks apart, no trailing blanks."""
    assert format_table(COLUMNS, [["G1", "72", ""], ["G2", "1,152", "x"]]) == [
        "  tier    places  watched figure",
        "  G1          72",
        "  G2       1,152  x",
    ]


def test_right_hand_columns_are_dropped_when_narrow() -> None:
    """A narrow terminal loses columns from the right, never the first."""
    assert format_table(COLUMNS, [["G1", "72", "y"]], width=20)[1] == "  G1          72"
    assert format_table(COLUMNS, [["G1", "72", "y"]], width=3)[1] == "  G1"


@given(st.lists(st.text("ab", max_size=30), min_size=1, max_size=9), st.integers(1, 130))
def test_no_line_is_wider_than_asked(cells: list[str], width: int) -> None:
    """Lines keep to the width as soon as the first column does."""
    columns = [Column(f"c{at}") for at in range(len(cells))]
    first = 2 + max(len(cells[0]), 2)

    assert all(len(line) <= max(width, first) for line in format_table(columns, [cells], width=width))


@given(st.lists(st.text("ab", max_size=20), min_size=1, max_size=9), st.integers(50, 130))
def test_a_continued_table_has_every_cell_once(cells: list[str], width: int) -> None:
    """Each block begins with the first column, the others follow in order, and no line is too long."""
    columns = [Column(f"c{at}") for at in range(len(cells))]
    lines = format_table(columns, [cells], width=width, continued=True)

    assert all(len(line) <= width for line in lines)
    assert [title for line in lines[::2] for title in line.split() if title != "c0"] == [c.title for c in columns[1:]]
    assert all(line.startswith("  c0") for line in lines[::2])


WORDS = st.lists(st.text("abc", min_size=1, max_size=12), min_size=1, max_size=12).map(" ".join)


@given(st.lists(WORDS, min_size=1), st.integers(30, 120), st.sampled_from(["; ", " | ", ", ", "   "]))
def test_wrapped_items_keep_order_and_width(items: list[str], width: int, separator: str) -> None:
    """Wrapping loses nothing, and each line fits, also where one item alone is longer."""
    lines = wrap_items("head:", items, width=width, separator=separator)

    assert all(len(line) <= width for line in lines)
    assert " ".join(lines).split() == ("head: " + separator.join(items)).split()


def test_an_item_is_split_only_if_it_has_to_be() -> None:
    """One that fits a line of its own begins there."""
    assert wrap_items("of:", ["one two", "three four"], width=14) == ["of: one two;", "  three four"]
    assert wrap_items("of:", ["one", "two three four five"], width=12) == ["of: one;", "  two three", "  four five"]


@given(st.text(" a,b1(", max_size=60), st.integers(12, 60))
def test_folding_changes_blanks_only(text: str, width: int) -> None:
    """Every other character stays, in its order."""
    folded = "".join(fold(text, width=width))
    assert folded.replace(" ", "") == text.replace(" ", "")


def test_a_number_stays_with_its_unit_and_a_path_whole() -> None:
    """Names in a list may part after a comma."""
    assert fold("it is 200 us (60 us)", width=10, indent=1) == ["it is", " 200 us", " (60 us)"]
    assert fold("in /a/long/path", width=8, indent=1) == ["in", " /a/long/path"]
    assert fold("of tray[00-03,07,09]", width=13, indent=1) == ["of", " tray[00-03,", " 07,09]"]


def test_further_lines_hang_below_the_text() -> None:
    """Or a little in, where the head takes more than half of the room."""
    assert hang("note  ", "one two three", width=14) == ["note  one two", "      three"]
    assert hang("a long head  ", "one two", width=17) == ["a long head  one", "    two"]


def test_the_time_stands_at_the_right_of_the_first_line() -> None:
    """Also of a verdict of several lines."""
    assert at_right("accepted", "0.1 s", width=20) == ["accepted       0.1 s"]
    assert at_right("accepted by all of them", "0.1 s", width=20) == ["accepted by    0.1 s", "  all of them"]
