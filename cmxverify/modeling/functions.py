"""Functions that the language adds to Python, as the interpreter runs them; the front end knows each by identity."""

from __future__ import annotations

from collections.abc import Iterable

from cmxverify.modeling.ir.system import ObligationKind


class NotEnabled(Exception):  # noqa: N818  (not an error: the step cannot be taken here)
    """A ``require`` is false: the step is not possible in this state, which is left as it was."""


class BreachError(Exception):
    """An obligation is not met: range, definedness, ``assert``, a full channel (L10)."""

    def __init__(self, kind: ObligationKind, text: str) -> None:
        self.kind = kind
        super().__init__(f"{kind.value}: {text}")


class Saturated(int):
    """A number to be clamped into the range it is stored in."""


class Wrapped(int):
    """A number to be wrapped around the range it is stored in."""


def require(condition: bool) -> None:
    """Part of the guard: if false, the whole step is not possible (L11).

    Raises:
        NotEnabled: If ``condition`` is false.
    """
    if not condition:
        raise NotEnabled


def implies(premise: bool, conclusion: bool) -> bool:
    """``not premise or conclusion``; reports say where the premise was never true (L21). Both sides are evaluated."""
    return not premise or conclusion


def count(conditions: Iterable[bool]) -> int:
    """How many of the conditions are true."""
    return sum(1 for each in conditions if each)


def saturate(value: int) -> Saturated:
    """Store the nearest value of the range instead of one outside (L4)."""
    return Saturated(value)


def wrap(value: int) -> Wrapped:
    """Store the value modulo the size of the range, counted from its low end (L4)."""
    return Wrapped(value)
