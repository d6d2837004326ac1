"""Mutated topology files: a topology or one InputError with the file's name comes out, quickly, and nothing else."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sample_texts import SMALL

from cmxverify.errors import InputError
from cmxverify.topology.load import load_topology
from cmxverify.topology.model import Topology

LINES = SMALL.splitlines(keepends=True)
TOKENS = [
    "", " ", "\n", "\t", ":", "{", "}", "[", "]", "-", " -- ", "*", "&a", "*a", "!", "#", "'", '"', "|", ">", "%", "@",
    "~", "null", "true", "[0-9]", "[0-99999999]", "[9-0]", "0", "-1", "1e400", "9" * 40, "400 Gb/s", "1 TB", "80%",
    "tray",
    "box", "rubin", "gpu0", "cmx[0-1]", "\x00", "\ud7ff", "\U0001f600", "<<: *a", "is", "kind: switch",
    "{is: tray}", "..",
]  # fmt: skip

Mutation = Callable[[str], str]


def _lines() -> st.SearchStrategy[Mutation]:
    index = st.integers(0, len(LINES) - 1)
    return st.one_of(
        st.builds(lambda i: lambda text: _edit(text, lambda lines: lines[:i] + lines[i + 1 :]), index),
        st.builds(lambda i: lambda text: _edit(text, lambda lines: lines[: i + 1] + lines[i:]), index),
        st.builds(lambda i, j: lambda text: _edit(text, lambda lines: _swap(lines, i, j)), index, index),
        st.builds(
            lambda i, n: lambda text: _edit(text, lambda lines: [*lines[:i], " " * n, *lines[i:]]),
            index,
            st.integers(1, 6),
        ),
    )


def _characters() -> st.SearchStrategy[Mutation]:
    at, length = st.integers(0, len(SMALL)), st.integers(0, 12)
    return st.builds(
        lambda i, n, token: lambda text: text[:i] + token + text[i + n :], at, length, st.sampled_from(TOKENS)
    )


def _bytes() -> st.SearchStrategy[Mutation]:
    return st.builds(
        lambda i, c: lambda text: text[:i] + chr(c) + text[i + 1 :],
        st.integers(0, len(SMALL)),
        st.integers(0, 255),
    )


def _edit(text: str, change: Callable[[list[str]], list[str]]) -> str:
    return "".join(change(text.splitlines(keepends=True)))


def _swap(lines: list[str], i: int, j: int) -> list[str]:
    if max(i, j) < len(lines):
        lines[i], lines[j] = lines[j], lines[i]
    return lines


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mutations")


def loaded(path: Path, **options: list[str]) -> Topology | InputError:
    try:
        return load_topology(path, **options)
    except InputError as error:
        return error


def check(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    begin = time.process_time()
    result = loaded(path)
    assert time.process_time() - begin < 2
    if isinstance(result, InputError):
        assert result.at is not None
        assert result.at.file == str(path)
        assert result.fix
        assert len(str(result).splitlines()) == 2


@settings(max_examples=300)
@given(st.lists(st.one_of(_lines(), _characters(), _bytes()), min_size=1, max_size=4))
def test_a_mutated_text_loads_or_is_one_message(workshop: Path, mutations: list[Mutation]) -> None:
    """Lines deleted, doubled, swapped and shifted, characters and tokens replaced."""
    text = SMALL
    for mutate in mutations:
        text = mutate(text)
    check(workshop / "rack.yaml", text.encode("utf-8", "replace"))


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, len(SMALL) - 1), st.integers(0, 7)), min_size=1, max_size=3))
@example([(0, 7)])
def test_flipped_bits_load_or_are_one_message(workshop: Path, flips: list[tuple[int, int]]) -> None:
    """Single bits of the file turned, UTF-8 or not."""
    content = bytearray(SMALL.encode())
    for position, bit in flips:
        content[position] ^= 1 << bit
    check(workshop / "rack.yaml", bytes(content))


@settings(max_examples=40)
@given(st.binary(max_size=200))
def test_any_bytes_are_one_message(workshop: Path, content: bytes) -> None:
    """Bytes that are no topology are an InputError."""
    check(workshop / "rack.yaml", content)


@settings(max_examples=60)
@given(st.text("abcdefgh.=-[]{}:,% 0128/", max_size=30))
def test_any_override_is_applied_or_one_message(workshop: Path, override: str) -> None:
    """Whatever follows --set, a topology or one message comes out."""
    (workshop / "rack.yaml").write_text(SMALL)
    result = loaded(workshop / "rack.yaml", overrides=[override])
    assert isinstance(result, Topology) or result.at is not None
