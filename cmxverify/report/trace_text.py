"""A counterexample as people read it on the console: its chart or its steps, and what fails at the end."""

from __future__ import annotations

from cmxverify.checking.replay import Replay
from cmxverify.checking.sequence import MessageSequence
from cmxverify.checking.trace import Trace, TraceStep
from cmxverify.report.sequence_text import sequence_lines
from cmxverify.report.tables import PIPE_WIDTH, fold

_MOST_VALUES = 12
"""Values that a failing conjunct reads, in print."""


def trace_lines(sequence: MessageSequence, trace: Trace, *, width: int = PIPE_WIDTH) -> list[str]:
    """The chart, or where lanes would say nothing or do not fit, the list of steps."""
    drawn = sequence_lines(sequence, width=width) if sequence.is_worth_drawing else []
    if not trace.steps:
        return ["  the first state violates it already"]
    return drawn or step_lines(trace, width=width)


def step_lines(trace: Trace, *, width: int = PIPE_WIDTH) -> list[str]:
    """Numbered steps with only what each changed: beside the step where all fits there, else below."""
    column = min(max((len(_title(step)) for step in trace.steps), default=0), width // 2)
    lines = []
    for step in trace.steps:
        changes = "; ".join(f"{each.cell}: {each.before} -> {each.after}" for each in step.changes)
        text = "breaches a duty, see below" if step.breaching else changes or "changes nothing"
        head = f" {step.number:3d}  {_title(step):<{column}}"
        if len(head) + 2 + len(text) <= width:
            lines.append(f"{head}  {text}")
        else:
            lines += [
                *fold(head.rstrip(), width=width, indent=8),
                *fold(f"      {text}", width=width, indent=8),
            ]
    return lines


def _title(step: TraceStep) -> str:
    return step.name.removesuffix("()")


def reason_lines(trace: Trace, *, width: int = PIPE_WIDTH) -> list[str]:
    """What fails: the claim, for which instance, the conjunct, and the values it looks at."""
    failure = trace.failure
    where = f" for {failure.where}" if failure.where else ""
    lines = fold(f"  {failure.name}{where}: {failure.claim or failure.formula}", width=width)
    if failure.claim:
        lines += fold(f"    {failure.formula}", width=width, indent=6)
    if failure.values:
        shown = [f"{cell} = {value}" for cell, value in failure.values[:_MOST_VALUES]]
        hidden = len(failure.values) - len(shown)
        more = [f"and {hidden} more, with --json"] if hidden else []
        lines += fold(f"    here {', '.join([*shown, *more])}", width=width, indent=6)
    return lines


def replay_lines(done: Replay, *, width: int = PIPE_WIDTH) -> list[str]:
    """The verdict on a saved trace, and whether the model has changed since."""
    steps = len(done.trace.steps)
    if done.violates:
        counted = f"{steps} step{'' if steps == 1 else 's'}"
        word = "incomplete" if done.meets_full_channel else "violated"
        head = f"{word}   {done.trace.violated} in {counted}; replayed through the source"
    else:
        head = f"no longer violated   {done.trace.violated}: {done.why_not}"
    lines = fold(head, width=width, indent=2)
    if done.changed:
        lines += fold("  note: the model's source or bounds changed since the trace was saved", width=width)
    return lines
