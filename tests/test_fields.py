import re
from fractions import Fraction
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter

from cmxverify import fields
from cmxverify.errors import InputError
from cmxverify.fields import (
    Count,
    CountOrZero,
    Power,
    Rate,
    Share,
    ShareOrZero,
    Size,
    SmallCount,
    StrictModel,
    Time,
)
from cmxverify.yaml_tree import parse_yaml


class Inner(StrictModel):
    """A part."""

    rate: Rate
    kind: Literal["a", "b"] = "a"


class Outer(StrictModel):
    """A whole."""

    version: str | None = None
    name: str = Field("x", pattern="^[a-z]+$")
    parts: dict[str, Inner] = {}
    tags: Annotated[list[str], Field(min_length=1)] | None = None
    files: str | list[str] | None = None
    share: Share | None = None
    from_: str | None = Field(None, alias="from")


def read(text: str) -> Outer:
    return fields.validate_tree(Outer, parse_yaml(text, "f.yaml"))


def refusal(text: str, **options: str) -> str:
    with pytest.raises(InputError) as caught:
        fields.validate_tree(Outer, parse_yaml(text, "f.yaml"), **options)
    return str(caught.value)


def test_a_valid_tree_becomes_a_model() -> None:
    """Quantities are fractions in base units, aliases are read."""
    outer = read("from: here\nparts: {p: {rate: 8 Gb/s}}\nshare: 80%\n")
    assert (outer.from_, outer.parts["p"].rate, outer.share) == ("here", Fraction(10**9), Fraction(4, 5))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nam: x\n", "f.yaml:1:1: unknown key 'nam'\n  Did you mean 'name'?"),
        ("from_: x\n", "f.yaml:1:1: unknown key 'from_'\n  Did you mean 'from'?"),
        ("parts:\n  p:\n    rat: 1 GB/s\n", "f.yaml:3:5: parts.p: unknown key 'rat'\n  Did you mean 'rate'?"),
        (
            "parts:\n  p: {kind: a}\n",
            "f.yaml:2:3: parts.p: key 'rate' is missing\n  Add it: see the topology reference.",
        ),
        (
            "parts: {p: {rate: 1 TB}}\n",
            "f.yaml:1:13: parts.p.rate: '1 TB' is a size; expected a data rate\n  Write it as '1 TB/s'.",
        ),
        (
            "parts: {p: {rate: 0 GB/s}}\n",
            "f.yaml:1:13: parts.p.rate: '0 GB/s' must be more than 0\n  Write it as '400 Gb/s'.",
        ),
        (
            "parts: {p: {rate: }}\n",
            "f.yaml:1:13: parts.p.rate: no value is given; expected a data rate\n  Write it as '400 Gb/s'.",
        ),
        (
            "parts: {p: 1 GB/s}\n",
            "f.yaml:1:9: parts.p: keys and values are expected here\n  Known keys: kind, rate.",
        ),
        (
            "parts: 7\n",
            "f.yaml:1:1: parts: keys and values are expected here\n"
            "  Write 'key: value' lines, or {key: value}.",
        ),
        (
            "parts: {p: {rate: 1 GB/s, kind: c}}\n",
            "f.yaml:1:27: parts.p.kind: 'c' is not a choice here\n  Allowed: 'a' or 'b'.",
        ),
        (
            "version: 2.10\n",
            "f.yaml:1:1: version: a text is expected, and 2.10 is read as the number 2.1\n"
            '  Quote it: "2.10".',
        ),
        (
            "version: true\n",
            'f.yaml:1:1: version: a text is expected, and true is read as true or false\n  Quote it: "true".',
        ),
        ("version: [a]\n", "f.yaml:1:1: version: a text is expected here\n  Write a text here."),
        ("tags: x\n", "f.yaml:1:1: tags: a list is expected here\n  Write [a, b]."),
        (
            "tags: []\n",
            "f.yaml:1:1: tags: at least one entry is expected here\n  Add one, or leave the key out.",
        ),
        (
            "tags: [a, 7]\n",
            'f.yaml:1:11: tags.1: a text is expected, and 7 is read as the number 7\n  Quote it: "7".',
        ),
        (
            "name: A b\n",
            "f.yaml:1:1: name: 'A b' is not a name\n"
            "  Use letters, digits, '-', '_' and '.', a letter or digit first.",
        ),
        (
            "share: 80\n",
            "f.yaml:1:1: share: 80 is not a percentage\n  Write it with a per cent sign: 80%.",
        ),
        (
            "[a]\n",
            "f.yaml:1:1: keys and values are expected here\n"
            "  Known keys: files, from, name, parts, share, tags, version.",
        ),
        (
            "x\n",
            "f.yaml:1:1: keys and values are expected here\n"
            "  Known keys: files, from, name, parts, share, tags, version.",
        ),
    ],
)
def test_each_breach_is_one_message(text: str, message: str) -> None:
    """The line and path of the key, what is wrong with its value, and the fix."""
    assert refusal(text) == message


