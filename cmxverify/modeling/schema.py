"""What a model class declares, resolved under its bounds, for interpreter and front end."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Mapping
from math import prod
from typing import Any

from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.modeling.abstraction import Abstraction
from cmxverify.modeling.class_body import MODEL_MARK, RESERVED, check_class, names_around
from cmxverify.modeling.declarations import (
    ChannelDeclaration,
    GhostDeclaration,
    Index,
    Range,
)
from cmxverify.modeling.declared import Declared, Role, declared
from cmxverify.modeling.defaults import (
    default_of,
    mentions_index_value,
    names_an_index,
    refuse_hidden_channel,
)
from cmxverify.modeling.domains import (
    BagDomain,
    Domain,
    IndexDomain,
    MapDomain,
    QueueDomain,
    RangeDomain,
    cells_of,
)
from cmxverify.modeling.ir.system import ActionKind, PropertyKind
from cmxverify.modeling.members import MISSING, Field, NamedProperty, Schema, Step
from cmxverify.modeling.resolve import Resolver, refuse_unknown_bounds
from cmxverify.modeling.source import class_tree, closed_over

MOST_CELLS = 65_536
"""Most scalars of a state."""
MOST_CHOICES = 100_000
"""Most choices of the parameters of one method: each is an instance of its own."""


def schema_of(model: type[Any], bounds: Mapping[str, int]) -> Schema:
    """Resolve a model class under bounds.

    Raises:
        InputError: For an unbounded, empty or unknown type, a clash of names, a bound that is missing or unknown.
    """
    return _Reader(model, bounds).schema()


class _Reader:
    def __init__(self, model: type[Any], bounds: Mapping[str, int]) -> None:
        self.model = model
        self.bounds = bounds
        self.resolver = Resolver(bounds, names_around(model))
        self._scopes: dict[type[Any], dict[str, Any]] = {}
        self.classes = [each for each in reversed(model.__mro__) if _is_model(each)]
        self.trees = {each: class_tree(each) for each in self.classes}
        for each, (tree, file) in self.trees.items():
            check_class(each, tree, file)
        self.methods = self._methods()

    def schema(self) -> Schema:
        fields = self._fields()
        steps = (*self._steps(), *self._channel_faults())
        initial = self._single(Role.INITIAL)
        parameters = self._parameters(initial) if initial else {}
        abstractions = self._abstractions()
        refuse_unknown_bounds(self.bounds, self.resolver.used, self.model.__name__)
        self._refuse_missing_bounds()
        for step in steps:
            if step.budget is not None:
                counter = RangeDomain(0, step.budget)
                fields[step.budget_field] = Field(step.budget_field, counter, 0, False, self._at(step.name))
        return Schema(
            self.model,
            dict(self.bounds),
            fields,
            steps,
            (*self._properties(), *_refinements(abstractions)),
            initial,
            parameters,
            self._single(Role.NORMALIZE),
            getattr(self.model, "quiescent", None),
            self.trees[self.model][1],
            self._sorts(),
            self.methods,
            self.resolver,
        )

    def _properties(self) -> tuple[NamedProperty, ...]:
        found: dict[str, NamedProperty] = {}
        for what, method in self._with_role(Role.PROPERTY):
            if what.name in found:
                raise InputError(
                    f"{found[what.name].method.__name__} and {method.__name__} are both the property {what.name}",
                    at=self._at(method.__name__),
                    fix="Give each a name of its own, or join them by `and`.",
                )
            found[what.name] = NamedProperty(what, method)
        return tuple(found.values())

    def _abstractions(self) -> list[Abstraction]:
        """Models that are refined, each under the bounds that it uses."""
        found = []
        for what, method in self._with_role(Role.REFINES):
            at = self._at(method.__name__)
            if what.abstract is None or not _is_model(what.abstract):
                raise InputError(
                    f"{method.__name__} refines what is no model", at=at, fix="@refines(AtomicCache)"
                )
            reader = _Reader(what.abstract, self.bounds)
            reader._fields()
            budgets = [
                each.name for each in (*reader._steps(), *reader._channel_faults()) if each.budget is not None
            ]
            if budgets:
                what_is_wrong = f"{method.__name__} refines a model whose {budgets[0]} has a budget"
                raise InputError(
                    what_is_wrong, at=at, fix="Leave the budget out there: its count is nobody's to map."
                )
            self.resolver.used.update(reader.resolver.used)
            self.resolver.missing.update(reader.resolver.missing)
            if not reader.resolver.missing:
                share = {name: value for name, value in self.bounds.items() if name in reader.resolver.used}
                found.append(Abstraction(method, what.abstract(**share)))
        return found

    def _methods(self) -> dict[str, Any]:
        """Methods by name, each at the place where a base class introduced it."""
        found: dict[str, Any] = {}
        for each in self.classes:
            for name, value in vars(each).items():
                if inspect.isfunction(value):
                    found[name] = value
        return found

    def _with_role(self, role: Role) -> list[tuple[Declared, Any]]:
        found = [(declared(method), method) for method in self.methods.values()]
        return [(what, method) for what, method in found if what is not None and what.role is role]

    def _single(self, role: Role) -> Any:
        found = self._with_role(role)
        if len(found) > 1:
            names = " and ".join(sorted(method.__name__ for _, method in found))
            raise InputError(
                f"{names} have the same role: {role.value}",
                at=self._at(found[1][1].__name__),
                fix="Keep one.",
            )
        return found[0][1] if found else None

    def _at(self, name: str) -> Location:
        for each in reversed(self.classes):
            tree, file = self.trees[each]
            for node in tree.body:
                target = node.target if isinstance(node, ast.AnnAssign) else None
                if (isinstance(node, ast.FunctionDef) and node.name == name) or (
                    isinstance(target, ast.Name) and target.id == name
                ):
                    return Location(file, node.lineno, node.col_offset + 1)
        return Location(self.trees[self.model][1], self.trees[self.model][0].lineno)

    def _scope(self, model: type[Any]) -> dict[str, Any]:
        """Names that the annotations of a class may use."""
        if model not in self._scopes:
            self._scopes[model] = self._scope_of(model)
        return self._scopes[model]

    def _scope_of(self, model: type[Any]) -> dict[str, Any]:
        scope = dict(vars(sys.modules[model.__module__]))
        scope.update(names_around(model))
        scope.update(_closure(model))
        for each in reversed(model.__mro__):
            own = {name: getattr(value, "declaration", value) for name, value in vars(each).items()}
            scope.update(
                {name: value for name, value in own.items() if isinstance(value, Index | Range | type)}
            )
        return scope

    def _fields(self) -> dict[str, Field]:
        found: dict[str, Field] = {}
        for model in self.classes:
            scope = self._scope(model)
            for name, annotation in inspect.get_annotations(model).items():
                at = self._at(name)
                hides = inspect.isfunction(getattr(vars(model)[name], "default", None))
                if hides or name in self.methods or name in found or name in RESERVED or name.startswith("_"):
                    raise InputError(
                        f"field '{name}' clashes with another name", at=at, fix="Give it another name."
                    )
                found[name] = self._field(name, self.resolver.evaluate(annotation, scope, at), model, at)
                if sum(cells_of(each.domain) for each in found.values()) > MOST_CELLS:
                    raise InputError(
                        f"the state has more than {MOST_CELLS:,} cells, with '{name}'",
                        at=at,
                        fix="Give smaller bounds, or nest fewer maps.",
                    )
        return found

    def _field(self, name: str, annotation: Any, model: type[Any], at: Location) -> Field:
        ghost = isinstance(annotation, GhostDeclaration)
        domain = self.resolver.domain(annotation.inner if ghost else annotation, at)
        refuse_hidden_channel(annotation.inner if ghost else annotation, at, ghost=ghost)
        given = model.__dict__[name].default
        if given is MISSING:
            default = MISSING if names_an_index(domain) else domain.default()
        elif mentions_index_value(given):
            raise InputError(
                f"the default {given!r} names one element of a symmetric type",
                at=at,
                fix="Leave it out: then each value is tried; or choose by @initial (S6).",
            )
        else:
            default = default_of(domain, given, at)
        return Field(name, domain, default, ghost, at)

    def _steps(self) -> list[Step]:
        steps = []
        for what, method in self._with_role(Role.STEP):
            at = self._at(method.__name__)
            budget = None if what.budget is None else self.resolver.number(what.budget, at)
            if budget is not None and budget < 0:
                raise InputError(f"the budget of {method.__name__} is {budget}", at=at, fix="Give 0 or more.")
            parameters = self._parameters(method)
            self._check_place(method.__name__, what.at, parameters, at)
            steps.append(Step(method.__name__, what.kind, what.at, parameters, budget, method))
        if not steps:
            raise InputError(
                f"{self.model.__name__} has no action, so nothing ever happens",
                at=Location(self.trees[self.model][1], self.trees[self.model][0].lineno),
                fix="Decorate a method with @action.",
            )
        return steps

    def _check_place(self, name: str, place: str, parameters: dict[str, Domain], at: Location) -> None:
        if place in ("", "home") or isinstance(parameters.get(place), IndexDomain | RangeDomain):
            return
        raise InputError(
            f"{name} is at '{place}', which is neither 'home' nor one of its parameters",
            at=at,
            fix=did_you_mean(place, ["home", *parameters]),
        )

    def _parameters(self, method: Any) -> dict[str, Domain]:
        plain = inspect.unwrap(method)
        at = self._at(plain.__name__)
        scope = {**self._scope(self._owner(plain)), **closed_over(plain)}
        found = {}
        for name, parameter in list(inspect.signature(plain).parameters.items())[1:]:
            if parameter.annotation is inspect.Parameter.empty:
                raise InputError(
                    f"parameter '{name}' of {plain.__name__} has no type", at=at, fix=f"{name}: Node"
                )
            if (
                parameter.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD
                or parameter.default is not parameter.empty
            ):
                raise InputError(
                    f"parameter '{name}' of {plain.__name__} is not a plain one",
                    at=at,
                    fix="Write it by its name, without * and without a default.",
                )
            found[name] = self.resolver.domain(self.resolver.evaluate(parameter.annotation, scope, at), at)
            if isinstance(found[name], MapDomain | BagDomain | QueueDomain):
                raise InputError(
                    f"parameter '{name}' of {plain.__name__} is a {found[name].name}",
                    at=at,
                    fix="Parameters are scalars, optionals, records and sets.",
                )
        self._check_choices(plain.__name__, found, at)
        return found

    def _check_choices(self, name: str, parameters: dict[str, Domain], at: Location) -> None:
        choices = prod(domain.size for domain in parameters.values())
        if choices > MOST_CHOICES:
            raise InputError(
                f"{name} has {choices:,} choices of its parameters, at most {MOST_CHOICES:,}",
                at=at,
                fix="Give smaller bounds, or split it into several steps.",
            )

    def _owner(self, plain: Any) -> type[Any]:
        return next(
            (each for each in self.classes if inspect.unwrap(vars(each).get(plain.__name__, 0)) is plain),
            self.model,
        )

    def _channel_faults(self) -> list[Step]:
        steps = []
        for model in self.classes:
            for name, annotation in inspect.get_annotations(model).items():
                at = self._at(name)
                evaluated = self.resolver.evaluate(annotation, self._scope(model), at)
                if isinstance(evaluated, ChannelDeclaration):
                    domain = self.resolver.domain(evaluated, at)
                    for fault, most in (("lose", evaluated.loss), ("duplicate", evaluated.dup)):
                        budget = self.resolver.number(most, at)
                        if budget and not isinstance(domain, BagDomain):
                            raise InputError(
                                "only a Bag loses or duplicates by itself", at=at, fix="Use Bag[M](...)."
                            )
                        if budget and isinstance(domain, BagDomain):
                            parameters = {"m": domain.message}
                            steps.append(
                                Step(f"{name}.{fault}", ActionKind.FAULT, "", parameters, budget, None, name)
                            )
        return steps

    def _refuse_missing_bounds(self) -> None:
        if self.resolver.missing:
            listed = " ".join(f"--bound {name}=2" for name in sorted(self.resolver.missing))
            names = ", ".join(sorted(self.resolver.missing))
            bounds = "bound" if len(self.resolver.missing) == 1 else "bounds"
            first = self.resolver.used[min(self.resolver.missing)]
            raise InputError(
                f"{self.model.__name__} needs the {bounds} {names}", at=first, fix=f"Add {listed}."
            )

    def _sorts(self) -> dict[str, int]:
        return {name: self.bounds[name] for name in sorted(self._index_names())}

    def _index_names(self) -> set[str]:
        declarations = [value for model in self.classes for value in self._scope(model).values()]
        return {
            each.name for each in declarations if isinstance(each, Index) and each.name in self.resolver.used
        }


def _refinements(abstractions: list[Abstraction]) -> list[NamedProperty]:
    """Two properties of each: how it starts, and how it steps."""
    found = []
    for each in abstractions:
        starts = Declared(Role.PROPERTY, property=PropertyKind.INVARIANT, name=f"{each.name} AT FIRST")
        steps = Declared(Role.PROPERTY, property=PropertyKind.STEP, name=each.name)
        found.append(NamedProperty(starts, lambda model, each=each: each.starts(model), each))
        found.append(NamedProperty(steps, lambda model, old, each=each: each.steps(model, old), each))
    return found


def _closure(model: type[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for value in vars(model).values():
        if inspect.isfunction(value):
            found.update(closed_over(inspect.unwrap(value)))
    return found


def _is_model(each: type[Any]) -> bool:
    return MODEL_MARK in vars(each)
