"""A trace as a message sequence: who acts, which messages go from where to where, and what else changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from cmxverify.checking.channels import Carrier, Channel, channels_of, heard, transfers
from cmxverify.checking.places import SURROUNDINGS, SYSTEM, Places, places_of
from cmxverify.checking.trace import Change, Trace, TraceStep
from cmxverify.checking.wording import field_of_part
from cmxverify.modeling.compile import Compiled
from cmxverify.modeling.ir.system import ActionKind, Instance


@dataclass(slots=True)
class Message:
    """A message under way.

    Args:
        text: In words.
        sender: Lane it came from; empty where it was there from the beginning.
        sent: Number of the step that sent it, 0 where it was there from the beginning.
        addressee: Lane it seems to go to, for as long as nobody has taken it; may be empty.
        taken: Steps that took it, with their lanes; a message of a Net may be taken often.
        lost: Number of the fault that took it away, or 0.
    """

    text: str
    sender: str
    sent: int
    addressee: str
    taken: list[tuple[int, str]] = field(default_factory=list)
    lost: int = 0

    @property
    def receivers(self) -> tuple[str, ...]:
        """Lanes that arrows go to."""
        lanes = dict.fromkeys(lane for _, lane in self.taken if lane != self.sender)
        return tuple(lanes) or ((self.addressee,) if self.addressee else ())


@dataclass(frozen=True, slots=True)
class Row:
    """One step: who acts, what it sends, takes and loses, what else it changes."""

    step: TraceStep
    lane: str
    sends: tuple[Message, ...] = ()
    takes: tuple[Message, ...] = ()
    loses: tuple[Message, ...] = ()
    changes: tuple[Change, ...] = ()

    @property
    def title(self) -> str:
        """The step as it stands in its lane: ``node_stores(v=1)`` at the node, ``home_grants(node1)`` at the home."""
        return f"{self.step.action}{self.arguments}"

    @property
    def arguments(self) -> str:
        """Arguments in brackets, without the one that the lane says; a value that names its type stands alone."""
        given = list(self.step.arguments)
        said = next((each for each in given if self.lane in (each[1], " ".join(each))), None)
        if said is not None:
            given.remove(said)
        shown = [text if _names_its_type(text) else f"{name}={_shorter(text)}" for name, text in given]
        return f"({', '.join(shown)})" if shown else ""

    def notes(self) -> list[str]:
        """What the row does beside sending."""
        lines = [f"takes {each.text} {_origin(each, self.step.number)}" for each in self.takes]
        lines += [f"loses {each.text} {_origin(each, self.step.number)}" for each in self.loses]
        lines += [f"{each.cell}: {each.before} -> {each.after}" for each in self.changes]
        if self.step.breaching:
            lines.append("breaches a duty, see below")
        elif not lines and not self.sends:
            lines.append("changes nothing")
        return lines


def _names_its_type(text: str) -> bool:
    return re.fullmatch(r"[a-z_]+\d+", text) is not None


def _shorter(text: str) -> str:
    return text.replace("frozenset()", "{}").replace("frozenset({", "{").replace("})", "}")


def _origin(message: Message, step: int) -> str:
    lane = next((lane for number, lane in message.taken if number == step), "")
    earlier = [number for number, other in message.taken if number < step and other == lane]
    again = f", already taken at {earlier[-1]}" if earlier else ""
    return (f"of step {message.sent}" if message.sent else "of the first state") + again


@dataclass(frozen=True, slots=True)
class MessageSequence:
    """All rows under their lanes."""

    lanes: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def is_worth_drawing(self) -> bool:
        """Whether lanes say more than a list of steps does."""
        return len(self.lanes) > 1


def message_sequence(compiled: Compiled, trace: Trace) -> MessageSequence:
    """Lanes and rows of a trace."""
    draft = _Draft(compiled, places_of(compiled.model.schema))
    rows = tuple(
        draft.row(compiled.system.instances[instance], step, trace)
        for step, instance in zip(trace.steps, trace.instances, strict=True)
    )
    return MessageSequence(_lanes(draft.places, rows), rows)


class _Draft:
    """Messages under way while the rows are made."""

    def __init__(self, compiled: Compiled, places: Places) -> None:
        self.compiled, self.places = compiled, places
        self.channels = channels_of(compiled, places)
        self.open: dict[tuple[int, Any], list[Message]] = {}
        counters = {step.budget_field for step in compiled.model.schema.steps if step.budget is not None}
        self.said = {each.field for each in self.channels} | counters  # by arrows, and by the rows of faults

    def field(self, part: str) -> str:
        """Field of the model that a changed part belongs to."""
        return field_of_part(part, self.compiled.model.schema.fields)

    def row(self, instance: Instance, step: TraceStep, trace: Trace) -> Row:
        """The row of a step; to be asked in order."""
        lane = self.places.lane(instance)
        if step.breaching:
            return Row(step, lane)
        before, after = trace.states[step.number - 1 : step.number + 1]
        plain = self.compiled.decode(before), self.compiled.decode(after)
        fault = instance.kind is ActionKind.FAULT
        sends: list[Message] = []
        takes: list[Message] = []
        for number, channel in enumerate(self.channels):
            out, put = transfers(channel, *plain)
            out += heard(self.compiled, channel, instance, before)
            takes += [self.take(number, each, step.number, lane, fault=fault) for each in out]
            sends += [self.send(number, each, step.number, lane) for each in put]
        changes = tuple(each for each in step.changes if self.field(each.cell) not in self.said)
        if fault and lane == SURROUNDINGS and not sends:
            lane = ""
        lost, taken = (tuple(takes), ()) if fault else ((), tuple(takes))
        return Row(step, lane, tuple(sends), taken, lost, changes)

    def send(self, number: int, value: Any, step: int, lane: str) -> Message:
        """Put a message under way."""
        channel = self.channels[number]
        message = Message(channel.text(value), lane, step, self.addressee(channel, value, lane))
        self.open.setdefault(self.where(number, value), []).append(message)
        return message

    def take(self, number: int, value: Any, step: int, lane: str, *, fault: bool) -> Message:
        """Take one out: the oldest that is alike. A Net keeps it."""
        channel = self.channels[number]
        waiting = self.open.setdefault(self.where(number, value), [])
        if not waiting:
            waiting.append(Message(channel.text(value), "", 0, ""))
        message = waiting[0] if channel.carrier is Carrier.NET else waiting.pop(0)
        if fault:
            message.lost = step
        else:
            message.taken.append((step, lane))
        return message

    def where(self, number: int, value: Any) -> tuple[int, Any]:
        """Messages with the same answer take each other's turn."""
        return number, None if self.channels[number].carrier is Carrier.SLOT else value

    def addressee(self, channel: Channel, value: Any, lane: str) -> str:
        """Whom a message is for, by what it says, by the slot it lies in, or because only one other place is there."""
        mentioned = [each for each in self.places.elements(value) if each != lane]
        if mentioned:
            return mentioned[0]
        if channel.key is not None and channel.key[1] != lane and not channel.key[1].lstrip("-").isdecimal():
            return channel.key[1]
        others = [each for each in self.places.named if each != lane]
        writers = [each for each in others if each in channel.writers]
        return next(iter(writers), others[0] if len(others) == 1 else "")


def _lanes(places: Places, rows: tuple[Row, ...]) -> tuple[str, ...]:
    """Places that act or are sent to: named ones first, then elements in their order, then what is around."""
    used = dict.fromkeys(_used(rows))
    named = [each for each in places.named if each in used]
    elements = sorted((each for each in used if places.is_element(each)), key=lambda text: (len(text), text))
    return (*named, *elements, *(each for each in (SYSTEM, SURROUNDINGS) if each in used))


def _used(rows: tuple[Row, ...]) -> Iterator[str]:
    for row in rows:
        if row.lane:
            yield row.lane
        for message in row.sends:
            yield from message.receivers
