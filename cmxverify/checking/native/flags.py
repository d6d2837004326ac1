"""What native code can meet in a state: one byte each, set once and read by Python at the end of a level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from cmxverify.checking.exploration import Breach, BreachKind, Request
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.system import Property, PropertyKind, System


class FlagKind(Enum):
    """What is met where a flag is raised."""

    BREACH = "breach"
    WITNESS = "witness"
    PREMISE = "premise"


@dataclass(frozen=True, slots=True)
class Flag:
    """One thing to look for.

    Args:
        kind: A breach, a state in which a REACHABLE holds, or a premise that holds.
        expanding: Met while a state is expanded; else while it is checked.
        breach: With ``steps`` 0, of a BREACH.
        property: Of a WITNESS or a PREMISE.
        part: Of a PREMISE.
    """

    kind: FlagKind
    expanding: bool
    breach: Breach | None = None
    property: int = -1
    part: int = -1


@dataclass(slots=True)
class FlagTable:
    """All flags of a search; the position of each is its number."""

    system: System
    request: Request
    flags: list[Flag] = field(default_factory=list)
    numbers: dict[Flag, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.flags = list(self._all())
        self.numbers = {flag: number for number, flag in enumerate(self.flags)}

    @property
    def deadlock(self) -> Expr | None:
        """Where standing still is allowed, if standing still is looked for."""
        return self.system.quiescent if self.request.deadlock else None

    def asked(self, *kinds: PropertyKind) -> Iterator[tuple[int, Property]]:
        """Properties of some kinds that are to be checked, with their indices."""
        for index, each in enumerate(self.system.properties):
            if each.kind in kinds and (self.request.properties is None or index in self.request.properties):
                yield index, each

    def number_of_breach(self, breach: Breach) -> int:
        """Number of the flag of a breach, whatever its steps."""
        return self.numbers[_breach_flag(self.system, breach)]

    def number_of_premise(self, index: int, part: int) -> int:
        """Number of the flag of a premise."""
        return self.numbers[_premise_flag(self.system, index, part)]

    def number_of_witness(self, index: int) -> int:
        """Number of the flag of a REACHABLE."""
        return self.numbers[Flag(FlagKind.WITNESS, False, property=index)]

    def _all(self) -> Iterator[Flag]:
        if self.deadlock is not None:
            yield _breach_flag(self.system, Breach(BreachKind.DEADLOCK, 0))
        for number, instance in enumerate(self.system.instances):
            for place in range(len(instance.obligations)):
                breach = Breach(BreachKind.OBLIGATION, 0, instance=number, obligation=place)
                yield _breach_flag(self.system, breach)
        for index, each in self.asked(*PropertyKind):
            yield from self._of_property(index, each)

    def _of_property(self, index: int, each: Property) -> Iterator[Flag]:
        for place in range(len(each.obligations)):
            breach = Breach(BreachKind.PROPERTY_OBLIGATION, 0, property=index, obligation=place)
            yield _breach_flag(self.system, breach)
        match each.kind:
            case PropertyKind.REACHABLE:
                yield Flag(FlagKind.WITNESS, False, property=index)
            case PropertyKind.STEP:
                yield _breach_flag(self.system, Breach(BreachKind.STEP, 0, property=index))
            case PropertyKind.INVARIANT:
                yield _breach_flag(self.system, Breach(BreachKind.INVARIANT, 0, property=index))
        for place, _ in premises_of(each):
            yield _premise_flag(self.system, index, place)


def premises_of(each: Property) -> Iterator[tuple[int, Expr]]:
    """Parts of a property that have a premise, with their positions."""
    for place, part in enumerate(each.parts):
        if part.premise is not None:
            yield place, part.premise


def _breach_flag(system: System, breach: Breach) -> Flag:
    match breach.kind:
        case BreachKind.DEADLOCK | BreachKind.OBLIGATION | BreachKind.STEP:
            expanding = True
        case BreachKind.INVARIANT:
            expanding = False
        case BreachKind.PROPERTY_OBLIGATION:
            expanding = system.properties[breach.property].kind is PropertyKind.STEP
    plain = Breach(breach.kind, 0, breach.property, breach.instance, breach.obligation)
    return Flag(FlagKind.BREACH, expanding, breach=plain)


def _premise_flag(system: System, index: int, part: int) -> Flag:
    expanding = system.properties[index].kind is PropertyKind.STEP
    return Flag(FlagKind.PREMISE, expanding, property=index, part=part)
