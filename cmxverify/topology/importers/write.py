"""Writing a draft as a topology file: hostlist ranges where they fit, comments saying who gave which value."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from cmxverify.errors import InputError, Location
from cmxverify.topology.hostlist import compress_names, expand_ranges
from cmxverify.topology.importers.draft import Draft, DraftLink, DraftNode, NodePath, Origin
from cmxverify.topology.importers.flow import write_text, write_value
from cmxverify.topology.importers.overlay import PASSED_ON, Overlay
from cmxverify.topology.importers.rates import write_rate
from cmxverify.topology.importers.sections import entry_lines, section_lines
from cmxverify.topology.importers.structure import counted
from cmxverify.yaml_tree import MAX_BYTES, Plain, parse_yaml

MAX_PATTERN = 200
"""Characters of one range; a YAML key may have 1,024, and two ranges stand in one."""

_RENAMES_SHOWN = 12


def write_topology(draft: Draft, folder: Path | None = None) -> str:
    """The text of a topology file; ``folder`` is where it will lie, for relative includes.

    Raises:
        InputError: If the overlay's sections do not fit together as YAML (an alias to a section left out), or
            the file would be larger than what can be read.
    """
    root = _Container(())
    for node in draft.nodes:
        root.within(node.path[:-1]).nodes.append(node)
    for link in draft.links:
        root.deepest(_common(link.a[:-1], link.b[:-1])).links.append(link)
    layouts = _Layouts(draft)
    body = layouts.body(root)
    lines = [*_heading(draft), "cmxverify: 1", f"name: {write_text(draft.name)}"]
    for key in PASSED_ON[:4]:
        lines += _passed_on(draft.overlay, key, folder)
    lines += _section("templates", draft.overlay, layouts.lines)
    lines += _section("nodes", draft.overlay, [*_renames(draft), *body.nodes])
    lines += _section("links", draft.overlay, body.links)
    for key in PASSED_ON[5:]:
        lines += _passed_on(draft.overlay, key, folder)
    text = "\n".join(lines) + "\n"
    if len(text) > MAX_BYTES:
        what = f"the topology would have {len(text) / 1e6:.1f} MB, but {MAX_BYTES / 1e6:g} MB can be read"
        fix = "Leave nodes out with 'ignore' in an overlay, or give nodes names that make ranges."
        raise InputError(what, at=Location(draft.structure.source), fix=fix)
    if draft.overlay.file:
        _check(text, draft)
    return text


def _common(a: NodePath, b: NodePath) -> NodePath:
    """The container path that two paths have in common."""
    depth = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return a[:depth]


def _check(text: str, draft: Draft) -> None:
    """What was written must be YAML; only an alias across sections of the overlay can break it."""
    try:
        parse_yaml(text, "written topology")
    except InputError as error:
        fix = "Write anchors and aliases out, and keep one style of indentation in each section."
        what = f"its sections do not make a topology: {error.what}"
        raise InputError(what, at=Location(draft.overlay.file or draft.structure.source), fix=fix) from None


def _heading(draft: Draft) -> list[str]:
    structure = draft.structure
    lines = [f"# Imported from {structure.source} ({structure.format}): {structure.summary()}."]
    if draft.overlay.file:
        lines.append(f"# Overlay: {draft.overlay.file}.")
    if draft.assumed_count:
        values = counted(draft.assumed_count, "value")
        lines.append(f"# {values} assumed, marked below; replace them, or give an overlay.")
    return [line.replace("\n", " ").replace("\r", " ") for line in lines]


def _renames(draft: Draft) -> list[str]:
    """Original spellings as comments, the first few of them."""
    shown = [f"  # {new} stands for {write_text(old)}" for new, old in list(draft.renamed.items())[:_RENAMES_SHOWN]]
    more = len(draft.renamed) - len(shown)
    return [*shown, f"  # and {more} more names whose other characters became '-'"] if more > 0 else shown


def _passed_on(overlay: Overlay, key: str, folder: Path | None) -> list[str]:
    tree = overlay.tree.child(key) if overlay.tree else None
    if tree is None:
        return []
    if key == "include":
        return [f"include: {write_value(_relative(tree.plain(), overlay, folder))}"]
    return entry_lines(overlay, key)


def _relative(value: Plain, overlay: Overlay, folder: Path | None) -> Plain:
    """An include is relative to the file that holds it, so it changes when that file is another one."""
    if isinstance(value, list):
        return [_relative(member, overlay, folder) for member in value]
    if not isinstance(value, str) or folder is None or Path(value).is_absolute():
        return value
    target = Path(overlay.file).parent / value
    return Path(os.path.relpath(target, folder)).as_posix() if target.exists() else value


def _section(key: str, overlay: Overlay, generated: Sequence[str]) -> list[str]:
    given = section_lines(overlay, key)
    if not given and not generated:
        return []
    mark = [f"  # from {overlay.file}"] if given and generated else []
    return [f"{key}:", *generated, *mark, *given]


@dataclass(slots=True)
class _Container:
    """The nodes right in a container, the links whose ends meet in it, and the containers in it."""

    path: NodePath
    nodes: list[DraftNode] = field(default_factory=list)
    links: list[DraftLink] = field(default_factory=list)
    inner: dict[str, _Container] = field(default_factory=dict)

    def within(self, path: NodePath) -> _Container:
        """The container at a path, made if it is new."""
        found = self
        for depth, name in enumerate(path, len(self.path) + 1):
            found = found.inner.setdefault(name, _Container(path[:depth]))
        return found

    def deepest(self, path: NodePath) -> _Container:
        """The innermost container on a path; the rest of the path lies inside a template instance."""
        found = self
        for name in path:
            if name not in found.inner:
                return found
            found = found.inner[name]
        return found


@dataclass(frozen=True, slots=True)
class _Body:
    nodes: list[str]
    links: list[str]


class _Layouts:
    """Templates for containers: equal racks share one."""

    def __init__(self, draft: Draft) -> None:
        self.box = f"imported-{draft.structure.box}" if _includes(draft.overlay) else draft.structure.box
        self.ranks = {node.path: node.rank for node in draft.nodes}
        self.lines: list[str] = []
        self._names: dict[str, str] = {}
        self._taken = set(draft.overlay.templates)

    def body(self, container: _Container) -> _Body:
        """Lines for ``nodes`` and ``links``, relative to the container; templates of inner ones are written first."""
        whats: dict[tuple[str, str], list[str]] = defaultdict(list)
        for name, inner in container.inner.items():
            whats[self._template(inner), "from the file"].append(name)
        for node in container.nodes:
            whats[node.what, _who_said(node)].append(node.path[-1])
        nodes = [
            f"  {pattern}: {what}" + (f"  # {said}" if said else "")
            for (what, said), names in whats.items()
            for pattern in patterns(names)
        ]
        return _Body(nodes, self._links(container))

    def _template(self, container: _Container) -> str:
        body = self.body(container)
        key = "\n".join([*body.nodes, "--", *body.links])
        if key not in self._names:
            wanted = self.box
            spelled = next(n for n in (wanted, *(f"{wanted}-{i}" for i in range(2, 10**6))) if n not in self._taken)
            self._taken.add(spelled)
            self._names[key] = spelled
            self.lines += [f"  {spelled}:", "    nodes:", *(f"    {line}" for line in body.nodes)]
            if body.links:
                self.lines += ["    links:", *(f"    {line}" for line in body.links)]
        return self._names[key]

    def _links(self, container: _Container) -> list[str]:
        cut = len(container.path)
        groups: dict[tuple[object, ...], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for link in container.links:
            low, high = sorted((link.a, link.b), key=lambda path: (self._rank(path), path))
            figures = (link.rate, link.count, link.latency, link.assumed)
            groups[figures][".".join(low[cut:])].add(".".join(high[cut:]))
        lines: list[str] = []
        for (rate, count, latency, assumed), peers in groups.items():
            assert isinstance(rate, Fraction)
            assert isinstance(count, int)
            assert latency is None or isinstance(latency, Fraction)
            value = _link_value(rate, count, latency) + ("  # rate assumed" if assumed else "")
            alike: dict[frozenset[str], list[str]] = defaultdict(list)
            for low_name, high_names in peers.items():
                alike[frozenset(high_names)].append(low_name)
            for highs, lows in alike.items():
                for left in patterns(lows):
                    lines += [f"  {left} -- {right}: {value}" for right in patterns(highs)]
        return sorted(lines)

    def _rank(self, path: NodePath) -> int:
        return next((self.ranks[path[:n]] for n in range(len(path), 0, -1) if path[:n] in self.ranks), 0)


def _includes(overlay: Overlay) -> bool:
    """Whether templates come from a file that is not read here, and may have any name."""
    return overlay.tree is not None and overlay.tree.child("include") is not None


def _who_said(node: DraftNode) -> str:
    """The comment behind a node: who gave its device, in the file's own words."""
    if node.origin is Origin.OVERLAY:
        return f"the file says {node.stated}" if node.stated else ""
    if node.origin is Origin.FILE:
        return f"device from the file: {node.stated}"
    return f"assumed; the file says {node.stated}" if node.stated else "assumed"


