"""States in words: composite values as a whole, everything else part by part."""

from __future__ import annotations

from dataclasses import dataclass

from cmxverify.checking.wording import field_of_part, part_of_cell, parts_of_state
from cmxverify.modeling import Index, Map, Model, Queue, Set, action, require
from cmxverify.modeling.compile import compiled

Node = Index("node")


@dataclass(frozen=True)
class Entry:
    """What a slot holds."""

    node: Node
    dirty: bool


class Pool(Model):
    """A map of optional records, a queue and a set."""

    slots: Map[Node, Entry | None]
    jobs: Queue[Entry](cap=2)
    idle: Set[Node]

    @action
    def fills(self, n: Node) -> None:
        require(self.slots[n] is None and len(self.jobs) < 2)
        self.slots[n] = Entry(n, True)
        self.jobs.send(Entry(n, False))
        self.idle.add(n)


def test_an_optional_record_and_a_queue_are_told_as_a_whole() -> None:
    """One part each, as people would say it; a set element by element."""
    made = compiled(Pool, {"node": 2})
    model = made.model
    model.fills(model.values(Node)[1])

    assert parts_of_state(made, made.encode(model.state)) == {
        "slots[node0]": "none",
        "slots[node1]": "Entry(node=node1, dirty=True)",
        "jobs": "[Entry(node=node1, dirty=False)]",
        "idle[node0]": "False",
        "idle[node1]": "True",
    }


def test_every_cell_belongs_to_a_part_and_every_part_to_its_field() -> None:
    """So that what a formula reads, and which channel changed, can be told by parts."""
    made = compiled(Pool, {"node": 2})
    parts = parts_of_state(made, made.system.initial[0])

    for cell in made.system.cells:
        assert field_of_part(part_of_cell(cell.name, parts), made.model.schema.fields) == cell.field
