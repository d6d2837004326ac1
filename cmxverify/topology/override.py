"""``--set PATH=VALUE``: change one value of a file in memory, keeping its line and what the file said."""

from __future__ import annotations

from collections.abc import Iterable

from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.yaml_tree import YamlTree, parse_yaml


def apply_overrides(tree: YamlTree, overrides: Iterable[str]) -> None:
    """Change the tree in place, one ``PATH=VALUE`` after the other; keys may themselves hold dots.

    Raises:
        InputError: If an override has no ``=`` or its path leads through a key that does not exist.
    """
    for text in overrides:
        path, equals, value = text.partition("=")
        at = Location(f"--set {text[:80]}")
        if not equals or not path.strip() or not value.strip():
            raise InputError("not of the form PATH=VALUE", at=at, fix="Write --set power.shelf.budget=1.4kW")
        _set(tree, path.strip(), parse_yaml(value, at.file), at)


def _set(tree: YamlTree, path: str, value: YamlTree, at: Location) -> None:
    if not isinstance(tree.value, dict):
        raise InputError(f"'{path}' leads into a plain value", at=at, fix="Shorten the path.")
    key, rest = _longest_key(tree, path)
    if rest:
        if key not in tree.value:
            raise InputError(f"no key '{key}'", at=at, fix=did_you_mean(key, tree.value))
        _set(tree.value[key], rest, value, at)
        return
    old = tree.value.get(key)
    where = tree.keys_at.setdefault(key, tree.at)
    shown = str(old.value) if old is not None and not isinstance(old.value, dict | list) else None
    _move(value, where)
    tree.value[key] = value
    value.file_text = shown


def _move(tree: YamlTree, at: Location) -> None:
    """Values of an override have no line of their own: they stand where the file's key stands."""
    tree.at = at
    tree.keys_at = dict.fromkeys(tree.keys_at, at)
    children = tree.value.values() if isinstance(tree.value, dict) else tree.value
    for child in children if isinstance(children, list) or isinstance(tree.value, dict) else ():
        _move(child, at)  # type: ignore[arg-type]  # members of mappings and lists are trees


def _longest_key(tree: YamlTree, path: str) -> tuple[str, str]:
    assert isinstance(tree.value, dict)
    fitting = [key for key in tree.value if path == key or path.startswith(key + ".")]
    if fitting:
        key = max(fitting, key=len)
        return key, path[len(key) + 1 :]
    key, _, rest = path.partition(".")
    return key, rest
