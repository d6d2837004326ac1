from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cmxverify.report.tables import Align, Column, format_table, wrap_items

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


@given(st.lists(st.text("abc", min_size=1, max_size=12), min_size=1), st.integers(30, 120))
def test_wrapped_items_keep_order_and_width(items: list[str], width: int) -> None:
    """Wrapping loses nothing, and each line fits."""
    lines = wrap_items("head:", items, width=width)

    assert all(len(line) <= width + 1 for line in lines)
    assert " ".join(line.strip() for line in lines) == "head: " + "; ".join(items)
