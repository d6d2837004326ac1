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


def source_text(citation: str, at: Location) -> str:
    """Expand ``id`` or ``id: detail`` to the full reference.

    Raises:
        InputError: If the id is not in ``sources.toml``.
    """
    name, colon, detail = citation.partition(":")
    known = read_data_file("sources.toml")
    if name not in known:
        raise InputError(f"unknown source '{name}'", at=at, fix=did_you_mean(name, known))
    return f"{known[name]}{f' ({detail.strip()})' if colon else ''}"
