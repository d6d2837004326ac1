"""The reference page of topology files, in Markdown, generated from the schema so that it cannot fall behind."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cmxverify.topology.schema import PriceTerms, topology_json_schema
from cmxverify.workload.schema import Band, TraceBands

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Section:
    """One table of the page: heading, anchor, and the words before it."""

    heading: str
    intro: str

    @property
    def anchor(self) -> str:
        return self.heading.lower().replace(" ", "-")


_SECTIONS = {
    "TopologyFile": _Section("The file", "Top-level keys, in the order in which people write them."),
    "NodeDetail": _Section(
        "A node",
        "A name of the catalog or of a template, or a mapping with `is` (or `kind`) and what differs from the "
        "catalog. Sizes, rates and powers speak of the whole node, not of one drive.",
    ),
    "LinkDetail": _Section(
        "A link",
        "A rate, or a mapping. The key names both ends: `a -- b`. Ranges on both sides join all pairs.",
    ),
    "TemplateSpec": _Section(
        "A template", "A sub-graph to repeat. Each instance is a failure domain of the template's name."
    ),
    "HopsSpec": _Section("Hops", 'The metric is mandatory: "2 hops" means three different things.'),
    "PowerSpec": _Section("A power budget", "Give `of` or `each`, one of them."),
    "TenantSpec": _Section("A tenant", "What a tenant asks for beyond its working sets."),
    "PriceTerms": _Section(
        "Prices",
        "Yours: the catalog has none. Besides these two, every key is a device or template with what it costs to "
        "buy (`310 kUSD`), which is what the objective `cost` adds up. A rent (`3.50 USD/h`) is read too, and in no "
        "cost yet; `solve` names what it did not count.",
    ),
    "SetSpec": _Section(
        "A working set",
        "Named `tenant/name`; `defaults` holds what all sets share. Its traffic has one of three forms, complete: "
        "`sessions, context, new_tokens, turns`, or `documents, context, reads, rewritten`, or `bytes, read, write`.",
    ),
    "Band": _Section("A heat band", "A part of the sessions that takes turns equally often."),
    "TraceBands": _Section("Bands of a trace", "Heat bands measured instead of stated."),
}

_EXAMPLES: Mapping[str, Mapping[str, str]] = {
    "TopologyFile": {
        "name": "my-rack",
        "include": "rack.yaml",
        "chunk": "100 GB",
        "software": '{dynamo: "1.6"}',
        "templates": "{tray: ...}",
        "nodes": "{tray[00-17]: tray}",
        "links": "{tray[00-17].dpu -- leaf[0-1]: 400 Gb/s}",
        "hops": "{metric: switches, max: 2}",
        "power": '{shelf: {of: "cmx[0-3]", budget: 2 kW}}',
        "prices": "{enclosure: 310 kUSD}",
        "tenants": "{hooli: {isolation: enclosure}}",
        "workload": "chat.yaml",
    },
    "NodeDetail": {
        "is": "rubin",
        "kind": "store",
        "count": "10",
        "tier": "G3.5",
        "usable": "300 TB",
        "read": "280 GB/s",
        "write": "140 GB/s",
        "idle": "250 W",
        "full": "550 W",
        "ports": "64",
        "latency": "500 ns",
        "shared_by": "tray",
    },
    "LinkDetail": {"latency": "500 ns", "count": "8", "pairwise": "true"},
    "TemplateSpec": {"nodes": "{gpu[0-3]: rubin}", "links": "{gpu[0-3] -- host: 450 GB/s}"},
    "HopsSpec": {"max": "2"},
    "PowerSpec": {"of": '"cmx[0-3]"', "each": '"store[0-1]"'},
    "TenantSpec": {"isolation": "enclosure"},
    "PriceTerms": {"life": "4 years"},
    "SetSpec": {
        "model": "llama-3.1-70b",
        "kv_dtype": "fp8",
        "runs_on": "tray[00-07]",
        "tp": "4",
        "attention": "dp",
        "documents": "40k",
        "context": "25k",
        "new_tokens": "400",
        "turns": "{every: 20 min}",
        "rewritten": "24 h",
        "bytes": "60 TB",
        "read": "40 GB/s",
        "write": "2 GB/s",
        "object": "4 GB",
        "restore": "200 ms",
        "tiers": "[G2, G3.5]",
        "copies": "2",
        "spread": "enclosure",
        "isolation": "enclosure",
        "if_no_room": "recompute",
        "sticky": "60%",
        "copy": "exclusive",
        "reserve": "20%",
    },
    "Band": {"share": "4%", "every": "60 s"},
    "TraceBands": {"from": "trace.jsonl.gz", "bands": "3"},
}


def topology_page() -> str:
    """The whole page."""
    schema = topology_json_schema()
    tables: dict[str, Schema] = {
        "TopologyFile": schema,
        **schema["$defs"],
        "PriceTerms": PriceTerms.model_json_schema(by_alias=True),
        "Band": Band.model_json_schema(by_alias=True),
        "TraceBands": TraceBands.model_json_schema(by_alias=True),
    }
    lines = [*_opening()]
    for name, section in _SECTIONS.items():
        lines += ["", f"## {section.heading}", "", section.intro, "", *_table(name, tables[name])]
    return "\n".join(lines) + "\n"


def _opening() -> list[str]:
    return [
        "# Topology files",
        "",
        "One YAML file describes a cluster. `cmxverify init` writes one to start from, `cmxverify schema` prints the",
        "JSON Schema for editors, and this page is generated from the same schema.",
        "",
        "Every quantity has a unit: `400 Gb/s`, `50 GB/s`, `1.5 TB`, `16 TiB`, `100 us`, `2 kW`, `3 DWPD`, `40 /s`. "
        "`b` is a bit, `B` a byte. Counts may be written `60k` (60,000) or `128Ki` (131,072). Names may be ranges: "
        "`tray[00-17]`; inside `{ }` a name with brackets must be quoted.",
    ]


def _table(name: str, schema: Schema) -> Iterable[str]:
    yield "| key | form | default | meaning | example |"
    yield "|---|---|---|---|---|"
    needed = set(schema.get("required", ()))
    for key, part in schema["properties"].items():
        example = _EXAMPLES.get(name, {}).get(key) or _example(part)
        meaning, default = _told(part)
        cells = [
            f"`{key}`",
            _form(part),
            default or _default(part, required=key in needed),
            meaning,
            f"`{example}`" if example else "",
        ]
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _told(part: Schema) -> tuple[str, str]:
    """A description without what it says of the default, and that: ``("Tiers that may hold the set.", "all")``."""
    meaning, found, default = part.get("description", "").partition("; by default ")
    return (f"{meaning}.", default.rstrip(".")) if found else (meaning, "")


def _default(part: Schema, *, required: bool) -> str:
    if required:
        return "required"
    value = part.get("default")
    if value in (None, {}, []):
        return "none"
    return f"`{json.dumps(value) if isinstance(value, bool) else value}`"


def _example(part: Schema) -> str:
    """An example of the schema itself, else the first choice."""
    for each in _choices(part):
        if each.get("examples"):
            return str(each["examples"][-1])
        if each.get("enum"):
            return str(each["enum"][0])
        if "const" in each:
            return str(each["const"])
    return ""


def _choices(part: Schema) -> list[Schema]:
    """The part itself, then its alternatives without null."""
    inner = [choice for each in part.get("anyOf", ()) for choice in _choices(each)]
    return [part, *(each for each in inner if each.get("type") != "null")]


def _form(part: Schema) -> str:
    words = list(dict.fromkeys(word for each in _choices(part) if (word := _word(each))))
    if words == ["number", "count"]:
        return "count"
    return " or ".join(words)


def _word(part: Schema) -> str:
    """What one alternative is, in a word or a link; '' for one that only holds others."""
    if "$ref" in part:
        return _link(part["$ref"])
    if "enum" in part:
        return ", ".join(f"`{value}`" for value in part["enum"])
    if "const" in part:
        return f"`{part['const']}`"
    match part.get("type"):
        case "object":
            return _mapping(part)
        case "array":
            return f"list of {_form(part.get('items', {}))}"
        case "boolean":
            return "`true`, `false`"
        case "integer":
            return "number"
        case "string":
            return _text(part)
        case _:
            return ""


def _mapping(part: Schema) -> str:
    inner = part.get("additionalProperties")
    if isinstance(inner, dict) and inner:
        return f"names, each with {_form(inner)}"
    return "mapping"


def _text(part: Schema) -> str:
    """The kind of quantity, as the example of the schema or its pattern tells it."""
    example = str(next(iter(part.get("examples", ())), ""))
    for unit, word in _UNITS.items():
        if example.endswith(unit):
            return word
    pattern = part.get("pattern", "")
    if "%" in pattern:
        return "percentage"
    return "count" if "Ki" in pattern else "text"


_UNITS = {
    "B/s": "rate",
    "b/s": "rate",
    "DWPD": "drive writes a day",
    "USD/kWh": "price of energy",
    "USD/h": "price",
    "USD": "price",
    "/s": "frequency",
    "TB": "size",
    "GB": "size",
    "us": "time",
    "W": "power",
    "%": "percentage",
}


def _link(reference: str) -> str:
    section = _SECTIONS.get(reference.rpartition("/")[2])
    return f"[{section.heading.lower()}](#{section.anchor})" if section else "mapping"
