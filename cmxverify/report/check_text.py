"""A verdict on a model, as people read it on the console."""

from __future__ import annotations

from collections.abc import Iterator

from cmxverify.checking.trace import Trace
from cmxverify.checking.verdict import Incomplete, Report, Verdict, Verified, Violated
from cmxverify.modeling.ir.digest import digest_of
from cmxverify.modeling.ir.system import ActionKind, PropertyKind
from cmxverify.report.tables import PIPE_WIDTH, Align, Column, at_right, fold, format_table

_MANY = 10_000
"""States from which on the memory that each takes says something; before, it is that of empty tables."""


def verdict_lines(verdict: Verdict, *, width: int = PIPE_WIDTH) -> list[str]:
    """The verdict line alone, in as many lines as it needs."""
    report = verdict.report
    match verdict:
        case Verified():
            head = f"holds   {_what_holds(report)}; {exactness(report)}"
        case Violated(trace=None):
            names = ", ".join(verdict.unreachable)
            head = f"violated   {names}: no reachable state is a witness; {exactness(report)}"
        case Violated(trace=Trace() as trace):
            head = (
                f"violated   {trace.violated} in {_counted(len(trace.steps), 'step')}, shortest; "
                f"{exactness(report)}; replayed through the source"
            )
        case Incomplete():
            head = f"incomplete   {_how_far(verdict)}; {verdict.reason}"
    return at_right(head, f"{report.seconds:.1f} s", width=width)


def _what_holds(report: Report) -> str:
    number = len(report.checked())
    if not number:
        return "no deadlock and no duty breached in any reachable state"
    return (
        f"{_counted(number, 'property', 'properties')} over every reachable state"
        if number > 1
        else report.checked()[0]
    )


def _how_far(verdict: Incomplete) -> str:
    if verdict.trace is not None:
        return f"stopped after {_counted(len(verdict.trace.steps), 'step')}"
    if verdict.depth < 0:
        return "nothing is known yet"
    if not verdict.depth:
        return "no violation in the initial states, nothing is known beyond"
    return f"no violation within {_counted(verdict.depth, 'step')}, nothing is known beyond"


def exactness(report: Report) -> str:
    """Engine and how it counted: ``explore, exact, symmetric over node``."""
    reduced = report.main.reduced
    return f"{report.main.engine}, exact" + (f", symmetric over {' and '.join(reduced)}" if reduced else "")


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def report_lines(report: Report, *, width: int = PIPE_WIDTH) -> list[str]:
    """What was searched: bounds, sizes, properties, duties, and what never happened."""
    lines = []
    for head, items in _facts(report):
        lines += _listed(f"  {head:<12} ", items, width)
    return [*lines, *_warnings(report, width)]


def _listed(head: str, items: list[str], width: int) -> list[str]:
    """Items after a head, further lines below the first item."""
    lines = [head + items[0]]
    for item in items[1:]:
        lines[-1] += ";"
        if len(lines[-1]) + 1 + len(item) + 1 <= width:
            lines[-1] += f" {item}"
        else:
            lines.append(" " * len(head) + item)
    return [each for line in lines for each in fold(line, width=width, indent=len(head) + 2)]


def _facts(report: Report) -> Iterator[tuple[str, list[str]]]:
    system, main = report.system, report.main
    if system.bounds:
        yield "bounds", [f"{name} = {value}" for name, value in system.bounds.items()]
    budgets = _faults(report)
    if budgets:
        yield "faults", budgets
    sizes = [
        _counted(main.states, "orbit of states", "orbits of states")
        if main.reduced
        else _counted(main.states, "state"),
        _counted(main.transitions, "transition"),
        f"depth {max(len(main.levels) - 1, 0)}",
    ]
    if main.memory_bytes and main.states >= _MANY:
        sizes.append(f"{main.memory_bytes / main.states:.1f} bytes a state")
    yield "searched", [*sizes, f"IR {digest_of(system)[:12]}"]
    if main.graph_hash:
        yield "graph hash", [main.graph_hash]
    for kind, head in ((PropertyKind.INVARIANT, "invariants"), (PropertyKind.STEP, "each step")):
        names = [
            each.name for each in system.properties if each.kind is kind and each.name in report.checked()
        ]
        if names:
            yield head, names
    witnesses = [
        f"{name} after {_counted(depth, 'step')}"
        for name, depth in report.witnesses().items()
        if depth is not None
    ]
    if witnesses:
        yield "reachable", witnesses
    yield "duties", _duties(report)


def _faults(report: Report) -> list[str]:
    """Faults with their budgets (L19)."""
    found = []
    for step in report.compiled.model.schema.steps:
        if step.kind is ActionKind.FAULT:
            found.append(
                f"{step.name} without limit" if step.budget is None else f"{step.name} <= {step.budget}"
            )
    return found


def _duties(report: Report) -> list[str]:
    system = report.system
    return [
        f"{kind} {_counted(places, 'place')}"
        + (f", {system.discharged[kind]} by types alone" if places else "")
        for kind, places in system.checked.items()
        if places
    ] or ["none"]


def _warnings(report: Report, width: int) -> list[str]:
    """What never happened, if the search saw everything; and what was searched without reduction, and why."""
    kinds = [("not symmetric", tuple(f"{name}, {why}" for name, why in report.system.asymmetric.items()))]
    if report.is_complete:
        kinds = [
            ("never enabled", report.never_enabled()),
            ("never changes a state", report.only_idle()),
            ("premise never true", report.vacuous()),
            *kinds,
        ]
    return [
        line
        for head, names in kinds
        for name in names
        for line in fold(f"  note: {head}: {name}", width=width)
    ]


def action_table(report: Report, *, width: int = PIPE_WIDTH) -> list[str]:
    """Transitions of every action, and how many changed the state."""
    rows = [[name, f"{times:,}", f"{changed:,}"] for name, (times, changed) in report.fired().items()]
    columns = [Column("action"), Column("transitions", Align.RIGHT), Column("changing", Align.RIGHT)]
    return format_table(columns, rows, width=width)


def level_table(report: Report, *, width: int = PIPE_WIDTH) -> list[str]:
    """States first reached at each depth, as a bar a level."""
    levels = report.main.levels
    largest = max(levels, default=1)
    room = max(width - 24, 10)
    head = "  depth      states"
    return [head] + [
        f"  {depth:5d} {size:11,}  {'#' * max(1, size * room // largest)}"
        for depth, size in enumerate(levels)
    ]
