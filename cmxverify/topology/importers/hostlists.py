"""Hostlists of Slurm and topograph: several ranges in one word, separated by commas outside the brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cmxverify.errors import InputError, Location
from cmxverify.topology.hostlist import expand_ranges
from cmxverify.topology.importers.structure import MAX_NODES

_PART = re.compile(r"(?:[^,\[\]]|\[[^\[\]]*\]|[\[\]])+")


def expand_hostlist(text: str, at: Location) -> list[str]:
    """List the names, in order.

    Raises:
        InputError: If a range is malformed, or more than 100,000 names result.

    >>> expand_hostlist("r[1-2]n[01-02],login", Location("topology.conf", 3))
    ['r1n01', 'r1n02', 'r2n01', 'r2n02', 'login']
    """
    names: list[str] = []
    for part in _parts(text):
        names += expand_ranges(part, at, limit=MAX_NODES)
        if len(names) > MAX_NODES:
            raise InputError(f"more than {MAX_NODES:,} names in one list", at=at, fix="Import a part of the cluster.")
    return names


def _parts(text: str) -> Iterator[str]:
    return (part.strip() for part in _PART.findall(text) if part.strip())
