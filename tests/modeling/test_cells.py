"""Every cell has a place of its own: symmetry and exporters know cells by their places."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass

import pytest

from cmxverify.checking.check import Choices, check
from cmxverify.checking.symmetry import symmetry_of
from cmxverify.errors import InputError
from cmxverify.modeling import Index, Map, Model, action, require
from cmxverify.modeling.compile import compiled, system_of

Node = Index("node")


@dataclass(frozen=True)
class Entry:
    """A record whose fields bear the words that cells of optional and joined records are named by."""

    present: bool
    kind: Node


@dataclass(frozen=True)
class Hint:
    """Another one."""

    kind: bool


class Pool(Model):
    """A slot a node, empty or one of the two records."""

    slots: Map[Node, Entry | Hint | None] = None

    @action
    def stores(self, n: Node, owner: Node, present: bool) -> None:
        require(self.slots[n] is None)
        self.slots[n] = Entry(present, owner)

    @action
    def hints(self, n: Node, kind: bool) -> None:
        require(self.slots[n] is None)
        self.slots[n] = Hint(kind)

    @action
    def empties(self, n: Node) -> None:
        self.slots[n] = None


def test_fields_named_like_the_marks_of_records_have_places_of_their_own() -> None:
    """Presence and kind of a record are cells beside its fields, whatever these are called."""
    cells = system_of(Pool, {"node": 2}).cells

    assert (
        len({(cell.field, cell.place) for cell in cells}) == len(cells) == len({cell.name for cell in cells})
    )


@pytest.mark.parametrize("engine", ["explore", "packed", "numpy", "interpret"])
def test_s07_such_a_model_is_reduced_exactly(engine: str) -> None:
    """Orbits of the reduced search are those of the states of the full one, by brute force."""
    system = system_of(Pool, {"node": 2})
    made = compiled(Pool, {"node": 2})
    full = {made.system.initial[0]}
    pending = list(full)
    while pending:
        state = pending.pop()
        for step, arguments in made.model.instances():
            made.model.state = made.decode(state)
            try:
                made.model.take(step, arguments)
            except Exception:
                continue
            after = made.encode(made.model.state)
            if after not in full:
                full.add(after)
                pending.append(after)
    orbits = {symmetry_of(system).canonical(state) for state in full}

    reduced = check(Pool, {"node": 2}, Choices(engine=engine))

    assert reduced.report.main.reduced == ("node",)
    assert reduced.report.main.states == len(orbits) < len(full)


def test_two_records_of_one_name_are_refused() -> None:
    """Their cells would have the same places."""
    twin = make_dataclass("Hint", [("kind", bool)], frozen=True, namespace={"__module__": __name__})
    joined = Hint | twin

    class Twins(Model):
        """A field that holds either."""

        slot: joined | None = None  # type: ignore[valid-type]

        @action
        def empties(self) -> None:
            self.slot = None

    with pytest.raises(InputError) as refused:
        system_of(Twins, {})

    assert refused.value.what == "'slot.Hint.kind' names two parts of the state"
    assert refused.value.at is not None
