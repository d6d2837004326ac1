"""Schema of a topology file: what may stand where. Published as JSON Schema by ``cmxverify schema``."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PlainValidator, WithJsonSchema
from pydantic.json_schema import JsonSchemaValue

from cmxverify.errors import InputError
from cmxverify.fields import (
    CountOrZero,
    Endurance,
    EnergyPrice,
    Power,
    Rate,
    Share,
    Size,
    SmallCount,
    StrictModel,
    Time,
    TimeOrZero,
    bad_value,
    validate_tree,
)
from cmxverify.workload.schema import SetSpec, TierName
from cmxverify.yaml_tree import YamlTree


class _OrText:
    """JSON Schema: this object, or just a text (its shorthand)."""

    def __init__(self, description: str) -> None:
        self.description = description

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> JsonSchemaValue:
        return {"anyOf": [{"type": "string"}, handler(core)], "description": self.description}


def _text_as(key: str) -> BeforeValidator:
    return BeforeValidator(lambda value: {key: value} if isinstance(value, str | int | float) else value)


class NodeDetail(StrictModel):
    """A device with overrides. Sizes, rates and powers given here speak of the whole node, not of one drive."""

    is_: str | None = Field(None, alias="is", description="Catalog name, or name of a template.")
    kind: Literal["gpu", "host", "dpu", "nic", "switch", "flash", "store"] | None = Field(
        None, description="For devices that the catalog does not have."
    )
    count: SmallCount = Field(1, description="Drives in a flash node; catalog figures are per drive.")
    tier: TierName | None = Field(
        None,
        description="Tier of a place; by default G1 for a GPU, G2 for a host, G3 for flash beside GPUs, G3.5 for "
        "other flash, G4 for a store.",
    )
    kv: Size | None = Field(
        None,
        description="Room for KV in a GPU or host; by default 90 % of a GPU's HBM less weights, none for a host.",
    )
    usable: Size | None = Field(
        None, description="Room for KV in a flash or store node; by default the catalog's, times the drives."
    )
    read: Rate | None = Field(
        None, description="Read rate of the medium; by default the catalog's, times the drives."
    )
    write: Rate | None = Field(
        None, description="Write rate of the medium; by default the catalog's, times the drives."
    )
    first_byte: TimeOrZero | None = Field(
        None, description="Time from a request to its first byte; by default the catalog's, else 0."
    )
    dwpd: Endurance | None = Field(
        None, description="Drive writes per day over the warranty; by default the catalog's."
    )
    idle: Power | None = Field(
        None, description="Power when switched on and idle; by default the catalog's, times the drives."
    )
    full: Power | None = Field(
        None,
        description="Power at the full rate, in between it grows with the rate; by default the catalog's, times the "
        "drives.",
    )
    rate: Rate | None = Field(None, description="What a DPU or NIC passes, per direction; by default the catalog's.")
    ports: SmallCount | None = Field(None, description="Ports of a switch or adapter; by default the catalog's.")
    port_rate: Rate | None = Field(None, description="Rate of one port, per direction; by default the catalog's.")
    latency: TimeOrZero | None = Field(
        None, description="Time that a route through this node takes in addition; by default 0."
    )
    shared_by: str | None = Field(
        None,
        description="Template whose GPUs alone may read it, or 'all'; by default the innermost one around it for G1, "
        "G2 and G3, else all.",
    )


class LinkDetail(StrictModel):
    """``count`` equal cables between each pair; the rate is per direction and cable."""

    rate: Rate = Field(description="Of one cable in one direction.")
    latency: TimeOrZero | None = Field(None, description="Of one cable; by default 0.")
    count: SmallCount = Field(1, description="Parallel cables between each pair.")
    pairwise: bool = Field(
        False, strict=True, description="Join the first with the first, and so on, instead of all pairs."
    )


NodeSpec = Annotated[
    NodeDetail, _text_as("is"), _OrText("A catalog or template name, or a device with overrides.")
]
LinkSpec = Annotated[
    LinkDetail, _text_as("rate"), _OrText("A rate such as '400 Gb/s', or a link with details.")
]


class TemplateSpec(StrictModel):
    """A sub-graph to repeat; each instance is a failure domain of the template's name."""

    nodes: dict[str, NodeSpec] = Field(
        description="Nodes by name or range, such as 'gpu[0-3]'; each is a device or another template."
    )
    links: dict[str, LinkSpec] = Field(
        {}, description="Cables by their ends, 'a -- b'; ranges on both sides mean all pairs."
    )


class HopsSpec(StrictModel):
    """Hop limit; the metric is mandatory because "2 hops" means three different things."""

    metric: Literal["switches", "switch_links", "links"] = Field(
        description="What a hop counts: switches crossed, links between switches, or cables that leave a box or touch "
        "a switch."
    )
    max: CountOrZero | None = Field(
        None, description="Most hops from a GPU to a place that it reads; by default no limit."
    )


