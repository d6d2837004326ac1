"""Rules about the file itself: nodes that nothing joins, templates that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from cmxverify.topology.rules.rule import Remark, Severity, rule
from cmxverify.topology.rules.subject import Subject
from cmxverify.yaml_tree import parse_yaml


@rule(
    26,
    "Every node has a link",
    source="Graph theory: an isolated vertex",
    article=Severity.WARNING,
    published=Severity.WARNING,
)
def linked(subject: Subject) -> Iterator[Remark]:
    """A node without links carries nothing; a GPU without links keeps to its own memory."""
    for name, degree in subject.topology.graph.degree():
        if degree == 0:
            node = subject.topology.nodes[name]
            yield Remark(node.at, f"a {node.kind.value} ({node.device}) has no link", "Link it, or remove it")


@rule(
    27,
    "Every template of the file is used",
    source="Topology reference: templates are sub-graphs to repeat",
    article=Severity.HINT,
    published=Severity.HINT,
)
def used(subject: Subject) -> Iterator[Remark]:
    """Included templates are a library and need no use; those of the file itself are meant for it."""
    topology = subject.topology
    tree = parse_yaml(topology.texts[topology.file], topology.file).child("templates")
    instances = {container.template for container in topology.containers.values()}
    for name, template in tree.items() if tree else ():
        if name not in instances:
            at = tree.keys_at[name] if tree else template.at
            yield Remark(at, f"template '{name}' is used nowhere", "Remove it, or add an instance of it")
