"""A state in words: maps and records part by part; what is optional, a message or a queue as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from cmxverify.modeling.compile import Compiled
from cmxverify.modeling.domains import (
    BagDomain,
    Domain,
    MapDomain,
    QueueDomain,
    RecordDomain,
    SetDomain,
)
from cmxverify.modeling.frontend.allocation import text_of
from cmxverify.modeling.ir.evaluate import State


def parts_of_state(compiled: Compiled, state: State) -> dict[str, str]:
    """Every part of a state and its value: ``{"slots[slot0]": "Entry(block=block0)", "turn": "1"}``."""
    fields = zip(compiled.model.schema.fields.values(), compiled.decode(state), strict=True)
    return {name: text for field, plain in fields for name, text in _parts(field.name, field.domain, plain)}


def _parts(name: str, domain: Domain, plain: Any) -> Iterator[tuple[str, str]]:
    match domain:
        case MapDomain():
            for key, element in zip(domain.key.listed, plain, strict=True):
                yield from _parts(f"{name}[{text_of(key)}]", domain.value, element)
        case RecordDomain():
            for part, inner in domain.fields.items():
                yield from _parts(f"{name}.{part}", inner, getattr(plain, part))
        case SetDomain():
            yield from ((f"{name}[{text_of(each)}]", str(each in plain)) for each in domain.element.listed)
        case BagDomain():
            counts = zip(domain.message.listed, plain, strict=True)
            yield from ((f"{name}[{text_of(each)}]", str(times)) for each, times in counts)
        case QueueDomain():
            yield name, f"[{', '.join(map(text_of, plain))}]"
        case _:
            yield name, "none" if plain is None else text_of(plain)


def part_of_cell(cell: str, parts: Iterable[str]) -> str:
    """The part of a state that a cell belongs to: ``slots[slot0]`` for ``slots[slot0].block``."""
    return max((each for each in parts if cell == each or cell.startswith((f"{each}.", f"{each}#"))), key=len)


def field_of_part(part: str, fields: Iterable[str]) -> str:
    """The field of the model that a part belongs to."""
    return max(
        (each for each in fields if part == each or part.startswith((f"{each}[", f"{each}."))), key=len
    )
