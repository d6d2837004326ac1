"""Sections of an overlay as lines for another file: word for word with comments where the style allows."""

from __future__ import annotations

from cmxverify.topology.importers.flow import write_text, write_value
from cmxverify.topology.importers.overlay import Overlay
from cmxverify.yaml_tree import YamlTree

INDENT = 2


def section_lines(overlay: Overlay, key: str) -> list[str]:
    """The members of a mapping section, indented by two; nothing if the overlay has none.

    Block style is copied with its comments; a section in braces is written one member a line.
    """
    tree = overlay.tree
    section = tree.child(key) if tree else None
    if tree is None or section is None or not isinstance(section.value, dict) or not section.value:
        return []
    if not _is_block(tree, key, section):
        return [f"{' ' * INDENT}{_key(name)}: {write_value(member.plain())}" for name, member in section.items()]
    indent = min(at.column for at in section.keys_at.values()) - 1
    return [_shift(line, indent) for line in _source_lines(overlay, tree, key)[1:]]


def entry_lines(overlay: Overlay, key: str) -> list[str]:
    """A top-level key with its value, word for word if the key starts its line; nothing if the overlay has none."""
    tree = overlay.tree
    value = tree.child(key) if tree else None
    if tree is None or value is None:
        return []
    alone = [at.line for at in tree.keys_at.values()].count(tree.keys_at[key].line) == 1
    if alone and tree.keys_at[key].column == 1:
        return _source_lines(overlay, tree, key)
    return [f"{key}: {write_value(value.plain())}"]


def _source_lines(overlay: Overlay, tree: YamlTree, key: str) -> list[str]:
    """Lines from a top-level key to the next; comments at the margin above the next key belong to that."""
    lines = overlay.text.splitlines()
    first = tree.keys_at[key].line
    last = min((at.line for at in tree.keys_at.values() if at.line > first), default=len(lines) + 1)
    body = lines[first - 1 : last - 1]
    while len(body) > 1 and (not body[-1].strip() or body[-1].startswith(("#", "...", "---"))):
        body.pop()
    return body


def _key(name: str) -> str:
    return write_text(name) if "[" not in name or name.startswith("[") else name


def _is_block(tree: YamlTree, key: str, section: YamlTree) -> bool:
    """Whether the section is indented lines under a key that starts its line."""
    at = tree.keys_at[key]
    below = section.at.line > at.line and all(each.line > at.line for each in section.keys_at.values())
    return at.column == 1 and below


def _shift(line: str, indent: int) -> str:
    lead = len(line) - len(line.lstrip(" "))
    if not line.strip():
        return ""
    if lead < indent:
        return line if lead == 0 else " " * INDENT + line.lstrip(" ")
    return " " * (lead - indent + INDENT) + line.lstrip(" ")
