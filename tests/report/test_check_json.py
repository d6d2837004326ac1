"""Verdicts on models for machines."""

from __future__ import annotations

import json
from typing import Any

from violations import HASTY, REPLAYED_GRANT, SPILT, verdict_on

from cmxverify.checking.verdict import Incomplete
from cmxverify.report.check_json import as_json

KEYS = {
    *("verdict", "model", "bounds", "faults", "engine", "exact", "symmetric_over", "not_symmetric"),
    *("states", "transitions", "depth", "levels", "actions", "never_enabled", "never_changing"),
    *("premises_never_true", "properties", "witnesses", "duties", "graph_hash", "source", "ir", "seconds"),
    *("memory_bytes", "trace"),
}


def document(case: tuple[str, dict[str, int]]) -> dict[str, Any]:
    """What is printed, once through JSON."""
    found: dict[str, Any] = json.loads(json.dumps(as_json(verdict_on(case[0], **case[1]))))
    return found


def test_the_keys_of_what_holds() -> None:
    """They are what scripts rely on."""
    assert set(document(("german", {"node": 2}))) == KEYS


def test_the_keys_of_what_is_violated() -> None:
    """One more: what."""
    found = document(HASTY)
    assert (set(found) - KEYS, found["violated"]) == ({"violated"}, ["COHERENCE"])


def test_the_keys_of_what_is_not_finished() -> None:
    """Why, and how far."""
    found = as_json(Incomplete(verdict_on("german", node=2).report, "interrupted", 7))
    assert (found["verdict"], found["reason"], found["complete_to_depth"]) == ("incomplete", "interrupted", 7)


def test_counts_add_up() -> None:
    """Of levels and of actions."""
    found = document(("german", {"node": 2}))
    assert sum(found["levels"]) == found["states"]
    assert sum(each["transitions"] for each in found["actions"].values()) == found["transitions"]


def test_what_never_happened_is_unknown_before_the_end() -> None:
    """null, not an empty list."""
    assert document(("german", {"node": 2}))["never_enabled"] == []
    assert document(HASTY)["never_enabled"] is None


def test_budgets_of_faults() -> None:
    """null where a fault may happen without limit."""
    assert document(REPLAYED_GRANT)["faults"] == {"node_crashes": 1}
    assert document(("alternating-bit", {"item": 1, "capacity": 1}))["faults"]["ack_is_lost"] is None


def test_a_trace_has_what_each_step_changed() -> None:
    """And what fails with which values."""
    trace = document(HASTY)["trace"]
    assert trace["steps"][0] == {
        "action": "node_requests_shared",
        "arguments": {"n": "node0"},
        "changes": {"requests[node0]": ["NONE", "SHARED"]},
        "breaching": False,
    }
    assert (trace["where"], trace["values"]["cache[node1].permission"]) == ("n = node1", "EXCLUSIVE")


def test_a_step_that_breaches_a_duty_is_marked() -> None:
    """It has no state after it."""
    assert [each["breaching"] for each in document(SPILT)["trace"]["steps"]] == [False, True]
