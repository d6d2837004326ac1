"""Ctrl-C on a search by a real signal, in every engine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import cmxverify

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals end processes on POSIX only")

AT_A_LOOK = """\
import os, signal, sys
from cmxverify.checking.python.limits import Watch
looks, real = int(sys.argv[1]), Watch.look
def look(self, **seen):
    global looks
    looks -= 1
    if looks == 0:
        os.kill(os.getpid(), signal.SIGINT)
    return real(self, **seen)
Watch.look = look
sys.argv = ["cmxverify", *sys.argv[2:]]
from cmxverify.__main__ import run
run()
"""
"""Sends the signal to itself when the search looks at its limits for the n-th time."""
AT_A_CALL = """\
import importlib, os, signal, sys
module, name, *arguments = sys.argv[1:]
holder = importlib.import_module(module)
real = getattr(holder, name)
def interrupted(*given, **options):
    os.kill(os.getpid(), signal.SIGINT)
    return real(*given, **options)
setattr(holder, name, interrupted)
sys.argv = ["cmxverify", *arguments]
from cmxverify.__main__ import run
run()
"""
ENGINES = ("explore", "packed", "numpy", "interpret")
GERMAN = ("check", "german", "--bound", "node=3")


def python(folder: Path, code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run code with the package at hand."""
    env = {**os.environ, "PYTHONPATH": str(Path(cmxverify.__file__).parents[1])}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_a_search_that_is_interrupted_tells_what_it_has_covered(folder: Path, engine: str) -> None:
    """Never a verdict, whatever it has seen: exit code 3."""
    ended = python(folder, AT_A_LOOK, 3, *GERMAN, "--engine", engine)
    assert (ended.returncode, ended.stderr) == (3, "")
    words = " ".join(ended.stdout.split())
    assert words.startswith("incomplete ")
    assert "; interrupted" in words
    assert "searched" in words


def test_what_is_covered_is_in_the_json(folder: Path) -> None:
    """And what never happened is not known."""
    ended = python(folder, AT_A_LOOK, 3, *GERMAN, "--engine", "packed", "--json")
    found = json.loads(ended.stdout)
    assert (found["verdict"], found["reason"], found["never_enabled"]) == ("incomplete", "interrupted", None)


def test_an_interrupted_search_leaves_no_file(folder: Path) -> None:
    """There is no trace to save."""
    python(folder, AT_A_LOOK, 3, *GERMAN, "--engine", "packed")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("module", "name", "arguments"),
    [
        ("cmxverify.cli.check_run", "load_model", GERMAN),
        ("cmxverify.checking.check", "compiled", GERMAN),
        ("cmxverify.checking.state_graph", "state_graph", (*GERMAN, "--graph", "g.dot")),
        (
            "cmxverify.checking.check",
            "replayed",
            ("check", "peterson:PetersonTurnFirst", "--engine", "packed"),
        ),
        ("cmxverify.cli.trace_run", "read_trace", ("trace", "x.json")),
    ],
)
def test_before_anything_is_known_the_signal_ends_the_program(
    folder: Path, module: str, name: str, arguments: tuple[str, ...]
) -> None:
    """Silent, no file, and what a shell reports as 130."""
    ended = python(folder, AT_A_CALL, module, name, *arguments)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, "", "")
    assert list(folder.iterdir()) == []
