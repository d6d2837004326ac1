"""Schema of the ``workload:`` section: working sets as people know them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    PlainValidator,
    Tag,
    WithJsonSchema,
)

from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.fields import (
    Count,
    Frequency,
    RateOrZero,
    Share,
    ShareOrZero,
    Size,
    SmallCount,
    StrictModel,
    Time,
    bad_value,
    validate_tree,
)
from cmxverify.units import format_share, parse_share
from cmxverify.yaml_tree import YamlTree

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.\-]*")


class Band(StrictModel):
    """One heat band: ``share`` of the sessions, each taking a turn ``every`` so often."""

    share: Share = Field(
        Fraction(1),
        description="Part of the sessions; the bands of a set add up to 100 %.",
        json_schema_extra={"default": "100%"},
    )
    every: Time = Field(description="Mean time between two turns of a session in this band.")


class TraceBands(StrictModel):
    """Heat bands measured from a request trace."""

    source: str = Field(alias="from", description="A request trace (JSON lines, may be gzipped).")
    bands: SmallCount = Field(3, description="Number of bands to divide the trace into.")


def _turns_form(value: Any) -> str:
    return "trace" if isinstance(value, TraceBands) or (isinstance(value, dict) and "from" in value) else "bands"


def _named_bands(value: Any) -> Any:
    """One band needs no name: ``{every: 20 min}``."""
    if not isinstance(value, dict) or not value:
        raise bad_value("turns need heat bands", "Write {every: 20 min}, or {hot: {share: 4%, every: 60 s}, ...}.")
    return {"all": value} if "every" in value else value


def _whole(bands: dict[str, Band]) -> dict[str, Band]:
    total = sum((band.share for band in bands.values()), Fraction(0))
    if total != 1:
        raise bad_value(f"the bands' shares add up to {format_share(total)}, not 100 %", "Make them 100 %.")
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
_Bands = Annotated[dict[str, Band], BeforeValidator(_named_bands), AfterValidator(_whole)]
Turns = Annotated[
    Annotated[TraceBands, Tag("trace")] | Annotated[_Bands, Tag("bands")],
    Discriminator(_turns_form),
    WithJsonSchema(_TURNS_SCHEMA),
]
"""Bands by name, or where to measure them."""


def _sticky(value: Any) -> str | Fraction:
    if isinstance(value, str) and value in ("tray", "rack", "none"):
        return value
    try:
        return parse_share(value)
    except InputError:
        fix = "Write tray, rack, none or a percentage such as 60%."
        raise bad_value(f"{str(value)[:40]!r} is not a stickiness", fix) from None


_STICKY_SCHEMA = {
    "anyOf": [{"enum": ["tray", "rack", "none"]}, {"type": "string", "pattern": r"^\s*[0-9.]+\s*%\s*$"}]
}
Sticky = Annotated[Any, PlainValidator(_sticky), WithJsonSchema(_STICKY_SCHEMA)]
TierName = Literal["G1", "G2", "G3", "G3.5", "G4"]
Dtype = Literal["fp32", "bf16", "fp16", "fp8", "int8", "fp4", "int4"]


def _some(tiers: tuple[str, ...]) -> tuple[str, ...]:
    if not tiers:
        raise bad_value("at least one tier is expected here", "Add one, or leave the key out.")
    return tiers


class SetSpec(StrictModel):
    """One working set, ``tenant/name``. Its traffic has one of three forms, complete:

    ``sessions, context, new_tokens, turns`` or ``documents, context, reads, rewritten`` or ``bytes, read, write``.
    """

    model: str | None = Field(
        None, description="Catalog name, or path of a Hugging Face config.json; gives the bytes of a token."
    )
    kv_dtype: Dtype | None = Field(None, description="Number format of KV blocks; by default the model's, else bf16.")
    runs_on: str | None = Field(None, description="Trays, racks or GPUs whose engines read the set.")
    tp: SmallCount = Field(
        1, description="Tensor-parallel ranks of an engine; G1 holds a copy of what they share on each."
    )
    attention: Literal["tp", "dp"] = Field(
        "tp", description="'tp' splits attention over the ranks, 'dp' keeps each sequence on one."
    )
    sessions: Count | None = Field(None, description="Sessions whose KV is kept.")
    documents: Count | None = Field(None, description="Documents whose KV is kept and shared by requests.")
    context: Count | None = Field(None, description="Mean tokens of a session or document.")
    new_tokens: Count | None = Field(None, description="Tokens of prompt and answer a turn: what is written.")
    turns: Turns | None = Field(
        None,
        description="How often sessions take turns: {every}, named bands {share, every}, or {from: trace}.",
    )
    reads: Frequency | None = Field(None, description="Reads of whole documents.")
    rewritten: Time | None = Field(None, description="Time after which a document's KV is written anew.")
    bytes: Size | None = Field(None, description="Bytes to keep, when nothing is known of models.")
    read: RateOrZero | None = Field(None, description="Bytes/s read of the set, all readers together.")
    write: RateOrZero | None = Field(None, description="Bytes/s written to the set.")
    object: Size | None = Field(
        None, description="Bytes that are read at once, of a set given in bytes; by default 1 GB."
    )
    restore: Time | None = Field(
        None, description="Limit of the time to bring one session's KV back to its GPU; by default none."
    )
    tiers: Annotated[tuple[TierName, ...], AfterValidator(_some)] | None = Field(
        None, description="Tiers that may hold the set; by default all but G1."
    )
    copies: SmallCount = Field(1, description="Copies of every block, each in another failure domain.")
    spread: str | None = Field(
        None,
        description="Template whose instances are the failure domains that copies spread over; by default the "
        "enclosure, or the place by itself, that holds a copy.",
    )
    isolation: str | None = Field(
        None, description="'namespace' or a template; by default what the tenant asks for."
    )
    if_no_room: Literal["fail", "recompute"] = Field(
        "fail", description="'fail': no plan without it; 'recompute': may be left out, for KV can be rebuilt."
    )
    sticky: Sticky = Field(
        "tray",
        description="Where a session's next turn runs: 'tray', 'rack', 'none', or the share that returns to its tray.",
    )
    copy_mode: Literal["through", "exclusive"] = Field(
        "through",
        alias="copy",
        description="'through': a lower tier also keeps what G2 holds; 'exclusive': one copy only.",
    )
    reserve: ShareOrZero = Field(
        Fraction(0),
        description="Room to keep free beyond the set's bytes; where it is not given, 'size' shows 20 %.",
        json_schema_extra={"default": "0%"},
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
                fix = did_you_mean(name, known)
                raise InputError(f"no working set '{name}'", at=Location(f"--only {name}"), fix=fix)
        return WorkloadSpec(tuple(entry for entry in self.sets if entry.full_name in names))


    def named_files(self) -> list[str]:
        """Model configs and traces that sets name, relative to the file that holds the workload."""
        from cmxverify.workload.hf_config import config_name

        configs = [config_name(entry.spec.model, entry.folder) for entry in self.sets if entry.spec.model]
        traces = [entry.spec.turns.source for entry in self.sets if isinstance(entry.spec.turns, TraceBands)]
        return [name for name in dict.fromkeys((*configs, *traces)) if name is not None]


def read_workload(tree: YamlTree, folder: Path) -> WorkloadSpec:
    """Validate the mapping of working sets; ``defaults`` fills in keys that a set leaves out.

    Raises:
        InputError: If there is no set, or one has a wrong name, a wrong key, or not one complete form of traffic.
    """
    if not isinstance(tree.value, dict):
        fix = "Write 'acme/chat: {model: ..., sessions: ...}' lines, or the path of a file with them."
        raise InputError("working sets by name are expected here", at=tree.at, fix=fix)
    sets = [(name, child) for name, child in tree.items() if name != "defaults"]
    if not sets:
        fix = "Name at least one set: acme/chat: {model: ..., sessions: ...}."
        raise InputError("the workload has no working sets", at=tree.at, fix=fix)
    defaults = tree.child("defaults")
    if defaults is not None:
        validate_tree(SetSpec, defaults, within="workload.defaults")
    return WorkloadSpec(tuple(_entry(name, tree.keys_at[name], child, defaults, folder) for name, child in sets))


def _entry(name: str, at: Location, tree: YamlTree, defaults: YamlTree | None, folder: Path) -> SetEntry:
    tenant, _, short = name.partition("/")
    if not _NAME.fullmatch(tenant) or not _NAME.fullmatch(short) or max(len(tenant), len(short)) > 80:
        near = re.sub(r"[^A-Za-z0-9_.\-]+", "-", name).strip("-_.")[:40] or "chat"
        raise InputError(f"'{name}' is not tenant/name", at=at, fix=f"Write it as default/{near}.")
    merged = _merge(tree, defaults, at)
    spec = validate_tree(SetSpec, merged, within=f"workload.{name}")
    _check_form(spec, name, at, merged)
    return SetEntry(tenant, short, spec, at, dict(merged.keys_at), folder)


def _merge(tree: YamlTree, defaults: YamlTree | None, at: Location) -> YamlTree:
    if not isinstance(tree.value, dict):
        raise InputError("a working set is a mapping of keys", at=at, fix="Write {model: ..., sessions: ...}.")
    if defaults is None or not isinstance(defaults.value, dict):
        return YamlTree(tree.value, at, tree.keys_at)
    return YamlTree({**defaults.value, **tree.value}, at, {**defaults.keys_at, **tree.keys_at})


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to tell a set's traffic: the key that chooses it, and what it needs and allows besides."""

    main: str
    keys: tuple[str, ...]
    always: tuple[str, ...]
    allowed: tuple[str, ...] = ()


