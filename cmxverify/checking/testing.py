"""For tests: whether given steps of a model end in a violation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from cmxverify.checking.replay import replay
from cmxverify.checking.trace_file import SavedTrace, reference_from
from cmxverify.errors import Location
from cmxverify.modeling.compile import compiled
from cmxverify.modeling.loading import load_model


def violates(
    model: str,
    *,
    bounds: Mapping[str, int],
    initial: Mapping[str, str],
    steps: Sequence[tuple[str, Mapping[str, str]]],
    violated: str,
    beside: str = "",
) -> bool:
    """Whether the steps can be taken and end in a violation of the property.

    Args:
        model: A shipped name, a file, or ``package.module:Class``.
        bounds: Of the model.
        initial: Cells of the first state, in words.
        steps: Action and arguments of each, in words.
        violated: Name of the property, or of the duty.
        beside: A file, such as ``__file__``, from whose folder the model's file is named; empty: where one is.

    Raises:
        InputError: If the model has no such property, cell, action or argument any more.
    """
    taken = tuple((action, dict(arguments)) for action, arguments in steps)
    reference = reference_from(Path(beside).parent, model) if beside else model
    trace = SavedTrace(reference, dict(bounds), "", violated, dict(initial), taken)
    return replay(compiled(load_model(reference).model, bounds), trace, Location("steps")).violates
