"""Refinement by the Python source: the abstract state of a state, and whether a step is one there (L26)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cmxverify.modeling.functions import BreachError, NotEnabled


@dataclass(frozen=True, slots=True)
class Abstraction:
    """A mapping method and the model that it maps to.

    Args:
        mapping: Assigns the fields of the abstract model, its parameter.
        abstract: An instance of the abstract model, under its own share of the bounds.
    """

    mapping: Callable[..., None]
    abstract: Any

    @property
    def name(self) -> str:
        """``REFINES AtomicCache``."""
        return f"REFINES {type(self.abstract).__name__}"

    def image(self, model: Any) -> Any:
        """The abstract state of the present state of a model."""
        seen = self.abstract.copy()
        seen.state = seen.blank_state()
        seen.written_by(lambda: model.look(self.mapping, seen))
        return seen.state

    def steps(self, model: Any, old: Any) -> bool:
        """Whether the abstract model can go from the old state's image to the new one's, or they are equal."""
        before, after = self.image(old), self.image(model)
        return bool(before == after or self._leads(before, after))

    def starts(self, model: Any) -> bool:
        """Whether the present state, if it is an initial one, stands for an abstract initial state."""
        image, state = self.image(model), model.state
        starts_here = state in set(model.copy().initial_states())
        return not starts_here or image in set(self.abstract.copy().initial_states())

    def _leads(self, before: Any, after: Any) -> bool:
        for step, arguments in self.abstract.instances():
            self.abstract.state = before
            try:
                self.abstract.take(step, arguments)
            except (NotEnabled, BreachError):
                continue
            if self.abstract.state == after:
                return True
        return False
