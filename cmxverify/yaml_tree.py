"""YAML with positions and limits: every value knows its ``file:line``, and hostile files end in one message."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cmxverify.errors import InputError, Location

MAX_BYTES = 2_000_000
"""Of one YAML file; the parser reads about 100 KB a second."""
MAX_VALUES = 200_000
MAX_DEPTH = 40
_UNQUOTED_RANGE = re.compile(r"[\w.\-]+\[\d[\d,\-]*\][\w.\-]*(?:\[\d[\d,\-]*\][\w.\-]*)*")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'")
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_PLAIN_TAGS = {"str", "null", "bool", "int", "float", "timestamp", "map", "seq"}

Plain = str | int | float | bool | None | list["Plain"] | dict[str, "Plain"]


@dataclass(slots=True)
class YamlTree:
    """A scalar, a list of trees or a mapping of trees, with the position of each value and key."""

    value: str | int | float | bool | list[YamlTree] | dict[str, YamlTree] | None
    at: Location
    keys_at: dict[str, Location] = field(default_factory=dict)
    file_text: str | None = None
    """What the file said where ``--set`` changed this value."""
    written: str | None = None
    """A scalar as it is spelled in the file: ``2.10`` is the number 2.1 but may be meant as a text."""

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
        if isinstance(self.value, list) and isinstance(key, int) and 0 <= key < len(self.value):
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


def read_text(path: Path, *, limit: int = MAX_BYTES, shown: str | None = None) -> str:
    """Read a UTF-8 file of at most ``limit`` bytes, without its byte order mark.

    Raises:
        InputError: If the file is missing, a folder, unreadable, larger than that, or not UTF-8.
    """
    at = Location(shown or str(path))
    content = _read_bytes(path, limit, at)
    if len(content) > limit:
        fix = "Split it, or use templates."
        raise InputError(f"file is larger than {limit / 1_000_000:g} MB", at=at, fix=fix)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError("file is not UTF-8 text", at=Location(at.file, line), fix="Save it as UTF-8.") from None


def _read_bytes(path: Path, limit: int, at: Location) -> bytes:
    """At most one byte more than the limit, so that an endless device ends too."""
    try:
        with path.open("rb") as stream:
            return stream.read(limit + 1)
    except FileNotFoundError:
        raise InputError("no such file", at=at, fix="Check the name, or list the folder.") from None
    except IsADirectoryError:
        raise InputError("this is a folder, not a file", at=at, fix="Name a file in it.") from None
    except OSError as error:
        fix = "Check the path and its permissions."
        raise InputError(f"cannot be read: {error.strerror}", at=at, fix=fix) from None
    except ValueError:  # a NUL character in the name
        raise InputError("this is not a file name", at=at, fix="Check the name.") from None


def parse_yaml(text: str, shown: str) -> YamlTree:
    """Parse YAML text whose file is called ``shown`` in messages.

    Raises:
        InputError: If it is empty or not YAML, repeats a key, or uses aliases that expand beyond the limit.
    """
    if not text.strip():
        raise InputError("file is empty", at=Location(shown), fix="Start from 'cmxverify init'.")
    root = _compose(text, shown)
    if root is None or (_tag(root) == "null" and not root.value):
        raise InputError("file holds only comments", at=Location(shown), fix="Start from 'cmxverify init'.")
    _Gauge(shown).measure(root)
    return _Converter(shown).convert(root)


def _compose(text: str, shown: str) -> Any:
    """ruamel's node graph of the text; None if there is no document in it."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError
    from ruamel.yaml.reader import ReaderError
    from ruamel.yaml.scanner import Scanner

    class ShallowScanner(Scanner):
        """Refuses deep brackets at once: ruamel's time grows with the square of their depth."""

        def fetch_flow_collection_start(self, token: Any, to_push: str) -> None:
            if len(self.flow_context) >= MAX_DEPTH:
                raise RecursionError(self.reader.get_mark().line + 1)
            super().fetch_flow_collection_start(token, to_push)

    yaml = YAML(typ="safe", pure=True)
    yaml.Scanner = ShallowScanner
    try:
        return yaml.compose(text)
    except MarkedYAMLError as error:
        raise _syntax_error(error, text, shown) from None
    except ReaderError as error:
        line = text[: error.position].count("\n") + 1
        what = f"character U+{ord(text[error.position]):04X} is not allowed in YAML"
        raise InputError(what, at=Location(shown, line), fix="Remove it; is this a text file?") from None
    except (YAMLError, ValueError, AssertionError) as error:
        message = (str(error).splitlines() or ["cannot be parsed"])[0]
        raise InputError(f"not valid YAML: {message}", at=Location(shown), fix="Check the file's text.") from None
    except RecursionError as error:
        line = error.args[0] if isinstance(error.args[0], int) else 0
        raise _too_deep(Location(shown, line)) from None


def _too_deep(at: Location) -> InputError:
    return InputError(f"nested deeper than {MAX_DEPTH} levels", at=at, fix="Flatten the file.")


