"""A model as a state machine of hypothesis: random steps of the source itself, checked after each."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cmxverify.modeling.functions import BreachError, NotEnabled
from cmxverify.modeling.ir.system import ObligationKind, PropertyKind

if TYPE_CHECKING:
    from unittest import TestCase

    from cmxverify.modeling.members import NamedProperty, Step
    from cmxverify.modeling.model import Model


def test_case_of(model: type[Model], bounds: dict[str, int]) -> type[TestCase]:
    """A ``unittest.TestCase`` whose rules are the steps of the model; needs hypothesis.

    A run starts in any initial state. A step that is not possible is passed over. An example fails where an invariant
    or a step property is false, or where a duty is not met; a full channel (BOUND) only ends the step.

    Raises:
        InputError: If the bounds are not those of the model.
    """
    from hypothesis import strategies
    from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

    first = model(**bounds)
    starts = list(dict.fromkeys(first.initial_states()))

    def start(machine: Any, state: Any) -> None:
        machine.model.state = state
        _check(machine.model, None)

    members: dict[str, Any] = {
        "__init__": _make(RuleBasedStateMachine, model, bounds),
        "start": initialize(state=strategies.sampled_from(starts))(start),
    }
    for step in first.schema.steps:
        drawn: dict[str, Any] = {
            name: strategies.sampled_from(domain.listed) for name, domain in step.parameters.items()
        }
        decorate: Any = rule(**drawn)
        members[step.name.replace(".", "_")] = decorate(_rule(step))
    machine: Any = type(f"{model.__name__}Machine", (RuleBasedStateMachine,), members)
    found: type[TestCase] = machine.TestCase
    return found


def _make(base: type[Any], model: type[Model], bounds: dict[str, int]) -> Callable[[Any], None]:
    def make(self: Any) -> None:
        initialise: Any = base.__init__
        initialise(self)
        self.model = model(**bounds)

    return make


def _rule(step: Step) -> Callable[..., None]:
    def take(self: Any, **arguments: Any) -> None:
        before = self.model.copy()
        try:
            self.model.take(step, tuple(arguments[name] for name in step.parameters))
        except NotEnabled:
            return
        except BreachError as error:
            if error.kind is ObligationKind.BOUND:
                return
            raise
        _check(self.model, before)

    parameters = [inspect.Parameter(each, inspect.Parameter.KEYWORD_ONLY) for each in step.parameters]
    self_ = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    setattr(take, "__signature__", inspect.Signature([self_, *parameters]))  # noqa: B010  (mypy knows no such attribute)
    take.__name__ = step.name.replace(".", "_")
    return take


def _check(model: Model, before: Model | None) -> None:
    for each in model.schema.properties:
        assert _holds(model, each, before), f"{each.declared.name} does not hold"


def _holds(model: Model, named: NamedProperty, before: Model | None) -> bool:
    match named.declared.property:
        case PropertyKind.INVARIANT:
            return bool(model.look(named.method))
        case PropertyKind.STEP if before is not None:
            return bool(model.look(named.method, before))
    return True
