"""A counterexample as a file: the choices, not the states, so that replaying it runs the model again."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from cmxverify.checking.trace import Trace
from cmxverify.checking.verdict import Report
from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.yaml_tree import read_text

FORMAT = 1
_KEYS = ("cmxverify_trace", "model", "bounds", "source", "violated", "initial", "steps")
_AGAIN = "Save the trace again, with cmxverify check."


@dataclass(frozen=True, slots=True)
class SavedTrace:
    """What a trace file says.

    Args:
        reference: Words that name the model: a shipped name, a file, or ``package.module:Class``.
        bounds: Its bounds.
        source: Digest of the source that was checked.
        violated: Name of what the last state or step violates.
        initial: Cells by which the first state differs from other initial states, in words.
        steps: Action and arguments of each step, in words.
    """

    reference: str
    bounds: dict[str, int]
    source: str
    violated: str
    initial: dict[str, str]
    steps: tuple[tuple[str, dict[str, str]], ...]

    def seen_from(self, folder: Path) -> SavedTrace:
        """The same; a model's file is named by its way from a folder, so that both can be moved together."""
        file, colon, name = self.reference.partition(":")
        if not names_a_file(file):
            return self
        way = os.path.relpath(Path(file).resolve(), folder.resolve())
        return replace(self, reference=Path(way).as_posix() + colon + name)


def saved(report: Report, trace: Trace) -> SavedTrace:
    """What to write of a trace."""
    system = report.system
    choices = zip(trace.initial, zip(*system.initial, strict=True), strict=True)
    initial = {name: text for (name, text), values in choices if len(set(values)) > 1}
    steps = tuple((step.action, dict(step.arguments)) for step in trace.steps)
    return SavedTrace(
        report.reference, dict(system.bounds), system.source_hash, trace.violated, initial, steps
    )


def names_a_file(reference: str) -> bool:
    """Whether a model's reference, without the class, is a path: others mean the same everywhere."""
    return reference.endswith(".py")


def reference_from(folder: Path, reference: str) -> str:
    """A model as named by a file in a folder, for whoever works in another one."""
    file, colon, name = reference.partition(":")
    if not names_a_file(file) or PurePosixPath(file).is_absolute():
        return reference
    return os.path.normpath(folder / file) + colon + name


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
    content = read_text(path)
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        at = Location(str(path), getattr(error, "lineno", 0), getattr(error, "colno", 0))
        raise InputError("not valid JSON", at=at, fix=_AGAIN) from None
    trace = _checked(found, Location(str(path)))
    return replace(trace, reference=reference_from(path.parent, trace.reference))


def _checked(found: Any, at: Location) -> SavedTrace:
    if not isinstance(found, dict) or found.get("cmxverify_trace") != FORMAT:
        what = "not a trace of cmxverify"
        raise InputError(what, at=at, fix=f'The first key is "cmxverify_trace": {FORMAT}.')
    for key in found:
        if key not in _KEYS:
            raise InputError(f"unknown key '{key}'", at=at, fix=did_you_mean(key, _KEYS))
    texts = {key: _text(found, key, at) for key in ("model", "source", "violated")}
    bounds, initial = _map(found, "bounds", int, at), _map(found, "initial", str, at)
    steps = found.get("steps")
    if not isinstance(steps, list):
        raise InputError("'steps' is not a list", at=at, fix=_AGAIN)
    read = tuple(_step(number, each, at) for number, each in enumerate(steps, start=1))
    return SavedTrace(texts["model"], bounds, texts["source"], texts["violated"], initial, read)


def _text(found: Mapping[str, Any], key: str, at: Location) -> str:
    value = found.get(key)
    if not isinstance(value, str):
        raise InputError(f"'{key}' is missing or no text", at=at, fix=_AGAIN)
    return value


def _map(found: Mapping[str, Any], key: str, kind: type, at: Location, *, where: str = "") -> dict[str, Any]:
    value = found.get(key)
    words = "whole numbers" if kind is int else "texts"
    if not isinstance(value, dict) or any(type(each) is not kind for each in value.values()):
        raise InputError(f"{where}'{key}' is missing or does not map names to {words}", at=at, fix=_AGAIN)
    return value


def _step(number: int, step: Any, at: Location) -> tuple[str, dict[str, str]]:
    keys = {"action", "arguments"}
    if not isinstance(step, dict) or set(step) != keys or not isinstance(step["action"], str):
        raise InputError(f"step {number} is not an action with arguments", at=at, fix=_AGAIN)
    return step["action"], _map(step, "arguments", str, at, where=f"step {number}: ")
