"""Attributes of graph files and tables: their names are the user's, so that several spellings are understood."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.errors import InputError, Location
from cmxverify.topology.importers.names import kind_of_name, kind_of_role
from cmxverify.topology.importers.rates import cabling_rate
from cmxverify.topology.importers.stated import kind_of_model, stated
from cmxverify.topology.importers.structure import Kind, StructureBuilder
from cmxverify.units import Dimension, parse_count, parse_quantity

_RATE_WORDS = ("rate", "speed", "bandwidth", "bw", "linkspeed", "link_speed", "capacity", "data_rate", "type_speed")
_UNITS = {
    "gbps": "Gb/s",
    "gbit": "Gb/s",
    "gbits": "Gb/s",
    "gb_s": "Gb/s",
    "mbps": "Mb/s",
    "mb_s": "Mb/s",
    "tbps": "Tb/s",
    "kbps": "kb/s",
    "bps": "b/s",
}
_SECONDS = {"ns": "ns", "us": "us", "ms": "ms", "s": "s"}
_CONTAINER_WORDS = ("container", "rack", "cabinet", "pod", "block", "group")
_MODEL_WORDS = ("model", "device_model", "platform", "platform_model", "product", "hwsku", "sku", "part_number")
_KIND_WORDS = ("kind", "type", "role", "device_type", "device_role", "node_type")
_NUMBER = re.compile(r"\d{1,15}(?:\.\d{1,9})?(?:[eE][+]?\d{1,2})?")


def normal(key: str) -> str:
    """An attribute or column name in lower case with '_' between words: ``Speed (Gbps)`` is ``speed_gbps``."""
    return re.sub(r"[^a-z0-9]+", "_", key.strip().lower()).strip("_")


@dataclass(frozen=True, slots=True)
class CableFigures:
    """What attributes say about one cable."""

    rate: Fraction | None
    count: int
    latency: Fraction | None


def node_kind(name: str, attributes: Mapping[str, str]) -> Kind:
    """Kind from a role attribute, else from the stated model, else from the name."""
    for word in _KIND_WORDS:
        kind = kind_of_role(attributes.get(word, ""))
        if kind is not Kind.UNKNOWN:
            return kind
    kind = kind_of_model(node_model(attributes))
    return kind_of_name(name) if kind is Kind.UNKNOWN else kind


def node_model(attributes: Mapping[str, str]) -> str:
    """The device's model, from a word of its own or from a type that is no role: inventories call a model so, too."""
    named = next((text for word in _MODEL_WORDS if (text := stated(attributes.get(word, "")))), "")
    if named:
        return named
    for word in _KIND_WORDS:
        text = stated(attributes.get(word, ""))
        if kind_of_role(text) is Kind.UNKNOWN and (kind_of_model(text) is not Kind.UNKNOWN or _is_model(word, text)):
            return text
    return ""


def _is_model(word: str, text: str) -> bool:
    """A device type that the catalog does not know is taken for a model if a digit is in it."""
    return word == "device_type" and any(letter.isdigit() for letter in text)


def node_container(attributes: Mapping[str, str]) -> tuple[str, ...]:
    """The rack or other container that an attribute names."""
    found = next((attributes[word].strip() for word in _CONTAINER_WORDS if attributes.get(word, "").strip()), "")
    return (found,) if found else ()


def container_word(words: Iterable[str]) -> str:
    """What the containers of a file are, by the first attribute that names one; a rack if none does."""
    return next((word for word in words if word in _CONTAINER_WORDS and word != "container"), "rack")


def cable_figures(attributes: Mapping[str, str], at: Location, builder: StructureBuilder) -> CableFigures:
    """Rate, count and latency of a cable; a rate without a unit is counted and left unknown.

    Raises:
        InputError: If a value is malformed.
    """
    count = parse_count(attributes.get("count") or attributes.get("qty") or "1", at, what="a cable count")
    if count < 1:
        raise InputError(f"cable count {count}", at=at, fix="Leave the row out if there is no cable.")
    return CableFigures(_rate(attributes, at, builder), count, _latency(attributes, at, builder))


def _rate(attributes: Mapping[str, str], at: Location, builder: StructureBuilder) -> Fraction | None:
    for key, raw in attributes.items():
        word, unit = _split_unit(key, _RATE_WORDS, _UNITS)
        text = raw.strip()
        if not word or not text:
            continue
        if not _NUMBER.fullmatch(text):
            return cabling_rate(text, at)
        if unit:
            return cabling_rate(f"{text} {unit}", at)
        builder.skip(f"'{key}' values without a unit")
    return None


def _latency(attributes: Mapping[str, str], at: Location, builder: StructureBuilder) -> Fraction | None:
    for key, raw in attributes.items():
        word, unit = _split_unit(key, ("latency", "delay"), _SECONDS)
        text = raw.strip()
        if not word or not text:
            continue
        if _NUMBER.fullmatch(text) and not unit:
            builder.skip(f"'{key}' values without a unit")
            continue
        value = parse_quantity(f"{text} {unit}" if _NUMBER.fullmatch(text) else text, Dimension.TIME, at)
        if value < 0:
            raise InputError(f"latency '{text}' is negative", at=at, fix="Leave it out if it is not known.")
        return value
    return None


def _split_unit(key: str, words: tuple[str, ...], units: Mapping[str, str]) -> tuple[str, str]:
    """The word and the unit that a key such as ``speed_gbps`` holds; empty strings if it is another key."""
    if key in words:
        return key, ""
    for suffix, unit in units.items():
        if key.endswith(f"_{suffix}") and key.removesuffix(f"_{suffix}") in words:
            return key.removesuffix(f"_{suffix}"), unit
    return "", ""
