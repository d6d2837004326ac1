"""Resolved types: every one a finite set with a fixed order and a default (ruling L1).

*Plain values* are what a state holds: bool, int, enum member, ``IndexValue``, None, frozen dataclass; a map as the
tuple of its elements in key order, a set as a frozenset, a bag as the tuple of its counts in message order, a queue
as a tuple. They are immutable and hashable, so they never alias (L2).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cached_property
from itertools import product
from typing import Any

from cmxverify.modeling.declarations import IndexValue

LARGEST_UNIVERSE = 4096
"""Most keys of a map, or possible elements of a set or channel: each is a cell of the state."""


class Domain(ABC):
    """A finite type."""

    @property
    @abstractmethod
    def name(self) -> str:
        """As people read it in a message."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many values."""

    @abstractmethod
    def values(self) -> Iterator[Any]:
        """All plain values, in order."""

    def default(self) -> Any:
        """The plain value a field has where none is declared: the first one."""
        return next(iter(self.values()))

    @cached_property
    def ordinals(self) -> dict[Any, int]:
        """Position of every plain value."""
        return {value: position for position, value in enumerate(self.values())}

    @cached_property
    def listed(self) -> tuple[Any, ...]:
        """All plain values, in order."""
        return tuple(self.values())


@dataclass(frozen=True)
class BoolDomain(Domain):
    """``bool``."""

    name = "bool"
    size = 2

    def values(self) -> Iterator[Any]:
        """False, then True."""
        return iter((False, True))


@dataclass(frozen=True)
class EnumDomain(Domain):
    """An ``enum.Enum`` class, in the order of its members."""

    enum: type[Enum]

    @property
    def name(self) -> str:
        """Of the class."""
        return self.enum.__name__

    @property
    def size(self) -> int:
        """Number of members."""
        return len(self.enum)

    def values(self) -> Iterator[Any]:
        """The members."""
        return iter(self.enum)


@dataclass(frozen=True)
class RangeDomain(Domain):
    """``low`` .. ``high``."""

    low: int
    high: int

    @property
    def name(self) -> str:
        """``Range(0, 3)``."""
        return f"Range({self.low}, {self.high})"

    @property
    def size(self) -> int:
        """Number of values."""
        return self.high - self.low + 1

    def values(self) -> Iterator[Any]:
        """Upwards."""
        return iter(range(self.low, self.high + 1))

    def default(self) -> Any:
        """0 where it is in the range, else the end nearest to it."""
        return min(max(0, self.low), self.high)


@dataclass(frozen=True)
class IndexDomain(Domain):
    """Values of an ``Index`` type."""

    sort: str
    count: int

    @property
    def name(self) -> str:
        """``Index("node")``."""
        return f'Index("{self.sort}")'

    @property
    def size(self) -> int:
        """Number of values."""
        return self.count

    def values(self) -> Iterator[Any]:
        """node0, node1, ..."""
        return (IndexValue(self.sort, each) for each in range(self.count))


@dataclass(frozen=True)
class OptionalDomain(Domain):
    """``T | None``; None comes first."""

    inner: Domain

    @property
    def name(self) -> str:
        """``T | None``."""
        return f"{self.inner.name} | None"

    @property
    def size(self) -> int:
        """One more than ``T``."""
        return self.inner.size + 1

    def values(self) -> Iterator[Any]:
        """None, then the values of ``T``."""
        yield None
        yield from self.inner.values()


@dataclass(frozen=True)
class RecordDomain(Domain):
    """A frozen dataclass; values in lexicographic order of the fields."""

    record: type[Any]
    fields: dict[str, Domain] = field(hash=False)

    def __repr__(self) -> str:
        """Without the module, which for a file bears the path: a model's hash is the same in every folder."""
        return f"RecordDomain({self.record.__qualname__}, {self.fields})"

    @property
    def name(self) -> str:
        """Of the class."""
        return self.record.__name__

    @property
    def size(self) -> int:
        """Product over the fields."""
        result = 1
        for domain in self.fields.values():
            result *= domain.size
        return result

    def values(self) -> Iterator[Any]:
        """All combinations."""
        for choice in product(*(domain.listed for domain in self.fields.values())):
            yield self.record(*choice)

    def default(self) -> Any:
        """The defaults of the class where declared, else those of the fields' types."""
        from dataclasses import MISSING

        declared = {each.name: each.default for each in fields(self.record) if each.default is not MISSING}
        return self.record(*(declared.get(name, domain.default()) for name, domain in self.fields.items()))


@dataclass(frozen=True)
class UnionDomain(Domain):
    """One of several records, in the order written."""

    variants: tuple[RecordDomain, ...]

    @property
    def name(self) -> str:
        """``Grant | Release``."""
        return " | ".join(each.name for each in self.variants)

    @property
    def size(self) -> int:
        """Sum over the records."""
        return sum(each.size for each in self.variants)

    def values(self) -> Iterator[Any]:
        """The values of each, one record after the other."""
        for each in self.variants:
            yield from each.values()

    def variant_of(self, record: type[Any]) -> int | None:
        """Position of a record class, or None."""
        return next((at for at, each in enumerate(self.variants) if each.record is record), None)


