"""Models of the catalog: the raw facts that a KV shape is built from, with their source.

Only facts live here; what they mean in bytes is ``cmxverify.workload.kv_shape``, one floor up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from cmxverify.catalog.figure import Grade
from cmxverify.catalog.sources import read_data_file, source_text
from cmxverify.errors import InputError, Location, did_you_mean


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model as the data file tells it.

    ``groups`` holds one table per group of like layers, in the words of ``kv_shape.LayerGroup``.
    ``parameters`` counts all weights of the language model, without multi-token-prediction layers;
    ``None`` when no text read publishes it.
    """

    name: str
    title: str
    groups: tuple[Mapping[str, Any], ...]
    weights: str
    source: str
    grade: Grade
    parameters: int | None
    parameters_source: str
    parameters_grade: Grade
    notes: tuple[str, ...] = ()


def model_entry(name: str, at: Location | None = None) -> ModelEntry:
    """Look up one model.

    Raises:
        InputError: If there is none of that name; names the nearest one.
    """
    found = _all_models().get(name)
    if found is None:
        raise InputError(f"unknown model '{name}'", at=at, fix=did_you_mean(name, _all_models()))
    return found


def model_entries() -> tuple[ModelEntry, ...]:
    """All models, in the order of the data file."""
    return tuple(_all_models().values())


@cache
def _all_models() -> Mapping[str, ModelEntry]:
    tables = read_data_file("models.toml")
    return MappingProxyType({name: _read_model(name, table) for name, table in tables.items()})


def _read_model(name: str, table: Mapping[str, Any]) -> ModelEntry:
    at = Location(f"models.toml[{name}]")
    return ModelEntry(
        name=name,
        title=table["title"],
        groups=tuple(MappingProxyType(group) for group in table["groups"]),
        weights=table["weights"],
        source=source_text(table["source"], at),
        grade=Grade(table["grade"]),
        parameters=table.get("parameters"),
        parameters_source=source_text(table["parameters_source"], at) if "parameters" in table else "unknown",
        parameters_grade=Grade(table.get("parameters_grade", "?")),
        notes=tuple(table.get("notes", ())),
    )
