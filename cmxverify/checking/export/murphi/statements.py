"""Simultaneous updates as a sequence of Murphi's assignments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cmxverify.checking.export.murphi.expressions import Writer, naming
from cmxverify.checking.export.murphi.lifting import Quantified, Unliftable, Value, free_values
from cmxverify.checking.export.murphi.natures import OfSort
from cmxverify.checking.export.murphi.scope import Scope
from cmxverify.checking.export.murphi.vocabulary import Place, Variable
from cmxverify.modeling.ir.expression import Expr, Op, walk

Update = tuple[int, Expr]


@dataclass(frozen=True, slots=True)
class Body:
    """Statements of a rule, and its local variables: (name, type) each."""

    lines: list[str]
    locals: tuple[tuple[str, str], ...] = ()


class Assigner:
    """Writes the updates of one rule, or of a start state.

    ``symmetric`` says that permuting values without a name changes nothing, as is so for the rules of a symmetric
    system, but not for its initial states one by one.
    """

    def __init__(self, writer: Writer, scope: Scope, *, symmetric: bool) -> None:
        self._writer, self._scope = writer, scope
        self._may_choose = symmetric and writer.vocabulary.symmetric
        self._places = writer.vocabulary.places
        self._pending: dict[Variable, str] = {}

    def body(self, updates: Sequence[Update]) -> Body:
        """Assignments in an order in which each reads old values; by way of new copies where there is no such order."""
        updates = [each for each in updates if not _keeps(each)]
        groups = list(self._grouped(updates).values())
        ordered = _ordered([(self._written(group), self._read(group)) for group in groups])
        if ordered is not None:
            return Body(self._lines([groups[at] for at in ordered]))
        self._pending = self._copies(updates)
        lines = self._lines(list(self._grouped(updates).values()))
        start = [
            line for variable, name in self._pending.items() for line in _copy(variable, variable.name, name)
        ]
        finish = [
            line for variable, name in self._pending.items() for line in _copy(variable, name, variable.name)
        ]
        declared = tuple((name, variable.type_text) for variable, name in self._pending.items())
        return Body([*start, *lines, *finish], declared)

    def _copies(self, updates: Sequence[Update]) -> dict[Variable, str]:
        read = {node.value for _, expr in updates for node in walk((expr,)) if node.op is Op.CELL}
        written = {self._places[index].variable for index, _ in updates}
        both = [
            each
            for each in dict.fromkeys(self._places[at].variable for at in sorted(read))
            if each in written
        ]
        return {each: self._writer.vocabulary.names.fresh(f"new_{each.name}") for each in both}

    def _written(self, group: _Group) -> frozenset[int]:
        return frozenset(index for index, _ in group.updates)

    def _read(self, group: _Group) -> list[tuple[int, frozenset[int]]]:
        """What each update of a group reads; its own cell may be read, unless it is written more than once."""
        return [
            (
                -1 if group.repeated else index,
                frozenset(node.value for node in walk((expr,)) if node.op is Op.CELL),
            )
            for index, expr in group.updates
        ]

    def _grouped(self, updates: Iterable[Update]) -> dict[object, _Group]:
        """Updates that one statement or one loop says."""
        groups: dict[object, _Group] = {}
        scope = self._scope
        for index, expr in updates:
            place = self._places[index]
            free = free_values(self._writer.mentions.of_cell(index), scope.bindings) if scope.lifted else ()
            free = tuple(dict.fromkeys(free))
            quantified = self._writer.quantify(free, scope)
            lines, repeated = self._closed(place, expr, scope.binding(naming(free, quantified)))
            key = (quantified, *lines) if free else index
            group = groups.setdefault(key, _Group(quantified, lines, [], set(), repeated))
            group.updates.append((index, expr))
            group.seen.add(free)
        return groups

    def _lines(self, groups: Sequence[_Group]) -> list[str]:
        lines: list[str] = []
        for group in _merged(groups):
            if not group.quantified.variables:
                lines += group.lines
                continue
            self._writer.require_complete(group.quantified, group.seen, self._scope)
            lines += loop(group.quantified, group.lines, self._scope, self._writer.vocabulary.sort_types)
        return lines

    def _closed(self, place: Place, expr: Expr, scope: Scope) -> tuple[list[str], bool]:
        """An assignment, and whether it is done again for each choice of values that have no name elsewhere.

        As with ``Writer.closed``: the value is the same for every choice, for the system is symmetric.
        """
        try:
            return self._assignment(place, expr, scope), False
        except Unliftable:
            if not self._may_choose:
                raise
        free = free_values(self._writer.mentions.of(expr, place.variable.nature), scope.bindings)
        quantified = self._writer.quantify(free, scope)
        lines = self._assignment(place, expr, scope.binding(naming(free, quantified)))
        return loop(quantified, lines, scope, self._writer.vocabulary.sort_types), True

    def _assignment(self, place: Place, expr: Expr, scope: Scope) -> list[str]:
        name = self._pending.get(place.variable, place.variable.name)
        target = name + self._writer.subscripts(place, scope)
        return self._assign(target, place, expr, scope)

    def _assign(self, target: str, place: Place, expr: Expr, scope: Scope) -> list[str]:
        nature = place.variable.nature
        optional = isinstance(nature, OfSort) and place.variable.optional
        if expr.op is Op.ITE:
            kept = [self._is_same(arm, place) for arm in expr.args[1:]]
            if optional or any(kept):
                return self._choice(target, place, expr, scope)
        if optional and expr.constant == -1:
            return [f"undefine {target};"]
        text = self._writer.text(expr, scope, nature)
        if optional and expr.low < 0:
            return [f"if isundefined({text}) then undefine {target}; else {target} := {text}; end;"]
        return [f"{target} := {text};"]

    def _choice(self, target: str, place: Place, expr: Expr, scope: Scope) -> list[str]:
        condition, then, other = expr.args
        arms = [
            [] if self._is_same(arm, place) else self._assign(target, place, arm, scope)
            for arm in (then, other)
        ]
        if not arms[0]:
            return [f"if !{self._writer.text(condition, scope)} then", *_indented(arms[1]), "end;"]
        lines = [f"if {self._writer.text(condition, scope)} then", *_indented(arms[0])]
        return [*lines, "else", *_indented(arms[1]), "end;"] if arms[1] else [*lines, "end;"]

    def _is_same(self, expr: Expr, place: Place) -> bool:
        return expr.op is Op.CELL and self._places[expr.value] == place


@dataclass(slots=True)
class _Group:
    quantified: Quantified
    lines: list[str]
    updates: list[Update]
    seen: set[tuple[Value, ...]]
    repeated: bool


def _merged(groups: Iterable[_Group]) -> list[_Group]:
    """Loops over the same values, one after the other, as one where they read nothing."""
    found: list[_Group] = []
    for group in groups:
        last = found[-1] if found else None
        constant = all(expr.constant is not None for _, expr in group.updates)
        if last is not None and constant and group.quantified.variables:
            alike = (last.quantified, last.seen) == (group.quantified, group.seen)
            if alike and all(expr.constant is not None for _, expr in last.updates):
                joined = [*last.updates, *group.updates]
                found[-1] = _Group(group.quantified, [*last.lines, *group.lines], joined, group.seen, False)
                continue
        found.append(group)
    return found


def _keeps(update: Update) -> bool:
    index, expr = update
    return expr.op is Op.CELL and expr.value == index


def loop(quantified: Quantified, lines: list[str], scope: Scope, sort_types: dict[str, str]) -> list[str]:
    """Statements for each choice of different values that have no name in scope."""
    different = quantified.differences(scope.bindings)
    if different:
        lines = [f"if {' & '.join(different)} then", *_indented(lines), "end;"]
    for variable, sort in reversed(quantified.variables):
        lines = [f"for {variable}: {sort_types[sort]} do", *_indented(lines), "end;"]
    return lines


def _ordered(groups: Sequence[tuple[frozenset[int], list[tuple[int, frozenset[int]]]]]) -> list[int] | None:
    """An order in which no group reads what an earlier one wrote, nor a loop what an earlier round wrote."""
    for written, reads in groups:
        if any((read & written) - {index} for index, read in reads):
            return None
    needs = [frozenset[int]().union(*(read for _, read in reads)) for _, reads in groups]
    waiting = list(range(len(groups)))
    found: list[int] = []
    while waiting:
        ready = next(
            (
                at
                for at in waiting
                if not any(groups[at][0] & needs[other] for other in waiting if other != at)
            ),
            None,
        )
        if ready is None:
            return None
        waiting.remove(ready)
        found.append(ready)
    return found


def _copy(variable: Variable, source: str, target: str) -> list[str]:
    if variable.optional and not variable.index_types:
        return [f"if isundefined({source}) then undefine {target}; else {target} := {source}; end;"]
    return [f"{target} := {source};"]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]
