"""``--set PATH=VALUE``: change one value of a file in memory, keeping its line and what the file said."""

from __future__ import annotations

from collections.abc import Iterable

from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.topology.schema import TopologyFile
from cmxverify.yaml_tree import YamlTree, parse_yaml


def apply_overrides(tree: YamlTree, overrides: Iterable[str], *, within: str = "") -> None:
    """Change the tree in place, one ``PATH=VALUE`` after the other; keys may themselves hold dots.

    With ``within``, the tree is what stands under that key: paths begin with it. A changed value keeps
    the line of its key in the file, a new one stands at ``--set PATH=VALUE``. Sections that the file leaves out
    are made, entries of them are not (but for tenants): a name that is not there is most often misspelt.

    Raises:
        InputError: If an override has no ``=``, its value is not YAML, or its path leads through a key that does
            not exist.
    """
    for text in overrides:
        path, equals, value = (part.strip() for part in text.partition("="))
        at = Location(f"--set {text[:80]}")
        if not equals or not all(path.split(".")) or not value:
            raise InputError("not of the form PATH=VALUE", at=at, fix="Write --set power.shelf.budget=1.4kW")
        _set(tree, path.removeprefix(f"{within}."), _parse(value, at), at, (within,) if within else ())


def leads_into(override: str, key: str) -> bool:
    """Whether an override changes something under a key, not the whole of it."""
    return override.partition("=")[0].strip().startswith(f"{key}.")


def _parse(value: str, at: Location) -> YamlTree:
    try:
        return parse_yaml(value, at.file)
    except InputError as error:
        raise InputError(f"value '{value[:80]}': {error.what}", at=at, fix="Quote it, or check its brackets.") from None


def _set(tree: YamlTree, path: str, value: YamlTree, at: Location, above: tuple[str, ...]) -> None:
    """Set what a path leads to; ``above`` are the keys from the file's top to ``tree``."""
    members = _members(tree, path, at, above)
    key, rest = _longest_key(members, path)
    if key not in members and above in _OF_PLAIN_VALUES:
        key, rest = path, ""  # a new name there may hold dots, for nothing leads further
    if rest:
        if key not in members:
            if not _is_made_on_demand((*above, key)):
                raise _absent(members, (*above, key), rest, value, at)
            members[key], tree.keys_at[key] = YamlTree({}, at), at
        _set(members[key], rest, value, at, (*above, key))
        return
    old = members.get(key)
    _move(value, tree.keys_at.setdefault(key, at))
    value.file_text = _shown(old)
    members[key] = value


def _members(tree: YamlTree, path: str, at: Location, above: tuple[str, ...]) -> dict[str, YamlTree]:
    """The mapping that a path leads into; a shorthand such as ``gpu: rubin`` is written out as ``{is: rubin}``."""
    short = _SHORTHAND.get(above[-2]) if len(above) > 1 else None
    if tree.value is None:
        tree.value = {}
    elif short is not None and isinstance(tree.value, str):
        tree.value, tree.keys_at = {short: YamlTree(tree.value, tree.at, written=tree.written)}, {short: tree.at}
    if isinstance(tree.value, dict):
        return tree.value
    held = "a list" if isinstance(tree.value, list) else f"the value {tree.written or tree.value}"
    raise InputError(f"'{path}' leads into {held}", at=at, fix="Shorten the path, and give the whole value.")


_SHORTHAND = {"nodes": "is", "links": "rate"}
_OF_PLAIN_VALUES = (("prices",), ("software",))
_MADE_ON_DEMAND = {("hops",), ("power",), ("prices",), ("software",), ("tenants",), ("workload", "defaults")}
"""Mappings that a path may lead into where the file has none; a tenant, too, for it has a single key."""


def _is_made_on_demand(path: tuple[str, ...]) -> bool:
    return path in _MADE_ON_DEMAND or (len(path) == 2 and path[0] == "tenants")


def _absent(
    members: Iterable[str], path: tuple[str, ...], rest: str, value: YamlTree, at: Location
) -> InputError:
    """A path through a name that is not there: the nearest one that is, and how to add it whole."""
    name, known = path[-1], {*members, *(TopologyFile.known_keys() if len(path) == 1 else ())}
    near = did_you_mean(name, known) if known else ""
    add = ""
    if len(path) > 1 or name in known:
        near = near if name not in known else ""
        begun = f"{rest}: {value.written}, " if rest.isidentifier() and value.written else ""
        add = f"To add it, give the whole of it: --set '{'.'.join(path)}={{{begun}...}}'"
    return InputError(f"no key '{name}'", at=at, fix=" ".join(filter(None, (near, add))))


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
