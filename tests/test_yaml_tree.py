import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from cmxverify.errors import InputError, Location
from cmxverify.yaml_tree import MAX_BYTES, YamlTree, parse_yaml, read_text


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        act()
    return str(caught.value)


def parsed(text: str) -> YamlTree | InputError:
    try:
        return parse_yaml(text, "f.yaml")
    except InputError as error:
        return error


def refused(text: str) -> str:
    return refusal(lambda: parse_yaml(text, "f.yaml"))


def test_values_know_their_positions() -> None:
    """Keys and values carry line and column, counted from 1."""
    tree = parse_yaml("a:\n  b: [x, 7]\n", "f.yaml")
    assert tree.locate(("a", "b")) == Location("f.yaml", 2, 3)
    assert tree.locate(("a", "b", 1)) == Location("f.yaml", 2, 10)


def test_a_missing_path_lies_at_its_nearest_ancestor() -> None:
    """What is not in the file is located where it would have to stand."""
    tree = parse_yaml("a:\n  b: 1\n", "f.yaml")
    assert tree.locate(("a", "c", "d")) == Location("f.yaml", 1, 1)
    assert tree.find(("a", "c")) is None


def test_a_negative_index_finds_nothing() -> None:
    """Lists are not read from their end."""
    assert parse_yaml("[1, 2]", "f.yaml").child(-1) is None


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**17), 10**17),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"])),
)
trees = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc ", min_size=1), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text("abc", min_size=1), trees, min_size=1, max_size=3))
def test_json_reads_as_itself(value: dict[str, object]) -> None:
    """JSON is YAML: every JSON value comes back unchanged."""
    import json

    assert parse_yaml(json.dumps(value), "f.yaml").plain() == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("010", 10),
        ("1e6", 1e6),
        ("2.10", 2.1),
        ("1e400", "1e400"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("12:30:00", "12:30:00"),
        ("1:30", "1:30"),
        ("2026-01-01", "2026-01-01"),
        ("9999999999999999999", "9999999999999999999"),
        ("true", True),
        ("yes", "yes"),
        ("on", "on"),
        ("~", None),
        ("''", ""),
        ("'7'", "7"),
        ("80%", "80%"),
        ("!!float ...", "..."),
        ("!!int ٣", "٣"),
        ("|\n  x\n  y", "x\ny\n"),
    ],
)
def test_scalars_are_read_by_yaml_1_2(text: str, value: object) -> None:
    """No sexagesimals, no yes and no; numbers that JSON could not hold stay texts."""
    assert parse_yaml(f"a: {text}\n", "f.yaml").plain() == {"a": value}


def test_a_version_directive_changes_no_value() -> None:
    """Even under %YAML 1.1 'yes' is a text, not false."""
    assert parse_yaml("%YAML 1.1\n---\na: yes\n", "f.yaml").plain() == {"a": "yes"}


def test_keys_are_texts() -> None:
    """``on:`` is a key named 'on', a number a key named by its digits."""
    assert parse_yaml("on: 1\n2: x\n~: y\n", "f.yaml").plain() == {"on": 1, "2": "x", "~": "y"}


def test_a_scalar_keeps_its_spelling() -> None:
    """The number 2.1 remembers that the file says 2.10."""
    tree = parse_yaml("a: 2.10\n", "f.yaml").child("a")
    assert tree is not None
    assert (tree.value, tree.written) == (2.1, "2.10")


