"""``cmxverify check``: verdicts, files, and one message for all that is not right."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cmxverify.checking.state_graph import state_graph
from cmxverify.cli.main import main

Answer = tuple[int, str, str]
Run = Callable[..., Answer]
FAST = ("--engine", "packed")
HASTY = ("check", "german:GermanHastyGrant", "--bound", "node=2", *FAST)
GERMAN = ("check", "german", "--bound", "node=2", *FAST)
HEAD = "from cmxverify.modeling import Bound, Model, Range, action, initial, invariant, require\n\n"
GOOD = """\
class Good(Model):
    x: Range(0, 3)

    @action
    def goes(self) -> None:
        self.x = (self.x + 1) % 4
"""


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in an empty folder: exit code, output, errors."""
    assert folder.is_dir()

    def command(*arguments: str) -> Answer:
        try:
            main(arguments)
            code = 0
        except SystemExit as left:
            code = int(left.code or 0)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return command


def test_what_holds_is_exit_code_0(run: Run) -> None:
    """Verdict first; no file is written."""
    code, out, err = run(*GERMAN)
    assert (code, out.split()[0], err) == (0, "holds", "")
    assert list(Path().iterdir()) == []


def test_what_is_violated_is_exit_code_1(run: Run) -> None:
    """With its chart, its reason, its trace and its test."""
    code, out, err = run(*HASTY)
    assert (code, out.split()[:5], err) == (1, ["violated", "COHERENCE", "in", "8", "steps,"], "")
    assert "|<--- SHARED -----*" in out
    assert "COHERENCE for n = node1" in out
    files = sorted(path.name for path in Path().iterdir())
    assert files == ["german-hasty-grant.COHERENCE.json", "test_german_hasty_grant_coherence.py"]


def test_a_second_run_finds_its_files_again(run: Run) -> None:
    """The same content is not written twice."""
    run(*HASTY)
    run(*HASTY)
    assert len(list(Path().iterdir())) == 2


def test_other_content_is_never_overwritten(run: Run) -> None:
    """The file gets a number."""
    Path("german-hasty-grant.COHERENCE.json").write_text("mine")
    run(*HASTY)
    assert Path("german-hasty-grant.COHERENCE.json").read_text() == "mine"
    assert Path("german-hasty-grant.COHERENCE_2.json").exists()


