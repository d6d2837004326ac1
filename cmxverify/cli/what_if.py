"""What-if questions of ``solve``: what changes against an earlier plan, and which failures are survived."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from cmxverify.cli.exit_codes import ExitCode
from cmxverify.errors import InputError
from cmxverify.placement.model.plan import Plan
from cmxverify.placement.proof.outcome import Outcome
from cmxverify.placement.whatif.compare_plans import Earlier, figures_of
from cmxverify.placement.whatif.survive import Survival, Verdict, judge_survival
from cmxverify.report.comparison_text import comparison_document, comparison_lines
from cmxverify.report.survival_text import survival_document, survival_lines
from cmxverify.report.tables import PIPE_WIDTH, error_width, output_width
from cmxverify.topology.model import Topology

_EXIT_CODES = {Verdict.SURVIVED: ExitCode.YES, Verdict.LOST: ExitCode.NO, Verdict.UNDECIDED: ExitCode.OPEN}


def refuse_mixture(*, survive: int | None, earlier: Path | None, output: Path | None, picture: Path | None) -> None:
    """``--survive`` makes no plan, so nothing of one can be compared, saved or drawn.

    Raises:
        InputError: Names the options that do not go together.
    """
    if survive is None:
        return
    if survive < 1:
        raise InputError(f"--survive {survive} is less than 1", fix="Write --survive 1.")
    for option, given in (("--from", earlier), ("-o", output), ("--picture", picture)):
        if given is not None:
            fix = f"Run it once with --survive and once with {option}."
            raise InputError(f"{option} needs a plan, and --survive makes none", fix=fix)


def compared(plan: Plan, outcome: Outcome, earlier: Earlier) -> tuple[list[str], dict[str, Any]]:
    """Line and document of a plan beside an earlier one."""
    after = figures_of(plan)
    lines = comparison_lines(plan, outcome, earlier.figures, after, width=output_width())
    return lines, comparison_document(earlier.figures, after, earlier.file)


def survived(
    topology: Topology, number: int, *, time_limit_s: float, progress: bool
) -> tuple[int, list[str], dict[str, Any]]:
    """Exit code, texts of one line or more and document of the failures of a cluster whose workload fits."""
    shown = _show_progress if progress and sys.stderr.isatty() else None
    survival: Survival = judge_survival(topology, number=number, time_limit_s=time_limit_s, progress=shown)
    if shown:
        sys.stderr.write("\r\x1b[K")
    lines = survival_lines(survival, width=output_width())
    if survival.interrupted and all(each.verdict is Verdict.UNDECIDED for each in survival.classes):
        raise KeyboardInterrupt
    code = ExitCode.OPEN if survival.interrupted else _EXIT_CODES[survival.verdict]
    return code, lines, survival_document(survival)


def _show_progress(what: str, elapsed_s: float) -> None:
    room = (error_width() or PIPE_WIDTH) - 1  # the cursor needs a column, too
    sys.stderr.write("\r\x1b[K" + f"{elapsed_s:5.1f} s  {what}"[:room])
    sys.stderr.flush()
