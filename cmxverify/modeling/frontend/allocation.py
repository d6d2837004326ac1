"""Handing out cells: every scalar of a field, in a fixed order, with its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from typing import Any

from cmxverify.modeling.declarations import IndexValue
from cmxverify.modeling.domains import (
    BagDomain,
    BoolDomain,
    Domain,
    IndexDomain,
    MapDomain,
    OptionalDomain,
    QueueDomain,
    RangeDomain,
    RecordDomain,
    SetDomain,
    UnionDomain,
    is_scalar,
)
from cmxverify.modeling.frontend.storage import (
    BagShape,
    MapShape,
    MaybeShape,
    PartShape,
    QueueShape,
    RecordShape,
    ScalarShape,
    SetShape,
    Shape,
    UnionShape,
)
from cmxverify.modeling.ir.system import Atom, Cell


@dataclass
class Allocator:
    """Hands out cells in order."""

    cells: list[Cell] = field(default_factory=list)

    def shape(self, name: str, domain: Domain, *, ghost: bool) -> Shape:
        """Cells for a field."""
        return self._shape(_Place(name, (), name, ghost), domain)

    def _cell(self, place: _Place, domain: Domain, *, low: int, codes: int) -> Cell:
        is_bool = isinstance(domain, BoolDomain) and codes == 2 and low == 0
        labels = ("none",) if not is_bool and low < _lowest(domain) else ()
        number = isinstance(domain, RangeDomain)
        cell = Cell(
            len(self.cells),
            place.field,
            place.atoms,
            place.text,
            codes,
            low,
            is_bool,
            domain.sort if isinstance(domain, IndexDomain) else "",
            labels + tuple(text_of(each) for each in domain.listed) if labels or not number else (),
            place.ghost,
        )
        self.cells.append(cell)
        return cell

    def _shape(self, place: _Place, domain: Domain) -> Shape:
        match domain:
            case MapDomain():
                places = [place.key(domain.key, each) for each in domain.key.listed]
                return MapShape(domain, tuple(self._shape(each, domain.value) for each in places))
            case SetDomain():
                places = [place.key(domain.element, each) for each in domain.element.listed]
                return SetShape(
                    domain, tuple(self._cell(each, BoolDomain(), low=0, codes=2) for each in places)
                )
            case BagDomain():
                times = RangeDomain(0, domain.cap)
                places = [place.key(domain.message, each) for each in domain.message.listed]
                return BagShape(
                    domain, tuple(self._cell(each, times, low=0, codes=times.size) for each in places)
                )
            case QueueDomain():
                slot = OptionalDomain(domain.message)
                places = [place.slot(at) for at in range(domain.cap)]
                return QueueShape(
                    domain, tuple(self._part(each, slot, dead_possible=False) for each in places)
                )
        return self._part(place, domain, dead_possible=False)

    def _part(self, place: _Place, domain: Domain, *, dead_possible: bool) -> PartShape:
        match domain:
            case OptionalDomain() if is_scalar(domain.inner):
                cell = self._cell(place, domain.inner, low=_lowest(domain.inner) - 1, codes=domain.size)
                return ScalarShape(cell, domain.inner, domain)
            case OptionalDomain():
                present = self._cell(place.at("present?"), BoolDomain(), low=0, codes=2)
                return MaybeShape(present, domain, self._part(place, domain.inner, dead_possible=True))
            case RecordDomain():
                return self._record(place, domain, dead_possible)
            case UnionDomain():
                tag = self._cell(place.at("kind?"), _Tags(domain), low=0, codes=len(domain.variants))
                records = [self._record(place.at(each.name), each, True) for each in domain.variants]
                return UnionShape(tag, domain, tuple(records))
        low = _lowest(domain) - (1 if dead_possible and isinstance(domain, IndexDomain) else 0)
        return ScalarShape(
            self._cell(place, domain, low=low, codes=domain.size + _lowest(domain) - low), domain, None
        )

    def _record(self, place: _Place, domain: RecordDomain, dead_possible: bool) -> RecordShape:
        parts = {
            name: self._part(place.at(name), each, dead_possible=dead_possible)
            for name, each in domain.fields.items()
        }
        return RecordShape(domain, parts)


@dataclass(frozen=True)
class _Tags(Domain):
    """Which record of a union."""

    union: UnionDomain

    @property
    def name(self) -> str:
        """Of the union."""
        return self.union.name

    @property
    def size(self) -> int:
        """Number of records."""
        return len(self.union.variants)

    def values(self) -> Iterator[Any]:
        """Names of the records."""
        return (each.name for each in self.union.variants)


@dataclass(frozen=True, slots=True)
class _Place:
    """Place of a cell while it is being built."""

    field: str
    atoms: tuple[Atom, ...]
    text: str
    ghost: bool

    def at(self, name: str) -> _Place:
        """A field of a record."""
        return _Place(self.field, (*self.atoms, Atom("", 0, name)), f"{self.text}.{name}", self.ghost)

    def slot(self, position: int) -> _Place:
        """A slot of a queue."""
        atom = Atom("", position, f"#{position}")
        return _Place(self.field, (*self.atoms, atom), f"{self.text}#{position}", self.ghost)

    def key(self, domain: Domain, value: Any) -> _Place:
        """An element of a map, set or bag."""
        return _Place(
            self.field, (*self.atoms, *atoms_of(domain, value)), f"{self.text}[{text_of(value)}]", self.ghost
        )


def atoms_of(domain: Domain, value: Any) -> tuple[Atom, ...]:
    """A plain value as steps of a place: index values keep their sort, so that permutations can act on the place."""
    match domain:
        case IndexDomain():
            return (Atom(domain.sort, domain.ordinals[value], text_of(value)),)
        case OptionalDomain():
            if value is None:
                return (Atom("", 0, "None"),)
            return (Atom("", 1, "some"), *atoms_of(domain.inner, value))
        case RecordDomain():
            parts = [atoms_of(each, getattr(value, name)) for name, each in domain.fields.items()]
            return (Atom("", 0, domain.name), *(atom for each in parts for atom in each))
        case UnionDomain():
            at = domain.variant_of(type(value))
            assert at is not None, value
            return atoms_of(domain.variants[at], value)
    return (Atom("", domain.ordinals[value], text_of(value)),)


def text_of(value: Any) -> str:
    """A plain value as people read it: ``IDLE``, ``node1``, ``Grant(n=node1)``."""
    if isinstance(value, Enum):
        return value.name
    if is_dataclass(value) and not isinstance(value, IndexValue):
        inner = ", ".join(f"{each.name}={text_of(getattr(value, each.name))}" for each in fields(value))
        return f"{type(value).__name__}({inner})"
    return str(value)


def _lowest(domain: Domain) -> int:
    return domain.low if isinstance(domain, RangeDomain) else 0
