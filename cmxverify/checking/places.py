"""Where the steps of a model happen: the lanes of a chart.

A place is a value of a type that keys a map (each node has something of its own) or that ``at=`` names; or what
``at="home"`` names; or the noun an action's name begins with, where a verb follows: ``home_grants``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cmxverify.modeling.declarations import IndexValue
from cmxverify.modeling.domains import Domain, IndexDomain, MapDomain, RangeDomain
from cmxverify.modeling.ir.system import ActionKind, Instance
from cmxverify.modeling.members import Schema, Step

SURROUNDINGS = "environment"
"""Lane of what happens at no place in particular."""
SYSTEM = "system"
"""Lane of an action at no place in particular: the model is of one piece."""


@dataclass(frozen=True, slots=True)
class Places:
    """Places of a model.

    Args:
        steps: By name.
        keyed: Types whose values are places.
        named: Places that are no such values, in source order: ``("home",)``.
        nouns: Of each step the named place its name begins with, or empty.
    """

    steps: dict[str, Step]
    keyed: tuple[Domain, ...]
    named: tuple[str, ...]
    nouns: dict[str, str]

    def lane(self, instance: Instance) -> str:
        """Where an instance happens."""
        step = self.steps[instance.action]
        texts = {each.name: each.text for each in instance.arguments}
        if step.at:
            return texts.get(step.at, step.at)
        return self.nouns[step.name] or self._of_parameters(step, texts) or _nowhere(step)

    def kind(self, instance: Instance) -> str:
        """What sort of place that is: the type's name for a value of a type, else the lane itself."""
        step, lane = self.steps[instance.action], self.lane(instance)
        texts = {each.name: each.text for each in instance.arguments}
        owner = next(
            (name for name in step.parameters if lane in (texts[name], _numbered(name, texts[name]))), ""
        )
        return (
            step.parameters[owner].name if owner in step.parameters and owner in self._places(step) else lane
        )

    def is_element(self, lane: str) -> bool:
        """Whether a lane is a value of a type."""
        return lane not in self.named and lane not in (SURROUNDINGS, SYSTEM)

    def elements(self, value: object) -> Iterator[str]:
        """Places that a message mentions."""
        sorts = {each.sort for each in self.keyed if isinstance(each, IndexDomain)}
        if isinstance(value, IndexValue):
            if value.sort in sorts:
                yield repr(value)
        elif hasattr(value, "__dataclass_fields__"):
            for name in value.__dataclass_fields__:
                yield from self.elements(getattr(value, name))

    def _places(self, step: Step) -> list[str]:
        return [name for name, domain in step.parameters.items() if domain in self.keyed]

    def _of_parameters(self, step: Step, texts: dict[str, str]) -> str:
        for name in self._places(step):
            is_number = isinstance(step.parameters[name], RangeDomain)
            return _numbered(name, texts[name]) if is_number else texts[name]
        return ""


def places_of(schema: Schema) -> Places:
    """Places of a model, by what it declares and how it names its actions."""
    steps = {step.name: step for step in schema.steps}
    keyed = tuple(dict.fromkeys([*_keys(schema), *_actors(schema)]))
    parameters = {name for step in schema.steps for name in step.parameters}
    taken = parameters | {each.sort for each in keyed if isinstance(each, IndexDomain)}
    acting = {_noun(step.name) for step in schema.steps if step.kind is ActionKind.ACTION} - taken
    nouns = {name: noun if (noun := _noun(name)) in acting else "" for name in steps}
    named = [
        step.at if step.at and step.at not in step.parameters else nouns[step.name] for step in schema.steps
    ]
    return Places(steps, keyed, tuple(dict.fromkeys(each for each in named if each)), nouns)


def _keys(schema: Schema) -> Iterator[Domain]:
    for each in schema.fields.values():
        if isinstance(each.domain, MapDomain) and isinstance(each.domain.key, IndexDomain | RangeDomain):
            yield each.domain.key


def _actors(schema: Schema) -> Iterator[Domain]:
    for step in schema.steps:
        if step.at in step.parameters:
            yield step.parameters[step.at]


def _noun(name: str) -> str:
    """``home`` of ``home_grants``; verbs in the third person end in s, nouns seldom do."""
    first, _, rest = name.partition("_")
    return first if rest.partition("_")[0].endswith("s") and not first.endswith("s") else ""


def _numbered(name: str, text: str) -> str:
    return f"{name} {text}"


def _nowhere(step: Step) -> str:
    return SYSTEM if step.kind is ActionKind.ACTION else SURROUNDINGS
