"""What ``cmxverify check`` does: load, check, save what was found, and put it into words."""

from __future__ import annotations

import math
import re
import shutil
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
from cmxverify.cli.model_code import one_message
from cmxverify.errors import InputError, Location
from cmxverify.files import refuse_target, write_new
from cmxverify.modeling.compile import compiled
from cmxverify.modeling.loading import load_model
from cmxverify.modeling.model import Model
from cmxverify.units import Dimension, parse_quantity

_LARGEST_BOUND = 1_000_000
"""No model of that size could be searched; numbers beyond only fill the memory."""


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

    @property
    def targets(self) -> list[Path]:
        """Files that are to be written."""
        return [path for path in (self.output, self.svg, self.junit, self.graph) if path is not None]


@dataclass(frozen=True, slots=True)
class CheckDone:
    """A verdict and the files written of it; ``unsaved`` says why its trace could not be saved."""

    verdict: Verdict
    trace_file: Path | None = None
    test_file: Path | None = None
    unsaved: str = ""

    @property
    def trace(self) -> Trace | None:
        """The counterexample, or the way to the full channel."""
        return trace_of(self.verdict)

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
        from cmxverify.report import check_text, trace_text
        from cmxverify.report.tables import fold, output_width

        width = output_width()
        report = self.verdict.report
        lines = check_text.verdict_lines(self.verdict, width=width)
        if quiet:
            return lines
        if self.trace is not None:
            from cmxverify.checking.sequence import message_sequence

            lines += trace_text.trace_lines(
                message_sequence(report.compiled, self.trace), self.trace, width=width
            )
            lines += trace_text.reason_lines(self.trace, width=width)
        lines += check_text.report_lines(report, width=width)
        if actions:
            lines += [
                *check_text.action_table(report, width=width),
                *check_text.level_table(report, width=width),
            ]
        if self.unsaved:
            lines += fold(f"  note: the trace is not saved: {self.unsaved}", width=width)
        if self.trace_file is not None:
            test = "" if self.test_file is None else f"   test: {self.test_file}"
            lines += fold(f"  replay: cmxverify trace {self.trace_file}{test}", width=width)
        return lines


def trace_of(verdict: Verdict) -> Trace | None:
    """The trace of a verdict that has one."""
    return None if isinstance(verdict, Verified) else verdict.trace


def bounds_of(given: Sequence[str]) -> dict[str, int]:
    """``name=value`` pairs.

    Raises:
        InputError: If one is not of this form, not a whole number, too large, or given twice.
    """
    bounds: dict[str, int] = {}
    for each in given:
        name, _, value = each.partition("=")
        if not re.fullmatch(r"\s*-?[0-9]+\s*", value) or not name.isidentifier():
            raise InputError(
                f"--bound {each} is not NAME=VALUE with a whole number", fix="Write --bound node=3."
            )
        if name in bounds:
            raise InputError(f"--bound {name} is given twice", fix="Keep one.")
        if len(value.strip()) > len(str(_LARGEST_BOUND)) or abs(int(value)) > _LARGEST_BOUND:
            raise InputError(f"--bound {each} is beyond {_LARGEST_BOUND:,}", fix="Write --bound node=3.")
        bounds[name] = int(value)
    return bounds


def memory_of(text: str | None) -> int | None:
    """Bytes of ``8GB``.

    Raises:
        InputError: If it is not a size, or not more than 0.
    """
    if text is None:
        return None
    size = int(parse_quantity(text, Dimension.SIZE))
    if size <= 0:
        raise InputError(f"--memory {text} is not more than 0", fix="Write --memory 8GB.")
    return size


def run_check(request: CheckRequest, *, progress: bool) -> CheckDone:
    """Check a model and write what was asked for.

    Raises:
        InputError: For everything that is not right with model, bounds, choices or files.
    """
    _refuse_targets(request)
    seconds = request.choices.seconds
    if seconds is not None and not 0 < seconds < math.inf:
        raise InputError(f"--time-limit {seconds:g} is no number of seconds", fix="Write --time-limit 60.")
    loaded = load_model(request.model)
    with one_message(loaded.model):
        if request.graph is not None:
            _write_graph(loaded.model, request.bounds, request.graph)
        shown = _progress_on_terminal() if progress and sys.stderr.isatty() else None
        try:
            choices = replace(request.choices, progress=shown)
            verdict = check(loaded.model, request.bounds, choices, reference=loaded.reference)
        finally:
            if shown is not None:
                sys.stderr.write("\r\x1b[K")
    return _written(request, verdict)


def _refuse_targets(request: CheckRequest) -> None:
    if request.graph is not None:
        from cmxverify.checking.state_graph import refuse_graph_file

        refuse_graph_file(request.graph)
    for path in request.targets:
        refuse_target(path)
    resolved = [path.absolute() for path in request.targets]
    for number, path in enumerate(resolved):
        if path in resolved[:number]:
            at, fix = Location(str(request.targets[number])), "Give each its own name."
            raise InputError("two outputs go to this file", at=at, fix=fix)


def _write_graph(model: type[Model], bounds: dict[str, int], path: Path) -> None:
    """Before the search: a graph that is too large is told at once."""
    from cmxverify.checking.state_graph import state_graph, write_graph

    write_graph(state_graph(compiled(model, bounds)), path)


def _written(request: CheckRequest, verdict: Verdict) -> CheckDone:
    if request.junit is not None:
        from cmxverify.report.junit import as_junit

        write_new(request.junit, as_junit(verdict))
    trace = trace_of(verdict)
    if trace is None:
        return CheckDone(verdict)
    if request.svg is not None:
        write_new(request.svg, chart_of(verdict, trace))
    try:
        return _with_trace_file(request.output, verdict, saved(verdict.report, trace))
    except InputError as error:
        if request.output is not None:
            raise
        return CheckDone(verdict, unsaved=str(error).splitlines()[0])


def chart_of(verdict: Verdict, trace: Trace) -> str:
    """The trace as SVG."""
    from cmxverify.checking.sequence import message_sequence
    from cmxverify.report.sequence_svg import sequence_svg

    title = f"{verdict.report.reference} violates {trace.violated}"
    return sequence_svg(message_sequence(verdict.report.compiled, trace), trace.failure, title=title)


def _with_trace_file(output: Path | None, verdict: Verdict, trace: SavedTrace) -> CheckDone:
    from cmxverify.report.pytest_file import pytest_name, pytest_text, trace_name

    trace = trace.seen_from((output or Path()).parent)
    path = output or _free(Path(trace_name(trace)), as_text(trace))
    if not path.exists():
        write_new(path, as_text(trace))
    if isinstance(verdict, Incomplete):
        return CheckDone(verdict, path)  # a full channel is no fault that a test could guard against
    text = pytest_text(trace, path.name)
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
    from cmxverify.report.search_progress import SearchProgress

    search = SearchProgress()

    def show(progress: Progress) -> None:
        line = search.line(progress)[: shutil.get_terminal_size().columns - 1]
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()

    return show
