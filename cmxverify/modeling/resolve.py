"""From an annotation and the bounds to a finite type; what is not finite, or not given, is refused with its place."""

from __future__ import annotations

import sys
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum, Flag
from typing import Annotated, Any, Union, get_args, get_origin

from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.modeling.declarations import (
    Bound,
    ChannelDeclaration,
    GhostDeclaration,
    Index,
    MapDeclaration,
    Range,
    SetDeclaration,
)
from cmxverify.modeling.domains import (
    LARGEST_UNIVERSE,
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
    is_scalar,
)
from cmxverify.modeling.ir.expression import LARGEST

UNBOUNDED: dict[type, tuple[str, str]] = {
    int: ("`int` has no bounds", "Write Range(0, 7), or Range(0, Bound('limit')) and give --bound limit=7."),
    str: ("text is not a type of the language", "Write an enum.Enum."),
    float: ("fractions are not a type of the language", "Write a Range of whole units."),
    list: ("a list has no bounds", "Write Map[Range(0, 3), T], Set[T] or Queue[T](cap=4)."),
    dict: ("a dict has no bounds", "Write Map[K, V]."),
    set: ("`set` does not say of what", "Write Set[T] with a finite T."),
    frozenset: ("`frozenset` does not say of what", "Write Set[T] with a finite T."),
    tuple: ("a tuple is not a type of the language", "Write a frozen dataclass."),
}
"""Types of Python that are not finite, with the nearest ones that are."""


