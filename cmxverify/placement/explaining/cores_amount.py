"""How much the other facts of an explanation ask of one of its rows: the number in the sentence."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from cmxverify.placement.proof.outcome import Status
from cmxverify.placement.proof.program import Objective, Program, Row, Sense, Terms


def needed_amount(
    program: Program, facts: Iterable[str], measured: str | Terms, *, time_limit_s: float
) -> int | None:
    """What an expression must come to while the facts hold: its proved minimum.

    Args:
        program: The program that the facts explain.
        facts: The core (and the hard facts, if any).
        measured: Name of a row of the core, or the terms of an expression. With a row, all rows that share its
            facts are left out, so that the answer is what the *other* facts ask for: more than an at-most row
            allows, or, as a maximum, less than an at-least row demands. An equation is measured from below
            first, and from above if the minimum stays within it.
        time_limit_s: Seconds, for each of at most two solves.

    Returns:
        The proved minimum (or maximum, see above) in the expression's whole units; None if the rows that
        remain have no point, or if nothing was proved in time.

    Raises:
        KeyError: If no row has that name.
    """
    kept = program.keeping(facts)
    if not isinstance(measured, str):
        return _minimum(kept, measured, time_limit_s)
    row = {row.name: row for row in program.rows}[measured]
    others = _without(kept, row)
    if row.sense is Sense.AT_LEAST:
        return _maximum(others, row.terms, time_limit_s)
    least = _minimum(others, row.terms, time_limit_s)
    if row.sense is Sense.EQUAL and least is not None and least <= row.rhs:
        return _maximum(others, row.terms, time_limit_s)
    return least


def _without(program: Program, row: Row) -> Program:
    """Without the rows that hold only while all facts of this one are kept; of structure, without this one."""
    own = frozenset(row.facts)
    rows = (r for r in program.rows if r.name != row.name and not (own and own.issubset(r.facts)))
    return Program(program.variables, tuple(rows), program.objectives, program.facts)


def _minimum(program: Program, terms: Terms, time_limit_s: float) -> int | None:
    from cmxverify.placement.solving.solve import solve_program  # solvers load slowly

    asked = Program(program.variables, program.rows, (Objective("needed", terms),), program.facts)
    outcome = solve_program(asked, time_limit_s=time_limit_s, gap=Fraction(0))
    proved = outcome.status is Status.OPTIMAL and outcome.levels[0].value == outcome.levels[0].bound
    return outcome.levels[0].value if proved else None


def _maximum(program: Program, terms: Terms, time_limit_s: float) -> int | None:
    least = _minimum(program, {name: -coefficient for name, coefficient in terms.items()}, time_limit_s)
    return None if least is None else -least
