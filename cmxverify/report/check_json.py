"""A verdict on a model for machines: one JSON object, and JUnit XML."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from cmxverify.checking.trace import Trace
from cmxverify.checking.verdict import Incomplete, Report, Verdict, Verified, Violated


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
    """Everything that the text says, and per-action and per-level counts."""
    report = verdict.report
    found: dict[str, Any] = {"verdict": verdict_name(verdict), "model": report.reference}
    if isinstance(verdict, Violated):
        found["violated"] = list(verdict.unreachable) or [verdict.trace.property if verdict.trace else ""]
    if isinstance(verdict, Incomplete):
        found |= {"reason": verdict.reason, "complete_to_depth": verdict.depth}
    trace = None if isinstance(verdict, Verified) else verdict.trace
    return found | _report_json(report) | {"trace": _trace_json(trace) if trace else None}


def _report_json(report: Report) -> dict[str, Any]:
    system, main = report.system, report.main
    return {
        "bounds": system.bounds,
        "engine": main.engine,
        "exact": True,
        "symmetric_over": list(main.reduced),
        "not_symmetric": system.asymmetric,
        "states": main.states,
        "transitions": main.transitions,
        "depth": max(len(main.levels) - 1, 0),
        "levels": list(main.levels),
        "actions": {name: {"transitions": n, "changing": c} for name, (n, c) in report.fired().items()},
        "never_enabled": list(report.never_enabled()),
        "never_changing": list(report.only_idle()),
        "premises_never_true": list(report.vacuous()),
        "properties": list(report.checked()),
        "witnesses": report.witnesses(),
        "duties": {
            kind: {"places": places, "by_types": system.discharged[kind]} for kind, places in system.checked.items()
        },
        "graph_hash": main.graph_hash or None,
        "source": system.source_hash,
        "seconds": round(report.seconds, 3),
        "memory_bytes": main.memory_bytes,
    }


def _trace_json(trace: Trace) -> dict[str, Any]:
    return {
        "property": trace.property,
        "reason": trace.reason,
        "initial": dict(trace.initial),
        "steps": [
            {
                "action": step.action,
                "arguments": dict(step.arguments),
                "changes": {each.cell: [each.before, each.after] for each in step.changes},
            }
            for step in trace.steps
        ],
    }


def as_junit(verdict: Verdict) -> str:
    """JUnit XML: one test case a property; what was not decided is an error, never a pass."""
    report = verdict.report
    duties = ["duties and deadlock"]
    names = [*report.checked(), *duties]
    failed = _failed(verdict)
    suite = Element("testsuite", name=f"cmxverify {report.reference}", tests=str(len(names)))
    failures = errors = 0
    for name in names:
        case = SubElement(suite, "testcase", classname=report.reference, name=name)
        if name in failed or (name == duties[0] and failed and not failed & set(report.checked())):
            failures += 1
            _failure(case, verdict)
        elif not isinstance(verdict, Verified):
            errors += 1
            why = verdict.reason if isinstance(verdict, Incomplete) else "another property failed first"
            SubElement(case, "error", message=f"not decided: {why}")
    suite.set("failures", str(failures))
    suite.set("errors", str(errors))
    suite.set("time", f"{report.seconds:.3f}")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suite, encoding="unicode") + "\n"


def _failed(verdict: Verdict) -> set[str]:
    if not isinstance(verdict, Violated):
        return set()
    return {verdict.trace.property} if verdict.trace else set(verdict.unreachable)


def _failure(case: Element, verdict: Verdict) -> None:
    assert isinstance(verdict, Violated)
    failure = SubElement(case, "failure", message=verdict.trace.reason if verdict.trace else "no witness")
    if verdict.trace:
        failure.text = "\n".join(f"{step.number} {step.name}" for step in verdict.trace.steps)