def _link_value(rate: Fraction, count: int, latency: Fraction | None) -> str:
    if count == 1 and latency is None:
        return write_rate(rate)
    parts = [f"rate: {write_rate(rate)}"]
    parts += [f"count: {count}"] if count > 1 else []
    parts += [f"latency: {_write_latency(latency)}"] if latency is not None else []
    return "{" + ", ".join(parts) + "}"


def _write_latency(latency: Fraction) -> str:
    nanoseconds = latency * 10**9
    picoseconds = -(-nanoseconds * 1000 // 1)
    text = f"{int(picoseconds) // 1000}.{int(picoseconds) % 1000:03d}".rstrip("0").rstrip(".")
    microseconds = nanoseconds / 1000
    return f"{microseconds} us" if microseconds.denominator == 1 else f"{text} ns"


def patterns(names: Iterable[str]) -> list[str]:
    """Ranges that stand for exactly these names, none longer than ``MAX_PATTERN``.

    >>> patterns(["tray08.dpu", "tray09.dpu", "leaf0"])
    ['leaf0', 'tray[08-09].dpu']
    """
    names = sorted(set(names))
    found = compress_names(names).split(", ")
    try:
        expanded = [expand_ranges(pattern) for pattern in found]
    except InputError:
        return names
    if sorted(name for part in expanded for name in part) != names:
        return names
    short: list[str] = []
    for pattern, part in zip(found, expanded, strict=True):
        half = len(part) // 2
        short += [pattern] if len(pattern) <= MAX_PATTERN or not half else patterns(part[:half]) + patterns(part[half:])
    return sorted(short) if len(short) > len(found) else short
