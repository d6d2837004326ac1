"""A trace as a message sequence: who acts, which messages go where, and what else changes.

Lanes are places: one for each value of an index type that acts, and those named by ``at="home"`` or by the first word
of an action (``home_grants``). Messages are what channels carry; also what a map holds whose elements are set at one
place and cleared at another, as protocols with one-slot channels do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cmxverify.checking.trace import Change, Trace, TraceStep
from cmxverify.modeling.compile import Compiled
from cmxverify.modeling.domains import BagDomain, Domain, IndexDomain, MapDomain, QueueDomain, SetDomain
from cmxverify.modeling.ir.evaluate import State
from cmxverify.modeling.ir.system import ActionKind, Cell, Instance
from cmxverify.modeling.schema import Step

SURROUNDINGS = "environment"
SHARED_BY = 2
"""So many actions must begin with a word for it to be taken as the name of a place."""


@dataclass(frozen=True, slots=True)
class Message:
    """An arrow. ``lost`` where nobody has taken it by the end of the trace."""

    sender: str
    receiver: str
    text: str
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One step: who acts, what it sends, what else it changes."""

    step: TraceStep
    lane: str
    messages: tuple[Message, ...]
    takes: tuple[str, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class MessageSequence:
    """All rows under their lanes."""

    lanes: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(slots=True)
class _Sent:
    """A message on its way: the row it was sent in and its position there."""

    row: int
    position: int


@dataclass(slots=True)
class _Draft:
    """Rows while they are made; ``open`` holds messages on their way, by where they lie."""

    compiled: Compiled
    places: dict[str, str]
    kinds: dict[str, set[str]]
    open: dict[str, list[_Sent]] = field(default_factory=dict)
    sent: list[list[Message]] = field(default_factory=list)


def message_sequence(compiled: Compiled, trace: Trace) -> MessageSequence:
    """Lanes and rows of a trace."""
    places = _places(compiled)
    draft = _Draft(compiled, places, _writers(compiled, places))
    rows = []
    for number, step in enumerate(trace.steps):
        instance = compiled.system.instances[trace.instances[number]]
        lane = lane_of(compiled, places, instance)
        draft.sent.append([])
        taken: list[str] = []
        if not step.breaching:
            before, after = trace.states[number], trace.states[number + 1]
            taken = list(_transfers(draft, number, lane, before, after))
        kept = tuple(each for each in step.changes if not _is_message(draft, each))
        rows.append((step, lane, tuple(taken), kept))
    for waiting in draft.open.values():
        for each in waiting:
            old = draft.sent[each.row][each.position]
            draft.sent[each.row][each.position] = Message(old.sender, old.receiver, old.text, lost=True)
    made = tuple(
        Row(step, lane, tuple(draft.sent[number]), taken, changes)
        for number, (step, lane, taken, changes) in enumerate(rows)
    )
    return MessageSequence(_lanes(compiled, made), made)


def _places(compiled: Compiled) -> dict[str, str]:
    """Of each action the place its name begins with, or empty."""
    sorts = set(compiled.model.schema.sorts) | _parameter_names(compiled)
    words: dict[str, int] = {}
    for step in compiled.model.schema.steps:
        word = step.name.partition("_")[0]
        words[word] = words.get(word, 0) + 1
    return {
        step.name: word
        if (word := step.name.partition("_")[0]) not in sorts and words[word] >= SHARED_BY
        else ""
        for step in compiled.model.schema.steps
    }


def _parameter_names(compiled: Compiled) -> set[str]:
    return {name for step in compiled.model.schema.steps for name in step.parameters}


def lane_of(compiled: Compiled, places: dict[str, str], instance: Instance) -> str:
    """Where an instance acts."""
    step = next(each for each in compiled.model.schema.steps if each.name == instance.action)
    texts = {each.name: _element(step, each.name, each.text) for each in instance.arguments}
    if step.at:
        return texts.get(step.at, step.at)
    if step.kind is ActionKind.ACTION and places[step.name]:
        return places[step.name]
    for name, domain in step.parameters.items():
        if isinstance(domain, IndexDomain):
            return texts[name]
    if step.kind is not ActionKind.ACTION:
        return SURROUNDINGS
    return next(iter(texts.values()), "system")


def _element(step: Step, name: str, text: str) -> str:
    return text if isinstance(step.parameters[name], IndexDomain) else f"{name} {text}"


def _writers(compiled: Compiled, places: dict[str, str]) -> dict[str, set[str]]:
    """Of each map over an index type the kinds of places that write it: ``node``, or a place's name."""
    found: dict[str, set[str]] = {}
    for instance in compiled.system.instances:
        if instance.kind is not ActionKind.ACTION:
            continue
        lane = lane_of(compiled, places, instance)
        kind = next((each.sort for each in instance.arguments if each.text == lane and each.sort), lane)
        for index, _ in instance.updates:
            found.setdefault(compiled.system.cells[index].field, set()).add(kind)
    return found


def _domain(draft: _Draft, name: str) -> Domain | None:
    declared = draft.compiled.model.schema.fields.get(name)
    return declared.domain if declared else None


def _carries(draft: _Draft, name: str) -> bool:
    """Whether a field is a channel between places."""
    domain = _domain(draft, name)
    inner = domain.value if isinstance(domain, MapDomain) else domain
    if isinstance(inner, BagDomain | QueueDomain) or (isinstance(inner, SetDomain) and inner.net):
        return True
    keyed = isinstance(domain, MapDomain) and isinstance(domain.key, IndexDomain)
    kinds = draft.kinds.get(name, set())
    return keyed and len(kinds) == SHARED_BY and bool(kinds & set(draft.compiled.model.schema.sorts))


def _is_message(draft: _Draft, change: Change) -> bool:
    return _carries(draft, change.cell.partition("[")[0].partition(".")[0].partition("#")[0])


def _transfers(draft: _Draft, row: int, lane: str, before: State, after: State) -> Iterator[str]:
    """Note what was put under way in a row; yields what was taken out."""
    for name in draft.compiled.model.schema.fields:
        if _carries(draft, name):
            cells = [cell for cell in draft.compiled.system.cells if cell.field == name]
            if _is_set_of_messages(_domain(draft, name)):
                yield from _set_transfers(draft, row, lane, cells, before, after)
            else:
                yield from _slot_transfers(draft, row, lane, cells, before, after)


def _is_set_of_messages(domain: Domain | None) -> bool:
    return isinstance(domain, BagDomain | SetDomain)


def _set_transfers(
    draft: _Draft, row: int, lane: str, cells: list[Cell], before: State, after: State
) -> Iterator[str]:
    for cell in cells:
        text = cell.name.partition("[")[2].removesuffix("]")
        if after[cell.index] > before[cell.index]:
            elements = [atom.name for atom in cell.place if _is_element(draft.compiled, atom.name)]
            receiver = next(
                (each for each in elements if each != lane), _other_place(draft, cell.field, lane)
            )
            waits = isinstance(_domain(draft, cell.field), BagDomain)
            _send(draft, row, Message(lane, receiver, text), cell.name if waits else "")
        elif after[cell.index] < before[cell.index]:
            yield _take(draft, cell.name, text)


def _is_element(compiled: Compiled, text: str) -> bool:
    return any(text.startswith(sort) and text[len(sort) :].isdigit() for sort in compiled.model.schema.sorts)


def _slot_transfers(
    draft: _Draft, row: int, lane: str, cells: list[Cell], before: State, after: State
) -> Iterator[str]:
    groups: dict[str, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(
            cell.place[0].name if cell.place and _is_keyed(draft, cell.field) else "", []
        ).append(cell)
    empty = draft.compiled.system.initial[0]
    for element, group in groups.items():
        if all(before[cell.index] == after[cell.index] for cell in group):
            continue
        where = f"{cells[0].field}[{element}]"
        if sum(after[c.index] != empty[c.index] for c in group) < sum(
            before[c.index] != empty[c.index] for c in group
        ):
            yield _take(draft, where, where)
            if all(after[cell.index] == empty[cell.index] for cell in group):
                continue
            if draft.open.get(where):
                continue
        receiver = element if element and element != lane else _other_place(draft, cells[0].field, lane)
        _send(draft, row, Message(lane, receiver, _content(group, empty, after)), where)


def _is_keyed(draft: _Draft, name: str) -> bool:
    return isinstance(_domain(draft, name), MapDomain)


def _content(group: list[Cell], empty: State, after: State) -> str:
    """Cells of a slot that are not empty, in words: ``GRANT_SHARED, value 1``."""
    words: list[str] = []
    for cell in group:
        if after[cell.index] != empty[cell.index] or len(group) == 1:
            last = cell.name.rpartition(".")[2] if "." in cell.name else ""
            text = cell.label(after[cell.index])
            words.append(text if not words else f"{last} {text}".strip())
    return ", ".join(words)


def _other_place(draft: _Draft, name: str, lane: str) -> str:
    kinds = draft.kinds.get(name, set()) - set(draft.compiled.model.schema.sorts) - {lane}
    named = [each for each in draft.places.values() if each and each != lane]
    at = [step.at for step in draft.compiled.model.schema.steps if step.at and step.at not in step.parameters]
    return next(iter(sorted(kinds)), next(iter([*at, *named]), lane))


def _send(draft: _Draft, row: int, message: Message, where: str) -> None:
    draft.sent[row].append(message)
    if where:
        draft.open.setdefault(where, []).append(_Sent(row, len(draft.sent[row]) - 1))


def _take(draft: _Draft, where: str, text: str) -> str:
    waiting = draft.open.get(where)
    if not waiting:
        return text
    sent = waiting.pop(0)
    return draft.sent[sent.row][sent.position].text


def _lanes(compiled: Compiled, rows: tuple[Row, ...]) -> tuple[str, ...]:
    """Places that act or are sent to: named ones first, then elements in their order."""
    used: dict[str, None] = {}
    for row in rows:
        used[row.lane] = None
        for message in row.messages:
            used[message.sender] = None
            used[message.receiver] = None
    named = [each for each in used if not _is_element(compiled, each) and each != SURROUNDINGS]
    elements = sorted(
        (each for each in used if _is_element(compiled, each)), key=lambda text: (len(text), text)
    )
    rest = [each for each in used if each == SURROUNDINGS]
    return (*named, *elements, *rest)
