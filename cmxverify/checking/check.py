"""Check a model: compile, search with an engine, replay what was found through the source, and judge."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from cmxverify.checking.engines import engine_named
from cmxverify.checking.exploration import Breach, Ending, Exploration, Progress, Request
from cmxverify.checking.least_trace import least_trace
from cmxverify.checking.trace import Trace, replayed
from cmxverify.checking.verdict import Incomplete, Report, Run, Verdict, Verified, Violated
from cmxverify.errors import InputError, did_you_mean
from cmxverify.modeling.compile import Compiled, compiled
from cmxverify.modeling.ir.system import System
from cmxverify.modeling.model import Model


@dataclass(frozen=True, slots=True)
class Choices:
    """How to check.

    Args:
        properties: Names of those to check; none named: all.
        engine: ``auto``, ``explore``, ``packed``, ``numpy`` or ``interpret``.
        symmetry: Count orbits where types are symmetric.
        deadlock: Check that no action is ever due in vain (L25).
        threads: Of the native engine.
        memory_bytes: Limit of what a search holds.
        seconds: Limit of the whole check.
        graph_hash: Compute the hash of the state graph (switches symmetry off).
        progress: Called now and then.
    """

    properties: Sequence[str] = ()
    engine: str = "auto"
    symmetry: bool = True
    deadlock: bool = True
    threads: int = 1
    memory_bytes: int | None = None
    seconds: float | None = None
    graph_hash: bool = False
    progress: Callable[[Progress], None] | None = None


def check(
    model: type[Model], bounds: Mapping[str, int], choices: Choices | None = None, *, reference: str = ""
) -> Verdict:
    """Search every reachable state of a model within its bounds.

    Raises:
        InputError: If the model leaves the language, or bounds, properties or the engine are not known.
    """
    started = time.monotonic()
    made = compiled(model, bounds)
    chosen = choices or Choices()
    selected = selected_properties(made.system, chosen.properties)
    engine = engine_named(chosen.engine)
    runs = []
    for properties, request in _requests(made.system, selected, chosen):
        left = None if chosen.seconds is None else max(chosen.seconds - (time.monotonic() - started), 0.0)
        found = engine.explore(made.system, replace(request, seconds=left))
        runs.append(Run(properties, _told_as_asked(found, left, chosen.seconds)))
        if found.ending is not Ending.COMPLETE:
            break
    report = Report(reference or model.__name__, made, tuple(runs), time.monotonic() - started)
    return _judged(report)


def _told_as_asked(found: Exploration, left: float | None, asked: float | None) -> Exploration:
    """A search that ran out of what was left of the time limit names the limit that was given."""
    if left is None or asked is None:
        return found
    return replace(
        found, reason=found.reason.replace(f"time limit of {left:g} s", f"time limit of {asked:g} s")
    )


def selected_properties(system: System, names: Sequence[str]) -> tuple[int, ...]:
    """Indices of the properties of these names, in source order; of all if none is named.

    Raises:
        InputError: If there is none of a name.
    """
    known = {each.name: index for index, each in enumerate(system.properties)}
    for name in names:
        if name not in known:
            raise InputError(f"{system.name} has no property '{name}'", fix=did_you_mean(name, known))
    return tuple(sorted({known[name] for name in names})) if names else tuple(range(len(system.properties)))


def _requests(
    system: System, selected: tuple[int, ...], chosen: Choices
) -> list[tuple[tuple[int, ...], Request]]:
    """The main search, then one for each property that is not symmetric, where the main one is reduced (S6)."""
    reduced = chosen.symmetry and not chosen.graph_hash and bool(system.sorts)
    apart = [index for index in selected if reduced and not system.properties[index].symmetric]
    together = tuple(index for index in selected if index not in apart)
    request = Request(
        properties=together,
        symmetry=reduced,
        deadlock=chosen.deadlock,
        threads=chosen.threads,
        memory_bytes=chosen.memory_bytes,
        graph_hash=chosen.graph_hash,
        progress=chosen.progress,
    )
    alone = [
        ((index,), replace(request, properties=(index,), symmetry=False, deadlock=False)) for index in apart
    ]
    return [(together, request), *alone]


def _judged(report: Report) -> Verdict:
    last = report.runs[-1].exploration
    if last.ending is Ending.STOPPED:
        trace = _trace(report.compiled, last, last.breach) if last.breach else None
        return Incomplete(report, last.reason, last.expanded - 1, trace)
    if last.breach is not None:
        return Violated(report, _trace(report.compiled, last, last.breach))
    unreachable = tuple(name for name, depth in report.witnesses().items() if depth is None)
    return Violated(report, None, unreachable) if unreachable else Verified(report)


def _trace(made: Compiled, found: Exploration, breach: Breach) -> Trace:
    return replayed(made, least_trace(made.system, found), breach)
