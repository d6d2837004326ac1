"""Where steps happen."""

from __future__ import annotations

import pytest

from cmxverify.checking.places import Places, places_of
from cmxverify.modeling.compile import compiled
from cmxverify.modeling.loading import load_model


def lanes(name: str, **bounds: int) -> dict[str, set[str]]:
    """Of each action the lanes of its instances."""
    made = compiled(load_model(name).model, bounds)
    places = places_of(made.model.schema)
    found: dict[str, set[str]] = {}
    for instance in made.system.instances:
        found.setdefault(instance.action, set()).add(places.lane(instance))
    return found


def places(name: str, **bounds: int) -> Places:
    """Places of a model."""
    return places_of(compiled(load_model(name).model, bounds).model.schema)


def test_actions_of_the_home_share_its_lane() -> None:
    """``home_accepts(n)`` happens at the home, not at n."""
    assert lanes("german", node=2)["home_accepts"] == {"home"}


def test_actions_of_nodes_have_a_lane_each() -> None:
    """``node_stores(n, v)`` happens at n."""
    assert lanes("german", node=2)["node_stores"] == {"node0", "node1"}


def test_what_at_names_is_the_lane() -> None:
    """``@action(at="home")`` and ``@action(at="m")``."""
    found = lanes("two-phase", manager=2)
    assert (found["coordinator_commits"], found["participant_gives_up"]) == (
        {"home"},
        {"manager0", "manager1"},
    )


def test_a_value_that_is_no_key_is_no_place() -> None:
    """Items that are sent are no places; who is given one is."""
    assert lanes("alternating-bit", item=2, capacity=1)["sender_is_given"] == {"sender"}


def test_faults_without_a_place_are_of_the_environment() -> None:
    """A packet that is lost."""
    assert lanes("alternating-bit", item=2, capacity=1)["packet_is_lost"] == {"environment"}


def test_numbered_processes_bear_the_name_of_their_parameter() -> None:
    """0 alone would say nothing."""
    assert lanes("peterson")["works"] == {"p 0", "p 1"}


@pytest.mark.parametrize("name", ["dekker", "peterson", "die-hard"])
def test_verbs_are_no_places(name: str) -> None:
    """``looks_at_turn``, ``raises_flag``, ``fills_big``."""
    assert places(name).named == ()


def test_a_model_of_one_piece_has_one_lane() -> None:
    """Jugs are not at places."""
    assert set.union(*lanes("die-hard").values()) == {"system"}
