"""How the program begins and ends: Ctrl-C at any moment, and output that goes nowhere."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import cmxverify
from cmxverify.cli import main as entry
from cmxverify.cli.exit_codes import ExitCode

FULL = Path("/dev/full")
STOP_AT_IMPORT = """\
import os, signal, sys
class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Stop())
from cmxverify.__main__ import run
run()
"""


def python(*arguments: str, stdout: int) -> subprocess.CompletedProcess[str]:
    """A run of Python on this package."""
    env = {**os.environ, "PYTHONPATH": str(Path(cmxverify.__file__).parents[1])}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, env=env, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=60, check=False
    )


@pytest.mark.skipif(os.name != "posix", reason="signals end processes on POSIX only")
def test_ctrl_c_while_the_program_loads_is_silent() -> None:
    """The process ends by the signal, as any other does, and prints nothing."""
    result = python("-c", STOP_AT_IMPORT, stdout=subprocess.DEVNULL)
    assert (result.returncode, result.stderr) == (-2, "")


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [("--help",), ("schema",), ("catalog", "rubin")])
def test_a_full_disk_behind_stdout_is_one_message(arguments: tuple[str, ...]) -> None:
    """What cannot be printed is bad input: exit code 2, no traceback."""
    with FULL.open("w") as full:
        result = python("-m", "cmxverify", *arguments, stdout=full.fileno())
    assert result.returncode == 2
    assert result.stderr.startswith("error: the output cannot be written: ")
    assert result.stderr.count("\n") == 1


def test_ctrl_c_inside_ctypes_stops_like_any(monkeypatch: pytest.MonkeyPatch) -> None:
    """ctypes turns a Ctrl-C that comes while it converts an argument into an error of its own."""

    def broken_off(**_: object) -> None:
        raise ctypes.ArgumentError("argument 2: KeyboardInterrupt: ")

    monkeypatch.setattr(entry, "app", broken_off)
    with pytest.raises(SystemExit) as left:
        entry.main([])
    assert left.value.code == ExitCode.INTERRUPTED


@pytest.mark.skipif(os.name != "posix", reason="SIGPIPE is POSIX")
@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",), ("--version",), ("catalog",), ("catalog", "rubin"), ("schema",), ("show", "hbm-only"),
        ("lint", "article"), ("size", "hbm-only"), ("solve", "hbm-only"), ("solve", "hbm-only", "--json"),
    ],
)  # fmt: skip
def test_a_reader_that_is_gone_ends_the_program(folder: Path, arguments: tuple[str, ...]) -> None:
    """As with ``| head``: by SIGPIPE, as other Unix tools, and without a word."""
    ours, theirs = os.pipe()
    os.close(ours)
    ended = python("-m", "cmxverify", *arguments, stdout=theirs)
    os.close(theirs)
    assert (ended.returncode, ended.stderr) == (-signal.SIGPIPE, "")


def test_errors_are_folded_on_a_terminal_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A log has one line of what is wrong and one of each hint, however long."""
    name = "many words " * 12 + ".yaml"
    printed = []
    for columns in ("60", ""):
        monkeypatch.setenv("COLUMNS", columns)
        with pytest.raises(SystemExit):
            entry.main(["show", name])
        printed.append(capsys.readouterr().err.splitlines())
    assert max(map(len, printed[0])) <= 60
    assert len(printed[1]) == 2
    assert printed[0][1].startswith(" " * len("error: ") + "words many")
