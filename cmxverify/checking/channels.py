"""What is under way between places: the channels of a model, and what a step puts into them and takes out.

Channels are declared (Net, Bag, Queue), or inferred: a map with an element for each node, written by the nodes and by
one other place, is a row of slots, each of which holds one message or is as empty as in the first state.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any

from cmxverify.checking.places import Places
from cmxverify.modeling.compile import Compiled
from cmxverify.modeling.declarations import IndexValue
from cmxverify.modeling.domains import BagDomain, Domain, IndexDomain, MapDomain, QueueDomain, SetDomain
from cmxverify.modeling.frontend.allocation import text_of
from cmxverify.modeling.ir.evaluate import State, enabled, successor
from cmxverify.modeling.ir.system import ActionKind, Instance
from cmxverify.modeling.model import Plain


class Carrier(Enum):
    """How a channel holds messages."""

    NET = "net"  # for ever
    BAG = "bag"
    QUEUE = "queue"
    SLOT = "slot"  # one at a time


@dataclass(frozen=True)
class Channel:
    """One channel.

    Args:
        field: Of the model.
        position: Of the field in a plain state.
        carrier: How it holds messages.
        contents: Type of the whole content.
        key: Position of the element of a map, and its text; None where the field is one channel.
        writers: Kinds of places that write the field.
        empty: Content of a slot without a message.
    """

    field: str
    position: int
    carrier: Carrier
    contents: Domain
    key: tuple[int, str] | None
    writers: frozenset[str]
    empty: Any = None

    def content(self, state: Plain) -> Any:
        """Its content in a state of the model."""
        whole = state[self.position]
        return whole if self.key is None else whole[self.key[0]]

    def text(self, message: Any) -> str:
        """A message in words."""
        return _slot_text(self, message) if self.carrier is Carrier.SLOT else message_text(message)


def channels_of(compiled: Compiled, places: Places) -> tuple[Channel, ...]:
    """Every channel of a model, in source order."""
    writers = _writers(compiled, places)
    initial = compiled.decode(compiled.system.initial[0])
    found = []
    for position, each in enumerate(compiled.model.schema.fields.values()):
        domain, by = each.domain, frozenset(writers.get(each.name, ()))
        inner = domain.value if isinstance(domain, MapDomain) else domain
        carrier = _carrier(inner) or (Carrier.SLOT if _is_row_of_slots(domain, by, places) else None)
        if carrier is None or each.ghost:
            continue
        keys: list[tuple[int, str] | None] = [None]
        if isinstance(domain, MapDomain):
            keys = [(number, text_of(value)) for number, value in enumerate(domain.key.listed)]
        for key in keys:
            empty = initial[position][key[0]] if key is not None else None
            found.append(Channel(each.name, position, carrier, inner, key, by, empty))
    return tuple(found)


def _carrier(domain: Domain) -> Carrier | None:
    match domain:
        case SetDomain(net=True):
            return Carrier.NET
        case BagDomain():
            return Carrier.BAG
        case QueueDomain():
            return Carrier.QUEUE
    return None


def _is_row_of_slots(domain: Domain, writers: frozenset[str], places: Places) -> bool:
    """Whether a map has an element for each place of a type, written there and at one place that has a name."""
    if not isinstance(domain, MapDomain) or not isinstance(domain.key, IndexDomain):
        return False
    holds_one = not isinstance(domain.value, MapDomain | SetDomain)
    others = writers - {domain.key.name}
    return holds_one and domain.key.name in writers and len(others) == 1 and others <= set(places.named)


def _writers(compiled: Compiled, places: Places) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for instance in compiled.system.instances:
        if instance.kind is ActionKind.ACTION:
            for index, _ in instance.updates:
                found.setdefault(compiled.system.cells[index].field, set()).add(places.kind(instance))
    return found


def transfers(channel: Channel, before: Plain, after: Plain) -> tuple[list[Any], list[Any]]:
    """Messages that a step took out of a channel, and those that it put in."""
    old, new = channel.content(before), channel.content(after)
    match channel.carrier:
        case Carrier.NET:
            assert isinstance(channel.contents, SetDomain)
            return [], [each for each in channel.contents.element.listed if each in new and each not in old]
        case Carrier.BAG:
            assert isinstance(channel.contents, BagDomain)
            return _counted(channel.contents.message, old, new), _counted(channel.contents.message, new, old)
        case Carrier.QUEUE:
            kept = next(n for n in range(len(old), -1, -1) if new[:n] == old[len(old) - n :])
            return list(old[: len(old) - kept]), list(new[kept:])
        case Carrier.SLOT:
            changed = old != new
            return [old] * (changed and old != channel.empty), [new] * (changed and new != channel.empty)


def _counted(message: Domain, more: tuple[int, ...], less: tuple[int, ...]) -> list[Any]:
    """Messages by how many times more often they are in the one bag than in the other."""
    surplus = Counter(
        {
            each: one - other
            for each, one, other in zip(message.listed, more, less, strict=True)
            if one > other
        }
    )
    return list(surplus.elements())


def heard(compiled: Compiled, channel: Channel, instance: Instance, state: State) -> list[Any]:
    """Messages of a Net without which a step would not be possible, or would do something else."""
    if channel.carrier is not Carrier.NET:
        return []
    assert isinstance(channel.contents, SetDomain)
    cells = [cell for cell in compiled.system.cells if cell.field == channel.field]
    if channel.key is not None:
        cells = [cell for cell in cells if cell.place and cell.place[0].name == channel.key[1]]
    after = successor(instance, state)
    found = []
    for cell, message in zip(cells, channel.contents.element.listed, strict=True):
        if state[cell.index]:
            without = (*state[: cell.index], 0, *state[cell.index + 1 :])
            if not enabled(instance, without) or _differs(successor(instance, without), after, cell.index):
                found.append(message)
    return found


def _differs(one: State, other: State, but_for: int) -> bool:
    return any(a != b for index, (a, b) in enumerate(zip(one, other, strict=True)) if index != but_for)


def message_text(value: Any) -> str:
    """A message in few words: ``Grant(node0, 1)``, ``Commit``."""
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(message_text, value))) + "}"
    if is_dataclass(value) and not isinstance(value, IndexValue) and fields(value):
        inner = ", ".join(message_text(getattr(value, each.name)) for each in fields(value))
        return f"{type(value).__name__}({inner})"
    return text_of(value).removesuffix("()")


def _slot_text(channel: Channel, value: Any) -> str:
    """What is in a slot beyond what is in an empty one: ``GRANT_SHARED, value 1``."""
    if value is True:
        return channel.field
    if not is_dataclass(value) or isinstance(value, IndexValue) or type(value) is not type(channel.empty):
        return message_text(value)
    words: list[str] = []
    for each in fields(value):
        part = getattr(value, each.name)
        if part != getattr(channel.empty, each.name):
            if isinstance(part, bool):
                words.append(each.name if words else type(value).__name__)
            else:
                words.append(f"{each.name} {text_of(part)}" if words else text_of(part))
    return ", ".join(words)
