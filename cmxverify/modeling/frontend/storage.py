"""Where a field lies in the state: its cells, and the way between plain values, symbols and cell values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

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
)
from cmxverify.modeling.frontend.symbols import (
    Counts,
    Line,
    Mapping,
    Maybe,
    Members,
    Record,
    Scalar,
    Symbol,
    Variant,
)
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.system import Cell


class Shape(ABC):
    """How values of one domain lie in cells."""

    @abstractmethod
    def load(self, *, following: bool = False) -> Symbol:
        """The stored value as a symbol, in the present or in the next state."""

    @abstractmethod
    def store(self, symbol: Symbol) -> list[tuple[Cell, Expr]]:
        """New value of each cell."""

    @abstractmethod
    def encode(self, plain: Any) -> list[int]:
        """Cell values of a plain value, in cell order."""

    @abstractmethod
    def decode(self, values: list[int]) -> Any:
        """Plain value; takes its cell values off the front of the list."""


class PartShape(Shape):
    """A shape that may stand where the whole means nothing, as in an absent record."""

    @abstractmethod
    def dead(self) -> list[int]:
        """Cell values where the whole means nothing."""


@dataclass
class ScalarShape(PartShape):
    """One cell; ``optional`` where None is its lowest value, one below the scalar's own."""

    cell: Cell
    domain: Domain
    optional: OptionalDomain | None

    def _read(self, following: bool) -> Expr:
        return self.cell.read_next() if following else self.cell.read()

    def load(self, *, following: bool = False) -> Symbol:
        expr = self._read(following)
        if self.optional is None:
            return Scalar(self.domain, expr)
        present = ir.not_(ir.eq(expr, ir.integer(self.cell.low)))
        value = Scalar(
            self.domain, ir.eq(expr, ir.integer(1)) if isinstance(self.domain, BoolDomain) else expr
        )
        return Maybe(self.optional, present, value)

    def store(self, symbol: Symbol) -> list[tuple[Cell, Expr]]:
        if isinstance(symbol, Maybe):
            inner = symbol.value
            assert isinstance(inner, Scalar), inner
            value = ir.as_int(inner.expr) if isinstance(self.domain, BoolDomain) else inner.expr
            return [(self.cell, ir.ite(symbol.present, value, ir.integer(self.cell.low)))]
        assert isinstance(symbol, Scalar), symbol
        return [(self.cell, symbol.expr)]

    def encode(self, plain: Any) -> list[int]:
        if plain is None:
            return [self.cell.low]
        return [scalar_code(self.domain, plain)]

    def decode(self, values: list[int]) -> Any:
        value = values.pop(0)
        if self.optional is not None and value == self.cell.low:
            return None
        return scalar_value(self.domain, value)

    def dead(self) -> list[int]:
        if self.optional is not None or isinstance(self.domain, IndexDomain):
            return [self.cell.low]
        return [scalar_code(self.domain, self.domain.default())]


def scalar_code(domain: Domain, plain: Any) -> int:
    """Cell value of a scalar: numbers as they are, everything else its ordinal."""
    return int(plain) if isinstance(domain, RangeDomain) else domain.ordinals[plain]


def scalar_value(domain: Domain, code: int) -> Any:
    """Plain value of a cell value."""
    return code if isinstance(domain, RangeDomain) else domain.listed[code]


@dataclass
class MaybeShape(PartShape):
    """An optional record: a presence cell, then the record's cells, dead where it is absent."""

    present: Cell
    domain: OptionalDomain
    inner: PartShape

    def load(self, *, following: bool = False) -> Symbol:
        cell = self.present.read_next() if following else self.present.read()
        return Maybe(self.domain, cell, self.inner.load(following=following))

    def store(self, symbol: Symbol) -> list[tuple[Cell, Expr]]:
        assert isinstance(symbol, Maybe), symbol
        return [(self.present, symbol.present), *_unless_dead(self.inner, symbol.value, symbol.present)]

    def encode(self, plain: Any) -> list[int]:
        return [0, *self.inner.dead()] if plain is None else [1, *self.inner.encode(plain)]

    def decode(self, values: list[int]) -> Any:
        present = values.pop(0)
        if present:
            return self.inner.decode(values)
        _skip(self.inner, values)
        return None

    def dead(self) -> list[int]:
        return [0, *self.inner.dead()]


def _unless_dead(shape: PartShape, symbol: Symbol, live: Expr) -> list[tuple[Cell, Expr]]:
    """Cells of a value that means something only where ``live``; elsewhere its dead values."""
    stored = shape.store(symbol)
    return [
        (cell, ir.ite(live, expr, ir.boolean(bool(code)) if cell.is_bool else ir.integer(code)))
        for (cell, expr), code in zip(stored, shape.dead(), strict=True)
    ]


def _skip(shape: PartShape, values: list[int]) -> None:
    del values[: len(shape.dead())]


