"""Proved minima over parts of a program: the numbers in explanations and in ways out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil

from cmxverify.placement.model.compile import PlacementModel
from cmxverify.placement.model.switching import MEMBERS
from cmxverify.placement.proof.outcome import Status
from cmxverify.placement.proof.program import Objective, Program
from cmxverify.placement.solving.solve import solve_program

_UNLIMITED = 10**6
"""Units of a pool when it is asked how many would be needed."""


def least(program: Program, terms: Mapping[str, Fraction], *, time_limit_s: float) -> Fraction | None:
    """Proved minimum of a sum over a program's points, rounded down to a millionth of its size; None if unknown."""
    biggest = max((abs(value) for value in terms.values()), default=Fraction(0))
    if not biggest:
        return Fraction(0)
    scale = Fraction(10**7) / biggest
    whole = {name: int(value * scale // 1) for name, value in terms.items() if value}
    asked = replace(program, objectives=(Objective("least", whole),))
    outcome = solve_program(asked, time_limit_s=time_limit_s, second_opinion=False)
    if outcome.interrupted:
        raise KeyboardInterrupt  # for whoever has something to tell
    if outcome.status not in (Status.OPTIMAL, Status.FEASIBLE) or not outcome.levels:
        return None
    return outcome.levels[0].bound / scale


def on_variables(model: PlacementModel) -> tuple[str, ...]:
    """Names of the variables that count units that are on."""
    switching = model.switching
    return tuple(dict.fromkeys(name for pool in switching.pools.values() for name in switching.all_on(pool)))


def with_any_number(model: PlacementModel, facts: Iterable[str]) -> Program:
    """The program that knows only these facts, as if every pool had as many units as one likes."""
    program = model.program.keeping(facts)
    on = frozenset(on_variables(model))
    variables = tuple(replace(v, upper=_UNLIMITED) if v.name in on else v for v in program.variables)
    rows = tuple(row for row in program.rows if not row.name.startswith(MEMBERS))
    return Program(variables, rows, (), program.facts)


def fewest_on(
    model: PlacementModel, facts: Iterable[str], names: Iterable[str], *, time_limit_s: float
) -> int | None:
    """Units that these facts ask for, of those that ``names`` count, as if there were as many as one likes."""
    found = least(with_any_number(model, facts), dict.fromkeys(names, Fraction(1)), time_limit_s=time_limit_s)
    return None if found is None else ceil(found)


def units_there(model: PlacementModel) -> int:
    """Units of all pools."""
    return sum(pool.size for pool in model.switching.by_units())
