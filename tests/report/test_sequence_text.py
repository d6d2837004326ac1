"""Charts in the terminal."""

from __future__ import annotations

import pytest
from violations import FIRST_PROMISE, FORGOTTEN_BIT, HASTY, RECALLED, REPLAYED_GRANT, chart_of

from cmxverify.report.sequence_text import sequence_lines

CASES = (HASTY, RECALLED, REPLAYED_GRANT, FORGOTTEN_BIT, FIRST_PROMISE)

HASTY_AT_100 = """\
                                                      home              node0             node1
   1  node_requests_shared                              |<--- SHARED -----*                 |
   2  node_requests_exclusive                           |<----------- EXCLUSIVE ------------*
   3  home_accepts(node0)                               *                 |                 |
      takes SHARED of step 1                            |                 |                 |
      current: NONE -> SHARED                           |                 |                 |
      requester: none -> node0                          |                 |                 |
   4  home_grants_shared(node0)                         *- GRANT_SHARED ->|                 |
      sharers[node0]: False -> True                     |                 |                 |
      current: SHARED -> NONE                           |                 |                 |
      requester: node0 -> none                          |                 |                 |
   5  home_accepts(node1)                               *                 |                 |
      takes EXCLUSIVE of step 2                         |                 |                 |
      invalidate[node0]: False -> True                  |                 |                 |
      current: NONE -> EXCLUSIVE                        |                 |                 |
      requester: none -> node1                          |                 |                 |
   6  home_grants_exclusive(node1)                      *--------- GRANT_EXCLUSIVE -------->|
      sharers[node1]: False -> True                     |                 |                 |
      granted_exclusive: False -> True                  |                 |                 |
      current: EXCLUSIVE -> NONE                        |                 |                 |
      requester: node1 -> none                          |                 |                 |
   7  node_takes_shared                                 |                 *                 |
      takes GRANT_SHARED of step 4                      |                 |                 |
      cache[node0].permission: INVALID -> SHARED        |                 |                 |
   8  node_takes_exclusive                              |                 |                 *
      takes GRANT_EXCLUSIVE of step 6                   |                 |                 |
      cache[node1].permission: INVALID -> EXCLUSIVE     |                 |                 |"""


def drawn(case: tuple[str, dict[str, int]], width: int) -> list[str]:
    """Lines of a case's chart."""
    return sequence_lines(chart_of(case[0], **case[1]), width=width)


def test_the_seeded_fault_of_german_as_it_is_drawn() -> None:
    """Every arrow, take and change."""
    assert "\n".join(drawn(HASTY, 100)) == HASTY_AT_100


@pytest.mark.parametrize("width", [60, 72, 80, 100, 120])
@pytest.mark.parametrize("case", CASES)
def test_charts_fit(case: tuple[str, dict[str, int]], width: int) -> None:
    """Or there is none."""
    assert [line for line in drawn(case, width) if len(line) > width] == []


@pytest.mark.parametrize("case", CASES)
def test_charts_are_drawn_at_80_columns(case: tuple[str, dict[str, int]]) -> None:
    """Each step has its number."""
    numbers = [line[:4].strip() for line in drawn(case, 80)]
    steps = [str(row.step.number) for row in chart_of(case[0], **case[1]).rows]
    assert [each for each in numbers if each.isdecimal()] == steps


def test_an_open_message_has_an_open_end() -> None:
    """And the chart says what that means."""
    lines = drawn(RECALLED, 100)
    assert any("*---- RECALL ----o|" in line for line in lines)
    assert lines[-1] == "  o: nobody takes the message in this trace"


def test_a_label_without_room_goes_to_the_left() -> None:
    """Beside the step that sends it."""
    lines = drawn(FIRST_PROMISE, 80)
    assert any("|<------------*" in line for line in lines)
    assert any(line.strip().startswith("sends Prepared(manager0)") for line in lines)


def test_lanes_that_do_not_fit_are_not_drawn() -> None:
    """The caller lists the steps instead."""
    assert drawn(HASTY, 40) == []
