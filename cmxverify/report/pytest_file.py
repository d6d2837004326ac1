"""A counterexample as a pytest file that runs on its own: it fails while the fault is there, and passes once it is gone."""

from __future__ import annotations

import re

from cmxverify.checking.trace_file import SavedTrace


def pytest_name(trace: SavedTrace) -> str:
    """Name of the file: ``test_lease_pin_safe.py``."""
    words = re.sub(r"[^a-z0-9]+", "_", f"{_model_word(trace)} {trace.violated}".lower()).strip("_")
    return f"test_{words}.py"


def _model_word(trace: SavedTrace) -> str:
    return re.split(r"[/\\:]", trace.reference.removesuffix(".py"))[-1]


def pytest_text(trace: SavedTrace, trace_file: str) -> str:
    """Content of the file."""
    name = pytest_name(trace).removesuffix(".py")
    steps = "\n".join(f"    {(action, arguments)!r}," for action, arguments in trace.steps)
    return f'''"""{trace.reference} violates {trace.violated}; found by cmxverify, replayed with: cmxverify trace {trace_file}"""

from cmxverify.checking.testing import violates

STEPS = [
{steps}
]


def {name}() -> None:
    """These steps end in a violation of {trace.violated}; once the model is right, they no longer do."""
    assert not violates(
        {trace.reference!r},
        bounds={trace.bounds!r},
        initial={trace.initial!r},
        steps=STEPS,
        violated={trace.violated!r},
    )
'''
