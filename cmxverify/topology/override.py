"""``--set PATH=VALUE``: change one value of a file in memory, keeping its line and what the file said."""

from __future__ import annotations

from collections.abc import Iterable

from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.yaml_tree import YamlTree, parse_yaml


def apply_overrides(tree: YamlTree, overrides: Iterable[str], *, within: str = "") -> None:
    """Change the tree in place, one ``PATH=VALUE`` after the other; keys may themselves hold dots.

    With ``within``, the tree is what stands under that key: paths begin with it. A changed value keeps
    the line of its key in the file, a new one stands at ``--set PATH=VALUE``.

    Raises:
        InputError: If an override has no ``=``, its value is not YAML, or its path leads through a key that does
            not exist.
    """
    for text in overrides:
        path, equals, value = (part.strip() for part in text.partition("="))
        at = Location(f"--set {text[:80]}")
        if not equals or not path or not value:
            raise InputError("not of the form PATH=VALUE", at=at, fix="Write --set power.shelf.budget=1.4kW")
        _set(tree, path.removeprefix(f"{within}."), _parse(value, at), at)


def leads_into(override: str, key: str) -> bool:
    """Whether an override changes something under a key, not the whole of it."""
    return override.partition("=")[0].strip().startswith(f"{key}.")


def _parse(value: str, at: Location) -> YamlTree:
    try:
        return parse_yaml(value, at.file)
    except InputError as error:
        raise InputError(f"value '{value[:80]}': {error.what}", at=at, fix="Quote it, or check its brackets.") from None


def _set(tree: YamlTree, path: str, value: YamlTree, at: Location) -> None:
    if not isinstance(tree.value, dict):
        held = "a list" if isinstance(tree.value, list) else f"the value {tree.written or tree.value}"
        raise InputError(f"'{path}' leads into {held}", at=at, fix="Shorten the path, and give the whole value.")
    key, rest = _longest_key(tree.value, path)
    if rest:
        if key not in tree.value:
            raise InputError(f"no key '{key}'", at=at, fix=did_you_mean(key, tree.value))
        _set(tree.value[key], rest, value, at)
        return
    old = tree.value.get(key)
    _move(value, tree.keys_at.setdefault(key, at))
    value.file_text = _shown(old)
    tree.value[key] = value


def _shown(old: YamlTree | None) -> str | None:
    if old is None or isinstance(old.value, dict | list):
        return None
    return old.file_text or old.written or None


def _move(tree: YamlTree, at: Location) -> None:
    """Values of an override have no line of their own: they stand where the key stands."""
    tree.at = at
    tree.keys_at = dict.fromkeys(tree.keys_at, at)
    if isinstance(tree.value, list):
        for child in tree.value:
            _move(child, at)
    for _, child in tree.items():
        _move(child, at)


def _longest_key(members: dict[str, YamlTree], path: str) -> tuple[str, str]:
    """The key that a path begins with, and the rest; of several, such as ``a`` and ``a.b``, the longest."""
    fitting = [key for key in members if path == key or path.startswith(key + ".")]
    if fitting:
        key = max(fitting, key=len)
        return key, path[len(key) + 1 :]
    key, _, rest = path.partition(".")
    return key, rest
