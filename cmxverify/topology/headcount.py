"""Counting what a topology holds, in the words of those who build it: trays, racks, leaf switches, stores."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from cmxverify.topology.model import Node, NodeKind, Topology

_ROLE = re.compile(r"super-?spine|spine|leaf|(?<![a-z])(?:core|tor|aggr(?:egation)?)(?![a-z])", re.IGNORECASE)
_COUNTED = {NodeKind.HOST: "host", NodeKind.FLASH: "flash box", NodeKind.STORE: "store"}
MAX_SWITCH_KINDS = 3
"""Kinds of switches that are told one by one; more are told as one number."""


def head_counts(topology: Topology) -> tuple[tuple[int, str], ...]:
    """Instances of each template that holds GPUs, then switches by role, other templates, and what stands alone.

    Hosts, flash and stores of a template are its own business, unless it holds several of them, as a rack does.
    """
    titles = _titles(topology)
    gpus = [name for name, node in topology.nodes.items() if node.kind is NodeKind.GPU]
    with_gpu = {titles[box.path] for gpu in gpus for box in topology.ancestors(gpu)}
    boxes = Counter(titles.values())
    serving = {title: count for title, count in boxes.items() if title in with_gpu}
    storing = {title: count for title, count in boxes.items() if title not in with_gpu}
    loose = Counter(_COUNTED[node.kind] for node in _loose(topology, titles))
    parts = (serving, _switches(topology), storing, loose)
    return tuple((count, name) for part in parts for name, count in part.items())


def _titles(topology: Topology) -> dict[str, str]:
    """Container to what it is: its template, where ``rack-2`` beside ``rack`` is a rack of another layout."""
    templates = {box.template for box in topology.containers.values()}
    stems = {template: re.sub(r"-\d+$", "", template) for template in templates}
    titles = {template: stem if stem in templates else template for template, stem in stems.items()}
    return {path: titles[box.template] for path, box in topology.containers.items()}


def _switches(topology: Topology) -> dict[str, int]:
    roles = Counter(switch_role(node.short) for node in topology.nodes.values() if node.kind is NodeKind.SWITCH)
    named = roles if len(roles) <= MAX_SWITCH_KINDS else Counter({"": roles.total()})
    return {f"{role} switch".strip(): count for role, count in sorted(named.items(), key=lambda each: not each[0])}


def switch_role(name: str) -> str:
    """What a switch's name says that it does; '' if it says no more than that it is a switch.

    >>> switch_role("A09-IBLEAF-04-02"), switch_role("gpu-leaf3"), switch_role("oob-sw"), switch_role("sw12")
    ('leaf', 'gpu-leaf', 'oob', '')
    """
    stem = name.rstrip("0123456789").rstrip("-_")
    role = _ROLE.search(name)
    if role is None:
        plain = re.sub(r"[-_]?(?:switch|sw)$", "", stem, flags=re.IGNORECASE)
        return plain if len(plain) > 1 else ""
    whole = stem.endswith(role.group()) and stem.islower() and stem.replace("-", "").isalpha()
    return stem if whole else role.group().lower()


def _loose(topology: Topology, titles: Mapping[str, str]) -> Iterable[Node]:
    """Hosts, flash and stores that no template of one machine counts."""
    inside = Counter((node.container, node.kind) for node in topology.nodes.values())
    several = {(titles[box], kind) for (box, kind), count in inside.items() if box and count > 1}
    for node in topology.nodes.values():
        counted = not node.container or (titles[node.container], node.kind) in several
        if node.kind in _COUNTED and counted:
            yield node
