"""Types as people write them in a model: finite once the bounds are given, resolved by ``resolve.py``.

Each is an object that may stand in an annotation: ``holds: Map[Node, bool] = False``. What needs arguments is called
after the subscript: ``wire: Bag[Grant | Release](cap=3)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Union

from cmxverify.modeling.scope import sizes_in_force


@dataclass(frozen=True, slots=True)
class Bound:
    """A number that is given when checking (``--bound generations=3``), plus a constant.

    >>> Bound("proc") - 1
    Bound('proc') - 1
    """

    name: str
    plus: int = 0

    def __add__(self, other: int) -> Bound:
        return replace(self, plus=self.plus + other)

    def __sub__(self, other: int) -> Bound:
        return replace(self, plus=self.plus - other)

    def __repr__(self) -> str:
        sign = f" {'+' if self.plus > 0 else '-'} {abs(self.plus)}" if self.plus else ""
        return f"Bound({self.name!r}){sign}"


class Declaration:
    """Base of everything declared here; ``T | None`` and ``T | U`` work as for classes."""

    def __or__(self, other: Any) -> Any:
        return Union[self, other]  # noqa: UP007  (the operator is what is being defined)

    def __ror__(self, other: Any) -> Any:
        return Union[other, self]  # noqa: UP007

    def __call__(self) -> None:
        """Make ``typing`` take the object for a type."""
        raise TypeError(f"{self!r} is a declaration; it cannot be called")


@dataclass(frozen=True, eq=False)
class IndexValue:
    """One value of an ``Index`` type; equal only to itself, without order."""

    sort: str
    ordinal: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IndexValue) and (self.sort, self.ordinal) == (other.sort, other.ordinal)

    def __hash__(self) -> int:
        return hash((self.sort, self.ordinal))

    def __repr__(self) -> str:
        return f"{self.sort}{self.ordinal}"


class Index(Declaration):
    """A symmetric type: its values are compared, stored and used as an index, nothing else (ruling S6).

    How many there are is the bound of the same name.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"Index({self.name!r})"

    def _values(self) -> list[IndexValue]:
        return [IndexValue(self.name, each) for each in range(sizes_in_force().index_size(self.name))]

    def __iter__(self) -> Iterator[IndexValue]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def __getitem__(self, ordinal: int) -> IndexValue:
        return self._values()[ordinal]


class Range(Declaration):
    """Whole numbers ``low`` .. ``high``, both included; an end may be a ``Bound``. A store outside is a fault (L4)."""

    def __init__(self, low: int | Bound, high: int | Bound) -> None:
        self.low, self.high = low, high

    def __repr__(self) -> str:
        return f"Range({self.low!r}, {self.high!r})"

    def _range(self) -> range:
        sizes = sizes_in_force()
        return range(sizes.number(self.low), sizes.number(self.high) + 1)

    def __iter__(self) -> Iterator[int]:
        return iter(self._range())

    def __len__(self) -> int:
        return len(self._range())

    def __contains__(self, value: object) -> bool:
        return value in self._range()


@dataclass(frozen=True, eq=False, slots=True)
class MapDeclaration(Declaration):
    """``Map[K, V]`` or ``Owned[N, V]``: a value for every key."""

    key: Any
    value: Any
    owned: bool


@dataclass(frozen=True, eq=False, slots=True)
class SetDeclaration(Declaration):
    """``Set[T]``, or ``Net[M]``: the set of messages ever sent (L16)."""

    element: Any
    net: bool


@dataclass(frozen=True, eq=False, slots=True)
class ChannelDeclaration(Declaration):
    """``Bag[M](cap=...)`` or ``Queue[M](cap=...)`` (L16, L17)."""

    message: Any
    ordered: bool
    cap: int | Bound = 1
    loss: int | Bound = 0
    dup: int | Bound = 0
    overflow: str = "bound"

    def __call__(  # type: ignore[override]
        self,
        cap: int | Bound = 1,
        *,
        loss: int | Bound = 0,
        dup: int | Bound = 0,
        overflow: str = "bound",
    ) -> ChannelDeclaration:
        """Give the capacity, the budgets of loss and duplication, and what a full channel does."""
        return ChannelDeclaration(self.message, self.ordered, cap, loss, dup, overflow)


@dataclass(frozen=True, eq=False, slots=True)
class GhostDeclaration(Declaration):
    """``Ghost[T]``: read by properties and by the updates of ghosts alone (L15)."""

    inner: Any


class Map:
    """A total map over a finite key type: ``Map[K, V]``."""

    def __class_getitem__(cls, arguments: tuple[Any, Any]) -> MapDeclaration:
        return MapDeclaration(*arguments, owned=False)


class Owned:
    """A map whose element ``n`` lives at node ``n``: an action ``at="n"`` may touch no other (L14)."""

    def __class_getitem__(cls, arguments: tuple[Any, Any]) -> MapDeclaration:
        return MapDeclaration(*arguments, owned=True)


class Set:
    """A set of values of a finite type."""

    def __class_getitem__(cls, element: Any) -> SetDeclaration:
        return SetDeclaration(element, net=False)


class Net:
    """All messages ever sent: may be lost, repeated and reordered at no cost (L16)."""

    def __class_getitem__(cls, message: Any) -> SetDeclaration:
        return SetDeclaration(message, net=True)


class Bag:
    """Messages under way, unordered, each as often as it was sent: ``Bag[M](cap=3, loss=1, dup=1)``."""

    def __class_getitem__(cls, message: Any) -> ChannelDeclaration:
        return ChannelDeclaration(message, ordered=False)


class Queue:
    """Messages under way, first in first out: ``Queue[M](cap=2)``."""

    def __class_getitem__(cls, message: Any) -> ChannelDeclaration:
        return ChannelDeclaration(message, ordered=True)


class Ghost:
    """Auxiliary state for properties: ``Ghost[T]`` (L15)."""

    def __class_getitem__(cls, inner: Any) -> GhostDeclaration:
        return GhostDeclaration(inner)
