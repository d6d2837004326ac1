"""Tables of measurements: medians with their spread, what each run reached, and ratios ours/raw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import median
from typing import Any

Run = Mapping[str, Any]


@dataclass
class Series:
    """Repeats of one measurement; ``program`` is 'reduced' or 'full'."""

    what: str
    program: str
    runs: list[dict[str, Any]] = field(default_factory=list)
    ended: str = ""
    """Why there is no (further) result."""


def topology_lines(name: str, measured: Sequence[Series], limit_s: float, gap: Fraction) -> list[str]:
    """Everything about one topology."""
    compiles = [series for series in measured if series.what == "compile"]
    runs = [series for series in measured if series.what != "compile"]
    return [
        f"## {name}",
        *(_compile_line(series) for series in compiles),
        "",
        *_columns(_run_rows(runs, limit_s, gap)),
        "",
        *_level_lines(runs),
        "",
        *_ratio_lines(measured, limit_s, gap),
        *disagreements(runs),
    ]


def command_lines(commands: Iterable[Run]) -> list[str]:
    """Whole commands against their targets."""
    rows = [("whole command", "CPU s", "wall s", "target", "it says")]
    rows += [
        (c["command"], _spread(c["cpu"]), _spread(c["wall"]), c["target"], c["says"][:70]) for c in commands
    ]
    return _columns(rows)


def finished(run: Run, gap: Fraction) -> bool:
    """Whether every level has an exact plan and a bound within the gap (in its own words, for raw solvers)."""
    return bool(run["levels"]) and all(level["exact"] and _closed(level, gap) for level in run["levels"])


def disagreements(series: Sequence[Series]) -> list[str]:
    """Lines on runs that say optimum of the same program and differ in a level's value; none is the rule."""
    found = []
    for program in dict.fromkeys(each.program for each in series):
        values = {
            each.what: tuple(level["value"] for level in run["levels"])
            for each in series
            if each.program == program
            for run in each.runs
            if finished(run, Fraction(0))
        }
        if len(set(values.values())) > 1:
            found.append(
                f"DISAGREE on the {program} model: " + ", ".join(f"{k} {v}" for k, v in values.items())
            )
    return found


def _compile_line(series: Series) -> str:
    if not series.runs:
        return f"{series.program} model: {series.ended}"
    facts = series.runs[-1]["facts"]
    size = f"{facts['columns']:,} columns, {facts['rows']:,} rows, {facts['entries']:,} entries, {facts['parts']} parts"
    cpu = _spread([run["build_cpu"] for run in series.runs])
    return f"{series.program} model: {size}; load and compile {cpu} s of CPU"


def _run_rows(runs: Sequence[Series], limit_s: float, gap: Fraction) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("run", "model", "import CPU s", "CPU s", "wall s", "peak MB", "result")]
    for series in runs:
        if not series.runs:
            rows.append((series.what, series.program, "", "", "", "", series.ended))
            continue
        figures = (_spread([run[key] for run in series.runs]) for key in ("import_cpu", "cpu", "wall"))
        peak = f"{max(run['peak_mb'] for run in series.runs):.0f}"
        rows.append((series.what, series.program, *figures, peak, _result(series, limit_s, gap)))
    return rows


def _result(series: Series, limit_s: float, gap: Fraction) -> str:
    """Optimum or gap reached in every run, or what stands in the way in the last one."""
    last = series.runs[-1]
    if last["status"] == "infeasible":
        return "infeasible, certified" if series.what.startswith("ours") else "claims infeasible"
    if all(finished(run, Fraction(0)) for run in series.runs):
        return "proved, certified" if series.what.startswith("ours") else "claims optimum"
    if all(finished(run, gap) for run in series.runs):
        return f"gap <= {float(gap):.2%}"
    if last["wall"] >= limit_s:
        return f"open after {last['wall']:.0f} s"
    inexact = [level["key"] for level in last["levels"] if level["value"] is not None and not level["exact"]]
    if inexact:
        return f"claims, but its plan breaks rows at: {', '.join(inexact)}"
    notes = [level["note"] for level in last["levels"] if not level["optimal"]]
    return f"open: {notes[0]}" if notes else str(last["status"])


