"""What ``cmxverify trace`` does: read a saved trace, take its steps, and put what became of it into words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cmxverify.checking.replay import Replay, replay
from cmxverify.checking.sequence import message_sequence
from cmxverify.checking.trace_file import SavedTrace, read_trace
from cmxverify.cli.exit_codes import ExitCode
from cmxverify.cli.model_code import one_message
from cmxverify.errors import Location
from cmxverify.files import refuse_target, write_new
from cmxverify.modeling.compile import Compiled, compiled
from cmxverify.modeling.loading import load_model

_VERDICTS = {ExitCode.YES: "no longer violated", ExitCode.NO: "violated", ExitCode.OPEN: "incomplete"}


@dataclass(frozen=True, slots=True)
class TraceDone:
    """A trace taken again."""

    saved: SavedTrace
    compiled: Compiled
    replay: Replay

    @property
    def exit_code(self) -> ExitCode:
        """0 no longer violated, 1 still violated, 3 where it only meets a full channel, as the check did."""
        if not self.replay.violates:
            return ExitCode.YES
        return ExitCode.OPEN if self.replay.meets_full_channel else ExitCode.NO

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        from cmxverify.report.check_json import trace_json

        return {
            "verdict": _VERDICTS[self.exit_code],
            "model": self.saved.reference,
            "bounds": self.saved.bounds,
            "why_not": self.replay.why_not or None,
            "model_changed": self.replay.changed,
            "trace": trace_json(self.replay.trace),
        }

    def lines(self, *, quiet: bool) -> list[str]:
        """For people."""
        from cmxverify.report.tables import output_width
        from cmxverify.report.trace_text import reason_lines, replay_lines, trace_lines

        width, trace = output_width(), self.replay.trace
        lines = replay_lines(self.replay, width=width)
        if quiet:
            return lines
        if trace.steps or self.replay.violates:
            lines += trace_lines(message_sequence(self.compiled, trace), trace, width=width)
        return [*lines, *(reason_lines(trace, width=width) if self.replay.violates else [])]


def run_trace(file: Path, svg: Path | None) -> TraceDone:
    """Take a saved trace again.

    Raises:
        InputError: If the file is no trace, its model is not there, or it names what the model does not have.
    """
    if svg is not None:
        refuse_target(svg)
    saved = read_trace(file)
    loaded = load_model(saved.reference)
    with one_message(loaded.model):
        made = compiled(loaded.model, saved.bounds)
        done = TraceDone(saved, made, replay(made, saved, Location(str(file))))
    if svg is not None:
        from cmxverify.report.sequence_svg import sequence_svg

        trace = done.replay.trace
        title = f"{saved.reference}: {trace.violated}"
        write_new(svg, sequence_svg(message_sequence(made, trace), trace.failure, title=title))
    return done
