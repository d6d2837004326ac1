"""Saved traces: written, read, and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from violations import HASTY, trace_of, verdict_on

from cmxverify.checking.trace_file import SavedTrace, as_text, read_trace, saved
from cmxverify.errors import InputError

TRACE = SavedTrace("models/x.py:X", {"n": 2}, "abc", "P", {"x": "1"}, (("go", {"k": "1"}), ("stop", {})))


def read(folder: Path, content: str) -> SavedTrace:
    """Read a text as a trace file."""
    (folder / "x.json").write_text(content, encoding="utf-8")
    return read_trace(Path("x.json"))


def refusal(folder: Path, content: str) -> str:
    """The message with which it is refused."""
    with pytest.raises(InputError) as caught:
        read(folder, content)
    return str(caught.value)


def changed(**changes: Any) -> str:
    """The file's text with other values; None leaves a key out."""
    found = json.loads(as_text(TRACE)) | changes
    return json.dumps({key: value for key, value in found.items() if value is not None})


def test_what_is_written_is_read(folder: Path) -> None:
    """The same trace."""
    assert read(folder, as_text(TRACE)) == TRACE


def test_each_step_has_a_line() -> None:
    """For people, and for diffs."""
    lines = as_text(TRACE).splitlines()
    assert '    {"action": "go", "arguments": {"k": "1"}},' in lines


def test_only_what_tells_the_first_state_apart_is_saved() -> None:
    """Of German's protocol the value in memory."""
    trace = saved(verdict_on(HASTY[0], **HASTY[1]).report, trace_of(HASTY[0], **HASTY[1]))
    assert trace.initial == {"memory": "0", "latest": "0"}


def test_a_model_file_is_named_from_the_folder_of_the_trace(folder: Path) -> None:
    """Both can be moved together."""
    (folder / "traces").mkdir()
    seen = TRACE.seen_from(folder / "traces")
    assert seen.reference == "../models/x.py:X"
    (folder / "traces" / "x.json").write_text(as_text(seen), encoding="utf-8")
    assert read_trace(Path("traces/x.json")).reference == "models/x.py:X"


def test_shipped_models_are_named_the_same_everywhere() -> None:
    """No path is made of a name."""
    trace = SavedTrace("german:GermanHastyGrant", {}, "", "P", {}, ())
    assert trace.seen_from(Path("/somewhere")) == trace


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "x.json:1:2: not valid JSON"),
        ("[]", "x.json: not a trace of cmxverify"),
        ("[" * 100_000, "x.json: not valid JSON"),
        (changed(cmxverify_trace=2), "x.json: not a trace of cmxverify"),
        (changed(colour=1), "x.json: unknown key 'colour'"),
        (changed(model=None), "x.json: 'model' is missing or no text"),
        (changed(bounds={"n": "2"}), "x.json: 'bounds' is missing or does not map names to whole numbers"),
        (changed(bounds={"n": True}), "x.json: 'bounds' is missing or does not map names to whole numbers"),
        (changed(initial=None), "x.json: 'initial' is missing or does not map names to texts"),
        (changed(steps={}), "x.json: 'steps' is not a list"),
        (changed(steps=["go"]), "x.json: step 1 is not an action with arguments"),
        (
            changed(steps=[{"action": "go", "arguments": {"k": 1}}]),
            "x.json: step 1: 'arguments' is missing or does not map names to texts",
        ),
    ],
)
def test_bad_files_get_one_message(folder: Path, content: str, message: str) -> None:
    """Where, what, and what to do."""
    first, fix = refusal(folder, content).splitlines()
    assert first == message
    assert fix.strip()


def test_a_file_that_is_not_there(folder: Path) -> None:
    """One message."""
    with pytest.raises(InputError, match=r"y\.json: no such file"):
        read_trace(folder / "y.json")
