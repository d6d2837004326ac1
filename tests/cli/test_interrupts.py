"""Ctrl-C by a real signal: what is known is printed with exit code 3; before that, the signal ends the program."""

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

INTERRUPT = """\
import importlib, os, signal, sys, threading, time
module, name, calls, seconds, *arguments = sys.argv[1:]
holder, left = importlib.import_module(module), int(calls)
real = getattr(holder, name)
def interrupted(*given, **options):
    global left
    left -= 1
    if left == 0:
        threading.Timer(float(seconds), os.kill, (os.getpid(), signal.SIGINT)).start()
        time.sleep(0 if float(seconds) else 5)
    return real(*given, **options)
setattr(holder, name, interrupted)
sys.argv = ["cmxverify", *arguments]
from cmxverify.__main__ import run
run()
"""
"""Sends the signal to itself at a chosen call of a function, or so many seconds after it."""
AFTER_THE_FIRST_LEVEL = """\
import os, signal, sys
import cmxverify.cli.solve_run as solve_run
def interrupt(progress):
    os.kill(os.getpid(), signal.SIGINT)
real = solve_run.solve_program
solve_run.solve_program = lambda *given, **options: real(*given, **{**options, "progress": interrupt})
sys.argv[:1] = ["cmxverify", "solve"]
from cmxverify.__main__ import run
run()
"""


def python(folder: Path, code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run code with the package at hand."""
    env = {**os.environ, "PYTHONPATH": str(Path(cmxverify.__file__).parents[1])}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False)


def interrupted(
    folder: Path, function: str, *arguments: object, calls: int = 1, seconds: float = 0
) -> subprocess.CompletedProcess[str]:
    """A command that the signal reaches as it calls a function for the n-th time, or later."""
    module, _, name = function.rpartition(".")
    return python(folder, INTERRUPT, module, name, calls, seconds, *arguments)


LOAD = "cmxverify.topology.load.load_topology"
NOTHING_KNOWN = (-signal.SIGINT, "", "")


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (LOAD, ("show", "cmx-rack")),
        (LOAD, ("lint", "cmx-rack")),
        (LOAD, ("size", "cmx-rack")),
        (LOAD, ("solve", "cmx-rack")),
        ("cmxverify.cli.solve_run.compile_placement", ("solve", "cmx-rack", "--json")),
        ("cmxverify.placement.solving.feasible.find_feasible", ("solve", "cmx-rack", "--survive", "1")),
        ("cmxverify.catalog.devices.devices", ("catalog",)),
        ("cmxverify.topology.importers.formats.read_structure", ("import", "x.csv", "-o", "x.yaml")),
        ("cmxverify.placement.auditing.verify.verify_placement", ("verify", "x.json")),
        ("cmxverify.topology.schema.topology_json_schema", ("schema",)),
        ("cmxverify.files.write_new", ("init",)),
    ],
)
def test_before_anything_is_known_the_signal_ends_the_program(
    folder: Path, function: str, arguments: tuple[str, ...]
) -> None:
    """In every command: silent, no file, and what a shell reports as 130."""
    ended = interrupted(folder, function, *arguments)
    assert (ended.returncode, ended.stdout, ended.stderr) == NOTHING_KNOWN
    assert list(folder.iterdir()) == []


def test_a_shell_reports_130(folder: Path) -> None:
    """A shell that runs several commands sees that the signal ended one."""
    script = f"'{sys.executable}' -c \"$1\" {LOAD.rpartition('.')[0]} load_topology 1 0 show cmx-rack; echo $?"
    env = {**os.environ, "PYTHONPATH": str(Path(cmxverify.__file__).parents[1])}
    command = ["sh", "-c", script, "sh", INTERRUPT]
    shell = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert shell.stdout == "130\n"


def test_a_plan_that_is_known_is_printed_and_saved(folder: Path) -> None:
    """After the first level: its value is proved, the bounds of the others are told, exit code 3."""
    ended = python(folder, AFTER_THE_FIRST_LEVEL, "cmx-rack")
    assert (ended.returncode, ended.stderr) == (3, "")
    assert ended.stdout.startswith("feasible   ")
    assert "note: interrupted: the best plan so far, with the bounds proved so far" in ended.stdout
    assert (folder / "cmx-rack.placement.json").exists()


def test_an_interrupted_plan_within_the_gap_is_no_yes(folder: Path) -> None:
    """Exit codes 0 and 1 are of runs that came to their end."""
    ended = python(folder, AFTER_THE_FIRST_LEVEL, "cmx-rack", "--objective", "late", "--quiet")
    assert ended.stdout.startswith("optimal   ")
    assert ended.returncode == 3


def test_ctrl_c_inside_a_native_solver_leaves_one_of_the_two_ends(folder: Path) -> None:
    """On the pod: a plan with its bounds and exit code 3, or nothing at all."""
    solver = ("solve", "cmx-pod", "--engine", "highs")
    ended = interrupted(folder, "cmxverify.cli.solve_run.solve_program", *solver, seconds=1.5)
    if ended.returncode == 3:
        assert ended.stdout.startswith("feasible   ")
        assert "note: interrupted" in ended.stdout
    else:
        assert (ended.returncode, ended.stdout, ended.stderr) == NOTHING_KNOWN


def test_a_proof_is_printed_without_its_explanation(folder: Path) -> None:
    """Infeasible is known and saved when the explanation is interrupted."""
    ended = interrupted(
        folder,
        "cmxverify.placement.explaining.explain.explain_infeasible",
        *("solve", "cmx-rack", "--set", "hops.max=0"),
    )
    assert (ended.returncode, ended.stderr) == (3, "")
    assert ended.stdout.startswith("infeasible   proved; certificate in cmx-rack.infeasible.json")
    assert ended.stdout.endswith("note: interrupted before it was explained\n")


def test_failures_that_are_judged_are_printed(folder: Path) -> None:
    """Of --survive: what was found of some classes, the others undecided."""
    ended = interrupted(
        folder,
        "cmxverify.placement.whatif.survive.find_feasible",
        *("solve", "cmx-rack", "--survive", "1", "--json"),
        calls=2,
    )
    answer = json.loads(ended.stdout)
    reasons = [each["reason"] for each in answer["classes"]]
    assert (ended.returncode, ended.stderr) == (3, "")
    assert "interrupted" in reasons
    assert {each["verdict"] for each in answer["classes"]} > {"undecided"}


def test_failures_of_which_none_is_judged_are_nothing_known(folder: Path) -> None:
    """As before any other answer."""
    ended = interrupted(
        folder, "cmxverify.placement.whatif.survive.find_failure_classes", "solve", "cmx-rack", "--survive", "1"
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == NOTHING_KNOWN