def test_a_folder_that_may_not_be_written_to_hides_no_verdict(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A note instead of the file."""
    monkeypatch.setattr("os.access", lambda *_: False)
    code, out, _ = run(*HASTY)
    assert (code, "note: the trace is not saved" in out) == (1, True)


def test_quiet_prints_the_verdict_alone(run: Run) -> None:
    """One line."""
    assert len(run(*GERMAN, "--quiet")[1].splitlines()) == 1


def test_json_is_one_object(run: Run) -> None:
    """With the names of the files."""
    code, out, _ = run(*HASTY, "--json")
    found = json.loads(out)
    assert (code, found["verdict"], found["trace_file"]) == (
        1,
        "violated",
        "german-hasty-grant.COHERENCE.json",
    )


def test_actions_and_levels_on_demand(run: Run) -> None:
    """Two tables."""
    out = run(*GERMAN, "--actions")[1]
    assert "action                      transitions  changing" in out
    assert "  depth      states" in out


def test_files_on_demand(run: Run) -> None:
    """Chart, JUnit, graph and trace."""
    files = ("--svg", "a.svg", "--junit", "b.xml", "--graph", "c.dot", "-o", "d.json")
    assert run("check", "peterson:PetersonTurnFirst", *FAST, *files)[0] == 1
    assert ElementTree.parse("a.svg").getroot().tag.endswith("svg")
    assert ElementTree.parse("b.xml").getroot().get("failures") == "1"
    assert Path("c.dot").read_text().startswith('digraph "PetersonTurnFirst"')
    assert json.loads(Path("d.json").read_text())["violated"] == "MUTUAL-EXCLUSION"


def test_a_graph_that_is_too_large_is_told_before_the_search(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing is written."""
    monkeypatch.setattr("cmxverify.checking.state_graph.state_graph", partial(state_graph, most=20))
    code, out, err = run("check", "peterson", "--graph", "g.dot", *FAST)
    assert (code, out, list(Path().iterdir())) == (2, "", [])
    assert err.startswith("error: the state graph of Peterson has more than 20 states")


def test_chosen_properties_alone(run: Run) -> None:
    """Named twice is named once."""
    out = run(*GERMAN, "--property", "COHERENCE", "--property", "COHERENCE")[1]
    assert out.startswith("holds   COHERENCE; packed")


def test_the_limit_of_time_is_exit_code_3(run: Run) -> None:
    """With what was covered."""
    code, out, _ = run("check", "directory", "--bound", "node=5", "--time-limit", "0.3", *FAST)
    assert (code, out.split()[0]) == (3, "incomplete")
    assert "the time limit of 0.3 s was reached" in " ".join(out.split())


FULL = """\
class Full(Model):
    line: Queue[Range(0, 1)](cap=2)

    @action
    def sends(self) -> None:
        self.line.send(0)
"""


def test_a_full_channel_is_exit_code_3_in_both_commands(run: Run) -> None:
    """L17: with the way there, and no test, for nothing is violated."""
    Path("full.py").write_text(HEAD.replace("Bound", "Bound, Queue") + FULL)
    code, out, _ = run("check", "full.py", *FAST)
    assert (code, out.split()[0]) == (3, "incomplete")
    assert sorted(path.name for path in Path().glob("*full*")) == ["full.BOUND.json", "full.py"]
    assert out.endswith("\n  replay: cmxverify trace full.BOUND.json\n")
    assert 'declare a larger cap, or overflow="block" or "drop"' in " ".join(out.split())
    code, out, _ = run("trace", "full.BOUND.json")
    assert (code, out.splitlines()[0]) == (3, "incomplete   BOUND in 3 steps; replayed through the source")


def test_a_first_state_that_violates_is_exit_code_1(run: Run) -> None:
    """A trace without steps, drawn, saved and taken again."""
    Path("x.py").write_text(
        HEAD + GOOD + '\n    @invariant("P")\n    def p(self) -> bool:\n        return self.x > 0\n'
    )
    code, out, _ = run("check", "x.py", *FAST, "--svg", "x.svg")
    assert (code, "the first state violates it already" in out) == (1, True)
    assert run("trace", "x.P.json")[0] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gorman",), "there is no model 'gorman'"),
        (("",), "there is no model ''"),
        (("no.py",), "there is no file 'no.py'"),
        (("german:Gorman",), "'german' has no model 'Gorman'"),
        (("no.such:Thing",), "there is no module 'no'"),
        (("german",), "German needs the bound node"),
        (("german", "--bound", "nod=3"), "German has no bound 'nod'"),
        (("german", "--bound", "node=2", "--bound", "node=2"), "--bound node is given twice"),
        (("german", "--bound", "node"), "--bound node is not NAME=VALUE with a whole number"),
        (("german", "--bound", "node=x"), "--bound node=x is not NAME=VALUE with a whole number"),
        (("german", "--bound", "node=2.5"), "--bound node=2.5 is not NAME=VALUE with a whole number"),
        (("german", "--bound", "node=--2"), "--bound node=--2 is not NAME=VALUE with a whole number"),
        (("german", "--bound", "=2"), "--bound =2 is not NAME=VALUE with a whole number"),
        (("german", "--bound", "node=-1"), "bound 'node' is -1: the type would be empty"),
        (("german", "--bound", "node=0"), "bound 'node' is 0: the type would be empty"),
        (("german", "--bound", "node=9999999"), "--bound node=9999999 is beyond 1,000,000"),
        (("german", "--bound", f"node={'9' * 5000}"), "--bound node=99999"),
        (("german", "--bound", "node=100000"), 'Index("node") has 100,000 keys'),
        (("german", "--bound", "node=2", "--property", "COHERENC"), "German has no property 'COHERENC'"),
        (("german", "--bound", "node=2", "--engine", "expl"), "there is no engine 'expl'"),
        (("german", "--bound", "node=2", "--memory", "8XB"), "unknown unit 'XB'"),
        (("german", "--bound", "node=2", "--memory", "0GB"), "--memory 0GB is not more than 0"),
        (("german", "--bound", "node=2", "--memory", "-1GB"), "--memory -1GB is not more than 0"),
        (("german", "--bound", "node=2", "--time-limit", "0"), "--time-limit 0 is no number of seconds"),
        (("german", "--bound", "node=2", "--time-limit", "nan"), "--time-limit nan is no number of seconds"),
        (("german", "--bound", "node=2", "-o", "there"), "there: file exists already"),
        (("german", "--bound", "node=2", "--svg", "there"), "there: file exists already"),
        (("german", "--bound", "node=2", "--junit", "no/x.xml"), "no/x.xml: its folder does not exist"),
        (("german", "--bound", "node=2", "--graph", "x.pdf"), "x.pdf: a graph cannot be written as '.pdf'"),
        (("german", "--bound", "node=2", "--svg", "x", "--junit", "x"), "x: two outputs go to this file"),
    ],
)
def test_bad_input_gets_one_message(run: Run, arguments: tuple[str, ...], message: str) -> None:
    """Exit code 2, nothing printed, one message with a way out."""
    Path("there").write_text("")
    code, out, err = run("check", *arguments)
    first, *fix = err.splitlines()
    assert (code, out) == (2, "")
    assert first.startswith("error: ")
    assert message in first
    assert len(fix) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("class A(\n", "x.py:1"),
        ("raise KeyError('boom')\n", "x.py:1: the model's file cannot be loaded: KeyError: 'boom'"),
        ("import sys\nsys.exit(0)\n", "x.py:2: the model's file cannot be loaded: SystemExit: 0"),
        ("def f():\n    return f()\nf()\n", "the model's file cannot be loaded: RecursionError"),
        ("bytes(10**15)\n", "x.py:1: the model's file cannot be loaded: MemoryError"),
        ("import nothing_of_that_name\n", "x.py:1: the model's file cannot be loaded: ModuleNotFoundError"),
        ("x = 1\n", "'x.py' has no model"),
        (HEAD + GOOD + "\n\nclass Better(Good):\n    pass\n", "'x.py' has 2 models"),
        (HEAD + GOOD.replace("(self.x + 1) % 4", "self.y"), "Good has no 'y'"),
        (HEAD + GOOD.replace("Range(0, 3)", "int"), "x.py:4"),
        (HEAD + GOOD.replace("Range(0, 3)", "Range(3, 0)"), "x.py:4"),
        (HEAD + GOOD.replace("Range(0, 3)", "Range(0, 3) = 1 // 0"), "ZeroDivisionError"),
        (HEAD + GOOD.replace("Range(0, 3)", "Range(0, 3) = 7"), "x.py:4"),
        (
            HEAD + GOOD + "\n    @initial\n    def start(self) -> None:\n        require(False)\n",
            "has no initial state",
        ),
    ],
)
def test_models_that_are_none_get_one_message(run: Run, content: str, message: str) -> None:
    """Whatever the file does."""
    Path("x.py").write_text(content)
    code, out, err = run("check", "x.py")
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err
    assert "Traceback" not in err