@dataclass(frozen=True)
class MapDomain(Domain):
    """A total map; plain value: the elements in key order."""

    key: Domain
    value: Domain
    owned: bool = False

    @property
    def name(self) -> str:
        """``Map[K, V]``."""
        return f"{'Owned' if self.owned else 'Map'}[{self.key.name}, {self.value.name}]"

    @property
    def size(self) -> int:
        """Number of maps."""
        return int(self.value.size**self.key.size)

    def values(self) -> Iterator[Any]:
        """All maps, lexicographically."""
        return product(*([self.value.listed] * self.key.size))

    def default(self) -> Any:
        """The default of the values at each key."""
        return (self.value.default(),) * self.key.size


@dataclass(frozen=True)
class SetDomain(Domain):
    """A set; plain value: a frozenset."""

    element: Domain
    net: bool = False

    @property
    def name(self) -> str:
        """``Set[T]``."""
        return f"{'Net' if self.net else 'Set'}[{self.element.name}]"

    @property
    def size(self) -> int:
        """Number of sets."""
        return int(2**self.element.size)

    def values(self) -> Iterator[Any]:
        """The empty set first."""
        for choice in product((False, True), repeat=self.element.size):
            yield frozenset(each for each, chosen in zip(self.element.listed, choice, strict=True) if chosen)


@dataclass(frozen=True)
class BagDomain(Domain):
    """An unordered channel; plain value: how often each message is under way."""

    message: Domain
    cap: int
    overflow: str = "bound"

    @property
    def name(self) -> str:
        """``Bag[M](cap=3)``."""
        return f"Bag[{self.message.name}](cap={self.cap})"

    @property
    def size(self) -> int:
        """Number of bags, by stars and bars."""
        from math import comb

        return comb(self.message.size + self.cap, self.cap)

    def values(self) -> Iterator[Any]:
        """All bags, the empty one first."""
        counts = product(range(self.cap + 1), repeat=self.message.size)
        return (each for each in counts if sum(each) <= self.cap)


@dataclass(frozen=True)
class QueueDomain(Domain):
    """A first-in first-out channel; plain value: the messages, the oldest first."""

    message: Domain
    cap: int
    overflow: str = "bound"

    @property
    def name(self) -> str:
        """``Queue[M](cap=2)``."""
        return f"Queue[{self.message.name}](cap={self.cap})"

    @property
    def size(self) -> int:
        """Number of queues."""
        return int(sum(self.message.size**length for length in range(self.cap + 1)))

    def values(self) -> Iterator[Any]:
        """The empty queue first, then by length."""
        for length in range(self.cap + 1):
            yield from product(self.message.listed, repeat=length)


SCALARS = (BoolDomain, EnumDomain, RangeDomain, IndexDomain)


def is_scalar(domain: Domain) -> bool:
    """Whether a value of it is one cell."""
    return isinstance(domain, SCALARS)


def cells_of(domain: Domain) -> int:
    """How many cells of the state a value takes."""
    match domain:
        case OptionalDomain():
            return cells_of(domain.inner) + (0 if is_scalar(domain.inner) else 1)
        case RecordDomain():
            return sum(map(cells_of, domain.fields.values()))
        case UnionDomain():
            return 1 + sum(map(cells_of, domain.variants))
        case MapDomain():
            return domain.key.size * cells_of(domain.value)
        case SetDomain():
            return domain.element.size
        case BagDomain():
            return domain.message.size
        case QueueDomain():
            return domain.cap * cells_of(OptionalDomain(domain.message))
    return 1


def mentions_index(domain: Domain) -> set[str]:
    """Names of the Index types whose values may occur in values of the domain."""
    match domain:
        case IndexDomain():
            return {domain.sort}
        case OptionalDomain():
            return mentions_index(domain.inner)
        case RecordDomain():
            return set().union(*(mentions_index(each) for each in domain.fields.values()))
        case UnionDomain():
            return set().union(*(mentions_index(each) for each in domain.variants))
        case MapDomain():
            return mentions_index(domain.key) | mentions_index(domain.value)
        case SetDomain():
            return mentions_index(domain.element)
        case BagDomain() | QueueDomain():
            return mentions_index(domain.message)
    return set()


def signature(domain: Domain) -> str:
    """A type in full, whatever file it is from: equal for two types if they have the same values."""
    match domain:
        case EnumDomain():
            return f"{domain.name}({', '.join(each.name for each in domain.enum)})"
        case IndexDomain():
            return f"{domain.name} of {domain.count}"
        case OptionalDomain():
            return f"{signature(domain.inner)} | None"
        case RecordDomain():
            inner = ", ".join(f"{name}: {signature(each)}" for name, each in domain.fields.items())
            return f"{domain.name}({inner})"
        case UnionDomain():
            return " | ".join(map(signature, domain.variants))
        case MapDomain():
            return f"{'Owned' if domain.owned else 'Map'}[{signature(domain.key)}, {signature(domain.value)}]"
        case SetDomain():
            return f"{'Net' if domain.net else 'Set'}[{signature(domain.element)}]"
        case BagDomain() | QueueDomain():
            kind = "Bag" if isinstance(domain, BagDomain) else "Queue"
            return f"{kind}[{signature(domain.message)}](cap={domain.cap}, overflow={domain.overflow})"
    return domain.name
