"""The topology file as it is written, ``--set`` included: where a node or cable stands in it, and how to write more.

A way out is a ``--set``, so it has to name the key of the file: ``gpu[0-3]``, not ``gpu0``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from cmxverify.errors import InputError, Location
from cmxverify.topology.hostlist import count_names, expand_ranges
from cmxverify.topology.model import Topology
from cmxverify.topology.override import apply_overrides, leads_into
from cmxverify.yaml_tree import YamlTree, parse_yaml

_RANGE = re.compile(r"(.*)\[(\d+)-(\d+)\]")
_MOST_NAMES = 10_000
"""Of one key, when the one that names a node is looked for."""


@dataclass(frozen=True, slots=True)
class Key:
    """A value of the file: its path as ``--set`` takes it, and the tree that stands there."""

    path: str
    tree: YamlTree

    def override(self, key: str, value: str) -> str:
        """``--set`` argument for one figure of what stands here, also where only a device is named."""
        if isinstance(self.tree.value, dict):
            return f"{self.path}.{key}={value}"
        short = "rate" if " -- " in self.path else "is"
        if key == short:
            return f"{self.path}={value}"
        return f"{self.path}={{{short}: {self.tree.written or self.tree.value}, {key}: {value}}}"


class Written:
    """Keys of a topology's own file. What an included file says has none."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.tree = parse_yaml(topology.texts[topology.file], topology.file)
        apply_overrides(self.tree, (each for each in topology.overrides if not leads_into(each, "workload")))

    def node(self, name: str) -> Key | None:
        """The key that stands for a node or a container, among those of its template."""
        parent = self.topology.nodes[name].container if name in self.topology.nodes else self._parent(name)
        nodes = self._section(parent, "nodes")
        return next((key for key in nodes if _names(key.path.rpartition("nodes.")[2], name.rpartition(".")[2])), None)

    def link(self, at: Location) -> Key | None:
        """The key of the cables that stand in a line of the file."""
        templates = {each.template: path for path, each in self.topology.containers.items()}
        for parent in ("", *templates.values()):
            for key in self._section(parent, "links"):
                if (key.tree.at.file, key.tree.at.line) == (at.file, at.line):
                    return key
        return None

    def grown(self, unit: str, more: int) -> tuple[str, tuple[str, ...]] | None:
        """How to write more units beside one: the longer range, and ``--set`` arguments for all that name it.

        None where the file does not name them by one range everywhere, budgets included.
        """
        key = self.node(unit)
        found = _RANGE.fullmatch(key.path.rpartition("nodes.")[2]) if key else None
        if key is None or found is None or self._is_budgeted_apart(unit, found.group()):
            return None
        stem, first, last = found.groups()
        longer = f"{stem}[{first}-{int(last) + more:0{len(last)}d}]"
        token = re.compile(rf"(?<![\w.\-\]]){re.escape(found.group())}")
        path = key.path.rpartition("nodes.")[0]
        sections = [f"{path}nodes", f"{path}links", *(() if path else ("power",))]
        return longer, tuple(self._rewritten(section, token, longer) for section in sections if self._find(section))

    def _rewritten(self, section: str, token: re.Pattern[str], longer: str) -> str:
        tree = self._find(section)
        assert tree is not None, section
        return f"{section}={token.sub(longer, json.dumps(tree.plain()))}"

    def _is_budgeted_apart(self, unit: str, range_: str) -> bool:
        """Whether a budget names the unit in other words, so that further units would escape it."""
        power = self.tree.child("power")
        for key, budget in power.items() if power else ():
            told = " ".join(str(each.value) for _, each in budget.items())
            limits = (each for each in self.topology.power if each.name.partition(" ")[0] == key)
            mine = any(unit in limit.members for limit in limits)
            if mine and range_ not in told and "*" not in told:
                return True
        return False

    def _parent(self, path: str) -> str:
        return self.topology.containers[path].parent

    def _section(self, container: str, section: str) -> Iterator[Key]:
        path = f"templates.{self.topology.containers[container].template}.{section}" if container else section
        tree = self._find(path)
        for key, child in tree.items() if tree else ():
            yield Key(f"{path}.{key}", child)

    def _find(self, path: str) -> YamlTree | None:
        return self.tree.find(path.split("."))


def _names(pattern: str, name: str) -> bool:
    try:
        return pattern == name or (count_names(pattern, limit=_MOST_NAMES) > 1 and name in expand_ranges(pattern))
    except InputError:
        return False