@pytest.mark.parametrize(
    "text", ["a: 1\r\nb: 2\r\n", "a: 1\rb: 2\r", "\ufeffa: 1\nb: 2", "# c\n--- # c\na: 1\nb: 2\n...\n"]
)
def test_line_ends_and_marks_do_not_matter(text: str) -> None:
    """CRLF, CR, a byte order mark and one document's marks read alike."""
    assert parse_yaml(text, "f.yaml").plain() == {"a": 1, "b": 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.yaml: file is empty\n  Start from 'cmxverify init'."),
        (" \n\t\n", "f.yaml: file is empty\n  Start from 'cmxverify init'."),
        ("# only\n# comments\n", "f.yaml: file holds only comments\n  Start from 'cmxverify init'."),
        ("---\n", "f.yaml: file holds only comments\n  Start from 'cmxverify init'."),
        (
            "a: 1\n---\nb: 2\n",
            "f.yaml:2:1: file holds more than one YAML document\n"
            "  Keep one document: remove '---' and what follows, or split the file.",
        ),
        (
            "a: 1\nb: 2\na: 3\n",
            "f.yaml:3:1: key 'a' is given twice\n  It stands in line 1 already; keep one of the two.",
        ),
        (
            "a: &x {b: 1}\nc:\n  <<: *x\n",
            "f.yaml:3:3: merge keys (<<) are not read\n  Use a template, or workload.defaults.",
        ),
        (
            "a: !mine 1\n",
            "f.yaml:1:4: tag '!mine' is not read\n  Use plain text, numbers, lists and mappings.",
        ),
        (
            "a: !mine {b: 1}\n",
            "f.yaml:1:4: tag '!mine' is not read\n  Use plain text, numbers, lists and mappings.",
        ),
        (
            "a: !!binary aGk=\n",
            "f.yaml:1:4: tag '!!binary' is not read\n  Use plain text, numbers, lists and mappings.",
        ),
        ("? [a]\n: b\n", "f.yaml:1:3: a key must be a name\n  Quote keys that hold brackets or braces."),
        (
            "a: \x00b\n",
            "f.yaml:1: character U+0000 is not allowed in YAML\n  Remove it; is this a text file?",
        ),
        (
            "a: 1\nb: \x07\n",
            "f.yaml:2: character U+0007 is not allowed in YAML\n  Remove it; is this a text file?",
        ),
        (
            "a:\n\tb: 1\n",
            "f.yaml:2:1: not valid YAML: found character '\\t' that cannot start any token\n"
            "  Tabs are not allowed; indent with spaces.",
        ),
        (
            "a: b: c\n",
            "f.yaml:1:5: not valid YAML: mapping values are not allowed here\n  Check indentation, quotes and colons.",
        ),
        (
            "a: *b\n",
            "f.yaml:1:4: not valid YAML: found undefined alias 'b'\n  Check indentation, quotes and colons.",
        ),
        ("a: &x [*x]\n", "f.yaml:1:4: this value contains itself by an alias\n  Write the values out."),
        ('a: "\\ud800"\n', "f.yaml:1:4: half of a surrogate pair is no character\n  Remove the escape."),
        (
            "&x a: {b: {c: &y {d: *y}}}\n",
            "f.yaml:1:15: this value contains itself by an alias\n  Write the values out.",
        ),
    ],
)
def test_bad_yaml_is_one_message(text: str, message: str) -> None:
    """Each breach names its place and the fix."""
    assert refused(text) == message


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("p: {of: cmx[0-3], budget: 2 kW}\n", "cmx[0-3]", 1),
        ("p: {gpu[0-3]: rubin}\n", "gpu[0-3]", 1),
        ("p: {a: 1,\n  b: 2,\n  tray[00-17].dpu: x}\n", "tray[00-17].dpu", 3),
        ("p: {a: 'x[0-1]', b: \"y[0-1]\", c: z[0-3,7].dpu[0-1]}\n", "z[0-3,7].dpu[0-1]", 1),
        ("p: [a, b[0-1]]\n", "b[0-1]", 1),
        ("p: {a: {b: c[0-1]}}\n", "c[0-1]", 1),
    ],
)
def test_an_unquoted_range_in_braces_names_the_quotes(text: str, name: str, line: int) -> None:
    """The commonest slip has a message of its own: the range, its line, and the quotes it needs."""
    assert refused(text) == (
        f"f.yaml:{line}: unquoted range {name} inside {{ }}\n"
        f'  Quote it: "{name}" (brackets inside {{ }} must be in quotes).'
    )


def test_a_broken_brace_without_a_range_keeps_the_general_message() -> None:
    """A quoted range nearby is not blamed."""
    assert "unquoted range" not in refused('p: {a: "x[0-1]" y}\n')


HOSTILE = {
    "brackets": "[" * 5_000,
    "braces": "{a: " * 5_000,
    "dashes": "- " * 5_000,
    "indents": "".join("  " * i + "a:\n" for i in range(600)),
    "closed brackets": "a: " + "[" * 60 + "]" * 60,
    "aliases": "a0: &a0 x\n"
    + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 30)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_end_quickly(name: str) -> None:
    """Deep nesting and exploding aliases are refused within a few seconds, without filling the memory."""
    begin = time.process_time()
    message = refused(HOSTILE[name])
    assert "nested deeper than 40 levels" in message or "stands for more than 200,000 values" in message
    assert time.process_time() - begin < 5


def test_forty_levels_are_read() -> None:
    """The limit itself is allowed."""
    assert parse_yaml("[" * 40 + "]" * 40, "f.yaml").plain() is not None


