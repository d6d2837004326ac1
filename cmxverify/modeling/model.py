"""The class that models derive from, and how it runs: the Python source itself, one step at a time."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import TYPE_CHECKING, Any

from cmxverify.errors import InputError, Location
from cmxverify.modeling.class_body import AROUND, MODEL_MARK, RESERVED
from cmxverify.modeling.containers import BagValue, handed_out, stored
from cmxverify.modeling.declarations import Index, Range
from cmxverify.modeling.declared import Role, declared
from cmxverify.modeling.domains import Domain
from cmxverify.modeling.functions import BreachError, NotEnabled
from cmxverify.modeling.ir.system import ObligationKind
from cmxverify.modeling.members import MISSING, Schema, Step
from cmxverify.modeling.schema import schema_of
from cmxverify.modeling.scope import Sizes, sizes_set
from cmxverify.modeling.source import RUNS, shown

if TYPE_CHECKING:
    from unittest import TestCase as UnitTestCase

Plain = tuple[Any, ...]
"""A whole state: the plain value of every field, in the order of ``Schema.fields``."""


class FieldAccess:
    """Descriptor of a field: reads hand out values that never alias, writes check the type's range (L2, L4)."""

    def __init__(self, name: str, default: Any) -> None:
        self.name, self.default = name, default

    def __get__(self, model: Model | None, owner: type[Model]) -> Any:
        if model is None:
            return self
        domain = model.schema.fields[self.name].domain
        return handed_out(
            domain, model.values_of_fields[self.name], functools.partial(model.write, self.name)
        )

    def __set__(self, model: Model, value: Any) -> None:
        model.write(self.name, stored(model.schema.fields[self.name].domain, value))


class BoundedType:
    """Descriptor of a type declared in the class: ``self.Node`` iterates with the bounds of the instance."""

    def __init__(self, declaration: Index | Range) -> None:
        self.declaration = declaration

    def __get__(self, model: Model | None, owner: type[Model]) -> Any:
        return self.declaration if model is None else model.values(self.declaration)


