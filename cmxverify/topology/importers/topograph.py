"""topograph cluster models (YAML): a tree of switches, and blocks of nodes with their NVLink domains."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cmxverify.errors import InputError
from cmxverify.topology.importers.hostlists import expand_hostlist
from cmxverify.topology.importers.source import SourceText
from cmxverify.topology.importers.stated import stated
from cmxverify.topology.importers.structure import Kind, Structure, StructureBuilder
from cmxverify.yaml_tree import YamlTree, parse_yaml

TOP_KEY = re.compile(r"^(?:switches|blocks|capacity_blocks)[ \t]*:", re.MULTILINE)
_DOMAIN_SUFFIX = "/domain"


def read_topograph(source: SourceText) -> Structure:
    """Read the current form (mappings, ``blocks[].switch``) and the older one (lists with names, ``capacity_blocks``).

    A block's NVLink domain, else its name, becomes the container of its nodes; its type is what the file says of
    them. No rates are in these files.

    Raises:
        InputError: If the YAML is malformed or a member has the wrong type.
    """
    tree = parse_yaml(source.text, source.name)
    if not isinstance(tree.value, dict):
        raise InputError("not a topograph model", at=tree.at, fix="It holds 'switches' and 'blocks'.")
    builder = StructureBuilder(source.name, "topograph", box="domain")
    switch_of_block: dict[str, str] = {}
    switches = list(_named(tree.child("switches"), "switches"))
    for name, body in switches:
        builder.node(name, Kind.SWITCH, body.at)
        for block in _words(body, "capacity_blocks"):
            switch_of_block[block] = name
    for name, body in switches:
        for child in _words(body, "switches"):
            builder.cable(builder.node(child, Kind.SWITCH, body.at), name, None, body.at)
        _hosts(builder, body, name, ())
    for key in ("blocks", "capacity_blocks"):
        for name, body in _named(tree.child(key), key):
            _block(builder, name, body, switch_of_block.get(name, ""))
    _bare_nodes(builder, tree.child("nodes"))
    return builder.build()


def _block(builder: StructureBuilder, name: str, body: YamlTree, switch: str) -> None:
    uplink = body.child("switch")
    switch = _text(uplink, "switch") if uplink else switch
    domain = _domain(body) or name
    _hosts(builder, body, switch, (domain,) if domain else ())
    if not switch:
        builder.skip("blocks without a switch")


def _hosts(builder: StructureBuilder, body: YamlTree, switch: str, container: tuple[str, ...]) -> None:
    if switch:
        builder.node(switch, Kind.SWITCH, body.at)
    nodes, said = body.child("nodes"), body.child("type")
    model = stated(_text(said, "type")) if said else ""
    for pattern in _words(body, "nodes"):
        assert nodes is not None
        for node in expand_hostlist(pattern, nodes.at):
            builder.node(node, Kind.HOST, nodes.at, container=container, model=model)
            if switch:
                builder.cable(node, switch, None, nodes.at)


def _bare_nodes(builder: StructureBuilder, nodes: YamlTree | None) -> None:
    """Nodes that stand on their own; those of a block are there already."""
    for name, body in _named(nodes, "nodes"):
        for node in expand_hostlist(name, body.at):
            builder.node(node, Kind.HOST, body.at)


def _domain(body: YamlTree) -> str:
    nvlink = body.child("nvlink")
    if nvlink:
        return _text(nvlink, "nvlink")
    annotations = body.child("annotations")
    for key, value in annotations.items() if annotations else ():
        if key.endswith(_DOMAIN_SUFFIX):
            return _text(value, key)
    return ""


def _named(tree: YamlTree | None, what: str) -> Iterator[tuple[str, YamlTree]]:
    """Members of a mapping, or of a list whose items may hold their own ``name``."""
    if tree is None or tree.value is None:
        return
    if isinstance(tree.value, dict):
        yield from tree.value.items()
        return
    if not isinstance(tree.value, list):
        raise InputError(f"'{what}' is not a list or mapping", at=tree.at, fix="Write one entry a line.")
    for item in tree.value:
        name = item.child("name") if isinstance(item.value, dict) else item
        yield (_text(name, "name") if name else ""), item


def _words(body: YamlTree, key: str) -> list[str]:
    tree = body.child(key)
    if tree is None or tree.value is None:
        return []
    members = tree.value if isinstance(tree.value, list) else [tree]
    return [_text(member, key) for member in members]


def _text(tree: YamlTree, what: str) -> str:
    if isinstance(tree.value, str | int) and not isinstance(tree.value, bool):
        return str(tree.value)
    raise InputError(f"'{what}' is not a name", at=tree.at, fix="Write a name, or a range in quotes.")
