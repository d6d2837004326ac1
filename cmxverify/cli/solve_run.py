"""One run of ``solve``: load, compile, solve, explain, save; returns lines, a document and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from time import monotonic
from typing import Any

from cmxverify.cli.exit_codes import ExitCode
from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.files import refuse_target
from cmxverify.placement.auditing.placement_file import is_placement, placement_document, write_placement
from cmxverify.placement.model.compile import PlacementModel, compile_placement
from cmxverify.placement.model.plan import Plan, read_plan
from cmxverify.placement.proof.outcome import Outcome, Status
from cmxverify.placement.solving.solve import Engine, Progress, solve_program
from cmxverify.placement.whatif.compare_plans import Earlier, keep_earlier, read_earlier
from cmxverify.report.placement_tables import plan_lines, rejected_lines, verdict_lines
from cmxverify.report.tables import PIPE_WIDTH, error_width, fold, hang, output_width
from cmxverify.topology.load import load_topology
from cmxverify.topology.model import Topology
from cmxverify.units import parse_share

_SHORTEST_SOLVE_S = 0.001
"""What a solve gets where loading and compiling took all of the time limit."""


@dataclass(frozen=True, slots=True)
class SolveRequest:
    """Options of one run."""

    topology: str
    objectives: tuple[str, ...] | None
    engine: str
    time_limit_s: float
    gap: str
    seed: int
    overrides: tuple[str, ...]
    only: tuple[str, ...]
    output: Path | None
    picture: Path | None
    rejected: bool
    explain: bool
    strict: bool
    earlier: Path | None = None
    survive: int | None = None

    @property
    def is_what_if(self) -> bool:
        """Whether it asks something of a change, so that a plan is kept only under a name that was chosen."""
        return self.earlier is not None or self.survive is not None


@dataclass
class SolveReport:
    """What to print, as text and as JSON, and how to exit. ``texts`` have one line or more each, the verdict first."""

    exit_code: int
    texts: list[str] = field(default_factory=list)
    document: dict[str, Any] = field(default_factory=dict)


def run_solve(request: SolveRequest, *, progress: bool) -> SolveReport:
    """Run it.

    Raises:
        InputError: For bad files or options.
    """
    started = monotonic()
    engine = _engine(request.engine)
    gap = parse_share(request.gap, Location("--gap"))
    if not request.time_limit_s > 0:
        raise InputError(f"--time-limit {request.time_limit_s:g} is not more than 0", fix="Write --time-limit 60.")
    topology = load_topology(request.topology, overrides=request.overrides, only=request.only)
    if request.strict:
        refuse_assumed(topology)
    path = request.output or Path(f"{topology.name}.placement.json")
    _refuse_targets(request, path)
    earlier = _read_earlier(request, topology)
    model = compile_placement(topology, objectives=request.objectives)
    if request.survive is not None and (report := _survive(request, model, progress=progress)) is not None:
        return report
    shown = _progress_on_terminal(model) if progress and sys.stderr.isatty() else None
    left = max(request.time_limit_s - (monotonic() - started), _SHORTEST_SOLVE_S)
    outcome = solve_program(
        model.program, engine=engine, time_limit_s=left, gap=gap, seed=request.seed, progress=shown
    )
    if shown:
        sys.stderr.write("\r\x1b[K")
    if outcome.interrupted and outcome.status is Status.UNKNOWN:
        raise KeyboardInterrupt
    outcome = keep_earlier(model.program, outcome, earlier) if earlier is not None else outcome
    plan = read_plan(model, outcome.values) if outcome.values is not None else None
    chosen = request.output is not None
    if outcome.status is Status.INFEASIBLE and not chosen:
        # a proof that there is no plan must not take the place of a plan that was found before
        path = Path(f"{topology.name}.infeasible.json")
    saved = save(path, model, outcome, plan, chosen=chosen) if chosen or not request.is_what_if else None
    report = SolveReport(_exit_code(outcome, gap))
    _write_lines(report, request, model, outcome, plan, saved=saved, gap=gap, started=started)
    if plan is not None and earlier is not None:
        _compare(report, plan, outcome, earlier)
    if plan is not None and request.picture is not None:
        _draw(plan, request.picture, report)
    return report


def _read_earlier(request: SolveRequest, topology: Topology) -> Earlier | None:
    """What ``--from`` names, read before anything is solved."""
    from cmxverify.cli.what_if import refuse_mixture

    refuse_mixture(
        survive=request.survive, earlier=request.earlier, output=request.output, picture=request.picture
    )
    return read_earlier(request.earlier, topology) if request.earlier is not None else None


def _compare(report: SolveReport, plan: Plan, outcome: Outcome, earlier: Earlier) -> None:
    """One line that sets the plan beside the earlier one, in place of its tables."""
    from cmxverify.cli.what_if import compared

    lines, report.document["comparison"] = compared(plan, outcome, earlier)
    report.texts = ["\n".join(lines), *_notes(outcome)]


def _survive(request: SolveRequest, model: PlacementModel, *, progress: bool) -> SolveReport | None:
    """Judge the failures; None where not even the whole cluster fits, which ``solve`` explains."""
    from cmxverify.cli.what_if import survived
    from cmxverify.placement.solving.feasible import Undecided, find_feasible

    whole = find_feasible(model.program, time_limit_s=request.time_limit_s, seed=request.seed)
    if whole is None:
        return None
    if isinstance(whole, Undecided):
        line = "undecided   whether the workload fits at all was not found out in the time"
        text = "\n".join(fold(line, width=output_width()))
        return SolveReport(ExitCode.OPEN, [text], {"verdict": "undecided", "classes": []})
    assert request.survive is not None, request
    return SolveReport(
        *survived(model.topology, request.survive, time_limit_s=request.time_limit_s, progress=progress)
    )


def refuse_assumed(topology: Topology) -> None:
    """``--strict``: every figure must come from the file or be published.

    Raises:
        InputError: Names each line that relies on an assumed figure, and the key that states it there.
    """
    if topology.assumed:
        number = len(topology.assumed)
        what = f"{number} value{'s are' if number > 1 else ' is'} assumed, not published"
        uses = [(use, f"{each.device}: {each.text}") for each in topology.assumed for use in each.uses]
        longest = max(len(use.stated) for use, _ in uses)
        lines = [f"    {_line_of(use.at)}  {use.stated:<{longest}}  {taken}" for use, taken in uses]
        fix = "State what you measured or were told beside 'is' on each line, as {is: ..., KEY: VALUE}:"
        raise InputError(what, fix="\n".join([fix, *lines]))


def _line_of(at: Location) -> str:
    return f"{at.file}:{at.line}" if at.line else at.file


def _refuse_targets(request: SolveRequest, path: Path) -> None:
    """What cannot be written is told before anything is solved."""
    refuse_target(path, force=is_placement(path))
    if request.picture is not None:
        from cmxverify.report.picture import is_our_picture, picture_form

        picture_form(request.picture)
        refuse_target(request.picture, force=is_our_picture(request.picture))


def save(path: Path, model: PlacementModel, outcome: Outcome, plan: Plan | None, *, chosen: bool) -> str | None:
    """Write plan and certificate; nothing for ``unknown`` unless a name was chosen."""
    if outcome.status is Status.UNKNOWN and not chosen:
        return None
    write_placement(path, model, outcome, plan)
    return str(path)


def _engine(name: str) -> Engine:
    known = {each.value: each for each in Engine}
    if name not in known:
        raise InputError(f"unknown engine '{name}'", fix=did_you_mean(name, known))
    return known[name]


def _exit_code(outcome: Outcome, gap: Fraction) -> ExitCode:
    if outcome.interrupted:
        return ExitCode.OPEN
    match outcome.status:
        case Status.OPTIMAL:
            return ExitCode.YES
        case Status.FEASIBLE:
            return ExitCode.YES if all(level.gap <= gap for level in outcome.levels) else ExitCode.OPEN
        case Status.INFEASIBLE:
            return ExitCode.NO
        case Status.UNKNOWN:
            return ExitCode.OPEN


def _write_lines(
    report: SolveReport,
    request: SolveRequest,
    model: PlacementModel,
    outcome: Outcome,
    plan: Plan | None,
    *,
    saved: str | None,
    gap: Fraction,
    started: float,
) -> None:
    report.document = placement_document(model, outcome, plan)
    report.document["status"] = outcome.status.value
    report.document["saved"] = saved
    details: list[str] = []
    if plan is not None:
        details = plan_lines(plan, outcome, width=output_width())
    elif outcome.status is Status.INFEASIBLE and request.explain:
        details = _explain(request, model, report)
    if request.rejected:
        details += rejected_lines(model.table.rejected, width=output_width())
    details += _notes(outcome)
    seconds = monotonic() - started
    head = verdict_lines(outcome, saved=saved, gap=gap, seconds=seconds, width=output_width())
    report.texts = [*head, *details]


def _notes(outcome: Outcome) -> list[str]:
    return [line for note in outcome.notes for line in hang("note: ", note, width=output_width())]


def _explain(request: SolveRequest, model: PlacementModel, report: SolveReport) -> list[str]:
    from cmxverify.placement.explaining.explain import explain_infeasible
    from cmxverify.report.explanation_text import explanation_document, explanation_lines

    reload = _reloader(request)
    try:
        explained = explain_infeasible(model.topology, reload, time_limit_s=request.time_limit_s)
    except KeyboardInterrupt:
        report.exit_code = ExitCode.OPEN
        return ["note: interrupted before it was explained"]
    report.document["explanation"] = explanation_document(explained)
    return explanation_lines(explained, width=output_width())


def _reloader(request: SolveRequest) -> Callable[[tuple[str, ...]], Topology]:
    def reload(further: tuple[str, ...]) -> Topology:
        overrides = (*request.overrides, *further)
        return load_topology(request.topology, overrides=overrides, only=request.only)

    return reload


def _progress_on_terminal(model: PlacementModel) -> Callable[[Progress], None]:
    from cmxverify.report.progress import ProgressLines

    lines, room = ProgressLines(model), (error_width() or PIPE_WIDTH) - 1  # the cursor needs a column, too

    def show(progress: Progress) -> None:
        sys.stderr.write(f"\r\x1b[K{lines.line(progress)[:room]}")
        sys.stderr.flush()

    return show


def _draw(plan: Plan, path: Path, report: SolveReport) -> None:
    from cmxverify.report.placement_picture import draw_placement

    draw_placement(plan, path)
    report.texts += fold(f"picture {path}", width=output_width())
    report.document["picture"] = str(path)
