"""Sessions of a trace: found by prefix among requests, named by the line in conversations."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmxverify.errors import InputError, Location
from cmxverify.workload.trace_sessions import PrefixChains, Session, read_sessions

TURNS = Location("rack.yaml", 14)


def sessions_of(*requests: list[int]) -> list[int]:
    chains = PrefixChains()
    return [chains.add(blocks) for blocks in requests]


def request(ms: float, tokens: int, ids: list[int]) -> dict[str, Any]:
    return {"timestamp": ms, "input_length": tokens, "output_length": 1, "hash_ids": ids}


def write(folder: Path, *lines: Any) -> Path:
    path = folder / "trace.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return path


def message(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_sessions(path, TURNS)
    return str(caught.value)


def test_a_request_that_contains_the_whole_last_one_goes_on_with_it() -> None:
    assert sessions_of([0, 1], [0, 1, 2], [0, 1, 2, 3, 4]) == [0, 0, 0]


def test_a_shared_system_prompt_joins_nobody() -> None:
    assert sessions_of([0, 1], [0, 2], [0, 3], [0]) == [0, 1, 2, 3]


def test_a_prompt_that_others_had_before_is_no_tip() -> None:
    """The second request brings no block of its own, so the third cannot be told to follow it."""
    assert sessions_of([0, 1], [0], [0, 2]) == [0, 1, 2]


def test_a_repeated_request_is_the_same_session() -> None:
    assert sessions_of([0, 1], [0, 1], [0, 1, 2]) == [0, 0, 0]


def test_an_edited_turn_begins_a_session_of_its_own() -> None:
    assert sessions_of([0, 1], [0, 1, 2], [0, 1, 3], [0, 1, 2, 4], [0, 1, 3, 5]) == [0, 0, 1, 0, 1]


def test_the_deepest_of_several_tips_is_followed() -> None:
    """A document of one session and a longer one that began with its edit."""
    assert sessions_of([0, 1], [2], [0, 1, 5], [0, 1, 5, 6]) == [0, 1, 0, 0]


def test_a_request_without_a_full_block_is_a_session() -> None:
    assert sessions_of([], []) == [0, 1]


@given(st.lists(st.integers(1, 6), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_interleaved_chats_are_told_apart_whatever_their_order(turns: list[int], random: Any) -> None:
    """Chats that share a system prompt and grow by own blocks: the sessions are the chats."""
    order = [chat for chat, count in enumerate(turns) for _ in range(count)]
    random.shuffle(order)
    chains, length = PrefixChains(), [0] * len(turns)
    found: dict[int, int] = {}
    for chat in order:
        length[chat] += 1
        blocks = [0, *(1 + chat + len(turns) * step for step in range(length[chat]))]
        session = chains.add(blocks)
        assert found.setdefault(chat, session) == session
    assert sorted(chains.turns) == sorted(turns)


def test_requests_keep_their_session_for_the_whole_trace(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        request(500, 1200, [0, 1, 2]),
        request(1000, 1100, [0, 9, 10]),
        request(2500.5, 2000, [0, 1, 3, 4]),
    )
    length = Fraction(20005, 10000)
    assert read_sessions(path, TURNS) == [Session(2, length, once=False), Session(1, length, once=True)]


def test_the_partial_last_block_does_not_count(tmp_path: Path) -> None:
    """Turn two changes the partial block 2 into 3, and goes on all the same."""
    path = write(tmp_path, request(0, 1025, [0, 1, 2]), request(1000, 1537, [0, 1, 3, 4]))
    assert read_sessions(path, TURNS) == [Session(2, Fraction(1), once=False)]


def test_a_conversation_is_kept_from_first_to_last_turn(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {"id": "a", "requests": [{"t": 0.0}, {"t": 10.0}, {"t": 40.25}]},
        {"id": "b", "requests": [{"t": 7.0}]},
        {"id": "c", "requests": []},
    )
    longest = Fraction(161, 4)
    assert read_sessions(path, TURNS) == [Session(2, longest, once=False), Session(1, longest, once=True)]


def test_a_sub_agent_is_a_conversation_of_its_own(tmp_path: Path) -> None:
    """Its record in the parent is no turn of the parent."""
    agent = {"t": 3.0, "type": "subagent", "requests": [{"t": 0.0}, {"t": 2.0}, {"t": 4.0}]}
    path = write(tmp_path, {"requests": [{"t": 0.0}, agent, {"t": 9.0}]})

    assert read_sessions(path, TURNS) == [Session(1, Fraction(9), once=False), Session(2, Fraction(4), once=False)]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"timestamp": None}, "'timestamp' is no time"),
        ({"timestamp": True}, "'timestamp' is no time"),
        ({"timestamp": -1}, "'timestamp' is out of range"),
        ({"timestamp": 1e999}, "not JSON"),
        ({"timestamp": 10**400}, "'timestamp' is out of range"),
        ({"timestamp": 3}, "an earlier timestamp than the line before"),
        ({"input_length": "5"}, "'input_length' is no count of tokens"),
        ({"input_length": -5}, "'input_length' is no count of tokens"),
        ({"hash_ids": [0, {}]}, "'hash_ids' is no list of block ids"),
        ({"hash_ids": None}, "'hash_ids' is no list of block ids"),
        ({"hash_ids": [0, 1, 2]}, "3 'hash_ids' for 600 tokens"),
    ],
)
def test_a_wrong_request_is_told_with_its_line(tmp_path: Path, change: dict[str, Any], what: str) -> None:
    path = write(tmp_path, request(5, 600, [0, 1]), request(9, 600, [0, 1]) | change)
    assert message(path).startswith(f"{path}:2: {what}\n  ")


@pytest.mark.parametrize("requests", [None, 3, [3], [{"t": 0.0}, {"requests": 1}]])
def test_a_wrong_conversation_is_told_with_its_line(tmp_path: Path, requests: Any) -> None:
    path = write(tmp_path, {"requests": [{"t": 0}, {"t": 1}]}, {"requests": requests})
    assert message(path) == f"{path}:2: 'requests' is no list of requests\n  Write one conversation a line."


def test_a_time_too_large_for_a_float_is_out_of_range(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text('{"requests": [{"t": 1e999}]}')
    assert message(path).startswith(f"{path}:1: 't' is out of range")


def test_another_format_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    path = write(tmp_path, {"TIMESTAMP": 1, "ContextTokens": 3})
    assert message(path).startswith(f"{path}:1: not a trace of a known format\n  Known: ")


@pytest.mark.parametrize("lines", [[request(5, 600, [0, 1])], [{"requests": []}], [{"requests": [{"t": 4}]}]])
def test_a_trace_without_two_times_is_refused(tmp_path: Path, lines: list[Any]) -> None:
    assert "the trace spans no time" in message(write(tmp_path, *lines))


def test_an_empty_trace_is_refused(tmp_path: Path) -> None:
    assert "the trace is empty" in message(write(tmp_path))
