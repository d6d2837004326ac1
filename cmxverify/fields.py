"""pydantic field types for quantities, and the strict base class of every file schema.

They parse to exact ``Fraction`` values, print as strings with a pattern in the JSON Schema, and turn each
breach into one ``InputError`` with the line of the offending key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, PlainValidator, ValidationError, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.units import Dimension, parse_count, parse_quantity, parse_share

if TYPE_CHECKING:
    from cmxverify.yaml_tree import YamlTree

_NUMBER_PATTERN = r"^\s*[0-9][0-9,]*(\.[0-9]+)?([eE][+-]?[0-9]+)?\s*"
_UNIT_PATTERNS = {
    Dimension.SIZE: r"([kMGTPE]|[KMGTPE]i)?B",
    Dimension.RATE: r"([kMGTPE]|[KMGTPE]i)?[Bb]/s",
    Dimension.TIME: r"([munµp]?s|min|h|d|days?|years?)",
    Dimension.POWER: r"[munkMGT]?W",
    Dimension.ENDURANCE: r"DWPD",
    Dimension.FREQUENCY: r"/(s|min|h|d|day)",
    Dimension.MONEY: r"[kMG]?USD",
    Dimension.MONEY_RATE: r"[kM]?USD/(h|s|d|day|year)",
    Dimension.MONEY_PER_ENERGY: r"USD/[kM]?(Wh|J)",
}


def _as_pydantic_error(error: InputError) -> PydanticCustomError:
    context = {"what": error.what, "fix": error.fix or ""}
    return PydanticCustomError("bad_value", "{what}", context)


def _validator(parse: Callable[[object], Any]) -> PlainValidator:
    def validate(value: object) -> Any:
        try:
            return parse(value)
        except InputError as error:
            raise _as_pydantic_error(error) from None

    return PlainValidator(validate)


def _quantity(dimension: Dimension, *, zero: bool) -> tuple[PlainValidator, WithJsonSchema]:
    def parse(value: object) -> Fraction:
        found = parse_quantity(value, dimension)
        if found < 0 or (found == 0 and not zero):
            least = "0 or more" if zero else "more than 0"
            raise InputError(f"'{value}' must be {least}", fix=f"Write it as '{dimension.example}'.")
        return found

    pattern = _NUMBER_PATTERN + _UNIT_PATTERNS[dimension] + r"\s*$"
    schema = {"type": "string", "pattern": pattern, "examples": [dimension.example]}
    return _validator(parse), WithJsonSchema({**schema, "description": f"{dimension.label}, unit required"})


def _count(least: int, most: int) -> tuple[PlainValidator, WithJsonSchema]:
    def parse(value: object) -> int:
        found = parse_count(value)
        if not least <= found <= most:
            raise InputError(f"{value!r} must be {least:,} to {most:,}", fix="Check the number.")
        return found

    integer = {"type": "integer", "minimum": least, "maximum": most}
    text = {"type": "string", "pattern": r"^\s*[0-9][0-9,]*(\.[0-9]+)?\s*(k|M|G|T|Ki|Mi|Gi|Ti)?\s*$"}
    return _validator(parse), WithJsonSchema({"anyOf": [integer, text], "examples": [max(least, 4), "60k"]})


_SHARE_SCHEMA = WithJsonSchema({"type": "string", "pattern": _NUMBER_PATTERN + r"%\s*$", "examples": ["80%"]})


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
Money = Annotated[Fraction, *_quantity(Dimension.MONEY, zero=True)]
EnergyPrice = Annotated[Fraction, *_quantity(Dimension.MONEY_PER_ENERGY, zero=True)]
Share = Annotated[Fraction, _validator(_positive_share), _SHARE_SCHEMA]
ShareOrZero = Annotated[Fraction, _validator(parse_share), _SHARE_SCHEMA]
Count = Annotated[int, *_count(1, 10**15)]
SmallCount = Annotated[int, *_count(1, 4096)]
CountOrZero = Annotated[int, *_count(0, 10**9)]


class StrictModel(BaseModel):
    """Refuses unknown keys, naming the nearest known one; frozen."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, populate_by_name=True, arbitrary_types_allowed=True
    )

    @model_validator(mode="before")
    @classmethod
    def _known_keys_only(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            fix = f"Known keys: {', '.join(sorted(cls.known_keys()))}."
            raise PydanticCustomError(
                "bad_value", "{what}", {"what": "expected keys and values here", "fix": fix}
            )
        for key in value:
            if key not in cls.known_keys():
                context = {
                    "what": f"unknown key '{key}'",
                    "fix": did_you_mean(str(key), cls.known_keys()),
                    "key": key,
                }
                raise PydanticCustomError("unknown_key", "{what}", context)
        return value

    @classmethod
    def known_keys(cls) -> list[str]:
        """Keys as they are written in a file."""
        return [spec.alias or name for name, spec in cls.model_fields.items()]


ModelT = TypeVar("ModelT", bound=BaseModel)


def validate_tree(model: type[ModelT], tree: YamlTree) -> ModelT:
    """Validate a YAML tree against a schema.

    Raises:
        InputError: The breach that stands first in the file, with its line; further ones are counted.
    """
    try:
        return model.model_validate(tree.plain())
    except ValidationError as error:
        problems = sorted((_problem(tree, e) for e in error.errors()), key=lambda p: p.at or Location(""))
        first = problems[0]
        more = f" ({len(problems) - 1} more)" if len(problems) > 1 else ""
        raise InputError(first.what + more, at=first.at, fix=first.fix) from None


def _problem(tree: YamlTree, error: Any) -> InputError:
    context = error.get("ctx", {})
    path: Sequence[str | int] = [*error["loc"], *([context["key"]] if "key" in context else [])]
    real = [key for index, key in enumerate(path) if tree.find(path[: index + 1]) is not None]
    at, name = tree.locate(real), ".".join(str(key) for key in real)
    where = f"{name}: " if name and error["type"] != "unknown_key" else ""
    if error["type"] in {"bad_value", "unknown_key"}:
        return InputError(where + context["what"], at=at, fix=context["fix"] or None)
    if error["type"] == "missing":
        return InputError(
            f"{where}key '{error['loc'][-1]}' is missing", at=at, fix="Add it; see the topology reference."
        )
    return InputError(where + error["msg"][0].lower() + error["msg"][1:], at=at, fix=_wrong_type_fix(error))


def _wrong_type_fix(error: Any) -> str:
    expected = error.get("ctx", {}).get("expected")
    if expected:
        return f"Allowed: {expected}."
    if error["type"] == "string_type":
        return (
            f'Quote it: "{error["input"]}".'
            if isinstance(error["input"], int | float)
            else "Write a text here."
        )
    return "See the topology reference for the form of this key."