class PowerSpec(StrictModel):
    """A budget for what is named: one for all (``of``) or one for each (``each``)."""

    of: str | None = Field(None, description="Nodes or containers that share one budget.")
    each: str | None = Field(None, description="Nodes or containers that have this budget each.")
    budget: Power = Field(description="Most that they may draw; binds what a plan can switch off.")


class TenantSpec(StrictModel):
    """``isolation``: ``namespace`` shares enclosures; a template name gives the tenant instances of its own."""

    isolation: str = Field(
        "namespace",
        description="'namespace' shares enclosures; the name of a template gives the tenant instances of its own.",
    )


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Includes = Annotated[
    list[str], BeforeValidator(_as_list), _OrText("Files whose templates are taken over; nothing else is.")
]


def _version(value: object) -> int:
    """Only the number 1: ``true`` and ``1.0`` equal it in Python, and ``"1"`` is a text."""
    if type(value) is not int or value != 1:
        raise bad_value(f"{json.dumps(value):.40} is not a schema version", _VERSION_FIX)
    return value


_VERSION_FIX = "Write cmxverify: 1, without quotes or point; this cmxverify reads version 1."


Version = Annotated[int, PlainValidator(_version), WithJsonSchema({"type": "integer", "const": 1})]


class TopologyFile(StrictModel):
    """A cluster in one YAML file."""

    cmxverify: Version = Field(description="The schema version, 1; required, first.")
    name: str = Field(
        min_length=1,
        max_length=80,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.\-]*$",
        description="Name of the cluster; files written by default are named after it.",
    )
    include: Includes = []
    plan_to: Share = Field(
        Fraction(4, 5),
        description="Share of every link and place rate to plan with.",
        json_schema_extra={"default": "80%"},
    )
    chunk: Size | None = Field(
        None,
        description="Bytes that placement counts in; by default the largest power of ten that is at most a 5,000th of "
        "what is stored, and of the shared room.",
    )
    hops: HopsSpec | None = Field(
        None, description="Hop limit and what a hop means; by default no limit, and switches are printed."
    )
    software: dict[str, str] = Field({}, description="Versions that lint judges, quoted: dynamo, doca, nixl.")
    templates: dict[str, TemplateSpec] = Field({}, description="Sub-graphs by name, to be repeated.")
    nodes: dict[str, NodeSpec] = Field(
        {},
        description="By name or range, such as 'gpu[0-3]': a device or a template. Files to include may have none.",
    )
    links: dict[str, LinkSpec] = Field(
        {}, description="Cables by their ends, 'a -- b'; ranges on both sides mean all pairs."
    )
    power: dict[str, PowerSpec] = Field({}, description="Budgets by name.")
    prices: dict[str, Any] = Field({}, description="What devices and templates cost to buy; the catalog has no prices.")
    tenants: dict[str, TenantSpec] = Field({}, description="What a tenant asks for beyond its working sets.")
    workload: Any = Field(None, description="Working sets by tenant/name, or the path of a file with them.")


def validate_topology(tree: YamlTree) -> TopologyFile:
    """Validate a topology file, and that its version is spelled ``1``, not ``01`` or ``+1``.

    Raises:
        InputError: The breach that stands first in the file, with its line.
    """
    version = tree.child("cmxverify")
    if version is not None and version.value == 1 and version.written not in (None, "1"):
        what = f"cmxverify: {version.written} is not a schema version"
        raise InputError(what, at=tree.locate(("cmxverify",)), fix=_VERSION_FIX)
    return validate_tree(TopologyFile, tree)


class PriceTerms(StrictModel):
    """The two keys of ``prices`` that are not of a device; nothing is counted with them yet."""

    energy: EnergyPrice | None = Field(None, description="Price of electricity; read, and in no cost yet.")
    life: Time | None = Field(None, description="Years that a device is used for; read, and in no cost yet.")


def topology_json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a topology file, for editors and for the reference page.

    Adds the shape of working sets and prices, which are validated apart.
    """
    schema = TopologyFile.model_json_schema(by_alias=True)
    sets = SetSpec.model_json_schema(by_alias=True)
    schema["$defs"].update(sets.pop("$defs", {}))
    schema["$defs"]["SetSpec"] = sets
    prices = {"type": "object", "additionalProperties": {"type": "string"}}
    schema["properties"]["prices"] = {**prices, "description": schema["properties"]["prices"]["description"]}
    working_sets = {"type": "object", "additionalProperties": {"$ref": "#/$defs/SetSpec"}}
    described = {"description": schema["properties"]["workload"]["description"]}
    schema["properties"]["workload"] = {"anyOf": [{"type": "string"}, working_sets], **described}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "cmxverify topology, version 1",
        **{key: value for key, value in schema.items() if key != "title"},
    }
