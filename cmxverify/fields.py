"""pydantic field types for quantities, and the strict base class of every file schema.

They parse to exact ``Fraction`` values, print as strings with a pattern in the JSON Schema, and turn each
breach into one ``InputError`` with the line of the offending key.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, PlainValidator, ValidationError, WithJsonSchema, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from cmxverify.errors import InputError, did_you_mean
from cmxverify.unit_names import unit_pattern
from cmxverify.units import NUMBER_PATTERN, Dimension, parse_count, parse_quantity, parse_share

if TYPE_CHECKING:
    from cmxverify.yaml_tree import YamlTree

def bad_value(what: str, fix: str) -> PydanticCustomError:
    """The error for a validator to raise: becomes an ``InputError`` with the line of its key."""
    return PydanticCustomError("bad_value", "{what}", {"what": what, "fix": fix})


def _validator(parse: Callable[[object], Any]) -> PlainValidator:
    def validate(value: object) -> Any:
        try:
            return parse(value)
        except InputError as error:
            raise bad_value(error.what, error.fix or "") from None

    return PlainValidator(validate)


def _quantity(dimension: Dimension, *, zero: bool) -> tuple[PlainValidator, WithJsonSchema]:
    def parse(value: object) -> Fraction:
        found = parse_quantity(value, dimension)
        if found < 0 or (found == 0 and not zero):
            least = "0 or more" if zero else "more than 0"
            fix = f"Write it as '{dimension.example}'." if found == 0 else "Write it without the minus."
            raise InputError(f"'{value}' must be {least}", fix=fix)
        return found

    pattern = rf"^\s*{NUMBER_PATTERN}\s*{unit_pattern(dimension)}\s*$"
    schema = {"type": "string", "pattern": pattern, "examples": [dimension.example]}
    return _validator(parse), WithJsonSchema({**schema, "description": f"{dimension.label}, unit required"})


def _count(least: int, most: int) -> tuple[PlainValidator, WithJsonSchema]:
    def parse(value: object) -> int:
        found = parse_count(value)
        if not least <= found <= most:
            raise InputError(f"{value!r} must be {least:,} to {most:,}", fix="Check the number.")
        return found

    integer = {"type": "integer", "minimum": least, "maximum": most}
    text = {"type": "string", "pattern": rf"^\s*{NUMBER_PATTERN}\s*(k|M|G|T|Ki|Mi|Gi|Ti)?\s*$"}
    return _validator(parse), WithJsonSchema({"anyOf": [integer, text], "examples": [max(least, 4), "60k"]})


_SHARE_PATTERN = rf"^\s*{NUMBER_PATTERN}\s*%\s*$"
_SHARE_SCHEMA = WithJsonSchema({"type": "string", "pattern": _SHARE_PATTERN, "examples": ["80%"]})


def _positive_share(value: object) -> Fraction:
    share = parse_share(value)
    if share == 0:
        raise InputError(f"'{value}' must be more than 0%", fix="Write it as 80%.")
    return share


Size = Annotated[Fraction, *_quantity(Dimension.SIZE, zero=False)]
Rate = Annotated[Fraction, *_quantity(Dimension.RATE, zero=False)]
RateOrZero = Annotated[Fraction, *_quantity(Dimension.RATE, zero=True)]
Time = Annotated[Fraction, *_quantity(Dimension.TIME, zero=False)]
TimeOrZero = Annotated[Fraction, *_quantity(Dimension.TIME, zero=True)]
Power = Annotated[Fraction, *_quantity(Dimension.POWER, zero=True)]
Endurance = Annotated[Fraction, *_quantity(Dimension.ENDURANCE, zero=False)]
Frequency = Annotated[Fraction, *_quantity(Dimension.FREQUENCY, zero=True)]
EnergyPrice = Annotated[Fraction, *_quantity(Dimension.MONEY_PER_ENERGY, zero=True)]
Share = Annotated[Fraction, _validator(_positive_share), _SHARE_SCHEMA]
ShareOrZero = Annotated[Fraction, _validator(parse_share), _SHARE_SCHEMA]
Count = Annotated[int, *_count(1, 10**15)]
SmallCount = Annotated[int, *_count(1, 4096)]
CountOrZero = Annotated[int, *_count(0, 10**9)]


class StrictModel(BaseModel):
    """Refuses unknown keys, naming the nearest known one; frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, arbitrary_types_allowed=True)

    @model_validator(mode="before")
    @classmethod
    def _known_keys_only(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            fix = f"Known keys: {', '.join(sorted(cls.known_keys()))}."
            raise bad_value("keys and values are expected here", fix)
        for key in value:
            if key not in cls.known_keys():
                fix = did_you_mean(str(key), cls.known_keys())
                context = {"what": f"unknown key '{key}'", "fix": fix, "key": str(key)}
                raise PydanticCustomError("unknown_key", "{what}", context)
        for name, spec in cls.model_fields.items():
            key = spec.alias or name
            if spec.is_required() and key not in value:
                raise bad_value(f"key '{key}' is missing", f"Add it: {_meaning(spec)}")
        return value

    @classmethod
    def known_keys(cls) -> list[str]:
        """Keys as they are written in a file."""
        return [spec.alias or name for name, spec in cls.model_fields.items()]


def _meaning(spec: FieldInfo) -> str:
    """What to write for a key: its choices, else what the schema says of it."""
    if get_origin(spec.annotation) is Literal:
        *first, last = map(str, get_args(spec.annotation))
        return f"{', '.join(first)} or {last}." if first else f"{last}."
    meaning = spec.description or "see the topology reference."
    return meaning[0].lower() + meaning[1:] if meaning[:2].istitle() else meaning


ModelT = TypeVar("ModelT", bound=BaseModel)


def validate_tree(model: type[ModelT], tree: YamlTree, *, within: str = "") -> ModelT:
    """Validate a YAML tree against a schema; ``within`` is the path to it, for messages.

    Raises:
        InputError: The breach that stands first in the file, with its line; further ones are counted.
    """
    try:
        return model.model_validate(tree.plain())
    except ValidationError as error:
        found = [(_existing(tree, each), each) for each in error.errors(include_url=False)]
        path, first = min(found, key=lambda pair: tree.locate(pair[0]))
        places = {tuple(path) for path, _ in found}
        raise _problem(tree, path, first, within, others=len(places) - 1) from None


def _existing(tree: YamlTree, error: Any) -> list[str | int]:
    """Keys of the file on the way to a breach; pydantic's names for the members of a union are skipped."""
    path: list[str | int] = []
    here = tree
    for key in (*error["loc"], *_extra_key(error)):
        child = here.child(key)
        if child is not None:
            path.append(key)
            here = child
    return path


def _extra_key(error: Any) -> list[str]:
    return [error["ctx"]["key"]] if "key" in error.get("ctx", {}) else []


def _problem(tree: YamlTree, path: list[str | int], error: Any, within: str, *, others: int) -> InputError:
    found = tree.find(path)
    what, fix = _message(error, found)
    holder = path[:-1] if error["type"] == "unknown_key" else path
    name = ".".join(str(key) for key in ([within] if within else []) + holder)
    where = f"{name}: " if name else ""
    source = " (from --set)" if found is not None and found.file_text is not None else ""
    more = f" ({others} more)" if others else ""
    return InputError(f"{where}{what}{source}{more}", at=tree.locate(path), fix=fix)


_EXPECTED = {
    "dict_type": ("keys and values are expected here", "Write 'key: value' lines, or {key: value}."),
    "list_type": ("a list is expected here", "Write [a, b]."),
    "tuple_type": ("a list is expected here", "Write [a, b]."),
    "too_short": ("at least one entry is expected here", "Add one, or leave the key out."),
    "bool_type": ("expected true or false", "Write true or false."),
    "bool_parsing": ("expected true or false", "Write true or false."),
}


def _message(error: Any, found: YamlTree | None) -> tuple[str, str | None]:
    """What is wrong and how to fix it, in our words; pydantic's own for the rest."""
    kind, context = error["type"], error.get("ctx", {})
    if kind in {"bad_value", "unknown_key"}:
        return context["what"], context["fix"] or None
    if kind == "string_type":
        return _expected_a_text(found)
    if kind == "literal_error":
        return f"{error['input']!r:.80} is not a choice here", f"Allowed: {context['expected']}."
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    if kind == "string_pattern_mismatch":
        fix = "Use letters, digits, '-', '_' and '.', a letter or digit first."
        return f"{error['input']!r:.80} is not a name", fix
    message = error["msg"].removeprefix("Value error, ")
    return message[0].lower() + message[1:], "See the topology reference for the form of this key."


def _expected_a_text(found: YamlTree | None) -> tuple[str, str]:
    """A number or truth value where a text belongs is most often a version such as 2.10 without quotes."""
    if found is None or found.value is None or isinstance(found.value, dict | list):
        return "a text is expected here", "Write a text here."
    what = f"a text is expected, and {found.written} is read as {_name_of(found.value)}"
    return what, f'Quote it: "{found.written}".'


def _name_of(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    return f"the number {value}"
