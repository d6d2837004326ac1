"""Runs every command that README.md and the pages show, and keeps what it prints: python docs/examples/run.py

Each transcript is a file beside this one, named after its example; pages include it. A test runs all of them again
and compares, apart from the seconds that a run took. Without arguments all are written, with names only their sessions.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copy

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Example:
    """One command as a reader types it, the exit code that it must leave with, and the name of its transcript."""

    name: str
    command: str
    exit_code: int = 0


@dataclass(frozen=True)
class Session:
    """Commands that run one after another in one empty folder, which holds copies of ``inputs``."""

    name: str
    examples: tuple[Example, ...]
    inputs: tuple[str, ...] = ()


SESSIONS = (
    Session(
        "rack",
        (
            Example("solve-cmx-rack", "cmxverify solve cmx-rack"),
            Example("verify-cmx-rack", "cmxverify verify cmx-rack.placement.json"),
            Example("show-cmx-rack", "cmxverify show cmx-rack"),
            Example("size-chat", "cmxverify size cmx-rack --only acme/chat"),
        ),
    ),
    Session(
        "infeasible",
        (
            Example("power-cut", "cmxverify solve cmx-rack --set power.shelf.budget=1.4kW", 1),
            Example("power-raised", "cmxverify solve cmx-rack --set power.shelf.budget=1.6kW"),
        ),
    ),
    Session(
        "lint",
        (
            Example("lint-published", "cmxverify lint cmx-rack"),
            Example("lint-article", "cmxverify lint cmx-rack --profile article", 1),
            Example("catalog-flash", "cmxverify catalog tlc-gen6-30tb"),
            Example("catalog-model", "cmxverify catalog deepseek-v3"),
        ),
    ),
    Session(
        "own",
        (
            Example("init", "cmxverify init -o mine.yaml"),
            Example("init-show", "cmxverify show mine.yaml"),
            Example("init-size", "cmxverify size mine.yaml --only acme/chat"),
            Example("init-solve", "cmxverify solve mine.yaml"),
        ),
    ),
    Session(
        "import",
        (
            Example("import", "cmxverify import cables.csv --overlay overlay.yaml -o imported.yaml"),
            Example("import-show", "cmxverify show imported.yaml"),
            Example("import-solve", "cmxverify solve imported.yaml"),
        ),
        inputs=("cables.csv", "overlay.yaml"),
    ),
)


def transcripts(session: Session) -> Iterator[tuple[Example, str, int]]:
    """Run a session: for each example its transcript, command first, and its exit code."""
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    with tempfile.TemporaryDirectory() as folder:
        for name in session.inputs:
            copy(FOLDER / name, folder)
        for example in session.examples:
            done = subprocess.run(
                _python_of(example.command),
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                check=False,
            )
            yield example, f"$ {example.command}\n{done.stdout}", done.returncode


def _python_of(command: str) -> list[str]:
    """The installed command, by the Python that runs this file."""
    program, *arguments = shlex.split(command)
    assert program == "cmxverify", command
    return [sys.executable, "-m", "cmxverify.cli.main", *arguments]


def without_times(text: str) -> str:
    """A transcript without the seconds at the ends of lines, the one thing that differs between runs."""
    return re.sub(r"[ \t]+\d+(\.\d+)? s$", "", text, flags=re.MULTILINE)


def main(wanted: list[str]) -> None:
    """Write the transcripts of the sessions named, or of all."""
    for session in SESSIONS:
        if wanted and session.name not in wanted:
            continue
        for example, text, exit_code in transcripts(session):
            (FOLDER / f"{example.name}.txt").write_text(text, encoding="utf-8")
            mark = "" if exit_code == example.exit_code else f"   EXIT CODE {exit_code}, not {example.exit_code}"
            print(f"{session.name}: {example.name}{mark}")


if __name__ == "__main__":
    main(sys.argv[1:])
