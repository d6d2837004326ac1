"""Message sequences of counterexamples."""

from __future__ import annotations

from sample_channels import LossyBag, LossyQueue
from violations import FIRST_PROMISE, FORGOTTEN_BIT, HASTY, RECALLED, REPLAYED_GRANT, chart_of

from cmxverify.checking.check import Choices, check
from cmxverify.checking.sequence import MessageSequence, Row, message_sequence
from cmxverify.checking.verdict import Violated
from cmxverify.modeling import Model


def chart(case: tuple[str, dict[str, int]]) -> MessageSequence:
    """The chart of a case."""
    return chart_of(case[0], **case[1])


def chart_of_class(model: type[Model], **bounds: int) -> MessageSequence:
    """The chart of a sample."""
    verdict = check(model, bounds, Choices(engine="packed"))
    assert isinstance(verdict, Violated)
    assert verdict.trace is not None
    return message_sequence(verdict.report.compiled, verdict.trace)


def sends(row: Row) -> list[tuple[str, str, tuple[str, ...]]]:
    """Text, sender and receivers of what a row sends."""
    return [(each.text, each.sender, each.receivers) for each in row.sends]


def test_the_home_stands_left_of_the_nodes() -> None:
    """Named places first, nodes in order."""
    assert chart(HASTY).lanes == ("home", "node0", "node1")


def test_a_slot_that_is_filled_is_an_arrow() -> None:
    """From the node that asks to the home, and what the home grants."""
    rows = chart(HASTY).rows
    assert sends(rows[0]) == [("SHARED", "node0", ("home",))]
    assert sends(rows[3]) == [("GRANT_SHARED", "home", ("node0",))]


def test_who_takes_a_message_knows_who_sent_it() -> None:
    """Step 3 takes what step 1 sent."""
    (taken,) = chart(HASTY).rows[2].takes
    assert (taken.sent, taken.taken) == (1, [(3, "home")])


def test_what_arrows_say_is_no_change() -> None:
    """Only the rest is listed."""
    rows = chart(HASTY).rows
    assert rows[0].changes == ()
    assert [each.cell for each in rows[2].changes] == ["current", "requester"]


def test_a_message_that_nobody_takes_stays_open() -> None:
    """The recall that explains the fault of the directory."""
    rows = chart(RECALLED).rows
    open_ones = [(row.step.number, each.text) for row in rows for each in row.sends if not each.taken]
    assert open_ones == [(7, "RECALL")]


def test_a_net_gives_the_same_message_again() -> None:
    """The row says that it was taken before."""
    rows = chart(REPLAYED_GRANT).rows
    assert "takes Grant(node0, 1) of step 1" in rows[1].notes()
    assert "takes Grant(node0, 1) of step 1, already taken at 2" in rows[3].notes()


def test_a_message_to_all_goes_to_whoever_takes_it() -> None:
    """Commit names nobody."""
    rows = chart(FIRST_PROMISE).rows
    commits = [each for row in rows for each in row.sends if each.text == "Commit"]
    assert [each.receivers for each in commits] == [("manager0",)]


def test_queues_are_between_named_places() -> None:
    """Sender and receiver, no lane for the item."""
    found = chart(FORGOTTEN_BIT)
    assert found.lanes == ("sender", "receiver")
    assert sends(found.rows[1]) == [("Packet(True, item0)", "sender", ("receiver",))]


def test_a_fault_loses_the_oldest_of_a_queue() -> None:
    """It is neither taken nor open."""
    rows = chart_of_class(LossyQueue, node=2).rows
    (message,) = rows[0].sends
    assert (message.lost, message.taken, rows[1].loses) == (2, [], (message,))


def test_a_bag_loses_by_itself() -> None:
    """The fault that the channel declares."""
    rows = chart_of_class(LossyBag, node=1).rows
    assert [row.step.action for row in rows] == ["home_sends", "wire.lose"]
    assert rows[1].notes() == ["loses Ping(node0) of step 1"]


def test_counters_of_faults_are_not_told() -> None:
    """The row of the fault says it."""
    rows = chart_of_class(LossyQueue, node=2).rows
    assert [each.cell for each in rows[1].changes] == ["lost"]


def test_the_argument_that_is_the_lane_is_left_out() -> None:
    """Nodes that name their type stand alone."""
    rows = chart(HASTY).rows
    assert [row.title for row in rows[:3]] == [
        "node_requests_shared",
        "node_requests_exclusive",
        "home_accepts(node0)",
    ]
    assert chart(REPLAYED_GRANT).rows[1].title == "node_receives_grant(number=1)"
