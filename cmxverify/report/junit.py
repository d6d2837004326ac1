"""A verdict on a model as JUnit XML, for the test reports of a build server."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, tostring

from cmxverify.checking.trace import Trace
from cmxverify.checking.verdict import Incomplete, Verdict, Verified, Violated

DUTIES = "duties and deadlock"
"""Test case for what no property of the model names: ranges, definedness, asserts, deadlock."""
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(verdict: Verdict) -> str:
    """One test case a property, and one for duties and deadlock; what was not decided is an error, never a pass."""
    report = verdict.report
    properties = report.checked()
    failed = _failed(verdict)
    suite = Element("testsuite", name=_text(f"cmxverify {report.reference}"))
    counts = {"failure": 0, "error": 0}
    for name in (*properties, DUTIES):
        case = SubElement(suite, "testcase", classname=_text(report.reference), name=_text(name), time="0")
        kind = _outcome(verdict, name in failed or (name == DUTIES and bool(failed - set(properties))))
        if kind:
            counts[kind] += 1
            _explain(SubElement(case, kind, type=kind), kind, verdict)
    suite.set("tests", str(len(properties) + 1))
    suite.set("failures", str(counts["failure"]))
    suite.set("errors", str(counts["error"]))
    suite.set("skipped", "0")
    suite.set("time", f"{report.seconds:.3f}")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suite, encoding="unicode") + "\n"


def _failed(verdict: Verdict) -> set[str]:
    if not isinstance(verdict, Violated):
        return set()
    return {verdict.trace.violated} if verdict.trace else set(verdict.unreachable)


def _outcome(verdict: Verdict, failed: bool) -> str:
    """``failure``, ``error`` where it is not decided, or empty.

    A search that saw every state without a breach, and found only that a REACHABLE property has no witness, has
    decided all others.
    """
    if failed:
        return "failure"
    decided = isinstance(verdict, Verified) or (isinstance(verdict, Violated) and verdict.trace is None)
    return "" if decided else "error"


def _explain(element: Element, kind: str, verdict: Verdict) -> None:
    trace = None if isinstance(verdict, Verified) else verdict.trace
    if kind == "failure":
        element.set("message", _text(trace.reason if trace else "no reachable state is a witness"))
        element.text = _text(_steps(trace)) if trace else ""
    else:
        why = verdict.reason if isinstance(verdict, Incomplete) else "something else failed first"
        element.set("message", _text(f"not decided: {why}"))


def _steps(trace: Trace) -> str:
    return "\n".join(f"{step.number} {step.name}" for step in trace.steps)


def _text(text: str) -> str:
    return _NO_XML.sub("?", text)
