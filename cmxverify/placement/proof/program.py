"""The integer program that placement solves: named columns and rows, whole numbers only.

Whole numbers make every claim about it re-checkable without trust in a solver. Demands were rounded up and
capacities down before they came here, so rounding can only make an answer conservative. The program knows
nothing of KV caches: rows carry the *facts* (users' own lines) they come from, so that explanations can.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from hashlib import sha256

from cmxverify.errors import Location

Terms = Mapping[str, int]
"""Coefficient of each variable; absent means 0."""


class Sense(Enum):
    """How a row's activity compares with its right-hand side."""

    AT_MOST = "<="
    AT_LEAST = ">="
    EQUAL = "="


@dataclass(frozen=True, slots=True)
class Variable:
    """A whole number with ``lower <= x <= upper``; bounds are facts of structure, never of a user's line."""

    name: str
    lower: int
    upper: int


@dataclass(frozen=True, slots=True)
class Row:
    """One linear constraint.

    ``facts`` are the ids of the users' lines that the row stands for; empty means structural (never part of
    an explanation). A row holds in an explanation only while *all* its facts are kept.
    """

    name: str
    terms: Terms
    sense: Sense
    rhs: int
    facts: tuple[str, ...] = ()

    def activity(self, values: Mapping[str, int]) -> int:
        """Left-hand side at a point."""
        return sum(coefficient * values[name] for name, coefficient in self.terms.items())

    def holds(self, values: Mapping[str, int]) -> bool:
        """Whether the point satisfies the row."""
        left = self.activity(values)
        match self.sense:
            case Sense.AT_MOST:
                return left <= self.rhs
            case Sense.AT_LEAST:
                return left >= self.rhs
            case Sense.EQUAL:
                return left == self.rhs


@dataclass(frozen=True, slots=True)
class Objective:
    """One level to minimise: ``constant + sum of terms``, in units of ``unit`` (shown value = units x unit).

    ``key`` is one of ``late``, ``restore``, ``power``, ``cost``, ``spread``.
    """

    key: str
    terms: Terms
    constant: int = 0
    unit: Fraction = Fraction(1)

    def value(self, values: Mapping[str, int]) -> int:
        """Objective in whole units at a point."""
        return self.constant + sum(c * values[name] for name, c in self.terms.items())


@dataclass(frozen=True, slots=True)
class Fact:
    """A user's own line that an explanation may cite: id, sentence with numbers, where it stands."""

    id: str
    text: str
    at: Location | None = None


@dataclass(frozen=True)
class Program:
    """Variables, rows, and objectives in order of priority (lexicographic)."""

    variables: tuple[Variable, ...]
    rows: tuple[Row, ...]
    objectives: tuple[Objective, ...]
    facts: Mapping[str, Fact] = field(default_factory=dict)

    def violations(self, values: Mapping[str, int]) -> list[str]:
        """Names of the bounds and rows that a point breaks; empty means feasible."""
        outside = [v.name for v in self.variables if not v.lower <= values[v.name] <= v.upper]
        return outside + [row.name for row in self.rows if not row.holds(values)]

    def with_rows(self, rows: Iterable[Row]) -> Program:
        """The same program with further rows."""
        return Program(self.variables, (*self.rows, *rows), self.objectives, self.facts)

    def keeping(self, facts: Iterable[str]) -> Program:
        """The program that knows only these facts: rows that need another one are dropped."""
        kept = frozenset(facts)
        rows = tuple(row for row in self.rows if kept.issuperset(row.facts))
        return Program(self.variables, rows, self.objectives, self.facts)

    def components(self) -> list[Program]:
        """Independent parts: no row joins two of them, so their lexicographic optima add up.

        Each part keeps every objective, with the terms of its own variables; constants stay with the first
        part. Parts are in the order of their first variable; a row without variables goes to the first part.
        """
        parts = _connected(self.variables, self.rows)
        return [self._part(names, first=index == 0) for index, names in enumerate(parts)]

    def _part(self, names: frozenset[str], *, first: bool) -> Program:
        variables = tuple(v for v in self.variables if v.name in names)
        rows = tuple(r for r in self.rows if (next(iter(r.terms)) in names if r.terms else first))
        objectives = tuple(
            Objective(o.key, {n: c for n, c in o.terms.items() if n in names}, o.constant if first else 0, o.unit)
            for o in self.objectives
        )
        return Program(variables, rows, objectives, self.facts)

    def canonical(self) -> dict[str, object]:
        """A plain form for JSON: the same program always gives the same text."""
        return {
            "variables": [[v.name, v.lower, v.upper] for v in self.variables],
            "rows": [[r.name, dict(sorted(r.terms.items())), r.sense.value, r.rhs] for r in self.rows],
            "objectives": [
                [o.key, dict(sorted(o.terms.items())), o.constant, str(o.unit)] for o in self.objectives
            ],
        }

    def digest(self) -> str:
        """SHA-256 of the canonical form."""
        text = json.dumps(self.canonical(), sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()


def level_row(objective: Objective, value: int) -> Row:
    """The row that keeps an earlier level at its value while later levels are minimised."""
    return Row(f"level {objective.key}", objective.terms, Sense.AT_MOST, value - objective.constant)


def _connected(variables: Sequence[Variable], rows: Sequence[Row]) -> list[frozenset[str]]:
    parent = {v.name: v.name for v in variables}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for row in rows:
        names = iter(row.terms)
        first = next(names, None)
        for name in names:
            parent[root(name)] = root(first)  # type: ignore[arg-type]  # a second name implies a first
    groups: dict[str, list[str]] = {}
    for variable in variables:
        groups.setdefault(root(variable.name), []).append(variable.name)
    return [frozenset(names) for names in groups.values()] or [frozenset()]
