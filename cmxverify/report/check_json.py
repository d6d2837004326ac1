"""A verdict on a model for machines: one JSON object with stable keys."""

from __future__ import annotations

from typing import Any

from cmxverify.checking.trace import Trace
from cmxverify.checking.verdict import Incomplete, Report, Verdict, Verified, Violated
from cmxverify.modeling.ir.digest import digest_of
from cmxverify.modeling.ir.system import ActionKind


def verdict_name(verdict: Verdict) -> str:
    """``holds``, ``violated`` or ``incomplete``."""
    match verdict:
        case Verified():
            return "holds"
        case Violated():
            return "violated"
        case Incomplete():
            return "incomplete"


def as_json(verdict: Verdict) -> dict[str, Any]:
    """Everything that the text says, and per-action and per-level counts.

    What never happened is null unless the search saw everything.
    """
    report = verdict.report
    found: dict[str, Any] = {"verdict": verdict_name(verdict), "model": report.reference}
    if isinstance(verdict, Violated):
        found["violated"] = list(verdict.unreachable) or [verdict.trace.violated if verdict.trace else ""]
    if isinstance(verdict, Incomplete):
        found |= {
            "reason": verdict.reason,
            "complete_to_depth": verdict.depth if verdict.depth >= 0 else None,
        }
    trace = None if isinstance(verdict, Verified) else verdict.trace
    return found | _report_json(report) | {"trace": trace_json(trace) if trace else None}


def _report_json(report: Report) -> dict[str, Any]:
    system, main = report.system, report.main
    return {
        "bounds": system.bounds,
        "faults": faults_of(report),
        "engine": main.engine,
        "exact": True,
        "symmetric_over": list(main.reduced),
        "not_symmetric": system.asymmetric,
        "states": main.states,
        "transitions": main.transitions,
        "depth": max(len(main.levels) - 1, 0),
        "levels": list(main.levels),
        "actions": {name: {"transitions": n, "changing": c} for name, (n, c) in report.fired().items()},
        "never_enabled": list(report.never_enabled()) if report.is_complete else None,
        "never_changing": list(report.only_idle()) if report.is_complete else None,
        "premises_never_true": list(report.vacuous()) if report.is_complete else None,
        "properties": list(report.checked()),
        "witnesses": report.witnesses(),
        "duties": {
            kind: {"places": places, "by_types": system.discharged[kind]}
            for kind, places in system.checked.items()
        },
        "graph_hash": main.graph_hash or None,
        "source": system.source_hash,
        "ir": digest_of(system),
        "seconds": round(report.seconds, 3),
        "memory_bytes": main.memory_bytes,
    }


def faults_of(report: Report) -> dict[str, int | None]:
    """Budget of each fault; None where it may happen without limit (L19)."""
    steps = report.compiled.model.schema.steps
    return {step.name: step.budget for step in steps if step.kind is ActionKind.FAULT}


def trace_json(trace: Trace) -> dict[str, Any]:
    """A trace: what fails, with the values it looks at, the first state, and what each step changed."""
    failure = trace.failure
    return {
        "violated": failure.name,
        "claim": failure.claim,
        "where": failure.where,
        "formula": failure.formula,
        "values": dict(failure.values),
        "initial": dict(trace.initial),
        "steps": [
            {
                "action": step.action,
                "arguments": dict(step.arguments),
                "changes": {each.cell: [each.before, each.after] for each in step.changes},
                "breaching": step.breaching,
            }
            for step in trace.steps
        ],
    }