class Resolver:
    """Resolves annotations under given bounds, and remembers which bounds were needed."""

    def __init__(self, bounds: Mapping[str, int], names: Mapping[str, Any] | None = None) -> None:
        self.bounds = bounds
        self.names = dict(names or {})
        self._known: dict[int, tuple[Any, Domain]] = {}
        self.used: dict[str, Location | None] = {}
        self.missing: dict[str, str] = {}
        self._records: dict[type[Any], RecordDomain] = {}
        self._making: set[type[Any]] = set()

    def evaluate(self, annotation: Any, scope: Mapping[str, Any], at: Location) -> Any:
        """Value of an annotation that may be text, as under ``from __future__ import annotations``."""
        if not isinstance(annotation, str):
            return annotation
        try:
            return eval(annotation, {**self.names, **scope})
        except Exception as error:
            raise InputError(
                f"the type '{annotation}' cannot be made: {error}",
                at=at,
                fix="Define its names at module level.",
            ) from None

    def domain(self, annotation: Any, at: Location) -> Domain:
        """The finite type an evaluated annotation stands for.

        Raises:
            InputError: If it is unbounded, empty, too large, or needs a bound that is not given.
        """
        known = self._known.get(id(annotation))
        if known is None:
            known = self._known[id(annotation)] = (annotation, self._domain(annotation, at))
        return known[1]

    def _domain(self, annotation: Any, at: Location) -> Domain:
        if annotation is bool:
            return BoolDomain()
        if isinstance(annotation, Index):
            return self._index(annotation, at)
        if isinstance(annotation, Range):
            return self._range(annotation, at)
        if isinstance(annotation, MapDeclaration):
            return self._map(annotation, at)
        if isinstance(annotation, SetDeclaration):
            element = self._universe(annotation.element, at, "possible elements")
            return SetDomain(element, annotation.net)
        if isinstance(annotation, ChannelDeclaration):
            return self._channel(annotation, at)
        if isinstance(annotation, GhostDeclaration):
            raise InputError(
                "Ghost[...] stands around the whole type of a field", at=at, fix="Ghost[Map[K, V]]"
            )
        if get_origin(annotation) is Annotated:
            return self._annotated(annotation, at)
        if get_origin(annotation) in (Union, types.UnionType):
            return self._union(get_args(annotation), at)
        return self._class(annotation, at)

    def number(self, end: int | Bound | str, at: Location) -> int:
        """An end of a range, a capacity or a budget."""
        if isinstance(end, bool) or not isinstance(end, int | Bound | str):
            raise InputError(
                f"{end!r} is not a whole number or a Bound", at=at, fix="Write 3, or Bound('limit')."
            )
        if isinstance(end, int):
            return end
        bound = Bound(end) if isinstance(end, str) else end
        return self._bound(bound.name, at, "a limit of the model") + bound.plus

    def _bound(self, name: str, at: Location, meaning: str) -> int:
        self.used.setdefault(name, at)
        if name not in self.bounds:
            self.missing.setdefault(name, meaning)
            return 1
        return self.bounds[name]

    def _index(self, declared: Index, at: Location) -> IndexDomain:
        count = self._bound(declared.name, at, "how many values the type has")
        if count < 1:
            raise InputError(
                f"bound '{declared.name}' is {count}: the type would be empty", fix="Give at least 1."
            )
        return IndexDomain(declared.name, count)

    def _range(self, declared: Range, at: Location) -> RangeDomain:
        low, high = self.number(declared.low, at), self.number(declared.high, at)
        if high < low and not self.missing:
            raise InputError(
                f"{declared!r} is {low} .. {high}, which is empty", at=at, fix="Give a larger bound."
            )
        if max(abs(low), abs(high)) > LARGEST:
            raise InputError(f"{declared!r} is {low} .. {high}, which exceeds 62 bits", at=at, fix=_SMALLER)
        return RangeDomain(low, max(low, high))

    def _map(self, declared: MapDeclaration, at: Location) -> MapDomain:
        key = self._universe(declared.key, at, "keys")
        return MapDomain(key, self.domain(declared.value, at), declared.owned)

    def _channel(self, declared: ChannelDeclaration, at: Location) -> Domain:
        cap = self.number(declared.cap, at)
        if cap < 1:
            raise InputError(f"a channel of capacity {cap} carries nothing", at=at, fix="Give at least 1.")
        if declared.overflow not in ("bound", "block", "drop"):
            raise InputError(
                f"overflow {declared.overflow!r} is not known", at=at, fix="Write 'bound', 'block' or 'drop'."
            )
        if declared.ordered:
            return QueueDomain(self.domain(declared.message, at), cap, declared.overflow)
        return BagDomain(self._universe(declared.message, at, "possible messages"), cap, declared.overflow)

    def _universe(self, annotation: Any, at: Location, what: str) -> Domain:
        found = self.domain(annotation, at)
        if found.size > LARGEST_UNIVERSE:
            raise InputError(
                f"{found.name} has {found.size:,} {what}; each is a cell of the state, at most {LARGEST_UNIVERSE:,}",
                at=at,
                fix="Give smaller bounds, or leave out fields that nobody reads.",
            )
        return found

    def _annotated(self, annotation: Any, at: Location) -> Domain:
        inner = [each for each in annotation.__metadata__ if isinstance(each, Range)]
        if annotation.__origin__ is int and len(inner) == 1:
            return self._range(inner[0], at)
        raise InputError("Annotated is understood as Annotated[int, Range(...)] only", at=at)

    def _union(self, members: tuple[Any, ...], at: Location) -> Domain:
        kept = [each for each in members if each is not type(None)]
        if len(kept) == 1:
            inner = self.domain(kept[0], at)
        else:
            variants = [self.domain(each, at) for each in kept]
            records = tuple(each for each in variants if isinstance(each, RecordDomain))
            if len(records) != len(variants):
                raise InputError(
                    "only records can be joined by |", at=at, fix="Make each a frozen dataclass."
                )
            inner = UnionDomain(records)
        if len(kept) == len(members):
            return inner
        if not (is_scalar(inner) or isinstance(inner, RecordDomain | UnionDomain)):
            raise InputError(
                f"{inner.name} cannot be optional", at=at, fix="Use an empty container, or a bool beside it."
            )
        if inner.size > 16 * LARGEST_UNIVERSE:
            raise InputError(f"{inner.name} has too many values to be optional", at=at, fix=_SMALLER)
        return OptionalDomain(inner)

    def _class(self, annotation: Any, at: Location) -> Domain:
        if isinstance(annotation, type) and issubclass(annotation, Enum):
            return self._enum(annotation, at)
        if isinstance(annotation, type) and is_dataclass(annotation):
            return self._record(annotation, at)
        origin = get_origin(annotation) or annotation
        if isinstance(origin, type) and origin in UNBOUNDED:
            told, instead = UNBOUNDED[origin]
            raise InputError(told, at=at, fix=instead)
        what = getattr(annotation, "__name__", None) or repr(annotation)
        raise InputError(f"'{what}' is not a type of the language", at=at, fix=KNOWN_TYPES)

    def _enum(self, enum: type[Enum], at: Location) -> EnumDomain:
        if not len(enum):
            raise InputError(f"{enum.__name__} has no members", at=at, fix="Give it members.")
        if issubclass(enum, Flag):
            raise InputError(f"{enum.__name__} is a Flag", at=at, fix="Use Set of a plain enum.")
        own = [name for name in vars(enum) if name in ("__eq__", "__hash__", "__bool__", "__len__")]
        if own:
            raise InputError(f"{enum.__name__} defines {own[0]}", at=at, fix="Leave it out (S4).")
        return EnumDomain(enum)

    def _record(self, record: type[Any], at: Location) -> RecordDomain:
        if record in self._making:
            raise InputError(
                f"record {record.__name__} contains itself",
                at=at,
                fix="Keep the other one in a map of the model.",
            )
        if record not in self._records:
            self._making.add(record)
            if not record.__dataclass_params__.frozen:
                raise InputError(
                    f"record {record.__name__} can be changed in place",
                    at=at,
                    fix="Write @dataclass(frozen=True).",
                )
            self._require_plain(record, at)
            scope = {**vars(sys.modules[record.__module__]), **self.names}
            inner = {
                each.name: self._record_field(record, each.name, self.evaluate(each.type, scope, at), at)
                for each in fields(record)
            }
            self._records[record] = RecordDomain(record, inner)
            self._making.discard(record)
        return self._records[record]

    def _require_plain(self, record: type[Any], at: Location) -> None:
        """Refuse a record that is made or compared by other means than its fields (S4)."""
        for each in record.__mro__[:-1]:
            own = [name for name in _SPECIAL if name in vars(each) and not _made_by_dataclass(each, name)]
            if own or not is_dataclass(each) or type(each) is not type:
                what = f"defines {own[0]}" if own else f"derives from {each.__name__}"
                raise InputError(
                    f"record {record.__name__} {what}",
                    at=at,
                    fix="Leave it out: a record is its fields (S4).",
                )
        names = [each.name for each in fields(record)]
        odd = [each.name for each in fields(record) if not (each.init and each.compare) or each.kw_only]
        if (
            odd
            or list(getattr(record, "__match_args__", names)) != names
            or not record.__dataclass_params__.eq
        ):
            raise InputError(
                f"record {record.__name__} is not made and compared by all of its fields in order",
                at=at,
                fix="Write plain fields, without field(...) and without options but frozen=True.",
            )

    def _record_field(self, record: type[Any], name: str, annotation: Any, at: Location) -> Domain:
        found = self.domain(annotation, at)
        flat = found.inner if isinstance(found, OptionalDomain) else found
        if not is_scalar(flat) and not isinstance(flat, RecordDomain | UnionDomain):
            raise InputError(
                f"field '{name}' of record {record.__name__} is a {found.name}",
                at=at,
                fix="Records hold scalars, optionals and records; keep containers as fields of the model.",
            )
        return found