@given(st.text())
def test_any_text_parses_or_is_an_input_error(text: str) -> None:
    """Whatever a text file holds, a tree or an error with its name comes out."""
    result = parsed(text)
    assert isinstance(result, YamlTree) or (result.at is not None and result.at.file == "f.yaml")


@given(st.text("ab:-[]{}#&*!|>'\"%@`,?\n \t0.~<=", max_size=40))
def test_any_punctuation_parses_or_is_an_input_error(text: str) -> None:
    """So it is for texts made of YAML's own marks."""
    result = parsed(text)
    assert isinstance(result, YamlTree) or result.at is not None


@given(st.text("ab:-[]{}\n ,0'", max_size=30))
def test_what_we_read_is_what_yaml_reads(text: str) -> None:
    """Where both accept a text, keys and values agree with the YAML library's own loader."""
    try:
        ours = parse_yaml(text, "f.yaml").plain()
        theirs = YAML(typ="safe", pure=True).load(text)
    except Exception:  # either may refuse more
        return
    assert repr(_as_texts(ours)) == repr(_as_texts(theirs))


def _as_texts(value: object) -> object:
    if isinstance(value, dict):
        return sorted((_key_text(key), repr(_as_texts(child))) for key, child in value.items())
    return [_as_texts(child) for child in value] if isinstance(value, list) else str(value)


def _key_text(key: object) -> str:
    """The library turns keys into numbers, ``00`` into 0; with us they stay as they are written."""
    text = "" if key is None else str(key)
    return str(int(text)) if re.fullmatch("-?0+", text) else text


def read_yaml(path: Path, shown: str = "f.yaml") -> YamlTree:
    return parse_yaml(read_text(path, shown=shown), shown)


@pytest.fixture
def write(folder: Path) -> Callable[[bytes], Path]:
    def write_bytes(content: bytes) -> Path:
        path = folder / "f.yaml"
        path.write_bytes(content)
        return path

    return write_bytes


def test_a_missing_file_is_named(folder: Path) -> None:
    """The message shows the name that the user gave."""
    message = refusal(lambda: read_yaml(folder / "no.yaml", shown="no.yaml"))
    assert message == "no.yaml: no such file\n  Check the name, or list the folder."


def test_a_folder_is_no_file(folder: Path) -> None:
    """A folder is refused as such."""
    assert (
        refusal(lambda: read_yaml(folder, shown="x"))
        == "x: this is a folder, not a file\n  Name a file in it."
    )


@pytest.mark.parametrize(
    ("content", "line"), [(b"a: 1\nb: \xff\n", 2), ("a: 1".encode("utf-16"), 1), (b"a: \xed\xa0\x80", 1)]
)
def test_text_must_be_utf_8(write: Callable[[bytes], Path], content: bytes, line: int) -> None:
    """Latin-1, UTF-16 and surrogates are refused with the line."""
    path = write(content)
    message = refusal(lambda: read_yaml(path, shown="f.yaml"))
    assert message == f"f.yaml:{line}: file is not UTF-8 text\n  Save it as UTF-8."


def test_a_byte_order_mark_is_taken_off(write: Callable[[bytes], Path]) -> None:
    """UTF-8 with a mark, as some editors write it, reads well."""
    assert read_yaml(write(b"\xef\xbb\xbfa: 1\n")).plain() == {"a": 1}


def test_a_huge_file_is_refused_unread(write: Callable[[bytes], Path]) -> None:
    """One byte over the limit is too much; the limit is not."""
    path = write(b"#" * (MAX_BYTES + 1))
    assert (
        refusal(lambda: read_yaml(path, shown="f.yaml"))
        == "f.yaml: file is larger than 2 MB\n  Split it, or use templates."
    )
    assert len(read_text(write(b"#" * MAX_BYTES))) == MAX_BYTES


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_an_endless_device_ends(folder: Path) -> None:
    """A device that never ends is read up to the limit."""
    assert "larger than 2 MB" in refusal(lambda: read_yaml(Path("/dev/zero")))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs permissions that bind the user")
def test_an_unreadable_file_is_named(write: Callable[[bytes], Path]) -> None:
    """Missing permission is said in words."""
    path = write(b"a: 1")
    path.chmod(0)
    assert refusal(lambda: read_yaml(path, shown="f.yaml")).startswith(
        "f.yaml: cannot be read: Permission denied"
    )


@pytest.mark.parametrize("name", ["a\0b", "x" * 5_000])
def test_an_impossible_name_is_an_input_error(name: str) -> None:
    """A name that no system takes is refused like any other."""
    with pytest.raises(InputError):
        read_text(Path(name))
