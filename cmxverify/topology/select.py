"""Which nodes and containers a pattern such as ``tray[00-07]`` or ``rack*`` names."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.topology.hostlist import expand_ranges


def select_members(pattern: str, names: Iterable[str], at: Location) -> list[str]:
    """Names that a comma-separated list of ranges or globs stands for, in order.

    Raises:
        InputError: If a part names nothing that exists.

    >>> select_members("cmx[0-1]", ["cmx0", "cmx1", "leaf0"], Location("x"))
    ['cmx0', 'cmx1']
    """
    known = dict.fromkeys(names)
    found: dict[str, None] = {}
    for part in _parts(pattern):
        matching = _match(part, known, at)
        if not matching:
            raise InputError(f"'{part}' names nothing in this topology", at=at, fix=did_you_mean(part, known))
        found.update(dict.fromkeys(matching))
    return list(found)


def _match(part: str, known: dict[str, None], at: Location) -> list[str]:
    if "*" in part or "?" in part:
        return [name for name in known if fnmatchcase(name, part)]
    names = expand_ranges(part, at)
    missing = next((name for name in names if name not in known), None)
    if missing is not None and any(name in known for name in names):
        raise InputError(f"'{missing}' of '{part}' does not exist", at=at, fix=did_you_mean(missing, known))
    return [name for name in names if name in known]


def _parts(pattern: str) -> list[str]:
    """Split at commas outside brackets."""
    parts, depth, current = [], 0, ""
    for character in pattern:
        depth += (character == "[") - (character == "]")
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    return [part for part in (*parts, current.strip()) if part]
