"""Traces are read a line at a time, packed or not, and damage is told with its line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from cmxverify.errors import InputError, Location
from cmxverify.workload import trace_lines
from cmxverify.workload.trace_lines import read_trace_lines

TURNS = Location("rack.yaml", 14)


def objects(path: Path) -> list[tuple[int, dict[str, object]]]:
    return [(here.line, found) for here, found in read_trace_lines(path, TURNS)]


def message(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        objects(path)
    return str(caught.value)


def test_blank_lines_are_skipped_and_lines_keep_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('\ufeff{"a": 1}\n\n  \n{"a": 2}')

    assert objects(path) == [(1, {"a": 1}), (4, {"a": 2})]


def test_gzip_is_known_by_its_content_not_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(gzip.compress(b'{"a": 1}\n'))

    assert objects(path) == [(1, {"a": 1})]


def test_a_missing_trace_is_told_at_the_line_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "gone.jsonl"
    expected = (
        f"rack.yaml:14: trace '{path}' cannot be read: No such file or directory\n"
        "  Paths are relative to the file that names them."
    )
    assert message(path) == expected


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 5000])
def test_what_is_no_file_is_told_at_the_line_that_names_it(tmp_path: Path, name: str) -> None:
    assert message(tmp_path / name).startswith("rack.yaml:14: ")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b"{", "not JSON"),
        (b'{"a": NaN}', "not JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[1]", "the line holds no object"),
        (b'{"a": "\xff"}', "not UTF-8"),
    ],
)
def test_a_broken_line_is_told_with_its_number(tmp_path: Path, line: bytes, what: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"a": 1}\n' + line + b"\n")

    assert message(path) == f"{path}:2: {what}\n  A trace holds one JSON object a line."


def test_a_cut_archive_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n' * 9)[:-12])

    assert "the trace is damaged here\n  Fetch or pack the file again." in message(path)


def test_a_line_that_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(trace_lines.MAX_LINE_BYTES + 10)))

    assert path.stat().st_size < 20_000
    assert message(path).startswith(f"{path}:1: a line of more than 16 MiB")


def test_a_trace_that_unpacks_beyond_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_lines, "MAX_TRACE_BYTES", 1000)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n' * 200))

    assert message(path).startswith(f"{path}:112: the trace is longer than")


def test_blank_lines_count_against_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_lines, "MAX_LINES", 50)
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"\n" * 100)

    assert message(path).startswith(f"{path}:51: the trace is longer than 50 lines")