def _level_lines(runs: Sequence[Series]) -> list[str]:
    """Value and gap of each level in the last run; certified for ours, claimed by the solver for raw ones."""
    keys = next(
        ([level["key"] for level in s.runs[-1]["levels"]] for s in runs if s.runs and s.runs[-1]["levels"]),
        [],
    )
    rows: list[tuple[str, ...]] = [("level: value (gap)", "model", *keys, "z3 agrees at")]
    for series in runs:
        if series.runs:
            levels = series.runs[-1]["levels"]
            agreed = [level["key"] for level in levels if level["also_proved_by"]]
            rows.append(
                (series.what, series.program, *(_level(level) for level in levels), ", ".join(agreed))
            )
    return _columns(rows)


def _level(level: Run) -> str:
    if level["value"] is None:
        bound = f", bound {level['bound']:,.0f}" if level["bound"] is not None else ""
        return f"no plan{bound}" if level["note"] != "not reached" else "not reached"
    gap = _gap(level)
    text = f"{level['value']:,.0f} ({'no bound' if gap is None else f'{100 * gap:.2g} %' if gap else '0'})"
    return text if level["exact"] else f"{text} not exact"


def _gap(level: Run) -> float | None:
    if level["bound"] is None:
        return None
    difference = level["value"] - level["bound"]
    if difference < 1:
        return 0.0
    return difference / abs(level["value"]) if level["value"] else 1.0


def _closed(level: Run, gap: Fraction) -> bool:
    if level["value"] is None:
        return False
    found = _gap(level)
    return level["optimal"] or (found is not None and found <= gap)


def _ratio_lines(measured: Sequence[Series], limit_s: float, gap: Fraction) -> list[str]:
    """Ours on the reduced model against each raw run: time to the end of all levels, with and without modelling."""
    ours = _find(measured, "ours", "reduced")
    if ours is None or not ours.runs:
        return ["no ratios: ours has no result"]
    if not all(finished(run, gap) for run in ours.runs):
        return ["no ratios of time: ours stays open within the limit; compare the gaps above"]
    rows: list[tuple[str, ...]] = [("ours/raw", "model", "CPU", "wall", "CPU with modelling")]
    for series in measured:
        if series.what in ("compile", *(s.what for s in measured if s.what.startswith("ours"))):
            continue
        done = bool(series.runs) and all(finished(run, gap) for run in series.runs)
        rows.append((series.what, series.program, *_ratios(measured, ours, series, limit_s, done=done)))
    return _columns(rows)


def _ratios(
    measured: Sequence[Series], ours: Series, raw: Series, limit_s: float, *, done: bool
) -> Iterable[str]:
    """``<`` where the raw run was stopped: its own time would be longer. A killed run counts its limit as wall only."""
    if not raw.runs:
        return ("-", f"< {_median(ours, 'wall') / limit_s:.3f}", "-")
    if raw.runs[-1]["status"] == "infeasible":
        return ("another question: infeasible", "", "")
    if not done and raw.runs[-1]["wall"] < limit_s:
        return ("fails", "fails", "fails")
    sign = "" if done else "< "
    cpu, wall = (_median(ours, key) / _median(raw, key) for key in ("cpu", "wall"))
    mine, theirs = (_find(measured, "compile", each.program) for each in (ours, raw))
    assert mine is not None
    assert theirs is not None
    whole = (_median(ours, "cpu") + _median(mine, "cpu")) / (_median(raw, "cpu") + _median(theirs, "cpu"))
    return (f"{sign}{cpu:.3f}", f"{sign}{wall:.3f}", f"{sign}{whole:.3f}")


def _find(measured: Sequence[Series], what: str, program: str) -> Series | None:
    return next((each for each in measured if (each.what, each.program) == (what, program)), None)


def _median(series: Series, key: str) -> float:
    return float(median(run[key] for run in series.runs))


def _spread(figures: Sequence[float]) -> str:
    """Median, and least to greatest where there are several."""
    middle = f"{median(figures):.2f}"
    return middle if len(figures) == 1 else f"{middle} ({min(figures):.2f}-{max(figures):.2f})"


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()
        for row in rows
    ]
