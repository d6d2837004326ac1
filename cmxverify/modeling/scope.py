"""The bounds in force while a model's method runs, so that ``for n in Node`` knows how many nodes there are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from cmxverify.errors import InputError


@dataclass(frozen=True, slots=True)
class Sizes:
    """The bounds of one model."""

    bounds: dict[str, int]

    def index_size(self, name: str) -> int:
        """Values of the Index type of that name."""
        if name not in self.bounds:
            raise InputError(
                f"bound '{name}' is not given", fix=f"Add --bound {name}=2 (or {name}=2 in Python)."
            )
        return self.bounds[name]

    def number(self, end: Any) -> int:
        """An end of a range or a capacity: an int as it is, a ``Bound`` looked up."""
        return end if isinstance(end, int) else self.index_size(end.name) + end.plus


_in_force: ContextVar[Sizes | None] = ContextVar("sizes", default=None)


def sizes_in_force() -> Sizes:
    """Bounds of the model whose method is running.

    Raises:
        InputError: If none is running.
    """
    sizes = _in_force.get()
    if sizes is None:
        raise InputError(
            "a bounded type is used outside a model's methods, so its size is not known",
            fix="Use model.values(Node), or iterate inside an action or a property.",
        )
    return sizes


@contextmanager
def sizes_set(sizes: Sizes) -> Iterator[None]:
    """Put bounds in force."""
    token = _in_force.set(sizes)
    try:
        yield
    finally:
        _in_force.reset(token)
