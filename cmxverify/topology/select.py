"""Which nodes and containers a pattern such as ``tray[00-07]`` or ``rack*`` names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase

from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.topology.hostlist import expand_ranges

_MAX_GLOBS = 1_000
_PART = re.compile(r"(?:[^,\[]|\[[^\]]*\]?)+")
"""What stands between commas that are outside brackets."""


def select_members(pattern: str, names: Iterable[str], at: Location) -> list[str]:
    """Names that a comma-separated list of ranges or globs stands for, in order and each once.

    Raises:
        InputError: If a part names nothing that exists, or a range is not all there.

    >>> select_members("cmx[0-1]", ["cmx0", "cmx1", "leaf0"], Location("x"))
    ['cmx0', 'cmx1']
    """
    known = dict.fromkeys(names)
    parts = [part.strip() for part in _PART.findall(pattern) if part.strip()]
    if not parts:
        raise InputError("a name or range is expected here", at=at, fix="Write it as tray[00-07].")
    found: dict[str, None] = {}
    for part in parts:
        matching = _globbed(part, known, at) if "*" in part or "?" in part else _listed(part, known, at)
        found.update(dict.fromkeys(matching))
    return list(found)


def _globbed(part: str, known: dict[str, None], at: Location) -> list[str]:
    """A range may miss some names here: ``rack[0-9].gpu*`` takes those that exist."""
    globs = expand_ranges(part, at, limit=_MAX_GLOBS, globs=True)
    matching = [name for name in known if any(fnmatchcase(name, glob) for glob in globs)]
    if not matching:
        raise InputError(f"'{part}' names nothing in this topology", at=at, fix=_fix(globs[0], known))
    return matching


def _listed(part: str, known: dict[str, None], at: Location) -> list[str]:
    names = expand_ranges(part, at)
    missing = [name for name in names if name not in known]
    if len(missing) == len(names):
        raise InputError(f"'{part}' names nothing in this topology", at=at, fix=_fix(names[0], known))
    if missing:
        raise InputError(f"'{missing[0]}' of '{part}' does not exist", at=at, fix=_fix(missing[0], known))
    return names


def _fix(wanted: str, known: Iterable[str]) -> str:
    """A node inside a rack is often called by its last name alone."""
    names = list(known)
    inner = next((name for name in names if fnmatchcase(name, f"*.{wanted}")), None)
    if inner is None:
        return did_you_mean(wanted, names)
    return f"Names start at the outermost container: '{inner}'."


def outermost(names: Iterable[str]) -> list[str]:
    """Names without those that lie inside another of them.

    >>> outermost(["r0", "r0.cmx1", "r1.cmx0", "r1.cmx0.flash"])
    ['r0', 'r1.cmx0']
    """
    found = list(names)
    chosen = set(found)
    return [name for name in found if chosen.isdisjoint(_around(name))]


def _around(name: str) -> Iterable[str]:
    parts = name.split(".")
    return (".".join(parts[:depth]) for depth in range(1, len(parts)))
