"""Node names: what kind a name suggests, and how a foreign name is spelled in a topology file."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cmxverify.topology.importers.structure import Kind

_WORDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (Kind.SWITCH, re.compile(r"leaf|spine|core\d|tor\d|switch|(?:^|[-_.])(?:ib)?sw\d|super-?spine|aggr", re.I)),
    (Kind.STORE, re.compile(r"cmx|storage|(?:^|[-_.])(?:store|nas|ceph|vast|weka|jbof)[-_\d]", re.I)),
    (Kind.DPU, re.compile(r"(?:^|[-_.])(?:dpu|bf[234]?)[-_]?\d*$|bluefield", re.I)),
    (Kind.HOST, re.compile(r"dgx|hgx|gb[23]00|node|host|tray|compute|server|(?:^|[-_.])gpu[-_]?\d", re.I)),
)

_ROLES = {
    "gpu": Kind.GPU,
    "accelerator": Kind.GPU,
    "host": Kind.HOST,
    "server": Kind.HOST,
    "node": Kind.HOST,
    "compute": Kind.HOST,
    "cpu": Kind.HOST,
    "dpu": Kind.DPU,
    "bluefield": Kind.DPU,
    "nic": Kind.NIC,
    "hca": Kind.NIC,
    "switch": Kind.SWITCH,
    "router": Kind.SWITCH,
    "leaf": Kind.SWITCH,
    "spine": Kind.SWITCH,
    "tor": Kind.SWITCH,
    "core": Kind.SWITCH,
    "flash": Kind.FLASH,
    "ssd": Kind.FLASH,
    "nvme": Kind.FLASH,
    "store": Kind.STORE,
    "storage": Kind.STORE,
}


def kind_of_role(role: str) -> Kind:
    """The kind that a role column names (``leaf``, ``Server``), else unknown."""
    return _ROLES.get(role.strip().lower(), Kind.UNKNOWN)


def kind_of_name(name: str) -> Kind:
    """The kind that a name suggests; a guess that the overlay may correct.

    >>> kind_of_name("rack3-leaf0"), kind_of_name("dgx-07"), kind_of_name("x17")
    (<Kind.SWITCH: 'switch'>, <Kind.HOST: 'host'>, <Kind.UNKNOWN: 'unknown'>)
    """
    return next((kind for kind, pattern in _WORDS if pattern.search(name)), Kind.UNKNOWN)


def safe_name(original: str) -> str:
    """Spell a name with letters, digits, '-' and '_', starting with a letter.

    >>> safe_name("leaf1.dc.example"), safe_name("1101"), safe_name("mlx5 #2")
    ('leaf1-dc-example', 'n1101', 'mlx5-2')
    """
    name = re.sub(r"[^A-Za-z0-9_\-]+", "-", original).strip("-_") or "node"
    return name if name[0].isalpha() else f"n{name}"


def safe_names(originals: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Spell many names without a collision: names that need no change keep theirs, others get ``-2``, ``-3``.

    Returns the new name of each, and one line for each collision.
    """
    names = sorted(set(originals))
    spelled = {name: name for name in names if safe_name(name) == name}
    taken, clashes = set(spelled), []
    for name in names:
        if name in spelled:
            continue
        wanted = unique = safe_name(name)
        number = 2
        while unique in taken:
            unique, number = f"{wanted}-{number}", number + 1
        if unique != wanted:
            clashes.append(f"'{name}' is written '{unique}', because '{wanted}' is another node")
        spelled[name] = unique
        taken.add(unique)
    return spelled, clashes


def short_hosts(names: Iterable[str]) -> dict[str, str]:
    """Map fully qualified names to their first label where no other host shares it.

    >>> short_hosts(["leaf1.dc.example", "leaf1", "10.0.0.1", "a.x", "a.y"])
    {'10.0.0.1': '10.0.0.1', 'a.x': 'a.x', 'a.y': 'a.y', 'leaf1': 'leaf1', 'leaf1.dc.example': 'leaf1'}
    """
    known = sorted(set(names))
    domains: dict[str, set[str]] = {}
    for name in known:
        label, _, domain = name.partition(".")
        domains.setdefault(label, set()).update([domain] if domain else [])
    labels = {name: name.partition(".")[0] for name in known}
    return {n: label if label[:1].isalpha() and len(domains[label]) <= 1 else n for n, label in labels.items()}
