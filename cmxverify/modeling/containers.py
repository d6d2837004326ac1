"""Maps, sets and channels as the interpreter hands them out: immutable values with a way to write to the field.

Reading ``self.m`` gives a value that does not change any more (L2). Its mutating operations (``m[k] = v``, ``add``,
``send``) replace the field's value through ``write``; the front end allows them only directly on ``self``, so that
they never act on a copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cmxverify.modeling.domains import (
    BagDomain,
    BoolDomain,
    Domain,
    EnumDomain,
    IndexDomain,
    MapDomain,
    OptionalDomain,
    QueueDomain,
    RangeDomain,
    RecordDomain,
    SetDomain,
    UnionDomain,
)
from cmxverify.modeling.functions import BreachError, NotEnabled, Saturated, Wrapped
from cmxverify.modeling.ir.system import ObligationKind

Write = Callable[[Any], None]


def _nowhere(value: Any) -> None:
    raise TypeError("a copy cannot be changed; change the field itself, through self")


def handed_out(domain: Domain, plain: Any, write: Write = _nowhere) -> Any:
    """What reading a field or an element gives: scalars and records as they are, containers with a way to write."""
    match domain:
        case MapDomain():
            return MapValue(domain, plain, write)
        case SetDomain():
            return SetValue(domain, plain, write)
        case BagDomain():
            return BagValue(domain, plain, write)
        case QueueDomain():
            return QueueValue(domain, plain, write)
    return plain


def stored(domain: Domain, value: Any) -> Any:
    """Plain value to store.

    Raises:
        BreachError: RANGE, if a number lies outside.
        TypeError: If the value is of another type; the front end has refused such models before.
    """
    match domain:
        case BoolDomain() if value is True or value is False:
            return value
        case EnumDomain() if isinstance(value, domain.enum):
            return value
        case RangeDomain() if isinstance(value, int) and not isinstance(value, bool):
            return _in_range(domain, value)
        case IndexDomain() if value in domain.ordinals:
            return value
        case OptionalDomain():
            return None if value is None else stored(domain.inner, value)
        case RecordDomain() if type(value) is domain.record:
            return _record(domain, value)
        case UnionDomain():
            at = domain.variant_of(type(value))
            if at is not None:
                return _record(domain.variants[at], value)
        case MapDomain() if isinstance(value, MapValue) and len(value.plain) == domain.key.size:
            return tuple(stored(domain.value, handed_out(value.domain.value, each)) for each in value.plain)
        case SetDomain() if isinstance(value, set | frozenset):
            return frozenset(stored(domain.element, each) for each in value)
        case BagDomain() | QueueDomain() if isinstance(value, BagValue | QueueValue):
            return value.plain
    raise TypeError(f"{value!r} is not of type {domain.name}")


def _in_range(domain: RangeDomain, value: int) -> int:
    if isinstance(value, Saturated):
        return min(max(int(value), domain.low), domain.high)
    if isinstance(value, Wrapped):
        return domain.low + (int(value) - domain.low) % domain.size
    if not domain.low <= value <= domain.high:
        raise BreachError(
            ObligationKind.RANGE, f"{value} is stored where {domain.low} .. {domain.high} is declared"
        )
    return int(value)


def _record(domain: RecordDomain, value: Any) -> Any:
    plain = {name: stored(inner, getattr(value, name)) for name, inner in domain.fields.items()}
    return domain.record(**plain)


class MapValue:
    """A total map."""

    __slots__ = ("domain", "plain", "write")

    def __init__(self, domain: MapDomain, plain: tuple[Any, ...], write: Write = _nowhere) -> None:
        self.domain, self.plain, self.write = domain, plain, write

    def _position(self, key: Any) -> int:
        if key not in self.domain.key.ordinals:
            raise BreachError(ObligationKind.DEFINED, f"there is no element {key!r}")
        return self.domain.key.ordinals[key]

    def __getitem__(self, key: Any) -> Any:
        position = self._position(key)
        return handed_out(self.domain.value, self.plain[position], lambda value: self._put(position, value))

    def __setitem__(self, key: Any, value: Any) -> None:
        self._put(self._position(key), stored(self.domain.value, value))

    def _put(self, position: int, plain: Any) -> None:
        self.write((*self.plain[:position], plain, *self.plain[position + 1 :]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MapValue) and self.plain == other.plain

    def __hash__(self) -> int:
        return hash(self.plain)

    def __len__(self) -> int:
        return len(self.plain)

    def __repr__(self) -> str:
        items = zip(self.domain.key.listed, self.plain, strict=True)
        return "{" + ", ".join(f"{key!r}: {value!r}" for key, value in items) + "}"


class SetValue(frozenset[Any]):
    """A set; iterates in the order of its type (L6)."""

    domain: SetDomain
    write: Write

    def __new__(cls, domain: SetDomain, plain: frozenset[Any], write: Write = _nowhere) -> SetValue:
        """Make one of a plain value."""
        made = super().__new__(cls, plain)
        made.domain, made.write = domain, write
        return made

    def __iter__(self) -> Iterator[Any]:
        return iter(sorted(super().__iter__(), key=self.domain.element.ordinals.__getitem__))

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, self)) + "}"

    def _of_elements(self, plain: frozenset[Any]) -> SetValue:
        return SetValue(self.domain, plain)

    def __or__(self, other: Any) -> SetValue:
        return self._of_elements(frozenset(self) | {stored(self.domain.element, each) for each in other})

    def __and__(self, other: Any) -> SetValue:
        return self._of_elements(frozenset(self) & frozenset(other))

    def __sub__(self, other: Any) -> SetValue:
        return self._of_elements(frozenset(self) - frozenset(other))

    def add(self, element: Any) -> None:
        """Put an element in."""
        self.write(frozenset(self) | {stored(self.domain.element, element)})

    send = add

    def discard(self, element: Any) -> None:
        """Take an element out, if it is in."""
        self.write(frozenset(self) - {element})

    def remove(self, element: Any) -> None:
        """Take an element out; that it is in is an obligation (DEFINED)."""
        if element not in self:
            raise BreachError(ObligationKind.DEFINED, f"{element!r} is not in the set")
        self.discard(element)

    def clear(self) -> None:
        """Take everything out."""
        self.write(frozenset())


class _Channel:
    """What bag and queue share: a full channel is never silent (L17)."""

    domain: BagDomain | QueueDomain

    def _has_room(self, used: int) -> bool:
        if used < self.domain.cap:
            return True
        match self.domain.overflow:
            case "drop":
                return False
            case "block":
                raise NotEnabled
        fix = 'declare a larger cap, or overflow="block" or "drop" if the protocol does so'
        raise BreachError(ObligationKind.BOUND, f"the channel is full, capacity {self.domain.cap}: {fix}")


class BagValue(_Channel):
    """Messages under way, unordered."""

    __slots__ = ("domain", "plain", "write")

    def __init__(self, domain: BagDomain, plain: tuple[int, ...], write: Write = _nowhere) -> None:
        self.domain, self.plain, self.write = domain, plain, write

    def count(self, message: Any) -> int:
        """How often a message is under way."""
        position = self.domain.message.ordinals.get(message)
        return 0 if position is None else self.plain[position]

    def __contains__(self, message: Any) -> bool:
        return self.count(message) > 0

    def __len__(self) -> int:
        return sum(self.plain)

    def __iter__(self) -> Iterator[Any]:
        return (each for each, times in zip(self.domain.message.listed, self.plain, strict=True) if times)

    def _change(self, message: Any, by: int) -> None:
        position = self.domain.message.ordinals[message]
        self.write((*self.plain[:position], self.plain[position] + by, *self.plain[position + 1 :]))

    def send(self, message: Any) -> None:
        """Put a message under way."""
        message = stored(self.domain.message, message)
        if self._has_room(len(self)):
            self._change(message, 1)

    def receive(self, message: Any) -> None:
        """Take one such message out; that there is one is an obligation (DEFINED)."""
        if message not in self:
            raise BreachError(ObligationKind.DEFINED, f"{message!r} is not under way")
        self._change(message, -1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BagValue) and self.plain == other.plain

    def __hash__(self) -> int:
        return hash(self.plain)

    def __repr__(self) -> str:
        return "[" + ", ".join(f"{self.count(each)} x {each!r}" for each in self) + "]"


class QueueValue(_Channel):
    """Messages under way, first in first out."""

    __slots__ = ("domain", "plain", "write")

    def __init__(self, domain: QueueDomain, plain: tuple[Any, ...], write: Write = _nowhere) -> None:
        self.domain, self.plain, self.write = domain, plain, write

    @property
    def head(self) -> Any:
        """The oldest message; that there is one is an obligation (DEFINED)."""
        if not self.plain:
            raise BreachError(ObligationKind.DEFINED, "the queue is empty")
        return self.plain[0]

    def __len__(self) -> int:
        return len(self.plain)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.plain)

    def __contains__(self, message: Any) -> bool:
        return message in self.plain

    def send(self, message: Any) -> None:
        """Append a message."""
        message = stored(self.domain.message, message)
        if self._has_room(len(self.plain)):
            self.write((*self.plain, message))

    def pop(self) -> Any:
        """Take the oldest message out and return it; that there is one is an obligation (DEFINED)."""
        oldest = self.head
        self.write(self.plain[1:])
        return oldest

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QueueValue) and self.plain == other.plain

    def __hash__(self) -> int:
        return hash(self.plain)

    def __repr__(self) -> str:
        return repr(list(self.plain))