def _made_by_dataclass(record: type[Any], name: str) -> bool:
    """Whether a special method is the one that ``@dataclass`` writes."""
    method = vars(record)[name]
    return (
        method is None
        or getattr(method, "__code__", None) is None
        or method.__code__.co_filename.startswith("<")
    )


_SPECIAL = (
    "__eq__",
    "__hash__",
    "__init__",
    "__new__",
    "__post_init__",
    "__getattr__",
    "__getattribute__",
    "__bool__",
    "__len__",
)
_SMALLER = "Give smaller bounds."
KNOWN_TYPES = (
    "Types: bool, an enum, Range(0, 3), Index('node'), T | None, a frozen dataclass, Map[K, V], Owned[N, V], "
    "Set[T], Net[M], Bag[M](cap=...), Queue[M](cap=...), Ghost[T]."
)


def refuse_unknown_bounds(given: Mapping[str, int], used: Mapping[str, object], model: str) -> None:
    """Every bound given must be one of the model's, and a whole number.

    Raises:
        InputError: Names the bound and the nearest one known.
    """
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise InputError(f"bound '{name}' is {value!r}, not a whole number", fix=f"Write {name}=2.")
        if name not in used:
            known = did_you_mean(name, used) if used else f"{model} has no bounds."
            raise InputError(f"{model} has no bound '{name}'", fix=known)
