"""Initial states as start states."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from math import prod

from cmxverify.checking.export.murphi.expressions import Writer
from cmxverify.checking.export.murphi.lifting import Quantified, Unliftable
from cmxverify.checking.export.murphi.natures import Labelled
from cmxverify.checking.export.murphi.rules import ruleset
from cmxverify.checking.export.murphi.scope import Scope
from cmxverify.checking.export.murphi.statements import Assigner, Update, loop
from cmxverify.errors import InputError
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.system import Cell

MOST_LISTED = 2_000
FEW = 16
"""So many start states are listed; more are said as a ruleset where they are every combination of some values."""


def start_states(writer: Writer) -> list[str]:
    """A start state for each initial one, or rulesets of them.

    Raises:
        InputError: If there are too many to list.
    """
    initial = writer.vocabulary.system.initial
    if len(initial) > FEW and not writer.vocabulary.symmetric:
        combined = _combinations(writer)
        if combined is not None:
            return combined
    if len(initial) > MOST_LISTED:
        raise InputError(f"{len(initial):,} initial states are too many to list", fix="Give smaller bounds.")
    texts = dict.fromkeys(tuple(_start_state(writer, state)) for state in initial)
    return [line for each in texts for line in each]


def _start_state(writer: Writer, state: Sequence[int]) -> list[str]:
    """For all values at once if one of each symmetric type at most is singled out, else with literals."""
    vocabulary, updates = writer.vocabulary, _updates(writer, state)
    singled = product(*([None, *range(size)] for size in vocabulary.sorts.values()))
    for chosen in sorted(singled, key=lambda each: len(each) - each.count(None)):
        values = [(sort, at) for sort, at in zip(vocabulary.sorts, chosen, strict=True) if at is not None]
        names = [vocabulary.names.local(f"first_{sort}") for sort, _ in values]
        scope = Scope(dict(zip(values, names, strict=True)), lifted=True)
        parameters = [
            (name, vocabulary.sort_types[sort]) for name, (sort, _) in zip(names, values, strict=True)
        ]
        with suppress(Unliftable):
            return ruleset(parameters, _block(Assigner(writer, scope, symmetric=False).body(updates).lines))
    if vocabulary.symmetric:
        return _block(_some_of_its_orbit(writer, updates))
    return _block(Assigner(writer, Scope(), symmetric=False).body(updates).lines)


def _updates(writer: Writer, state: Sequence[int]) -> list[Update]:
    return [
        (cell.index, ex.boolean(bool(value)) if cell.is_bool else ex.integer(value))
        for cell, value in zip(writer.vocabulary.system.cells, state, strict=True)
    ]


def _some_of_its_orbit(writer: Writer, updates: Sequence[Update]) -> list[str]:
    """Loops over different values, each round of which makes a state of the orbit; that of the last round stays."""
    vocabulary = writer.vocabulary
    values = [(sort, at) for sort, size in vocabulary.sorts.items() for at in range(size)]
    names = [vocabulary.names.local(f"{sort}_as_{at}") for sort, at in values]
    scope = Scope(dict(zip(values, names, strict=True)), lifted=True)
    quantified = Quantified(tuple((name, sort) for name, (sort, _) in zip(names, values, strict=True)))
    return loop(
        quantified,
        Assigner(writer, scope, symmetric=False).body(updates).lines,
        Scope(),
        vocabulary.sort_types,
    )


def _combinations(writer: Writer) -> list[str] | None:
    """One ruleset, where the initial states are every combination of what some cells may start with."""
    vocabulary = writer.vocabulary
    initial, cells = vocabulary.system.initial, vocabulary.system.cells
    values = [sorted(set(column)) for column in zip(*initial, strict=True)]
    domains = {
        cell.index: _domain(writer, cell, values[cell.index]) for cell in cells if len(values[cell.index]) > 1
    }
    if prod(map(len, values)) != len(initial) or not all(domains.values()):
        return None
    names = {index: vocabulary.names.local(f"start_{index}") for index in domains}
    fixed = [each for each in _updates(writer, initial[0]) if each[0] not in domains]
    lines = Assigner(writer, Scope(), symmetric=False).body(fixed).lines
    lines += [f"{writer.designator(vocabulary.places[at], Scope())} := {name};" for at, name in names.items()]
    return ruleset([(names[at], str(domain)) for at, domain in domains.items()], _block(lines))


def _domain(writer: Writer, cell: Cell, values: Sequence[int]) -> str | None:
    """Type of what a cell may start with; None where no type says just that."""
    nature = writer.vocabulary.natures.of_cell(cell.index)
    if isinstance(nature, Labelled) or cell.is_bool:
        whole = len(values) == cell.codes
        return writer.vocabulary.places[cell.index].variable.element_type if whole else None
    contiguous = values[-1] - values[0] + 1 == len(values)
    return (
        f"{values[0]} .. {values[-1]}" if contiguous and values[0] >= (0 if nature else values[0]) else None
    )


def _block(lines: Sequence[str]) -> list[str]:
    return ["startstate", "begin", *(f"  {line}" for line in lines), "end;"]
