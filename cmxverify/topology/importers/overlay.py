"""The overlay: what a fabric file does not say, by name pattern.

An overlay is a YAML file beside the imported one::

    cmxverify-overlay: 1              # required, first
    name: my-fabric                   # default: the name of the imported file
    plan_to: 80%                      # this line, hops, include, software, templates, power, prices, tenants and
    hops: {metric: switches, max: 3}  # workload go into the topology word for word (see the topology reference)
    ignore: ["mgmt-*"]                # nodes to leave out, with their cables
    devices:                          # catalog device of a node; the first matching pattern wins
      "*leaf*": sn5610
      "*spine*": {is: sn5610, idle: 500 W}
    replace:                          # a node becomes an instance of a template; its cables go to the named inner nodes
      "dgx-*": {template: tray, cables: dpu}
      "cmx[0-3]": {template: enclosure, cables: "dpu[0-1]"}   # several inner nodes: cables are dealt out in turn
    cables:                           # figures of cables about which the file is silent; first match wins
      "*leaf* -- *spine*": {rate: 800 Gb/s, latency: 1 us}
      "*": 400 Gb/s
    nodes: {...}                      # further nodes and links that the file does not know, word for word
    links: {...}

A pattern is a name with ``*`` and ``?``, or a range such as ``tray[00-17]``. It is compared with the name in the
imported file, with the name in the written topology, and with its path (``rack3.node7``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path

from cmxverify.catalog.devices import device
from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.topology.hostlist import expand_ranges
from cmxverify.topology.importers.rates import cabling_rate
from cmxverify.units import Dimension, parse_quantity
from cmxverify.yaml_tree import YamlTree, parse_yaml, read_text

PASSED_ON = ("plan_to", "hops", "include", "software", "templates", "power", "prices", "tenants", "workload")
"""Keys that go into the topology as they are."""

_OWN = ("cmxverify-overlay", "name", "ignore", "devices", "replace", "cables", "nodes", "links")


@dataclass(slots=True)
class Pattern:
    """A glob or a range over node names; remembers whether it ever matched."""

    text: str
    at: Location
    used: bool = False
    _names: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if "[" in self.text:
            if set(self.text) & set("*?"):
                fix = "Use several patterns, each with either a range or wildcards."
                raise InputError(f"pattern '{self.text}' mixes a range with wildcards", at=self.at, fix=fix)
            self._names = frozenset(expand_ranges(self.text, self.at))

    def matches(self, spellings: tuple[str, ...]) -> bool:
        """Whether one spelling of a node fits."""
        found = any(s in self._names if self._names else fnmatchcase(s, self.text) for s in spellings)
        self.used = self.used or found
        return found


@dataclass(frozen=True, slots=True)
class DeviceRule:
    """Nodes of a pattern are this device: ``text`` is what the topology file says, as ``sn5610``."""

    pattern: Pattern
    text: YamlTree


@dataclass(frozen=True, slots=True)
class ReplaceRule:
    """Nodes of a pattern become instances of a template; cables go to the inner nodes in turn."""

    pattern: Pattern
    template: str
    inner: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CableRule:
    """Cables between two patterns (in either direction) have these figures where the file gives none."""

    a: Pattern
    b: Pattern
    rate: Fraction | None
    latency: Fraction | None
    at: Location

    @property
    def text(self) -> str:
        """The rule as the overlay writes it."""
        return self.a.text if self.a is self.b else f"{self.a.text} -- {self.b.text}"

    def matches(self, a: tuple[str, ...], b: tuple[str, ...]) -> bool:
        """Whether a cable between nodes with these spellings fits."""
        ways = ((a, b), (b, a))
        return any(self.a.matches(left) and self.b.matches(right) for left, right in ways)


@dataclass(frozen=True, slots=True)
class Overlay:
    """A read overlay; ``tree`` and ``text`` keep what is passed on."""

    file: str = ""
    text: str = ""
    tree: YamlTree | None = None
    name: str = ""
    ignore: tuple[Pattern, ...] = ()
    devices: tuple[DeviceRule, ...] = ()
    replace: tuple[ReplaceRule, ...] = ()
    cables: tuple[CableRule, ...] = ()
    templates: frozenset[str] = field(default_factory=frozenset)

    def unused(self) -> list[Pattern]:
        """Patterns that matched nothing; ask after the overlay was applied."""
        patterns = [*self.ignore, *(r.pattern for r in self.devices), *(r.pattern for r in self.replace)]
        idle = [pattern for pattern in patterns if not pattern.used]
        for rule in self.cables:
            if not (rule.a.used and rule.b.used):
                idle.append(Pattern(rule.text, rule.at))
        return idle


def read_overlay(path: Path) -> Overlay:
    """Read an overlay.

    Raises:
        InputError: If the file cannot be read, has an unknown key, a malformed value or an unknown device.
    """
    text = read_text(path)
    tree = parse_yaml(text, str(path))
    members = _mapping(tree, "an overlay")
    if "cmxverify-overlay" not in members:
        raise InputError("'cmxverify-overlay: 1' is missing", at=tree.at, fix="Write it as the first line.")
    version = members["cmxverify-overlay"]
    if version.value != 1:
        raise InputError(f"overlay version {version.value!r} is not known", at=version.at, fix="This program reads 1.")
    for key in members:
        if key not in (*_OWN, *PASSED_ON):
            raise InputError(f"unknown key '{key}'", at=tree.keys_at[key], fix=did_you_mean(key, (*_OWN, *PASSED_ON)))
    templates = frozenset(_section(tree, "templates"))
    return Overlay(
        file=str(path),
        text=text,
        tree=tree,
        name=_word(members["name"], "a name") if "name" in members else "",
        ignore=tuple(Pattern(_word(t, "a pattern"), t.at) for t in _list(members.get("ignore"))),
        devices=tuple(_device_rule(k, v, at, templates) for k, v, at in _rules(tree, "devices")),
        replace=tuple(_replace_rule(k, v, at, tree) for k, v, at in _rules(tree, "replace")),
        cables=tuple(_cable_rule(k, v, at) for k, v, at in _rules(tree, "cables")),
        templates=templates,
    )


def _mapping(tree: YamlTree, what: str) -> dict[str, YamlTree]:
    if not isinstance(tree.value, dict):
        raise InputError(f"{what} is a mapping of keys to values", at=tree.at, fix="Write 'key: value' lines.")
    return tree.value


def _section(tree: YamlTree, key: str) -> dict[str, YamlTree]:
    section = tree.child(key)
    return _mapping(section, f"'{key}'") if section and section.value is not None else {}


def _rules(tree: YamlTree, key: str) -> list[tuple[str, YamlTree, Location]]:
    section = tree.child(key)
    return [(k, v, section.keys_at[k]) for k, v in _section(tree, key).items()] if section else []


def _list(tree: YamlTree | None) -> list[YamlTree]:
    if tree is None or tree.value is None:
        return []
    return tree.value if isinstance(tree.value, list) else [tree]


def _word(tree: YamlTree, what: str) -> str:
    if isinstance(tree.value, str) and tree.value.strip():
        return tree.value.strip()
    raise InputError(f"{tree.plain()!r} is not {what}", at=tree.at, fix="Write a text, in quotes if it has a '*'.")


def _device_rule(key: str, value: YamlTree, at: Location, templates: frozenset[str]) -> DeviceRule:
    named = value.child("is") if isinstance(value.value, dict) else value
    if named is None and value.child("kind"):
        return DeviceRule(Pattern(key, at), value)
    if named is None:
        raise InputError(f"'{key}' has neither 'is' nor 'kind'", at=value.at, fix="Write {is: sn5610, key: value}.")
    word = _word(named, "a device")
    if word in templates:
        raise InputError(f"'{word}' is a template", at=named.at, fix="Move this pattern to 'replace'.")
    device(word, named.at)
    return DeviceRule(Pattern(key, at), value)


def _replace_rule(key: str, value: YamlTree, at: Location, overlay: YamlTree) -> ReplaceRule:
    if isinstance(value.value, dict):
        for name in value.value:
            if name not in ("template", "cables"):
                fix = did_you_mean(name, ("template", "cables"))
                raise InputError(f"unknown key '{name}'", at=value.keys_at[name], fix=fix)
    named = value.child("template") if isinstance(value.value, dict) else value
    if named is None:
        raise InputError(f"'{key}' names no template", at=value.at, fix="Write {template: tray, cables: dpu}.")
    template = _word(named, "a template")
    if "include" not in _mapping(overlay, "an overlay") and template not in _section(overlay, "templates"):
        fix = did_you_mean(template, _section(overlay, "templates")) + " Or include the file that holds it."
        raise InputError(f"unknown template '{template}'", at=named.at, fix=fix)
    cables = value.child("cables") if isinstance(value.value, dict) else None
    inner = [_word(tree, "an inner node") for tree in _list(cables)] or _only_port(overlay, template, named.at)
    names = [name for pattern in inner for name in expand_ranges(pattern, named.at)]
    _check_inner(overlay, template, names, cables.at if cables else named.at)
    return ReplaceRule(Pattern(key, at), template, tuple(names))


def _inner_nodes(overlay: YamlTree, template: str) -> dict[str, YamlTree] | None:
    """Inner nodes of a template, None if it comes from an included file."""
    nodes = overlay.find(("templates", template, "nodes"))
    return nodes.value if nodes and isinstance(nodes.value, dict) else None


def _only_port(overlay: YamlTree, template: str, at: Location) -> list[str]:
    """Inner nodes that take cables when the overlay does not say: the DPUs or NICs, if they are one line."""
    inner = _inner_nodes(overlay, template) or {}
    ports = [name for name in inner if name.lower().startswith(("dpu", "nic"))]
    if len(ports) == 1:
        return ports
    fix = f"Write {{template: {template}, cables: dpu}} with the name of the inner node."
    raise InputError(f"which inner node of '{template}' takes the cables?", at=at, fix=fix)


def _check_inner(overlay: YamlTree, template: str, names: list[str], at: Location) -> None:
    inner = _inner_nodes(overlay, template)
    if inner is None:
        return
    known = {name for pattern in inner for name in expand_ranges(pattern, at)}
    for name in names:
        if name.split(".")[0] not in known:
            raise InputError(f"template '{template}' has no inner node '{name}'", at=at, fix=did_you_mean(name, known))


def _cable_rule(key: str, value: YamlTree, at: Location) -> CableRule:
    left, dashes, right = (part.strip() for part in key.partition("--"))
    a = Pattern(left, at)
    b = Pattern(right, at) if dashes else a
    if not left or (dashes and not right):
        raise InputError(f"'{key}' does not name two ends", at=at, fix='Write "*leaf* -- *spine*", or "*" for all.')
    if not isinstance(value.value, dict):
        return CableRule(a, b, cabling_rate(_word(value, "a rate"), value.at), None, at)
    for name in value.value:
        if name not in ("rate", "latency"):
            fix = did_you_mean(name, ("rate", "latency"))
            raise InputError(f"unknown key '{name}'", at=value.keys_at[name], fix=fix)
    rate, latency = value.child("rate"), value.child("latency")
    return CableRule(
        a,
        b,
        cabling_rate(_word(rate, "a rate"), rate.at) if rate else None,
        _latency(latency) if latency else None,
        at,
    )


def _latency(tree: YamlTree) -> Fraction:
    value = parse_quantity(tree.value, Dimension.TIME, tree.at)
    if value < 0:
        raise InputError(f"latency '{tree.value}' is negative", at=tree.at, fix="Write it as 1 us.")
    return value
