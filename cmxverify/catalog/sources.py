"""The texts that figures cite: short ids in the data files, full references in ``data/sources.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from cmxverify.errors import InputError, Location, did_you_mean


@cache
def read_data_file(name: str) -> Mapping[str, Any]:
    """Parse one file of ``cmxverify/catalog/data``; cached, so treat it as read-only."""
    return tomllib.loads(files("cmxverify.catalog").joinpath("data", name).read_text(encoding="utf-8"))


def split_citation(citation: str, at: Location) -> tuple[str, str]:
    """Full reference and detail of ``id`` or ``id: detail``.

    Raises:
        InputError: If the id is not in ``sources.toml``.
    """
    name, _, detail = citation.partition(":")
    known = read_data_file("sources.toml")
    if name not in known:
        raise InputError(f"unknown source '{name}'", at=at, fix=did_you_mean(name, known))
    return str(known[name]), detail.strip()


def source_text(citation: str, at: Location) -> str:
    """Reference and detail in one line: ``reference (detail)``.

    Raises:
        InputError: If the id is not in ``sources.toml``.
    """
    reference, detail = split_citation(citation, at)
    return f"{reference} ({detail})" if detail else reference
