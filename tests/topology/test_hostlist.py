import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmxverify.errors import InputError, Location
from cmxverify.topology.hostlist import compress_names, count_names, expand_ranges

AT = Location("f.yaml", 3)


def refusal(pattern: str, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        expand_ranges(pattern, AT, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("gpu", ["gpu"]),
        ("gpu[0-2]", ["gpu0", "gpu1", "gpu2"]),
        ("t[08-10]", ["t08", "t09", "t10"]),
        ("t[8-10]", ["t8", "t9", "t10"]),
        ("t[98-101]", ["t98", "t99", "t100", "t101"]),
        ("t[3,1,5-6]", ["t3", "t1", "t5", "t6"]),
        ("t[ 1 , 2 ]", ["t1", "t2"]),
        ("t[1,01]", ["t1", "t01"]),
        ("a[0-1].b[0-1]", ["a0.b0", "a0.b1", "a1.b0", "a1.b1"]),
        ("[0-1]x", ["0x", "1x"]),
        ("a[0-1][0-1]", ["a00", "a01", "a10", "a11"]),
    ],
)
def test_ranges_expand_in_order(pattern: str, names: list[str]) -> None:
    """Zeros in front are kept, lists may mix, the last bracket turns fastest."""
    assert expand_ranges(pattern) == names
    assert count_names(pattern) == len(names)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("gpu[3-0]", "range '3-0' in 'gpu[3-0]' runs backwards\n  Write [0-3]."),
        ("gpu[]", "'[]' in 'gpu[]' is not a range\n  Write ranges as [0-3], [00-17] or [0-3,7]."),
        ("gpu[a-b]", "'[a-b]' in 'gpu[a-b]' is not a range\n  Write ranges as [0-3], [00-17] or [0-3,7]."),
        ("gpu[0-]", "'[0-]' in 'gpu[0-]' is not a range\n  Write ranges as [0-3], [00-17] or [0-3,7]."),
        ("gpu[0--3]", "'[0--3]' in 'gpu[0--3]' is not a range\n  Write ranges as [0-3], [00-17] or [0-3,7]."),
        ("gpu[٣]", "'[٣]' in 'gpu[٣]' is not a range\n  Write ranges as [0-3], [00-17] or [0-3,7]."),
        ("gpu[0-3,2]", "'[0-3,2]' in 'gpu[0-3,2]' names 2 twice\n  Let the ranges not overlap."),
    ],
)
def test_malformed_brackets_are_named(pattern: str, message: str) -> None:
    """The bracket and its pattern are shown, with the way to write it."""
    assert refusal(pattern) == f"f.yaml:3: {message}"


@pytest.mark.parametrize(
    "pattern", ["gpu[0-3", "gpu0-3]", "a[[0-1]]", "a b", "a\n", "gpu*", "a/b", "ä", "x" * 20_001]
)
def test_other_characters_are_no_names(pattern: str) -> None:
    """Unbalanced brackets, spaces, line ends, globs and endless patterns are refused."""
    assert refusal(pattern).splitlines() == [
        f"f.yaml:3: '{pattern[:80]}' is not a name or a range".replace("\n", "\\n"),
        "  Names hold letters, digits, '-', '_' and '.'; ranges look like gpu[0-3,7].",
    ]


@pytest.mark.parametrize(
    "pattern",
    [
        "a[0-999999]",
        "a[0-999999999999]",
        "a[0-99999,200000-200001]",
        "a[0-999].b[0-999]",
        "a" + "[0-9]" * 500,
        "[0-99999]" * 900,
    ],
)
def test_a_million_names_are_refused_at_once(pattern: str) -> None:
    """Nothing is built that would not be kept."""
    begin = time.process_time()
    assert "stands for more than 100,000 names" in refusal(pattern)
    with pytest.raises(InputError):
        count_names(pattern, AT)
    assert time.process_time() - begin < 0.5


def test_the_limit_itself_is_allowed() -> None:
    """Exactly as many names as the limit pass."""
    assert len(expand_ranges("a[0-9].b[0-9]", limit=100)) == 100
    assert "more than 99 names" in refusal("a[0-9].b[0-9]", limit=99)


def test_globs_pass_only_where_asked_for() -> None:
    """Stars stay in the names."""
    assert expand_ranges("a[0-1].*", globs=True) == ["a0.*", "a1.*"]


names = st.lists(
    st.from_regex(r"\A[a-c]{1,2}[0-9]{1,3}(\.[a-b][0-9]{0,2})?[a-b]?\Z").map(
        lambda name: name.replace("\n", "")
    ),
    max_size=30,
)


@given(names)
def test_compressed_names_expand_to_the_same(members: list[str]) -> None:
    """Writing names as ranges and reading them back gives the same set, each name once."""
    written = compress_names(members)
    back = [name for pattern in _parts(written) for name in expand_ranges(pattern)]
    assert sorted(back) == sorted(set(members))


def _parts(text: str) -> list[str]:
    return [part for part in text.split(", ") if part]


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ([], ""),
        (["leaf0"], "leaf0"),
        (["gpu9", "gpu10", "gpu11"], "gpu9, gpu[10-11]"),
        (["t08", "t09", "t10"], "t[08-10]"),
        ([f"rack{i:02}.gpu{j}" for i in range(16) for j in range(4)], "rack[00-15].gpu[0-3]"),
        (["b", "a2", "a1", "a1"], "a[1-2], b"),
        (["x²", "x" + "9" * 5000], "x" + "9" * 5000 + ", x²"),
    ],
)
def test_names_compress_for_print(members: list[str], text: str) -> None:
    """One bracket per number that varies; widths are kept apart; odd names are left as they are."""
    assert compress_names(members) == text
