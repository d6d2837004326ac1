"""What ``cmxverify check`` does: load, check, save what was found, and put it into words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cmxverify.checking.check import Choices, check
from cmxverify.checking.exploration import Progress
from cmxverify.checking.trace import Trace
from cmxverify.checking.trace_file import SavedTrace, as_text, saved
from cmxverify.checking.verdict import Incomplete, Verdict, Verified, Violated
from cmxverify.cli.exit_codes import ExitCode
from cmxverify.errors import InputError
from cmxverify.files import refuse_target, write_new
from cmxverify.modeling.loading import load_model
from cmxverify.units import Dimension, parse_quantity


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """Model, bounds, choices and files of one check."""

    model: str
    bounds: dict[str, int]
    choices: Choices
    output: Path | None = None
    svg: Path | None = None
    junit: Path | None = None
    graph: Path | None = None


@dataclass(frozen=True, slots=True)
class CheckDone:
    """A verdict and the files written of it."""

    verdict: Verdict
    trace_file: Path | None = None
    test_file: Path | None = None

    @property
    def trace(self) -> Trace | None:
        """The counterexample, or the way to the full channel."""
        return None if isinstance(self.verdict, Verified) else self.verdict.trace

    @property
    def exit_code(self) -> ExitCode:
        """0 holds, 1 violated, 3 incomplete."""
        match self.verdict:
            case Verified():
                return ExitCode.YES
            case Violated():
                return ExitCode.NO
            case Incomplete():
                return ExitCode.OPEN

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        from cmxverify.report.check_json import as_json

        files = {"trace_file": self.trace_file, "test_file": self.test_file}
        return as_json(self.verdict) | {name: str(path) if path else None for name, path in files.items()}

    def lines(self, *, quiet: bool, actions: bool) -> list[str]:
        """For people: the verdict, the trace as a chart, what was searched."""
        from cmxverify.report.check_text import action_table, level_table, reason_lines, report_lines, verdict_lines
        from cmxverify.report.tables import fold, output_width

        width = output_width()
        lines = verdict_lines(self.verdict, width=width)
        if quiet:
            return lines
        if self.trace is not None:
            lines += [*_chart(self.verdict, self.trace, width), *reason_lines(self.trace, width=width)]
        lines += report_lines(self.verdict.report, width=width)
        if actions:
            lines += [*action_table(self.verdict.report, width=width), *level_table(self.verdict.report, width=width)]
        if self.trace_file is not None:
            lines += fold(f"  replay: cmxverify trace {self.trace_file}   test: {self.test_file}", width=width)
        return lines


def _chart(verdict: Verdict, trace: Trace, width: int) -> list[str]:
    from cmxverify.checking.sequence import message_sequence
    from cmxverify.report.sequence_text import sequence_lines

    return sequence_lines(message_sequence(verdict.report.compiled, trace), width=width)


def bounds_of(given: Sequence[str]) -> dict[str, int]:
    """``name=value`` pairs.

    Raises:
        InputError: If one is not of this form, not a whole number, or given twice.
    """
    bounds: dict[str, int] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals or not name or not value.strip().lstrip("-").isdecimal():
            raise InputError(f"--bound {each} is not NAME=VALUE with a whole number", fix="Write --bound node=3.")
        if name in bounds:
            raise InputError(f"--bound {name} is given twice", fix="Keep one.")
        bounds[name] = int(value)
    return bounds


def memory_of(text: str | None) -> int | None:
    """Bytes of ``8GB``.

    Raises:
        InputError: If it is not a size.
    """
    return None if text is None else int(parse_quantity(text, Dimension.BYTES))


def run_check(request: CheckRequest, *, progress: bool) -> CheckDone:
    """Check a model and write what was asked for.

    Raises:
        InputError: For everything that is not right with model, bounds, choices or files.
    """
    for path in (request.output, request.svg, request.junit, request.graph):
        if path is not None:
            refuse_target(path)
    seconds = request.choices.seconds
    if seconds is not None and not seconds > 0:
        raise InputError(f"--time-limit {seconds:g} is not more than 0", fix="Write --time-limit 60.")
    loaded = load_model(request.model)
    shown = _progress_on_terminal() if progress and sys.stderr.isatty() else None
    choices = replace(request.choices, progress=shown)
    try:
        verdict = check(loaded.model, request.bounds, choices, reference=loaded.reference)
    finally:
        if shown is not None:
            sys.stderr.write("\r\x1b[K")
    return _written(request, verdict)


def _written(request: CheckRequest, verdict: Verdict) -> CheckDone:
    if request.junit is not None:
        from cmxverify.report.check_json import as_junit

        write_new(request.junit, as_junit(verdict))
    if request.graph is not None:
        from cmxverify.checking.state_graph import write_graph

        write_graph(verdict.report.compiled, request.graph)
    trace = None if isinstance(verdict, Verified) else verdict.trace
    if trace is None:
        return CheckDone(verdict)
    if request.svg is not None:
        from cmxverify.checking.sequence import message_sequence
        from cmxverify.report.sequence_svg import sequence_svg

        write_new(request.svg, sequence_svg(message_sequence(verdict.report.compiled, trace)))
    return _with_trace_file(request, verdict, saved(verdict.report, trace))


def _with_trace_file(request: CheckRequest, verdict: Verdict, trace: SavedTrace) -> CheckDone:
    from cmxverify.report.pytest_file import pytest_name, pytest_text

    stem = Path(request.model.partition(":")[0]).stem
    wanted = request.output or Path(f"{stem}.{trace.violated}.json")
    path = wanted if request.output else _free(wanted, as_text(trace))
    if not path.exists():
        write_new(path, as_text(trace))
    text = pytest_text(trace, str(path))
    test = _free(path.with_name(pytest_name(trace)), text)
    if not test.exists():
        write_new(test, text)
    return CheckDone(verdict, path, test)


def _free(path: Path, content: str) -> Path:
    """The path itself, or with a number where a file of other content is in the way: nothing is overwritten."""
    candidate, number = path, 2
    while candidate.exists() and not _holds(candidate, content):
        candidate = path.with_name(f"{path.stem}_{number}{path.suffix}")
        number += 1
    return candidate


def _holds(path: Path, content: str) -> bool:
    try:
        return path.read_text(encoding="utf-8") == content
    except (OSError, ValueError):
        return False


def _progress_on_terminal() -> Callable[[Progress], None]:
    def show(progress: Progress) -> None:
        rate = progress.states / progress.seconds if progress.seconds else 0
        sys.stderr.write(
            f"\r\x1b[K  {progress.seconds:5.1f} s  {progress.states:,} states, {rate:,.0f}/s, "
            f"level {progress.level}: {progress.frontier:,}, {progress.memory_bytes / 1e9:.2f} GB"
        )
        sys.stderr.flush()

    return show
