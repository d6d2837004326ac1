"""``cmxverify trace``: saved counterexamples taken again."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cmxverify.cli.main import main

MODEL = """\
from cmxverify.modeling import Model, Range, action, invariant, require


class Counter(Model):
    x: Range(0, 3)

    @action
    def counts(self) -> None:
        require(self.x < 3)
        self.x += 1

    @invariant("SMALL")
    def small(self) -> bool:
        return self.x < 2

    def quiescent(self) -> bool:
        return True
"""
TRACE = "counter.SMALL.json"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, output, errors."""
    try:
        main(arguments)
        code = 0
    except SystemExit as left:
        code = int(left.code or 0)
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.fixture
def saved(folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder with a model, and the trace of its fault."""
    Path("counter.py").write_text(MODEL)
    assert run(capsys, "check", "counter.py", "--engine", "packed")[0] == 1
    assert Path(TRACE).exists()
    return folder


def test_while_the_fault_is_there_the_exit_code_is_1(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the steps once more."""
    code, out, err = run(capsys, "trace", TRACE)
    assert (code, out.splitlines()[0], err) == (
        1,
        "violated   SMALL in 2 steps; replayed through the source",
        "",
    )
    assert "   2  counts  x: 1 -> 2" in out


def test_once_it_is_gone_the_exit_code_is_0(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says why, and that the model has changed."""
    Path("counter.py").write_text(MODEL.replace("self.x < 3", "self.x < 1"))
    code, out, _ = run(capsys, "trace", TRACE)
    assert code == 0
    assert out.splitlines()[:2] == [
        "no longer violated   SMALL: step 2, counts(), is not possible there",
        "  note: the model's source or bounds changed since the trace was saved",
    ]


def test_a_change_that_does_not_help_is_told(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Still violated, by another source."""
    Path("counter.py").write_text(MODEL.replace("self.x < 3", "self.x < 2"))
    code, out, _ = run(capsys, "trace", TRACE)
    assert (code, "note: the model's source" in out) == (1, True)


def test_the_folder_one_stands_in_does_not_matter(
    saved: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model is found from the trace."""
    (saved / "below").mkdir()
    monkeypatch.chdir(saved / "below")
    assert run(capsys, "trace", f"../{TRACE}", "--quiet")[0] == 1


def test_json_is_one_object(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Verdict, change, trace."""
    found = json.loads(run(capsys, "trace", TRACE, "--json")[1])
    assert (found["verdict"], found["model_changed"], found["why_not"]) == ("violated", False, None)
    assert [step["action"] for step in found["trace"]["steps"]] == ["counts", "counts"]


def test_a_chart_as_svg(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Written once."""
    assert run(capsys, "trace", TRACE, "--svg", "x.svg")[0] == 1
    assert ElementTree.parse("x.svg").getroot().tag.endswith("svg")
    assert run(capsys, "trace", TRACE, "--svg", "x.svg")[0] == 2


def test_the_ready_made_test_is_named(saved: Path) -> None:
    """Beside the trace."""
    assert Path("test_counter_small.py").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{", "", "not valid JSON"),
        ('"cmxverify_trace": 1', '"cmxverify_trace": 9', "not a trace of cmxverify"),
        ("counter.py", "gone.py", "there is no file 'gone.py'"),
        ("SMALL", "LARGE", "'violated' names 'LARGE', which is no property of the model"),
        ("counts", "count", "step 1: there is no action 'count'"),
        ('"bounds": {}', '"bounds": {"n": 2}', "Counter has no bound 'n'"),
    ],
)
def test_bad_files_get_one_message(
    saved: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, message: str
) -> None:
    """Exit code 2."""
    Path(TRACE).write_text(Path(TRACE).read_text().replace(old, new, 1))
    code, out, err = run(capsys, "trace", TRACE)
    assert (code, out) == (2, "")
    assert message in err.splitlines()[0]


def test_a_file_that_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One message."""
    assert run(capsys, "trace", "no.json")[::2] == (
        2,
        "error: no.json: no such file\n  Check the name, or list the folder.\n",
    )
