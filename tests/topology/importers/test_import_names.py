"""Names: spelled for a topology file without a collision, joined without their domain."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cmxverify.topology.hostlist import expand_ranges
from cmxverify.topology.importers.names import safe_names, short_hosts
from cmxverify.topology.importers.write import patterns


@given(st.sets(st.text(min_size=1, max_size=12), max_size=12))
def test_spelled_names_are_valid_and_distinct(names: set[str]) -> None:
    """Whatever the names, the new ones are distinct, valid, and the same on a second run."""
    spelled, _ = safe_names(names)
    assert len(set(spelled.values())) == len(names)
    assert all(expand_ranges(new) == [new] and "." not in new for new in spelled.values())
    assert safe_names(sorted(names, reverse=True))[0] == spelled


def test_a_good_name_keeps_its_spelling() -> None:
    """A name that needs no change is never given to another node; the clash is reported."""
    spelled, clashes = safe_names(["a-b", "a b", "a.b"])
    assert spelled == {"a-b": "a-b", "a b": "a-b-2", "a.b": "a-b-3"}
    assert len(clashes) == 2


def test_hosts_of_two_domains_keep_them() -> None:
    """a.x and a.y are two hosts."""
    assert short_hosts(["a.x", "a.y", "b.x", "b"]) == {"a.x": "a.x", "a.y": "a.y", "b.x": "b", "b": "b"}


@given(st.sets(st.from_regex(r"[a-c][0-9]{1,3}(\.[a-c][0-9]{1,2})?", fullmatch=True), min_size=1, max_size=40))
def test_patterns_stand_for_exactly_their_names(names: set[str]) -> None:
    """Compressing to ranges and expanding gives the same names, each once."""
    expanded = [name for pattern in patterns(names) for name in expand_ranges(pattern)]
    assert sorted(expanded) == sorted(names)


def test_patterns_stay_short_enough_for_a_yaml_key() -> None:
    """Names with many gaps are split over several ranges."""
    names = [f"n{number}" for number in range(1000, 4000, 2)]
    assert max(len(pattern) for pattern in patterns(names)) <= 200
