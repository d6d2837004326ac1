"""YAML with positions and limits: every value knows its ``file:line``, and hostile files end in one message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cmxverify.errors import InputError, Location

MAX_BYTES = 8_000_000
MAX_VALUES = 400_000
MAX_DEPTH = 40
_RANGE_IN_BRACES = re.compile(r"\{[^{}\"']*?([\w.\-]+\[\d[\d,\-]*\][\w.\-]*)")

Plain = str | int | float | bool | None | list["Plain"] | dict[str, "Plain"]


@dataclass(slots=True)
class YamlTree:
    """A scalar, a list of trees or a mapping of trees, with the position of each value and key."""

    value: str | int | float | bool | list[YamlTree] | dict[str, YamlTree] | None
    at: Location
    keys_at: dict[str, Location] = field(default_factory=dict)
    file_text: str | None = None
    """What the file said where ``--set`` changed this value."""

    def plain(self) -> Plain:
        """The value without positions, as JSON would hold it."""
        if isinstance(self.value, dict):
            return {key: child.plain() for key, child in self.value.items()}
        if isinstance(self.value, list):
            return [child.plain() for child in self.value]
        return self.value

    def child(self, key: str | int) -> YamlTree | None:
        """The member of a mapping or list, None if there is none."""
        if isinstance(self.value, dict):
            return self.value.get(str(key))
        if isinstance(self.value, list) and isinstance(key, int) and key < len(self.value):
            return self.value[key]
        return None

    def find(self, path: Sequence[str | int]) -> YamlTree | None:
        """The value at a path of keys."""
        tree: YamlTree | None = self
        for key in path:
            tree = tree.child(key) if tree else None
        return tree

    def locate(self, path: Sequence[str | int]) -> Location:
        """Position of the key at a path, or of its nearest ancestor that exists."""
        tree, at = self, self.at
        for key in path:
            at = tree.keys_at.get(str(key), at)
            child = tree.child(key)
            if child is None:
                return at
            at = at if str(key) in tree.keys_at else child.at
            tree = child
        return at

    def items(self) -> Iterator[tuple[str, YamlTree]]:
        """Members of a mapping; nothing for other values."""
        if isinstance(self.value, dict):
            yield from self.value.items()


def read_yaml(path: Path, *, shown: str | None = None) -> YamlTree:
    """Read a YAML file; ``shown`` is the name that messages use.

    Raises:
        InputError: If the file is missing, too large, not UTF-8, empty or not YAML, repeats a key, or uses
            aliases that expand beyond the limit.
    """
    return parse_yaml(read_text(path, shown=shown), shown or str(path))


def read_text(path: Path, *, limit: int = MAX_BYTES, shown: str | None = None) -> str:
    """Read a UTF-8 file of at most ``limit`` bytes."""
    at = Location(shown or str(path))
    try:
        if path.is_dir():
            raise InputError("this is a folder, not a file", at=at, fix="Name a file in it.")
        if path.stat().st_size > limit:
            raise InputError(f"file is larger than {limit // 1_000_000} MB", at=at, fix="Split it, or use templates.")
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError("no such file", at=at, fix="Check the name, or list the folder.") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        fix = "Save the file as UTF-8."
        raise InputError("file is not UTF-8 text", at=Location(at.file, line), fix=fix) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", at=at, fix="Check the path and its permissions.") from None


def parse_yaml(text: str, shown: str) -> YamlTree:
    """Parse YAML text whose file is called ``shown`` in messages."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    if not text.strip():
        raise InputError("file is empty", at=Location(shown), fix="Start from 'cmxverify init'.")
    try:
        root = YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        raise _syntax_error(error, text, shown) from None
    except (YAMLError, ValueError) as error:
        message = str(error).splitlines()[0]
        raise InputError(f"not valid YAML: {message}", at=Location(shown), fix="Check the file's text.") from None
    except RecursionError:
        raise _too_deep(Location(shown)) from None
    if root is None:
        raise InputError("file holds only comments", at=Location(shown), fix="Start from 'cmxverify init'.")
    return _Converter(shown).convert(root, depth=0)


