import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmxverify.errors import InputError, Location, did_you_mean


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (None, "wrong\n  Fix it."),
        (Location("a.yaml"), "a.yaml: wrong\n  Fix it."),
        (Location("a.yaml", 3), "a.yaml:3: wrong\n  Fix it."),
        (Location("a.yaml", 3, 7), "a.yaml:3:7: wrong\n  Fix it."),
    ],
)
def test_message_says_where_what_and_how(at: Location | None, expected: str) -> None:
    """An input error prints its place as far as it is known, what is wrong, and the fix on a line of its own."""
    assert str(InputError("wrong", at=at, fix="Fix it.")) == expected


def test_message_without_a_fix_is_one_line() -> None:
    """Without a fix nothing follows."""
    assert str(InputError("wrong", at=Location("a.yaml", 3))) == "a.yaml:3: wrong"


def test_control_characters_are_printed_as_escapes() -> None:
    """A name in a file cannot colour the terminal, break the line or reverse the text."""
    assert str(InputError("key 'a\x1b[31m\nb\u202e'")) == r"key 'a\x1b[31m\nb\u202e'"


@pytest.mark.parametrize("character", ["\u200b", "\u2060", "\ufeff", "\xad"])
def test_characters_that_cannot_be_seen_are_printed_as_escapes(character: str) -> None:
    """A name that looks like another one is told apart in the message."""
    escaped = character.encode("unicode_escape").decode()
    assert str(InputError(f"no node 'le{character}af'")) == f"no node 'le{escaped}af'"


def test_a_file_name_cannot_write_to_the_terminal_either() -> None:
    """The place is escaped, too."""
    assert str(InputError("wrong", at=Location("a\x1b.yaml", 1))) == r"a\x1b.yaml:1: wrong"


@given(st.text())
def test_what_is_wrong_is_always_one_printable_line(text: str) -> None:
    """Whatever a file holds, the first line of a message can be printed in UTF-8 and stays one line."""
    message = str(InputError(text))
    assert len(message.encode().decode().splitlines()) <= 1


def test_an_overlong_text_is_cut() -> None:
    """A key of a million letters does not fill the screen."""
    assert len(str(InputError("x" * 1_000_000))) < 500


def test_locations_sort_by_file_line_column() -> None:
    """The first breach in a file is the least location."""
    places = [Location("a", 10), Location("a", 9, 5), Location("a", 9, 4)]
    assert min(places) == Location("a", 9, 4)


def test_did_you_mean_names_the_nearest_word() -> None:
    """A near word is named alone."""
    assert did_you_mean("rat", ["rate", "count", "latency"]) == "Did you mean 'rate'?"


def test_did_you_mean_lists_what_is_known_where_nothing_is_near() -> None:
    """Without a near word the first twelve are listed, sorted."""
    assert did_you_mean("zzz", ["b", "a"]) == "Known: a, b."
    assert did_you_mean("zzz", map(str, range(20))).endswith("18, 19 and 8 more.")
    assert did_you_mean("zzz", []) == "Nothing is known here."


def test_did_you_mean_is_fast_among_many_words() -> None:
    """Among the names of a large cluster the nearest one is still found at once."""
    names = [f"rack{i // 100:03}.gpu{i % 100:02}" for i in range(60_000)]
    begin = time.process_time()
    hint = did_you_mean("rack00.gpu7", names)
    assert hint.startswith("Did you mean 'rack0")
    assert time.process_time() - begin < 1
