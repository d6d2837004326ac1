"""Schema of the ``workload:`` section: working sets as people know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from cmxverify.errors import InputError, Location
from cmxverify.fields import (
    Count,
    Frequency,
    RateOrZero,
    Share,
    Size,
    SmallCount,
    StrictModel,
    Time,
    validate_tree,
)
from cmxverify.yaml_tree import YamlTree
from cmxverify.units import parse_share


class Band(StrictModel):
    """One heat band: ``share`` of the sessions, each taking a turn ``every`` so often."""

    share: Share = Fraction(1)
    every: Time


class TraceBands(StrictModel):
    """Heat bands measured from a request trace."""

    source: str = Field(alias="from")
    bands: SmallCount = 3


def _turns(value: Any) -> Any:
    if isinstance(value, dict) and "every" in value:
        return {"all": value}
    return value


def _turns_form(value: Any) -> Any:
    if isinstance(value, dict) and "from" in value:
        return TraceBands.model_validate(value)
    if not isinstance(value, dict) or not value:
        context = {
            "what": "turns need heat bands",
            "fix": "Write turns: {every: 20 min}, or {hot: {share: 4%, every: 60 s}, ...}.",
        }
        raise PydanticCustomError("bad_value", "{what}", context)
    bands = {str(name): Band.model_validate(band) for name, band in _turns(value).items()}
    total = sum(band.share for band in bands.values())
    if total != 1:
        context = {
            "what": f"shares of the bands add up to {float(total * 100):g} %",
            "fix": "Make them 100 %.",
        }
        raise PydanticCustomError("bad_value", "{what}", context)
    return bands


_BAND_SCHEMA = {
    "type": "object",
    "properties": {"share": {"type": "string"}, "every": {"type": "string"}},
    "required": ["every"],
    "additionalProperties": False,
}
_TURNS_SCHEMA = {
    "description": "Heat bands: one {every}, several named {share, every}, or {from: trace, bands: n}.",
    "anyOf": [
        _BAND_SCHEMA,
        {
            "type": "object",
            "properties": {"from": {"type": "string"}, "bands": {"type": "integer"}},
            "required": ["from"],
            "additionalProperties": False,
        },
        {"type": "object", "additionalProperties": _BAND_SCHEMA},
    ],
}
Turns = Annotated[Any, PlainValidator(_turns_form), WithJsonSchema(_TURNS_SCHEMA)]


def _sticky(value: Any) -> str | Fraction:
    if value in ("tray", "rack", "none"):
        return str(value)
    try:
        return parse_share(value)
    except InputError:
        context = {
            "what": f"{value!r} is not a stickiness",
            "fix": "Write tray, rack, none or a percentage such as 60%.",
        }
        raise PydanticCustomError("bad_value", "{what}", context) from None


Sticky = Annotated[
    Any,
    PlainValidator(_sticky),
    WithJsonSchema(
        {"anyOf": [{"enum": ["tray", "rack", "none"]}, {"type": "string", "pattern": r"^\s*[0-9.]+\s*%$"}]}
    ),
]
TierName = Literal["G1", "G2", "G3", "G3.5", "G4"]
Dtype = Literal["fp32", "bf16", "fp16", "fp8", "int8", "fp4", "int4"]


class SetSpec(StrictModel):
    """One working set, ``tenant/name``. Its traffic has one of three forms, complete:

    ``sessions, context, new_tokens, turns`` or ``documents, context, reads, rewritten`` or ``bytes, read, write``.
    """

    model: str | None = None
    kv_dtype: Dtype | None = None
    runs_on: str | None = None
    tp: SmallCount = 1
    attention: Literal["tp", "dp"] = "tp"
    sessions: Count | None = None
    documents: Count | None = None
    context: Count | None = None
    new_tokens: Count | None = None
    turns: Turns = None
    reads: Frequency | None = None
    rewritten: Time | None = None
    bytes: Size | None = None
    read: RateOrZero | None = None
    write: RateOrZero | None = None
    object: Size | None = None
    restore: Time | None = None
    tiers: tuple[TierName, ...] | None = None
    copies: SmallCount = 1
    spread: str | None = None
    isolation: str | None = None
    if_no_room: Literal["fail", "recompute"] = "fail"
    sticky: Sticky = "tray"
    copy_mode: Literal["through", "exclusive"] = Field("through", alias="copy")
    reserve: Annotated[Fraction, PlainValidator(parse_share), WithJsonSchema({"type": "string"})] = Fraction(
        0
    )


@dataclass(frozen=True, slots=True)
class SetEntry:
    """A working set as written: tenant, name, validated keys, and the line of each key."""

    tenant: str
    name: str
    spec: SetSpec
    at: Location
    key_at: Mapping[str, Location]
    folder: Path
    """Folder of the file, against which paths of models and traces are read."""

    @property
    def full_name(self) -> str:
        """``tenant/name``."""
        return f"{self.tenant}/{self.name}"

    def where(self, key: str) -> Location:
        """Line of a key, or of the set if the key is defaulted."""
        return self.key_at.get(key, self.at)


@dataclass(frozen=True, slots=True)
class WorkloadSpec:
    """All working sets of a file."""

    sets: tuple[SetEntry, ...]

    def only(self, names: list[str]) -> WorkloadSpec:
        """The sets of these names.

        Raises:
            InputError: If a name is not in the workload.
        """
        known = {entry.full_name: entry for entry in self.sets}
        for name in names:
            if name not in known:
                from cmxverify.errors import did_you_mean

                raise InputError(f"no working set '{name}'", fix=did_you_mean(name, known))
        return WorkloadSpec(tuple(entry for entry in self.sets if entry.full_name in names))


def read_workload(tree: YamlTree, folder: Path) -> WorkloadSpec:
    """Validate the mapping of working sets; ``defaults`` fills in keys that a set leaves out."""
    if not isinstance(tree.value, dict) or not tree.value:
        fix = "Name at least one set: acme/chat: {model: ..., sessions: ...}."
        raise InputError("the workload has no working sets", at=tree.at, fix=fix)
    defaults = tree.child("defaults")
    if defaults is not None:
        validate_tree(SetSpec, defaults)
    entries = [
        _entry(name, tree.keys_at[name], child, defaults, folder)
        for name, child in tree.items()
        if name != "defaults"
    ]
    return WorkloadSpec(tuple(entries))


def _entry(name: str, at: Location, tree: YamlTree, defaults: YamlTree | None, folder: Path) -> SetEntry:
    tenant, slash, short = name.partition("/")
    if not slash or not tenant or not short or "/" in short:
        raise InputError(
            f"'{name}' is not tenant/name", at=at, fix=f"Write it as default/{name.strip('/') or 'chat'}."
        )
    merged = _merge(tree, defaults, at)
    spec = validate_tree(SetSpec, merged)
    _check_form(spec, name, at, merged)
    return SetEntry(tenant, short, spec, at, dict(merged.keys_at), folder)


def _merge(tree: YamlTree, defaults: YamlTree | None, at: Location) -> YamlTree:
    if not isinstance(tree.value, dict):
        raise InputError(
            "a working set is a mapping of keys", at=at, fix="Write {model: ..., sessions: ...}."
        )
    if defaults is None or not isinstance(defaults.value, dict):
        return YamlTree(tree.value, at, tree.keys_at)
    return YamlTree({**defaults.value, **tree.value}, at, {**defaults.keys_at, **tree.keys_at})


_FORMS = (
    ("sessions", ("sessions", "context", "new_tokens", "turns"), ("model", "runs_on")),
    ("documents", ("documents", "context", "reads", "rewritten"), ("model", "runs_on")),
    ("bytes", ("bytes", "read", "write"), ("runs_on",)),
)


def _check_form(spec: SetSpec, name: str, at: Location, tree: YamlTree) -> None:
    chosen = [(main, keys, always) for main, keys, always in _FORMS if getattr(spec, main) is not None]
    if len(chosen) != 1:
        fix = "Give sessions, documents or bytes, and what belongs to it."
        given = " and ".join(main for main, _, _ in chosen) or "none"
        raise InputError(f"{name}: one form of traffic is needed, {given} given", at=at, fix=fix)
    main, keys, always = chosen[0]
    for key in (*keys, *always):
        if getattr(spec, key) is None:
            fix = f"The form '{main}' needs {', '.join((*keys, *always))}."
            raise InputError(f"{name}: key '{key}' is missing", at=at, fix=fix)
    foreign = {k for _, form, _ in _FORMS for k in form} | {"object"}
    allowed = set(keys) | ({"object"} if main == "bytes" else set())
    for key in sorted(foreign - allowed):
        if getattr(spec, key) is not None:
            where = tree.keys_at.get(key, at)
            raise InputError(
                f"{name}: '{key}' does not belong to the form '{main}'", at=where, fix="Remove it."
            )