def _too_deep(at: Location) -> InputError:
    return InputError(f"nested deeper than {MAX_DEPTH} levels", at=at, fix="Flatten the file.")


def _syntax_error(error: Any, text: str, shown: str) -> InputError:
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 0
    lines = text.splitlines()
    first = error.context_mark.line if error.context_mark else (line or 1) - 1
    for number in range(min(first, line - 1) if line else 0, min(line, len(lines))):
        match = _RANGE_IN_BRACES.search(lines[number])
        if match:
            fix = f'Quote it: "{match.group(1)}" (brackets inside {{ }} must be in quotes).'
            what = f"unquoted range {match.group(1)} inside {{ }}"
            return InputError(what, at=Location(shown, number + 1), fix=fix)
    problem = error.problem or error.context or "syntax error"
    fix = "Tabs are not allowed; indent with spaces." if "\\t" in problem else "Check indentation, quotes and colons."
    return InputError(f"not valid YAML: {problem}", at=Location(shown, line, mark.column + 1 if mark else 0), fix=fix)


class _Converter:
    """Turns ruamel's node graph into a tree, counting values so that aliases cannot explode."""

    def __init__(self, shown: str) -> None:
        self.shown, self.count = shown, 0

    def convert(self, node: Any, depth: int) -> YamlTree:
        at = Location(self.shown, node.start_mark.line + 1, node.start_mark.column + 1)
        self.count += 1
        if depth > MAX_DEPTH:
            raise _too_deep(at)
        if self.count > MAX_VALUES:
            fix = "Write the values out, or use templates; aliases are expanded."
            raise InputError(f"file stands for more than {MAX_VALUES:,} values", at=at, fix=fix)
        match type(node).__name__:
            case "MappingNode":
                return self._mapping(node, at, depth)
            case "SequenceNode":
                return YamlTree([self.convert(child, depth + 1) for child in node.value], at)
            case _:
                return YamlTree(_scalar(node, at), at)

    def _mapping(self, node: Any, at: Location, depth: int) -> YamlTree:
        members: dict[str, YamlTree] = {}
        keys_at: dict[str, Location] = {}
        for key_node, value_node in node.value:
            key_at = Location(self.shown, key_node.start_mark.line + 1, key_node.start_mark.column + 1)
            key = _key(key_node, key_at)
            if key in members:
                first = keys_at[key].line
                fix = f"It stands in line {first} already; keep one of the two."
                raise InputError(f"key '{key}' is given twice", at=key_at, fix=fix)
            members[key], keys_at[key] = self.convert(value_node, depth + 1), key_at
        return YamlTree(members, at, keys_at)


def _key(node: Any, at: Location) -> str:
    if type(node).__name__ != "ScalarNode":
        raise InputError("a key must be a name", at=at, fix="Quote keys that hold brackets or braces.")
    if node.value == "<<":
        raise InputError("merge keys (<<) are not read", at=at, fix="Use a template, or workload.defaults.")
    return str(node.value)


def _scalar(node: Any, at: Location) -> str | int | float | bool | None:
    text = node.value
    tag = str(node.tag).rsplit(":", 1)[-1]
    if tag == "str" or node.style in ("'", '"', "|", ">"):
        return str(text)
    if tag == "null":
        return None
    if tag == "bool":
        return str(text).lower() == "true"
    if tag == "int" and re.fullmatch(r"[+-]?\d{1,18}", text):
        return int(text)
    if tag == "float" and len(text) < 40:
        return float(text.replace("_", "")) if re.fullmatch(r"[+-]?[\d.]+(e[+-]?\d{1,3})?", text, re.I) else str(text)
    if tag in {"int", "float", "timestamp"}:
        return str(text)
    raise InputError(f"tag '{node.tag}' is not read", at=at, fix="Use plain text, numbers, lists and mappings.")
