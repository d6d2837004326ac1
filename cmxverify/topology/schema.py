"""Schema of a topology file: what may stand where. Published as JSON Schema by ``cmxverify schema``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PlainValidator, WithJsonSchema
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import PydanticCustomError

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
)
from cmxverify.units import Dimension, parse_quantity
from cmxverify.workload.schema import SetSpec, TierName


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
    tier: TierName | None = None
    kv: Size | None = Field(None, description="Room for KV blocks in a GPU or host.")
    usable: Size | None = Field(None, description="Room for KV blocks in a flash or store node.")
    read: Rate | None = None
    write: Rate | None = None
    first_byte: TimeOrZero | None = None
    dwpd: Endurance | None = Field(None, description="Drive writes per day over the warranty.")
    idle: Power | None = None
    full: Power | None = None
    rate: Rate | None = Field(None, description="What a DPU or NIC passes, per direction.")
    ports: SmallCount | None = None
    port_rate: Rate | None = None
    latency: TimeOrZero | None = None
    shared_by: str | None = Field(None, description="Template whose GPUs alone may read it, or 'all'.")


class LinkDetail(StrictModel):
    """``count`` equal cables between each pair; the rate is per direction and cable."""

    rate: Rate
    latency: TimeOrZero | None = None
    count: SmallCount = 1
    pairwise: bool = Field(
        False, description="Join the first with the first, and so on, instead of all pairs."
    )


NodeSpec = Annotated[
    NodeDetail, _text_as("is"), _OrText("A catalog or template name, or a device with overrides.")
]
LinkSpec = Annotated[
    LinkDetail, _text_as("rate"), _OrText("A rate such as '400 Gb/s', or a link with details.")
]


class TemplateSpec(StrictModel):
    """A sub-graph to repeat; each instance is a failure domain of the template's name."""

    nodes: dict[str, NodeSpec]
    links: dict[str, LinkSpec] = {}


class HopsSpec(StrictModel):
    """Hop limit; the metric is mandatory because "2 hops" means three different things."""

    metric: Literal["switches", "switch_links", "links"]
    max: CountOrZero | None = None


class PowerSpec(StrictModel):
    """A budget for what is named: one for all (``of``) or one for each (``each``)."""

    of: str | None = None
    each: str | None = None
    budget: Power


class TenantSpec(StrictModel):
    """``isolation``: ``namespace`` shares enclosures; a template name gives the tenant instances of its own."""

    isolation: str = "namespace"


def _price(value: Any) -> Any:
    for dimension in (Dimension.MONEY, Dimension.MONEY_RATE):
        try:
            found = parse_quantity(value, dimension)
        except InputError:
            continue
        if found >= 0:
            return dimension, found
    context = {"what": f"{value!r} is not a price", "fix": "Write it as '310 kUSD' or '3.50 USD/h'."}
    raise PydanticCustomError("bad_value", "{what}", context)


Price = Annotated[Any, PlainValidator(_price), WithJsonSchema({"type": "string", "pattern": r"USD(/h)?\s*$"})]


class TopologyFile(StrictModel):
    """A cluster in one YAML file."""

    cmxverify: Literal[1] = Field(description="Schema version; required, first.")
    name: str = Field(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.\-]*$")
    include: str | list[str] | None = Field(
        None, description="Files whose templates are taken over; nothing else is."
    )
    plan_to: Share | None = Field(
        None, description="Share of every link and place rate to plan with; default 80%."
    )
    chunk: Size | None = Field(None, description="Bytes that placement counts in; default a 5,000th of the room.")
    hops: HopsSpec | None = None
    software: dict[str, str] = {}
    templates: dict[str, TemplateSpec] = {}
    nodes: dict[str, NodeSpec]
    links: dict[str, LinkSpec] = {}
    power: dict[str, PowerSpec] = {}
    prices: dict[str, Any] = Field({}, description="Yours; a device or template, and energy and life.")
    tenants: dict[str, TenantSpec] = {}
    workload: Any = Field(None, description="Working sets by tenant/name, or the path of a file with them.")


class PriceTerms(StrictModel):
    """The two prices that are not of a device."""

    energy: EnergyPrice | None = None
    life: Time | None = None


class _SchemaWithSets(GenerateJsonSchema):
    """Adds the shape of working sets and prices, which are validated apart."""


def topology_json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a topology file, for editors and for the reference page."""
    schema = TopologyFile.model_json_schema(by_alias=True, schema_generator=_SchemaWithSets)
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
        **schema,
        "title": "cmxverify topology, version 1",
    }