class Model:
    """Base class of models; construct with bounds: ``Lease(node=3)``.

    The instance is in its first initial state. Calling an action takes the step, or raises ``NotEnabled`` and leaves
    the state as it was.

    Raises:
        InputError: If a bound is missing or unknown, or a type is not finite.
    """

    schema: Schema
    values_of_fields: dict[str, Any]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        setattr(cls, MODEL_MARK, True)
        if "<locals>" in cls.__qualname__:
            setattr(cls, AROUND, dict(sys._getframe(1).f_locals))
        for name in inspect.get_annotations(cls):
            setattr(cls, name, FieldAccess(name, vars(cls).get(name, MISSING)))
        for name, value in list(vars(cls).items()):
            if isinstance(value, Index | Range):
                setattr(cls, name, BoundedType(value))
            elif inspect.isfunction(value):
                _refuse_special(name, value)
                setattr(cls, name, _runs_in_scope(value))

    def __init__(self, **bounds: int) -> None:
        self.schema = schema_of(type(self), bounds)
        self._sizes = Sizes(self.schema.bounds)
        self._writable = False
        self._running = False
        self.values_of_fields = {}
        self.state = next(self.initial_states())

    def __repr__(self) -> str:
        """The state, field by field."""
        fields = (f"{name}={getattr(self, name)!r}" for name in self.schema.fields)
        return f"{type(self).__name__}({', '.join(fields)})"

    @classmethod
    def TestCase(cls, **bounds: int) -> type[UnitTestCase]:  # noqa: N802  (it makes a class)
        """A test case for unittest and pytest that takes random steps: ``TestLease = Lease.TestCase(node=2)``.

        Needs hypothesis.
        """
        from cmxverify.modeling.stateful import test_case_of

        return test_case_of(cls, bounds)

    @property
    def state(self) -> Plain:
        """The whole state; assign one to go there."""
        return tuple(self.values_of_fields[name] for name in self.schema.fields)

    @state.setter
    def state(self, state: Plain) -> None:
        self.values_of_fields = dict(zip(self.schema.fields, state, strict=True))

    def values(self, declaration: Any) -> tuple[Any, ...]:
        """All values of a type under this instance's bounds: ``model.values(Node)[0]``."""
        return self.schema.resolver.domain(declaration, function_place(type(self))).listed

    def write(self, field: str, plain: Any) -> None:
        """Replace the plain value of a field; only steps and initial choices may."""
        if not self._writable:
            raise InputError(
                f"'{field}' is written outside a step", fix="Change the state through an action."
            )
        self.values_of_fields[field] = plain

    def written_by(self, assign: Callable[[], Any]) -> None:
        """Let a mapping of a refinement assign the fields (L26)."""
        self._writable, self._running = True, True
        try:
            assign()
        finally:
            self._writable, self._running = False, False

    def blank_state(self) -> Plain:
        """Every field at its default, or at the first of its free choices."""
        return tuple(
            next(iter(each.domain.values())) if each.default is MISSING else each.default
            for each in self.schema.fields.values()
        )

    def initial_states(self) -> Iterator[Plain]:
        """All initial states, in the order of their free choices; duplicates included.

        Raises:
            InputError: If there is none (L11a).
        """
        some = False
        free = [field for field in self.schema.fields.values() if field.default is MISSING]
        parameters = self.schema.initial_parameters
        for chosen in product(*(field.domain.listed for field in free)):
            state = {field.name: field.default for field in self.schema.fields.values()}
            state.update({field.name: value for field, value in zip(free, chosen, strict=True)})
            for arguments in product(*(domain.listed for domain in parameters.values())):
                self.values_of_fields = dict(state)
                try:
                    if self.schema.initial:
                        self._write_by(self.schema.initial, _handed_out(parameters, arguments))
                    self._normalize()
                except NotEnabled:
                    continue
                except BreachError as error:
                    raise self._no_start(error) from None
                some = True
                yield self.state
        if not some:
            raise InputError(
                f"{type(self).__name__} has no initial state", fix="Loosen the requires of @initial."
            )

    def _no_start(self, error: BreachError) -> InputError:
        method = self.schema.initial or self.schema.normalize
        code = inspect.unwrap(method).__code__
        return InputError(
            f"{method.__name__} breaks a duty: {error}",
            at=Location(shown(code.co_filename), code.co_firstlineno),
            fix="Filter the choices by require.",
        )

    def instances(self) -> Iterator[tuple[Step, tuple[Any, ...]]]:
        """Every step with every choice of its parameters, in the order engines number them."""
        for step in self.schema.steps:
            for arguments in product(*(domain.listed for domain in step.parameters.values())):
                yield step, arguments

    def take(self, step: Step, arguments: tuple[Any, ...]) -> None:
        """Take a step.

        Raises:
            NotEnabled: If it is not possible here; the state is left as it was.
            BreachError: If an obligation is not met on the way; the state is left as it was.
        """
        before = dict(self.values_of_fields)
        try:
            self._spend(step)
            if step.method is None:
                self._lose_or_duplicate(step, arguments[0])
            else:
                self._write_by(step.method, _handed_out(step.parameters, arguments))
            self._normalize()
        except BaseException:
            self.values_of_fields = before
            raise

    def _spend(self, step: Step) -> None:
        if step.budget is not None:
            if self.values_of_fields[step.budget_field] >= step.budget:
                raise NotEnabled
            self.values_of_fields[step.budget_field] += 1

    def _lose_or_duplicate(self, step: Step, message: Any) -> None:
        self._writable = True
        try:
            bag: BagValue = getattr(self, step.channel)
            if message not in bag:
                raise NotEnabled
            if step.name.endswith(".lose"):
                bag.receive(message)
            else:
                bag.send(message)
        finally:
            self._writable = False

    def _normalize(self) -> None:
        if self.schema.normalize:
            self._write_by(self.schema.normalize, ())

    def _write_by(self, method: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._writable, self._running = True, True
        try:
            with _duties(), sizes_set(self._sizes):
                inspect.unwrap(method)(self, *arguments)
        finally:
            self._writable, self._running = False, False

    def look(self, method: Callable[..., Any], *arguments: Any) -> Any:
        """Evaluate a property or helper in the present state.

        Raises:
            BreachError: If a partial operation in it is not defined here.
        """
        before, self._running = self._running, True
        try:
            with _duties(), sizes_set(self._sizes):
                return inspect.unwrap(method)(self, *arguments)
        finally:
            self._running = before

    def copy(self) -> Model:
        """Another instance in the same state."""
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.values_of_fields = dict(self.values_of_fields)
        return made


def _handed_out(parameters: dict[str, Domain], arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arguments as a method gets them: sets iterate in the order of their type."""
    return tuple(
        handed_out(domain, each) for domain, each in zip(parameters.values(), arguments, strict=True)
    )


@contextmanager
def _duties() -> Iterator[None]:
    """Turn what Python raises where a duty is not met into the breach that it is (L8, L9)."""
    try:
        yield
    except AssertionError as error:
        raise BreachError(ObligationKind.ASSERT, str(error) or "assert") from error
    except ValueError as error:
        if "empty" in str(error) and ("min()" in str(error) or "max()" in str(error)):
            raise BreachError(ObligationKind.DEFINED, str(error)) from error
        raise


def function_place(model: type[Model]) -> Location:
    """Where a model class stands, for messages."""
    return Location(model.__module__)


def _refuse_special(name: str, method: Callable[..., Any]) -> None:
    if name.startswith("__") and name.endswith("__"):
        code = inspect.unwrap(method).__code__
        raise InputError(
            f"{name} is a special method",
            at=Location(shown(code.co_filename), code.co_firstlineno),
            fix="Leave it out; how a model starts is said by @initial (S4).",
        )


def _runs_in_scope(method: Any) -> Any:
    """A step called from outside is atomic; anything called from within a running method is plain Python."""
    what = declared(method)

    @functools.wraps(method)
    def run(self: Model, *arguments: Any, **named: Any) -> Any:
        if self._running:
            return method(self, *arguments, **named)
        if what is None or what.role is Role.PROPERTY:
            return self.look(method, *arguments, **named)
        if what.role is not Role.STEP:
            raise InputError(f"{method.__name__} runs by itself, at the {what.role.value}")
        step = next(each for each in self.schema.steps if each.name == method.__name__)
        return self.take(step, _arguments(step, method, arguments, named))

    setattr(run, RUNS, method)
    return run


def _arguments(step: Step, method: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    bound = inspect.signature(method).bind(None, *arguments, **named)
    values = tuple(bound.arguments.values())[1:]
    for (name, domain), value in zip(step.parameters.items(), values, strict=True):
        if value not in domain.ordinals:
            raise InputError(f"{name}={value!r} is no value of {domain.name}", fix=f"{_some(domain)}.")
    return values


RESERVED.update(name for name in (*vars(Model), *Model.__annotations__) if not name.startswith("__"))


def _some(domain: Domain) -> str:
    first = ", ".join(repr(each) for each in domain.listed[:8])
    return f"It is one of {first}{', ...' if domain.size > 8 else ''}"
