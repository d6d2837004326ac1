"""Which fields are channels, and what steps put in and take out."""

from __future__ import annotations

import pytest
from sample_channels import LossyQueue

from cmxverify.checking.channels import Carrier, channels_of, heard, message_text, transfers
from cmxverify.checking.places import places_of
from cmxverify.modeling.compile import Compiled, compiled
from cmxverify.modeling.ir.evaluate import successor
from cmxverify.modeling.loading import load_model
from models.classics.lease import Grant, Node
from models.classics.two_phase import Commit


def fields(made: Compiled) -> dict[str, Carrier]:
    """Fields that are channels."""
    return {each.field: each.carrier for each in channels_of(made, places_of(made.model.schema))}


@pytest.mark.parametrize(
    ("name", "bounds", "expected"),
    [
        ("german", {"node": 2}, {"requests": "slot", "orders": "slot", "acknowledgements": "slot"}),
        ("directory", {"node": 2}, {"asks": "slot", "orders": "slot", "answers": "slot"}),
        ("alternating-bit", {"item": 1, "capacity": 1}, {"packets": "queue", "acks": "queue"}),
        ("lease", {"node": 2, "lease": 1}, {"wire": "net"}),
        ("two-phase", {"manager": 2}, {"wire": "net"}),
        ("mcs", {"process": 2}, {}),
        ("peterson", {}, {}),
        ("barrier", {"process": 2}, {}),
        ("simple-allocator", {"client": 2, "resource": 1}, {}),
        ("bounded-buffer", {"producer": 1, "consumer": 1, "capacity": 1}, {}),
    ],
)
def test_channels_of_shipped_models(name: str, bounds: dict[str, int], expected: dict[str, str]) -> None:
    """Declared ones, and slots between each node and one place with a name; shared memory is none."""
    found = fields(compiled(load_model(name).model, bounds))
    assert {field: carrier.value for field, carrier in found.items()} == expected


def test_a_queue_gives_its_oldest() -> None:
    """What was sent first is taken out."""
    made = compiled(LossyQueue, {"node": 2})
    (channel,) = channels_of(made, places_of(made.model.schema))
    zero, one = made.model.values(Node)
    assert transfers(channel, ((zero, one), True, False, 0), ((one,), True, False, 0)) == ([zero], [])


def test_a_message_of_a_net_is_heard_by_the_step_that_needs_it() -> None:
    """The grant makes it possible to receive it, and nothing else."""
    made = compiled(load_model("lease").model, {"node": 1, "lease": 1})
    (channel,) = channels_of(made, places_of(made.model.schema))
    by_name = {each.name: each for each in made.system.instances}
    grants, receives = by_name["home_grants(n=node0)"], by_name["node_receives_grant(n=node0, number=1)"]
    granted = successor(grants, made.system.initial[0])
    node = made.model.values(Node)[0]
    assert heard(made, channel, receives, granted) == [Grant(node, 1)]
    assert heard(made, channel, by_name["node_crashes(n=node0)"], granted) == []


def test_messages_are_told_in_few_words() -> None:
    """Values without the names of their fields."""
    assert message_text(Commit()) == "Commit"
    assert message_text(frozenset({2, 1})) == "{1, 2}"
