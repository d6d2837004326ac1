"""A counterexample as a file: the choices, not the states, so that replaying it runs the model again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cmxverify.checking.trace import Trace
from cmxverify.checking.verdict import Report
from cmxverify.errors import InputError, Location, did_you_mean

FORMAT = 1
_KEYS = ("cmxverify_trace", "model", "bounds", "source", "violated", "initial", "steps")


@dataclass(frozen=True, slots=True)
class SavedTrace:
    """What a trace file says.

    Args:
        reference: Words that name the model: a shipped name, a file, or ``package.module:Class``.
        bounds: Its bounds.
        source: Digest of the source that was checked.
        violated: Name of what the last state or step violates.
        initial: Cells of the first state, in words.
        steps: Action and arguments of each step, in words.
    """

    reference: str
    bounds: dict[str, int]
    source: str
    violated: str
    initial: dict[str, str]
    steps: tuple[tuple[str, dict[str, str]], ...]


def saved(report: Report, trace: Trace) -> SavedTrace:
    """What to write of a trace."""
    steps = tuple((step.action, dict(step.arguments)) for step in trace.steps)
    system = report.system
    return SavedTrace(
        report.reference, dict(system.bounds), system.source_hash, trace.property, dict(trace.initial), steps
    )


def as_text(trace: SavedTrace) -> str:
    """The file's content, one step a line."""
    steps = [json.dumps({"action": action, "arguments": arguments}) for action, arguments in trace.steps]
    head = {
        "cmxverify_trace": FORMAT,
        "model": trace.reference,
        "bounds": trace.bounds,
        "source": trace.source,
        "violated": trace.violated,
        "initial": trace.initial,
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    listed = ",\n".join(f"    {step}" for step in steps)
    inner = f"[\n{listed}\n  ]" if steps else "[]"
    return "{\n" + "\n".join(lines) + f'\n  "steps": {inner}\n}}\n'


def read_trace(path: Path) -> SavedTrace:
    """Read a trace file.

    Raises:
        InputError: If it is not there, not JSON, or not of this form; names the line where it can.
    """
    content = _content(path)
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        raise InputError(
            "not valid JSON", at=Location(str(path), line), fix="Save the trace again."
        ) from None
    return _checked(found, Location(str(path)))


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text", at=Location(str(path)), fix="Save the trace again.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {why}", at=Location(str(path)), fix="Check the path.") from None


def _checked(found: Any, at: Location) -> SavedTrace:
    if not isinstance(found, dict) or found.get("cmxverify_trace") != FORMAT:
        raise InputError(
            "not a trace of cmxverify", at=at, fix=f'The first key is "cmxverify_trace": {FORMAT}.'
        )
    for key in found:
        if key not in _KEYS:
            raise InputError(f"unknown key '{key}'", at=at, fix=did_you_mean(key, _KEYS))
    texts = {key: _text(found, key, at) for key in ("model", "source", "violated")}
    bounds, initial = _map(found, "bounds", int, at), _map(found, "initial", str, at)
    steps = found.get("steps")
    if not isinstance(steps, list):
        raise InputError("'steps' is not a list", at=at, fix="Save the trace again.")
    read = tuple(_step(number, each, at) for number, each in enumerate(steps, start=1))
    return SavedTrace(texts["model"], bounds, texts["source"], texts["violated"], initial, read)


def _text(found: Mapping[str, Any], key: str, at: Location) -> str:
    value = found.get(key)
    if not isinstance(value, str):
        raise InputError(f"'{key}' is missing or no text", at=at, fix="Save the trace again.")
    return value


def _map(found: Mapping[str, Any], key: str, kind: type, at: Location) -> dict[str, Any]:
    value = found.get(key)
    if not isinstance(value, dict) or any(type(each) is not kind for each in value.values()):
        raise InputError(f"'{key}' is missing or not as written", at=at, fix="Save the trace again.")
    return value


def _step(number: int, step: Any, at: Location) -> tuple[str, dict[str, str]]:
    if (
        not isinstance(step, dict)
        or set(step) != {"action", "arguments"}
        or not isinstance(step["action"], str)
    ):
        raise InputError(f"step {number} is not an action with arguments", at=at, fix="Save the trace again.")
    return step["action"], _map(step, "arguments", str, at)
