"""The benchmark of searches: what absent checkers, wrong counts and figures below what is asked look like."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from _explore_cases import OURS, TWO_THREADS, Case  # noqa: E402
from _explore_checkers import answer  # noqa: E402
from _explore_results import Results  # noqa: E402
from _explore_table import console_lines, page  # noqa: E402
from _explore_targets import Target, targets  # noqa: E402

TLC = "TLC"
CASE = Case("some", "german", 2, 3_390, 9_912, (OURS, TWO_THREADS, TLC), ("unreduced",))
THREADED = Case("some", "german", 2, 3_390, 9_912, (OURS, TWO_THREADS), ("threads",))


def result(contestant: str, cpu: float, case: Case = CASE, **changes: Any) -> dict[str, Any]:
    """A result with one run."""
    run = {"cpu": cpu, "wall": cpu, "stages": {"run": cpu}, "peak_bytes": 10**8, "memory_bytes": 40_000}
    run |= {"states": 3_390, "transitions": 9_912, "said": {}} | changes
    return {"case": asdict(case), "contestant": contestant, "runs": [run], "ended": "", "date": "2026-12-01"}


def target(found: list[dict[str, Any]], words: str) -> Target:
    """The one target whose name holds the words."""
    (only,) = [
        each
        for each in targets(Results(found), base_peak_bytes=10**8, base_python_cpu=0.4)
        if words in each.asked
    ]
    return only


def run(folder: Path, *options: str, path: str) -> tuple[str, list[Mapping[str, Any]]]:
    """What the benchmark prints and writes."""
    file = folder / "out.json"
    words = [sys.executable, str(BENCHMARKS / "explore.py"), "--quick", "--repeats", "1", "--json", str(file)]
    done = subprocess.run(
        [*words, *options], capture_output=True, text=True, env={**os.environ, "PATH": path}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads(file.read_text())["results"]


def test_the_absent_are_named_as_absent(tmp_path: Path) -> None:
    """Where no other checker is installed, ours is measured, the others are absent, and nothing is beaten."""
    printed, results = run(tmp_path, "german-2", path=str(tmp_path))
    absent = [each["contestant"] for each in results if each.get("absent")]
    assert absent == ["rumur, by hand", "rumur, exported", "SPIN, depth first", "SPIN, breadth first", "TLC"]
    assert all(each["runs"] for each in results if each["contestant"].startswith("cmxverify"))
    assert "rumur is not installed" in printed
    assert (
        "| 40x rumur on german, 2 nodes, 3,390 states | rumur, by hand: rumur is not installed |" in printed
    )


@pytest.mark.skipif(
    not (shutil.which("rumur") and shutil.which("gcc")), reason="rumur or gcc is not installed"
)
def test_rumur_agrees_by_hand_and_exported(tmp_path: Path) -> None:
    """Both models give the states and transitions that ours has, and all three stages are timed."""
    _, results = run(tmp_path, "german-2", "--only", "rumur", path=os.environ["PATH"])
    runs = {each["contestant"]: each["runs"][0] for each in results}
    assert {(each["states"], each["transitions"]) for each in runs.values()} == {(3_390, 9_912)}
    assert list(runs["rumur, exported"]["stages"]) == ["generate", "compile", "run"]


def test_wrong_counts_are_an_error_and_no_ratio() -> None:
    """A checker that finds other states is told as an error, and takes part in no ratio."""
    found = [result(OURS, 1.0), result(TLC, 500.0, states=3_391)]
    assert "ERROR: 3,391 states" in "\n".join(console_lines(CASE, found))
    assert target(found, "100x TLC") == Target(
        "100x TLC on german, 2 nodes, 3,390 states",
        "TLC: ERROR: 3,391 states, 9,912 transitions; expected (3390, 9912)",
        None,
    )


@pytest.mark.parametrize(("cpu", "met"), [(100.0, True), (99.0, False)])
def test_ratios_are_of_cpu_time(cpu: float, met: bool) -> None:
    """What is asked is met from its ratio on."""
    assert target([result(OURS, 1.0), result(TLC, cpu)], "100x TLC").met is met


@pytest.mark.parametrize(("said", "met"), [({}, True), ({"depth": 3}, False)])
def test_threads_count_only_with_identical_results(said: dict[str, int], met: bool) -> None:
    """Twice as fast is not met if anything that was found differs."""
    found = [result(OURS, 2.0, THREADED), result(TWO_THREADS, 1.0, THREADED, said=said)]
    assert target(found, "two threads").met is met


def test_a_quick_run_judges_nothing() -> None:
    """Its graphs are too small for what is asked; nothing is called met or missed."""
    setup = {
        "quick": True,
        "base_peak_bytes": 10**8,
        "base_python_cpu": 0.4,
        "versions": {},
        "load": 0.0,
        "pinned": True,
    }
    setup |= {"processor": "a processor", "memory": "1 GiB", "system": "Linux"}
    text = page(setup, [result(OURS, 1.0), result(TLC, 500.0)])
    (row,) = [line for line in text.splitlines() if line.startswith("| 100x TLC")]
    assert row.endswith("| too small to judge |")


ANSWERS = {
    "rumur, by hand": '<summary states="3390" rules_fired="9912" errors="0" duration_seconds="0"/>',
    "SPIN, depth first": "errors: 0\n     3391 states, stored\n     9915 transitions (= stored+matched)\n",
    TLC: "No error has been found.\n9914 states generated, 3390 distinct states found, 0 states left on queue.\n",
}


@pytest.mark.parametrize("contestant", ANSWERS)
def test_answers_are_counted_as_ours(contestant: str) -> None:
    """What each prints of German's protocol with two nodes is read as the same states and transitions."""
    found = answer(contestant, CASE, ANSWERS[contestant])
    assert (found.states, found.transitions) == (3_390, 9_912)


@pytest.mark.parametrize("contestant", ANSWERS)
def test_an_answer_with_an_error_is_none(contestant: str) -> None:
    """A checker that found an error has not searched the same graph."""
    said = ANSWERS[contestant].replace("errors: 0", "errors: 1").replace('errors="0"', 'errors="1"')
    with pytest.raises(ValueError, match="no clean summary"):
        answer(contestant, CASE, said.replace("No error", "An error"))


@pytest.mark.parametrize(("seconds", "fair"), [(1.3, True), (1.4, False)])
def test_a_slow_export_is_called_unfair(seconds: float, fair: bool) -> None:
    """An export that runs more than 1.3 times as long as the model by hand is no yardstick, and it is said."""
    found = [result("rumur, by hand", 1.0), result("rumur, exported", seconds)]
    told = target(found, "export to Murphi")
    assert (told.met, "unfair" in told.measured) == (fair, not fair)
