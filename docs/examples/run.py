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
README = FOLDER.parents[1] / "README.md"
SHOWN_IN_README = "solve-cmx-rack"
RACK_PLAN = "cmx-rack.placement.json"


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
        "what-if",
        (
            Example("what-if-before", "cmxverify solve cmx-rack --quiet"),
            Example(
                "what-if-from",
                f"cmxverify solve cmx-rack --set tenants.hooli.isolation=namespace --from {RACK_PLAN}",
            ),
            Example("what-if-survive", "cmxverify solve cmx-rack --survive 1", 1),
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
    Session(
        "machine",
        (
            Example("import-machine", "cmxverify import node.xml -o node.yaml"),
            Example("import-strict", "cmxverify import node.xml -o strict.yaml --strict", 2),
        ),
        inputs=("node.xml",),
    ),
    Session(
        "lease",
        (
            Example("lease-1", "cmxverify check lease_1.py --bound node=2", 1),
            Example("lease-2", "cmxverify check lease_2.py --bound node=2", 1),
            Example("lease-trace", "cmxverify trace lease-2.PIN-SAFE.json", 1),
            Example("lease-3", "cmxverify check lease_3.py --bound node=3 --bound lease=2"),
        ),
        inputs=("lease_1.py", "lease_2.py", "lease_3.py"),
    ),
)


def transcripts(session: Session) -> Iterator[tuple[Example, str, int]]:
    """Run a session: for each example its transcript, command first, and its exit code."""
    import cmxverify  # the commands run elsewhere, and must be those of the package that is tested

    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    environment["PYTHONPATH"] = str(Path(cmxverify.__file__).parents[1])
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


def readme_block(readme: str) -> re.Match[str]:
    """What README.md shows of its first command: the text between the fences after the comment that names it."""
    marked = rf"(?<=<!-- docs/examples/{SHOWN_IN_README}\.txt; a test compares -->\n```text\n)(.*?)(?=```\n)"
    found = re.search(marked, readme, flags=re.DOTALL)
    assert found, "README.md has lost the block of its first command"
    return found


def output_of(transcript: str) -> str:
    """A transcript without its command."""
    return transcript.partition("\n")[2]


def main(wanted: list[str]) -> int:
    """Write the transcripts of the sessions named, or of all; keep the old one where a command fails."""
    failed = 0
    for session in SESSIONS:
        if wanted and session.name not in wanted:
            continue
        for example, text, exit_code in transcripts(session):
            if exit_code == example.exit_code and "Traceback" not in text:
                print(f"{session.name}: {example.name}{_keep(example.name, text)}")
            else:
                failed += 1
                print(f"{session.name}: {example.name} left with {exit_code}, not {example.exit_code}:\n{text}")
    return min(failed, 1)


def _keep(name: str, text: str) -> str:
    """Write a transcript, unless only its seconds are new; a word on which it was."""
    path = FOLDER / f"{name}.txt"
    if path.is_file() and without_times(path.read_text(encoding="utf-8")) == without_times(text):
        return ""
    path.write_text(text, encoding="utf-8")
    if name == SHOWN_IN_README:
        _write_readme(output_of(text))
    return " is new"


def _write_readme(output: str) -> None:
    readme = README.read_text(encoding="utf-8")
    start, end = readme_block(readme).span()
    README.write_text(readme[:start] + output + readme[end:], encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