def _syntax_error(error: Any, text: str, shown: str) -> InputError:
    mark = error.problem_mark or error.context_mark
    at = Location(shown, mark.line + 1, mark.column + 1) if mark else Location(shown)
    problem = error.problem or error.context or "syntax error"
    if "another document" in problem:
        fix = "Keep one document: remove '---' and what follows, or split the file."
        return InputError("file holds more than one YAML document", at=at, fix=fix)
    unquoted = _unquoted_range(error, text)
    if unquoted is not None:
        name, line = unquoted
        fix = f'Quote it: "{name}" (brackets inside {{ }} must be in quotes).'
        return InputError(f"unquoted range {name} inside {{ }}", at=Location(shown, line), fix=fix)
    fix = "Tabs are not allowed; indent with spaces." if "\\t" in problem else "Check indentation, quotes and colons."
    return InputError(f"not valid YAML: {problem}", at=at, fix=fix)


def _unquoted_range(error: Any, text: str) -> tuple[str, int] | None:
    """A range between the bracket that opened and the line of the error, outside quotes, and its line."""
    if error.context_mark is None or "flow" not in (error.context or ""):
        return None
    first = error.context_mark.index
    last = text.find("\n", error.problem_mark.index)
    opened = _QUOTED.sub(lambda quoted: re.sub(r"[^\n]", " ", quoted.group()), text[first : last if last > 0 else None])
    match = _UNQUOTED_RANGE.search(opened)
    if match is None:
        return None
    return match.group(), error.context_mark.line + 1 + opened.count("\n", 0, match.start())


class _Gauge:
    """Measures ruamel's node graph before it is copied into a tree, each node once: aliases cannot explode."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.known: dict[int, tuple[int, int]] = {}
        """Values and levels of each node; both 0 while it is being measured."""

    def measure(self, node: Any, depth: int = 0) -> tuple[int, int]:
        """Values that a node stands for with its aliases expanded, and levels below it.

        Raises:
            InputError: If it contains itself, or exceeds the limits.
        """
        if id(node) in self.known:
            values, levels = self.known[id(node)]
            if not values:
                what = "this value contains itself by an alias"
                raise InputError(what, at=_position(self.shown, node), fix="Write the values out.")
            return values, levels
        self.known[id(node)] = (0, 0)
        inner = [self.measure(child, depth + 1) for child in _children(node)] if depth <= MAX_DEPTH else []
        values = 1 + sum(value for value, _ in inner)
        levels = max((level + 1 for _, level in inner), default=0)
        if depth + levels > MAX_DEPTH:
            raise _too_deep(_position(self.shown, node))
        if values > MAX_VALUES:
            fix = "Write the values out, or use templates; aliases are expanded."
            what = f"file stands for more than {MAX_VALUES:,} values"
            raise InputError(what, at=_position(self.shown, node), fix=fix)
        self.known[id(node)] = (values, levels)
        return values, levels


def _children(node: Any) -> list[Any]:
    if isinstance(node.value, str):
        return []
    return [child[1] if isinstance(child, tuple) else child for child in node.value]


def _position(shown: str, node: Any) -> Location:
    return Location(shown, node.start_mark.line + 1, node.start_mark.column + 1)


class _Converter:
    """Turns ruamel's node graph into a tree."""

    def __init__(self, shown: str) -> None:
        self.shown = shown

    def convert(self, node: Any) -> YamlTree:
        at = _position(self.shown, node)
        tag = _tag(node)
        if tag not in _PLAIN_TAGS:
            fix = "Use plain text, numbers, lists and mappings."
            shown = tag if tag.startswith("!") else f"!!{tag}"
            raise InputError(f"tag '{shown}' is not read", at=at, fix=fix)
        match type(node).__name__:
            case "MappingNode":
                return self._mapping(node, at)
            case "SequenceNode":
                return YamlTree([self.convert(child) for child in node.value], at)
            case _:
                text = _text(node, at)
                return YamlTree(_scalar(text, tag, quoted=node.style is not None), at, written=text)

    def _mapping(self, node: Any, at: Location) -> YamlTree:
        members: dict[str, YamlTree] = {}
        keys_at: dict[str, Location] = {}
        for key_node, value_node in node.value:
            key_at = _position(self.shown, key_node)
            key = _key(key_node, key_at)
            if key in members:
                first = keys_at[key].line
                fix = f"It stands in line {first} already; keep one of the two."
                raise InputError(f"key '{key}' is given twice", at=key_at, fix=fix)
            members[key], keys_at[key] = self.convert(value_node), key_at
        return YamlTree(members, at, keys_at)


def _tag(node: Any) -> str:
    """Last word of a standard tag, else the whole tag: ``int``, ``!mine``."""
    return str(node.tag).removeprefix("tag:yaml.org,2002:")


def _key(node: Any, at: Location) -> str:
    if type(node).__name__ != "ScalarNode":
        raise InputError("a key must be a name", at=at, fix="Quote keys that hold brackets or braces.")
    if node.value == "<<":
        raise InputError("merge keys (<<) are not read", at=at, fix="Use a template, or workload.defaults.")
    return _text(node, at)


def _text(node: Any, at: Location) -> str:
    """The text of a scalar; characters that JSON escapes as two halves are joined."""
    text = str(node.value)
    try:
        return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise InputError("half of a surrogate pair is no character", at=at, fix="Remove the escape.") from None


def _scalar(text: str, tag: str, *, quoted: bool) -> str | int | float | bool | None:
    """Numbers that JSON could not hold (``1e400``, ``0x1F``, ``1_000``) stay texts."""
    if quoted:
        return text
    if tag == "null":
        return None
    if tag == "bool" and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if tag == "int" and _INTEGER.fullmatch(text):
        return int(text)
    if tag == "float" and len(text) < 40 and _FLOAT.fullmatch(text) and math.isfinite(float(text)):
        return float(text)
    return text
