"""The ready-made test: its names, and that it runs."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from violations import HASTY, trace_of, verdict_on

import cmxverify
from cmxverify.checking.trace_file import SavedTrace, saved
from cmxverify.report.pytest_file import model_word, pytest_name, pytest_text, trace_name

MINE = """\
from cmxverify.modeling import Model, Range, action, invariant, require

class Counter(Model):
    x: Range(0, 3)

    @action
    def counts(self) -> None:
        require(self.x < {most})
        self.x += 1

    @invariant("SMALL")
    def small(self) -> bool:
        return self.x < 2

    def quiescent(self) -> bool:
        return True
"""


def run_pytest(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    """Run one test file as its user would, in another folder."""
    env = {**os.environ, "PYTHONPATH": str(Path(cmxverify.__file__).parents[1])}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder / name)]
    return subprocess.run(command, cwd=folder.parent, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("model", "code"), [("german:GermanHastyGrant", 1), ("german", 0)])
def test_it_fails_while_the_fault_is_there_and_passes_on_the_right_model(
    folder: Path, model: str, code: int
) -> None:
    """In a process of its own."""
    trace = replace(
        saved(verdict_on(HASTY[0], **HASTY[1]).report, trace_of(HASTY[0], **HASTY[1])), reference=model
    )
    (folder / "test_it.py").write_text(pytest_text(trace, "x.json"), encoding="utf-8")
    done = run_pytest(folder, "test_it.py")
    assert (done.returncode, "1 failed" in done.stdout, "1 passed" in done.stdout) == (
        code,
        code == 1,
        code == 0,
    )


@pytest.mark.parametrize(("most", "code"), [(3, 1), (1, 0)])
def test_a_model_in_a_file_is_found_from_anywhere(folder: Path, most: int, code: int) -> None:
    """Beside the test, whatever folder pytest runs in."""
    (folder / "counter.py").write_text(MINE.format(most=most), encoding="utf-8")
    trace = SavedTrace("counter.py", {}, "", "SMALL", {}, (("counts", {}), ("counts", {})))
    (folder / "test_it.py").write_text(pytest_text(trace, "x.json"), encoding="utf-8")
    assert run_pytest(folder, "test_it.py").returncode == code


@pytest.mark.parametrize(
    ("reference", "word"),
    [
        ("german", "german"),
        ("german:GermanHastyGrant", "german-hasty-grant"),
        ("../my models/two_phase.py", "two-phase"),
        ("package.module:MCSLock", "mcs-lock"),
        ("package.module", "module"),
    ],
)
def test_models_have_a_word(reference: str, word: str) -> None:
    """For names of files."""
    assert model_word(reference) == word


def test_files_are_named_after_model_and_property() -> None:
    """Whatever the property is called."""
    trace = SavedTrace("lease", {}, "", "PIN-SAFE", {}, ())
    assert (trace_name(trace), pytest_name(trace)) == ("lease.PIN-SAFE.json", "test_lease_pin_safe.py")
    assert trace_name(replace(trace, violated="a/b c")) == "lease.a-b-c.json"


def test_quotes_in_names_do_no_harm() -> None:
    """The file is Python in any case."""
    trace = SavedTrace("lease", {}, "", 'A "quoted" \\ name"', {}, (("go", {"k": "'"}),))
    compile(pytest_text(trace, "x.json"), "x.py", "exec")
