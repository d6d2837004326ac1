"""A counterexample as a pytest file of its own: it fails while the fault is there, and passes once it is gone."""

from __future__ import annotations

import re

from cmxverify.checking.trace_file import SavedTrace, names_a_file


def model_word(reference: str) -> str:
    """A word for a model, for names of files: ``hasty-grant`` for ``my/german.py:HastyGrant``."""
    file, _, name = reference.partition(":")
    stem = re.split(r"[/\\.]", file.removesuffix(".py"))[-1]
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name or stem)
    return re.sub(r"[^\w-]+|_", "-", parted.lower()).strip("-") or "model"


def trace_name(trace: SavedTrace) -> str:
    """Name of the trace file: ``lease.PIN-SAFE.json``."""
    return f"{model_word(trace.reference)}.{re.sub(r'[^A-Za-z0-9_-]+', '-', trace.violated)}.json"


def pytest_name(trace: SavedTrace) -> str:
    """Name of the test file: ``test_lease_pin_safe.py``."""
    words = re.sub(r"[^a-z0-9]+", "_", f"{model_word(trace.reference)} {trace.violated}".lower()).strip("_")
    return f"test_{words}.py"


def pytest_text(trace: SavedTrace, trace_file: str) -> str:
    """Content of the test file.

    Args:
        trace: As seen from the folder that the test will be in.
        trace_file: Name of the trace file there.
    """
    name = pytest_name(trace).removesuffix(".py")
    steps = "\n".join(f"    {(action, arguments)!r}," for action, arguments in trace.steps)
    beside = "\n        beside=__file__," if names_a_file(trace.reference.partition(":")[0]) else ""
    heading = f"{trace.reference} violates {trace.violated}: found by cmxverify check, replayed by"
    return f"""{_docstring(heading, f"    cmxverify trace {trace_file}")}

from cmxverify.checking.testing import violates

STEPS = [
{steps}
]


def {name}() -> None:
    {_docstring(f"These steps end in a violation of {trace.violated}; once the model is right, they no longer do.")}
    assert not violates(
        {trace.reference!r},{beside}
        bounds={trace.bounds!r},
        initial={trace.initial!r},
        steps=STEPS,
        violated={trace.violated!r},
    )
"""


def _docstring(*lines: str) -> str:
    """A docstring of these lines, whatever names they bear."""
    safe = [line.replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    return f'"""{safe[0]}' + "".join(f"\n\n{line}" for line in safe[1:]) + ('\n"""' if safe[1:] else '"""')
