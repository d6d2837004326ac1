"""Heat bands from a trace: shares of one, the rate of turns of the trace, hottest first."""

from __future__ import annotations

import gzip
import json
from fractions import Fraction
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_files import needs, shared

from cmxverify.errors import InputError, Location
from cmxverify.workload.trace_bands import divide_sessions, measure_bands
from cmxverify.workload.trace_sessions import Session, read_sessions

TURNS = Location("rack.yaml", 14)
MOONCAKE = shared("traces", "mooncake_conversation_trace.jsonl.gz")
CODE = shared("traces", "claude_code_agentic_a.jsonl.gz")

sessions = st.builds(
    Session, st.integers(1, 50), st.fractions(1, 1000, max_denominator=100), once=st.booleans()
)


def session(turns: int, kept: int = 100) -> Session:
    return Session(turns, Fraction(kept), once=turns == 1)


def conversations(folder: Path, *times: list[int]) -> Path:
    path = folder / "trace.jsonl"
    path.write_text("\n".join(json.dumps({"requests": [{"t": t} for t in each]}) for each in times))
    return path


def test_the_few_busy_sessions_are_hot_and_those_seen_once_cold() -> None:
    """24 returning turns: one session brings half of them."""
    found = divide_sessions([session(n) for n in (1, 4, 12, 1, 5, 3)], 3, TURNS)
    assert [[each.turns for each in group] for group in found] == [[12], [5, 4, 3], [1, 1]]


def test_shares_and_periods_of_a_small_trace(tmp_path: Path) -> None:
    """Kept 30, 60 and 90 s with 3, 1 and 1 returns."""
    path = conversations(tmp_path, [0, 10, 20, 30], [5, 65], [0, 90])
    assert measure_bands(path, 2, TURNS) == {
        "hot": (Fraction(30, 180), Fraction(10)),
        "cold": (Fraction(150, 180), Fraction(75)),
    }


@pytest.mark.parametrize(
    ("bands", "names"),
    [(1, ["all"]), (2, ["hot", "cold"]), (3, ["hot", "warm", "cold"]), (4, ["band1", "band2", "band3", "band4"])],
)
def test_bands_are_named_by_their_number(tmp_path: Path, bands: int, names: list[str]) -> None:
    path = conversations(tmp_path, *([0, period] for period in (1, 2, 3, 4)))
    assert list(measure_bands(path, bands, TURNS)) == names


def test_sessions_seen_once_come_back_after_the_length_of_the_trace(tmp_path: Path) -> None:
    path = conversations(tmp_path, [0, 10, 20], [0, 80], [7])
    assert measure_bands(path, 3, TURNS)["cold"][1] == 80


@given(st.lists(sessions, min_size=1, max_size=40), st.integers(1, 6))
def test_every_session_is_in_one_band_none_is_empty_and_none_hotter_than_the_last(
    found: list[Session], bands: int
) -> None:
    returning = [each for each in found if not each.once]
    if bands > 1 and bands > len(returning) + any(each.once for each in found):
        with pytest.raises(InputError, match="too few for"):
            divide_sessions(found, bands, TURNS)
        return
    groups = divide_sessions(found, bands, TURNS)

    assert len(groups) == bands
    assert all(groups)
    assert sorted(map(repr, found)) == sorted(repr(each) for group in groups for each in group)
    warm = [[each.interval for each in group if not each.once] for group in groups]
    assert sorted(x for group in warm for x in group) == [x for group in warm for x in group]


@given(st.lists(st.integers(2, 30), min_size=4, max_size=30), st.integers(2, 4))
def test_bands_of_returning_sessions_differ_by_no_more_than_their_largest_sessions(
    turns: list[int], bands: int
) -> None:
    groups = divide_sessions([session(n) for n in turns], bands, TURNS)
    brought = [sum(each.turns for each in group) for group in groups]

    # one session may be all of a band, or each band may have been closed early to leave the others one each
    if min(len(group) for group in groups) > 1:
        assert max(brought) - min(brought) <= 2 * max(turns)


@given(
    st.lists(st.lists(st.integers(0, 10_000), min_size=2, max_size=8, unique=True), min_size=3, max_size=12),
    st.integers(1, 3),
)
def test_shares_add_up_to_one_and_turns_to_those_of_the_trace_exactly(
    tmp_path_factory: pytest.TempPathFactory, times: list[list[int]], bands: int
) -> None:
    path = conversations(tmp_path_factory.mktemp("trace"), *times)
    found = measure_bands(path, bands, TURNS)
    every = read_sessions(path, TURNS)

    assert sum(share for share, _ in found.values()) == 1
    rate = Fraction(sum(each.turns for each in every)) / sum(each.kept for each in every)
    assert sum(share / period for share, period in found.values()) == rate


def test_too_many_bands_are_refused_at_the_line_that_asks_for_them(tmp_path: Path) -> None:
    path = conversations(tmp_path, [0, 10], [4])
    with pytest.raises(InputError) as caught:
        measure_bands(path, 3, TURNS)

    assert str(caught.value) == (
        "rack.yaml:14: 1 session of the trace come back, too few for 3 bands\n"
        "  Write bands: 2 or fewer, or take a longer trace."
    )


SAMPLES = [
    b'{"timestamp": 0, "input_length": 600, "output_length": 1, "hash_ids": [0, 1]}\n'
    b'{"timestamp": 27, "input_length": 1100, "output_length": 5, "hash_ids": [0, 2, 3]}\n',
    b'{"requests": [{"t": 0.0}, {"t": 4.5}, {"t": 1, "requests": [{"t": 0}, {"t": 2}]}]}\n',
]
pieces = st.sampled_from(
    [b"", b"\n", b"{", b"]", b"-1", b"1e999", b"null", b"\xff", b"\x1f\x8b", b'"t"', b"9" * 400, b"[[[["]
)


@given(st.sampled_from(SAMPLES), st.booleans(), st.integers(0, 200), st.integers(0, 9), pieces)
def test_a_damaged_trace_ends_in_bands_or_one_error(
    tmp_path_factory: pytest.TempPathFactory, sample: bytes, packed: bool, start: int, cut: int, piece: bytes
) -> None:
    text = gzip.compress(sample) if packed else sample
    path = tmp_path_factory.mktemp("trace") / "t"
    path.write_bytes(text[:start] + piece + text[start + cut :])
    refusal: InputError | None = None
    try:
        found = measure_bands(path, 1, TURNS)
    except InputError as error:
        refusal = error
    assert refusal.at and refusal.fix if refusal else found["all"][0] == 1


@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=needs(path), id=path.name) for path in (MOONCAKE, CODE)]
)
@pytest.mark.parametrize("bands", [1, 3])
def test_a_real_trace_keeps_its_turns(path: Path, bands: int) -> None:
    if not path.exists():
        pytest.skip(f"{path.name} is not here")
    found = measure_bands(path, bands, TURNS)
    every = read_sessions(path, TURNS)

    assert sum(share for share, _ in found.values()) == 1
    kept = sum(each.kept for each in every)
    assert sum(share * kept / period for share, period in found.values()) == sum(each.turns for each in every)
    periods = [period for _, period in found.values()]
    assert periods == sorted(periods)


@needs(MOONCAKE)
def test_the_mooncake_trace_of_12031_requests_is_read_in_under_2_s() -> None:
    """Most of its requests are the only one of their session within the hour."""
    begin = process_time()
    every = read_sessions(MOONCAKE, TURNS)

    assert process_time() - begin < 2
    assert sum(each.turns for each in every) == 12_031
    assert sum(each.once for each in every) / len(every) > Fraction(1, 2)