def test_the_first_breach_in_the_file_is_told_and_the_rest_counted() -> None:
    """Order follows the file, not the schema."""
    text = "share: 80\nparts:\n  p: {rate: x}\n  q: {rate: y}\nname: x\n"
    assert refusal(text).startswith("f.yaml:1:1: share: 80 is not a percentage (2 more)\n")


def test_the_members_of_a_union_count_once() -> None:
    """One wrong value tried as a text and as a list is one breach."""
    assert "more" not in refusal("files: 7\n")


def test_within_names_the_path_to_the_tree() -> None:
    """A part that is read on its own is named by its whole path."""
    assert refusal("nam: x\n", within="workload.a/b").startswith(
        "f.yaml:1:1: workload.a/b: unknown key 'nam'"
    )


def test_an_overridden_value_says_so() -> None:
    """A value from --set is not looked for in the file's line."""
    tree = parse_yaml("share: 80\n", "f.yaml")
    child = tree.child("share")
    assert child is not None
    child.file_text = "70%"
    with pytest.raises(InputError, match=re.escape("share: 80 is not a percentage (from --set)")):
        fields.validate_tree(Outer, tree)


FIELDS: dict[str, Any] = {
    name: getattr(fields, name)
    for name in (
        "Size",
        "Rate",
        "RateOrZero",
        "Time",
        "TimeOrZero",
        "Power",
        "Endurance",
        "Frequency",
        "EnergyPrice",
        "Share",
        "ShareOrZero",
        "Count",
        "SmallCount",
        "CountOrZero",
    )
}


def schema_of(field: object) -> dict[str, Any]:
    return TypeAdapter(field).json_schema()


def accepts(field: object, value: object) -> bool:
    class Holder(BaseModel):
        value: field  # type: ignore[valid-type]

    try:
        Holder.model_validate({"value": value})
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("name", FIELDS)
def test_the_examples_in_the_json_schema_are_accepted(name: str) -> None:
    """What an editor proposes for a field is valid for it."""
    examples = schema_of(FIELDS[name])["examples"]
    assert examples
    assert all(
        accepts(FIELDS[name], example) for example in examples if name != "SmallCount" or example != "60k"
    )


values = st.builds(
    lambda number, space, unit: f"{number}{space}{unit}",
    st.sampled_from(["1", "0.5", "1,000", "1e3", "12.25", "1,00", "x", ".5"]),
    st.sampled_from(["", " ", "  "]),
    st.sampled_from(
        [
            "B",
            "GB",
            "Gb",
            "GB/s",
            "Gb/s",
            "s",
            "us",
            "hours",
            "W",
            "kW",
            "DWPD",
            "/s",
            "k /s",
            "USD",
            "USD/kWh",
            "%",
            "k",
            "",
        ]
    ),
)


@given(
    st.sampled_from(
        ["Size", "Rate", "Time", "Power", "Endurance", "Frequency", "EnergyPrice", "Share"]
    ),
    values,
)
def test_the_json_schema_pattern_agrees_with_the_field(name: str, value: str) -> None:
    """An editor marks a value exactly when it would be refused; only that 1,000 % is too much it cannot see."""
    matches = bool(re.search(schema_of(FIELDS[name])["pattern"], value))
    too_much = name == "Share" and value.startswith(("1,000", "1e3"))
    assert accepts(FIELDS[name], value) == (matches and not too_much)


@pytest.mark.parametrize(
    ("field", "value", "accepted"),
    [
        (Size, "0 B", False),
        (Size, "-1 B", False),
        (Rate, "0 B/s", False),
        (fields.RateOrZero, "0 B/s", True),
        (Time, "0 s", False),
        (fields.TimeOrZero, "0 s", True),
        (Power, "0 W", True),
        (Power, "-1 W", False),
        (Share, "0%", False),
        (ShareOrZero, "0%", True),
        (Count, 0, False),
        (Count, 1, True),
        (CountOrZero, 0, True),
        (CountOrZero, -1, False),
        (SmallCount, 4096, True),
        (SmallCount, 4097, False),
        (Count, 10**15 + 1, False),
        (Count, True, False),
    ],
)
def test_ranges_of_the_fields(field: object, value: object, accepted: bool) -> None:
    """Zero is allowed only where it means something; negative never."""
    assert accepts(field, value) == accepted


def test_a_huge_count_names_its_range() -> None:
    """The message shows what is allowed."""

    class Counted(StrictModel):
        n: SmallCount

    with pytest.raises(InputError, match=re.escape("n: '1M' must be 1 to 4,096")):
        fields.validate_tree(Counted, parse_yaml("n: 1M\n", "f.yaml"))
