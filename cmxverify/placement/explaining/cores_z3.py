"""z3 as the oracle of explanations: one incremental solver, one assumption literal a fact."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import z3

from cmxverify.placement.explaining.cores_hitting import Facts, OutOfTime
from cmxverify.placement.explaining.cores_oracle import Impossible, Possible, Verdict
from cmxverify.placement.proof.program import Program, Row, Sense

_OPERATOR = {Sense.AT_MOST: "<=", Sense.AT_LEAST: ">=", Sense.EQUAL: "="}


class Z3Oracle:
    """Judges the sub-programs of one program over bounded integers.

    What z3 learns for one choice of facts serves the next. A row is asserted under the literals of its facts;
    z3's core over the literals comes back with each "impossible".
    """

    def __init__(self, program: Program, *, effort: int = 0, seed: int = 0) -> None:
        """``effort``: give up a question after so many of z3's resource units (0: when time is up)."""
        self._variables = tuple(v.name for v in program.variables)
        facts = sorted({fact for row in program.rows for fact in row.facts})
        self._literals = {fact: z3.Bool(f"k{i}") for i, fact in enumerate(facts)}
        self._columns = [z3.Int(f"x{i}") for i in range(len(self._variables))]
        self._solver = z3.Solver()
        self._solver.set("random_seed", seed)
        self._solver.set("rlimit", effort)
        self._solver.from_string(_smtlib(program, facts))

    def judge(self, facts: Facts, *, time_limit_s: float) -> Verdict | None:
        """Whether ``program.keeping(facts)`` has a point; None when z3 does not say within the time."""
        asked = {str(self._literals[fact]): fact for fact in sorted(facts) if fact in self._literals}
        self._solver.set("timeout", max(1, int(time_limit_s * 1000)))
        answer = self._solver.check(*(self._literals[fact] for fact in asked.values()))
        if answer == z3.sat:
            model = self._solver.model()
            columns = (model.eval(column, model_completion=True) for column in self._columns)
            return Possible(dict(zip(self._variables, (c.as_long() for c in columns), strict=True)))
        if answer == z3.unsat:
            return Impossible(frozenset(asked[str(literal)] for literal in self._solver.unsat_core()))
        return None


class UnexploredChoices:
    """Choices of facts that are neither inside a known satisfiable one nor contain a known core.

    A propositional solver over one literal a fact; what is left when it says "none" has been decided.
    """

    def __init__(self, facts: Sequence[str]) -> None:
        self._literals = {fact: z3.Bool(fact) for fact in facts}
        self._solver = z3.Solver()

    def exclude_subsets(self, satisfiable: Facts) -> None:
        """Of what is satisfiable every part is."""
        self._solver.add(
            z3.Or([literal for fact, literal in self._literals.items() if fact not in satisfiable])
        )

    def exclude_supersets(self, core: Facts) -> None:
        """What contains a core is impossible."""
        self._solver.add(z3.Not(z3.And([self._literals[fact] for fact in sorted(core)])))

    def next(self, *, time_limit_s: float) -> Facts | None:
        """One unexplored choice, None when all have been explored.

        Raises:
            OutOfTime: If the solver does not say within the time.
        """
        self._solver.set("timeout", max(1, int(time_limit_s * 1000)))
        answer = self._solver.check()
        if answer == z3.unsat:
            return None
        if answer != z3.sat:
            raise OutOfTime
        model = self._solver.model()
        return frozenset(fact for fact, literal in self._literals.items() if z3.is_true(model[literal]))


def _smtlib(program: Program, facts: Sequence[str]) -> str:
    """The program as SMT-LIB text: parsing it once is many times faster than building terms one by one."""
    columns = {v.name: f"x{i}" for i, v in enumerate(program.variables)}
    literals = {fact: f"k{i}" for i, fact in enumerate(facts)}
    lines = [f"(declare-const {literal} Bool)" for literal in literals.values()]
    for variable in program.variables:
        column = columns[variable.name]
        lines.append(f"(declare-const {column} Int)")
        lines.append(
            f"(assert (and (<= {_number(variable.lower)} {column}) (<= {column} {_number(variable.upper)})))"
        )
    for row in program.rows:
        kept = [literals[fact] for fact in row.facts]
        holds = _comparison(row, columns)
        lines.append(f"(assert (=> {_joined('and', kept)} {holds}))" if kept else f"(assert {holds})")
    return "\n".join(lines)


def _comparison(row: Row, columns: dict[str, str]) -> str:
    terms = [f"(* {_number(c)} {columns[name]})" for name, c in row.terms.items() if c]
    left = _joined("+", terms) if terms else "0"
    return f"({_OPERATOR[row.sense]} {left} {_number(row.rhs)})"


def _joined(operator: str, parts: Iterable[str]) -> str:
    listed = list(parts)
    return listed[0] if len(listed) == 1 else f"({operator} {' '.join(listed)})"


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"