@dataclass
class RecordShape(PartShape):
    """A record: its fields one after the other."""

    domain: RecordDomain
    parts: dict[str, PartShape]

    def load(self, *, following: bool = False) -> Record:
        return Record(
            self.domain, {name: each.load(following=following) for name, each in self.parts.items()}
        )

    def store(self, symbol: Symbol) -> list[tuple[Cell, Expr]]:
        assert isinstance(symbol, Record), symbol
        return [pair for name, each in self.parts.items() for pair in each.store(symbol.fields[name])]

    def encode(self, plain: Any) -> list[int]:
        return [code for name, each in self.parts.items() for code in each.encode(getattr(plain, name))]

    def decode(self, values: list[int]) -> Any:
        return self.domain.record(**{name: each.decode(values) for name, each in self.parts.items()})

    def dead(self) -> list[int]:
        return [code for each in self.parts.values() for code in each.dead()]


@dataclass
class UnionShape(PartShape):
    """A tag cell, then the cells of every record, dead but for the one in use."""

    tag: Cell
    domain: UnionDomain
    variants: tuple[RecordShape, ...]

    def load(self, *, following: bool = False) -> Symbol:
        tag = self.tag.read_next() if following else self.tag.read()
        return Variant(self.domain, tag, tuple(each.load(following=following) for each in self.variants))

    def store(self, symbol: Symbol) -> list[tuple[Cell, Expr]]:
        assert isinstance(symbol, Variant), symbol
        pairs = [(self.tag, symbol.tag)]
        for position, (shape, record) in enumerate(zip(self.variants, symbol.variants, strict=True)):
            pairs += _unless_dead(shape, record, ir.eq(symbol.tag, ir.integer(position)))
        return pairs

    def encode(self, plain: Any) -> list[int]:
        chosen = self.domain.variant_of(type(plain))
        codes = [each.encode(plain) if at == chosen else each.dead() for at, each in enumerate(self.variants)]
        return [chosen or 0, *(code for each in codes for code in each)]

    def decode(self, values: list[int]) -> Any:
        chosen = values.pop(0)
        found = None
        for position, shape in enumerate(self.variants):
            if position == chosen:
                found = shape.decode(values)
            else:
                _skip(shape, values)
        return found

    def dead(self) -> list[int]:
        return [0, *(code for each in self.variants for code in each.dead())]


@dataclass
class MapShape(Shape):
    """The elements, in key order."""

    domain: MapDomain
    elements: tuple[Shape, ...]

    def load(self, *, following: bool = False) -> Symbol:
        return Mapping(self.domain, tuple(each.load(following=following) for each in self.elements))

    def store(self, symbol: Symbol) -> list[tuple[Cell, Expr]]:
        assert isinstance(symbol, Mapping), symbol
        return [
            pair
            for shape, each in zip(self.elements, symbol.elements, strict=True)
            for pair in shape.store(each)
        ]

    def encode(self, plain: Any) -> list[int]:
        return [code for shape, each in zip(self.elements, plain, strict=True) for code in shape.encode(each)]

    def decode(self, values: list[int]) -> Any:
        return tuple(each.decode(values) for each in self.elements)


@dataclass
class SetShape(Shape):
    """One bool for each possible element."""

    domain: SetDomain
    cells: tuple[Cell, ...]

    def load(self, *, following: bool = False) -> Symbol:
        return Members(self.domain, tuple(c.read_next() if following else c.read() for c in self.cells))

    def store(self, symbol: Symbol) -> list[tuple[Cell, Expr]]:
        assert isinstance(symbol, Members), symbol
        return list(zip(self.cells, symbol.members, strict=True))

    def encode(self, plain: Any) -> list[int]:
        return [int(each in plain) for each in self.domain.element.listed]

    def decode(self, values: list[int]) -> Any:
        return frozenset(each for each in self.domain.element.listed if values.pop(0))


@dataclass
class BagShape(Shape):
    """One counter for each possible message."""

    domain: BagDomain
    cells: tuple[Cell, ...]

    def load(self, *, following: bool = False) -> Symbol:
        return Counts(self.domain, tuple(c.read_next() if following else c.read() for c in self.cells))

    def store(self, symbol: Symbol) -> list[tuple[Cell, Expr]]:
        assert isinstance(symbol, Counts), symbol
        return list(zip(self.cells, symbol.counts, strict=True))

    def encode(self, plain: Any) -> list[int]:
        return list(plain)

    def decode(self, values: list[int]) -> Any:
        return tuple(values.pop(0) for _ in self.cells)


@dataclass
class QueueShape(Shape):
    """The slots as optional messages, the oldest first."""

    domain: QueueDomain
    slots: tuple[Shape, ...]

    def load(self, *, following: bool = False) -> Symbol:
        loaded = [each.load(following=following) for each in self.slots]
        return Line(self.domain, tuple(each for each in loaded if isinstance(each, Maybe)))

    def store(self, symbol: Symbol) -> list[tuple[Cell, Expr]]:
        assert isinstance(symbol, Line), symbol
        return [
            pair for shape, each in zip(self.slots, symbol.slots, strict=True) for pair in shape.store(each)
        ]

    def encode(self, plain: Any) -> list[int]:
        padded = [*plain, *[None] * (self.domain.cap - len(plain))]
        return [code for shape, each in zip(self.slots, padded, strict=True) for code in shape.encode(each)]

    def decode(self, values: list[int]) -> Any:
        decoded = [each.decode(values) for each in self.slots]
        return tuple(each for each in decoded if each is not None)