_FORMS = (
    _Form("sessions", ("sessions", "context", "new_tokens", "turns"), ("model", "runs_on")),
    _Form("documents", ("documents", "context", "reads", "rewritten"), ("model", "runs_on")),
    _Form("bytes", ("bytes", "read", "write"), ("runs_on",), ("object",)),
)
_FORM_KEYS = sorted({key for form in _FORMS for key in (*form.keys, *form.allowed)})


def _check_form(spec: SetSpec, name: str, at: Location, tree: YamlTree) -> None:
    chosen = [form for form in _FORMS if getattr(spec, form.main) is not None]
    if len(chosen) != 1:
        fix = "Give sessions, documents or bytes, and what belongs to it."
        given = " and ".join(form.main for form in chosen) or "none"
        raise InputError(f"{name}: one form of traffic is needed, {given} given", at=at, fix=fix)
    form = chosen[0]
    for key in (*form.keys, *form.always):
        if getattr(spec, key) is None:
            fix = f"The form '{form.main}' needs {', '.join((*form.keys, *form.always))}."
            raise InputError(f"{name}: key '{key}' is missing", at=at, fix=fix)
    for key in _FORM_KEYS:
        if getattr(spec, key) is not None and key not in (*form.keys, *form.allowed):
            where = tree.keys_at.get(key, at)
            what = f"{name}: '{key}' does not belong to the form '{form.main}'"
            raise InputError(what, at=where, fix="Remove it.")
