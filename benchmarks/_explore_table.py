"""The tables: Markdown for the pages, lines for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from _explore_cases import OURS, Case
from _explore_results import Result, Results, is_ours
from _explore_targets import Target, spread, targets

_HEAD = (
    *("checker", "CPU s", "wall s", "generate + compile + run"),
    *("CPU, ours = 1", "wall, ours = 1", "peak MB", "bytes a state", "states", "transitions"),
)

_MANY = 1_000_000
"""Below so many states, memory is that of the program itself."""


def page(setup: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> str:
    """Everything as Markdown: targets first, then each case."""
    results = Results(found)
    lines = ["<!-- written by benchmarks/explore.py -->", "", *_setup_lines(setup, results), ""]
    judged = targets(
        results, base_peak_bytes=setup["base_peak_bytes"], base_python_cpu=setup["base_python_cpu"]
    )
    lines += _target_lines(judged, quick=setup["quick"])
    for case in results.cases():
        lines += ["", f"**{case.title}** (`{case.key}`)", "", *_table(_HEAD, _rows(results, case))]
        lines += [f"\n{each.contestant}: {each.ended}." for each in results.of(case) if each.ended]
    return "\n".join(lines) + "\n"


def console_lines(case: Case, found: Sequence[Mapping[str, Any]]) -> list[str]:
    """One case, in columns."""
    rows = [_HEAD, *_rows(Results(found), case)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEAD))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    return [case.title, *lines]


def _setup_lines(setup: Mapping[str, Any], results: Results) -> list[str]:
    dates = sorted(each.date for each in results.all)
    versions = ", ".join(f"{name} {text}" for name, text in setup["versions"].items())
    where = f"{setup['processor']}, {setup['memory']}, {setup['system']}"
    pinned = "each pinned to one core" if setup["pinned"] else "not pinned (taskset is absent)"
    return [
        f"Measured {dates[0]} to {dates[-1]} UTC, on {where}, load average {setup['load']:.1f}; {pinned}. {versions}.",
    ]


def _target_lines(found: Sequence[Target], *, quick: bool) -> list[str]:
    """A quick run has no graph of the size that a target speaks of: it shows figures and judges nothing."""
    words = {True: "met", False: "**missed**", None: "not measured"}
    rows = [(each.asked, each.measured, "too small to judge" if quick else words[each.met]) for each in found]
    return _table(("asked", "measured", ""), rows)


def _rows(results: Results, case: Case) -> list[tuple[str, ...]]:
    ours = results.find(case, OURS)
    return [_row(results, each, ours) for each in results.of(case)]


def _row(results: Results, result: Result, ours: Result | None) -> tuple[str, ...]:
    if not result.runs:
        word = "absent" if result.absent else "failed"
        return (result.contestant, word, *[""] * (len(_HEAD) - 2))
    states, transitions = result.counts
    ratios = ["", ""]
    if ours is not None and not is_ours(result.contestant):
        ratios = [f"{result.middle(key) / ours.middle(key):.1f}" for key in ("cpu", "wall")]
    stages = " + ".join(f"{result.middle(stage):.2f}" for stage in result.runs[-1]["stages"])
    error = results.error(result)
    return (
        *(result.contestant, spread(result, "cpu"), spread(result, "wall"), stages, *ratios),
        f"{result.peak_bytes / 1e6:.0f}",
        f"{result.peak_bytes / states:.1f}" if states >= _MANY else "",
        *(f"{states:,}", error or f"{transitions:,}"),
    )


def _table(head: Sequence[str], rows: Any) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]
