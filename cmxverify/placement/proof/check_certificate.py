"""The checker that trusts no solver: is this plan allowed, and is each bound proved?

Together with ``proof_arithmetic.py`` this is the whole trusted base; both need only the standard library.
Each function returns plain sentences of what is wrong; an empty list means accepted.

What an accepted certificate says. Level by level, no point of the program has a lower objective than the
bound, among the points that are in every component no worse than the plan at all earlier levels. Where the
earlier levels are proved optimal, that is every point which is optimal there, so the plan is
lexicographically optimal. Where an earlier level kept a gap, the later bounds hold beside the plan's own
values of that level, and only there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from cmxverify.placement.proof.certificate import ComponentProof, InfeasibleProof
from cmxverify.placement.proof.outcome import LevelResult, Outcome, Status
from cmxverify.placement.proof.program import Objective, Program, level_row
from cmxverify.placement.proof.proof_arithmetic import (
    ProofError,
    empty_subject,
    is_whole,
    level_subject,
    proved_bound,
    shown,
    shown_name,
)

_MOST_SHOWN = 8


def check_outcome(program: Program, outcome: Outcome) -> list[str]:
    """Everything at once: the status says exactly what the outcome carries and its certificate proves.

    Notes and ``also_proved_by`` are remarks, no claims, and are not looked at.
    """
    carries_plan = outcome.values is not None or outcome.levels or outcome.proofs
    match outcome.status:
        case Status.UNKNOWN:
            extra = carries_plan or outcome.infeasible is not None
            return ["the status is unknown, so there can be no plan and no proof"] if extra else []
        case Status.INFEASIBLE:
            if carries_plan or outcome.infeasible is None:
                return ["the status is infeasible, so there must be a proof of that and no plan"]
            return check_infeasible(program, outcome.infeasible)
        case Status.OPTIMAL | Status.FEASIBLE:
            if outcome.values is None or outcome.infeasible is not None:
                return [
                    f"the status is {outcome.status.value}, so there must be a plan and no proof against it"
                ]
            faults = check_components(program, outcome.values, outcome.proofs, outcome.levels)
            return faults or _status_faults(outcome.status, outcome.levels)


def _status_faults(status: Status, levels: Sequence[LevelResult]) -> list[str]:
    open_levels = [level.key for level in levels if level.value != level.bound]
    if status is Status.OPTIMAL and open_levels:
        return [f"the status is optimal, but value and bound of level {key!r} differ" for key in open_levels]
    if status is Status.FEASIBLE and not open_levels:
        return ["the status is feasible, but every level is proved optimal"]
    return []


def check_components(
    program: Program,
    values: Mapping[str, int],
    proofs: Sequence[ComponentProof],
    levels: Sequence[LevelResult],
) -> list[str]:
    """What is wrong with a plan and the proofs of its levels; empty means that all of it holds."""
    if (
        faults := program_faults(program)
        or value_faults(program, values)
        or _partition_faults(program, proofs)
    ):
        return faults
    parts = parts_of(program, proofs)
    for index, (part, proof) in enumerate(zip(parts, proofs, strict=True)):
        faults += [f"component {index}: {fault}" for fault in _component_faults(part, values, proof)]
    return faults or _total_faults(program, proofs, levels)


def check_infeasible(program: Program, proof: InfeasibleProof) -> list[str]:
    """What is wrong with a proof that no point satisfies the rows; empty means that it holds.

    ``variables`` name the component: all of its variables, or as many of them as are there without the rows
    that ``facts`` leave out.
    """
    if faults := program_faults(program) or _fact_faults(program, proof.facts):
        return faults
    part = component_of(program, proof.variables)
    if part is None:
        return ["the variables of the proof are not distinct variables of one component"]
    try:
        proved_bound(empty_subject(part if proof.facts is None else part.keeping(proof.facts)), proof.tree)
    except ProofError as refused:
        return [str(refused)]
    return []


def component_of(program: Program, variables: Sequence[str]) -> Program | None:
    """The component that holds these variables, the first one for none; ``None`` if no single one does."""
    wanted = set(variables)
    if len(wanted) != len(variables):
        return None
    parts = program.components()
    return next((part for part in parts if wanted.issubset(v.name for v in part.variables)), None)


def program_faults(program: Program) -> list[str]:
    """Names that stand twice or for nothing: a proof refers to rows and variables by name alone."""
    variables = [v.name for v in program.variables]
    rows = [r.name for r in program.rows] + [level_row(o, 0).name for o in program.objectives]
    faults = [f"the program has two variables {name!r}" for name in _twice(variables)]
    faults += [f"the program has two rows {name!r} (each level counts as one)" for name in _twice(rows)]
    known = frozenset(variables)
    users = [*((r.name, r.terms) for r in program.rows), *((o.key, o.terms) for o in program.objectives)]
    for user, terms in users:
        faults += [f"{user!r} speaks of an unknown variable {name!r}" for name in terms if name not in known]
    numbers = [n for v in program.variables for n in (v.lower, v.upper)] + [r.rhs for r in program.rows]
    numbers += [n for _, terms in users for n in terms.values()] + [o.constant for o in program.objectives]
    if not all(map(is_whole, numbers)):
        faults.append("the program has a number that is not whole")
    return _few(faults)


def value_faults(program: Program, values: Mapping[str, int]) -> list[str]:
    """Where a plan misses or invents a variable, leaves its bounds, or breaks a row."""
    known = frozenset(v.name for v in program.variables)
    faults = [f"the plan has no value for {v.name!r}" for v in program.variables if v.name not in values]
    faults += [
        f"the plan has a value for an unknown {shown_name(name)}" for name in values if name not in known
    ]
    faults += [
        f"{shown_name(n)} is {shown(v)}, not a whole number" for n, v in values.items() if not is_whole(v)
    ]
    if faults:
        return _few(faults)
    for v in program.variables:
        if not v.lower <= values[v.name] <= v.upper:
            faults.append(
                f"{v.name!r} is {shown(values[v.name])}, outside {shown(v.lower)} to {shown(v.upper)}"
            )
    for row in program.rows:
        if not row.holds(values):
            faults.append(
                f"row {row.name!r} does not hold: {shown(row.activity(values))} {row.sense.value} {shown(row.rhs)}"
            )
    return _few(faults)


def _partition_faults(program: Program, proofs: Sequence[ComponentProof]) -> list[str]:
    position = {v.name: index for index, v in enumerate(program.variables)}
    listed = [name for proof in proofs for name in proof.variables]
    seen = set(listed)
    faults = [f"a component lists an unknown variable {shown_name(n)}" for n in listed if n not in position]
    faults += [f"variable {name!r} is in two components, or twice in one" for name in _twice(listed)]
    faults += [f"variable {name!r} is in no component" for name in position if name not in seen]
    if (
        not proofs
        or (position and not all(proof.variables for proof in proofs))
        or (not position and len(proofs) > 1)
    ):
        faults.append(
            "there must be one component or more, each with a variable (one without, if there are none)"
        )
    if faults:
        return _few(faults)
    order = [[position[name] for name in proof.variables] for proof in proofs]
    if order != sorted(sorted(places) for places in order):
        return ["the components, or the variables in one of them, are not in the order of the program"]
    home = _home(proofs)
    joins = [row.name for row in program.rows if len({home[name] for name in row.terms}) > 1]
    return _few([f"row {name!r} joins two components" for name in joins])


def parts_of(program: Program, proofs: Sequence[ComponentProof]) -> list[Program]:
    """The program cut along a checked partition; constants and rows without variables go to the first part."""
    home = _home(proofs)
    variables = {v.name: v for v in program.variables}
    rows: list[list[int]] = [[] for _ in proofs]
    for index, row in enumerate(program.rows):
        rows[home[next(iter(row.terms))] if row.terms else 0].append(index)
    terms: list[list[dict[str, int]]] = [[{} for _ in program.objectives] for _ in proofs]
    for index, objective in enumerate(program.objectives):
        for name, coefficient in objective.terms.items():
            terms[home[name]][index][name] = coefficient
    return [
        Program(
            tuple(variables[name] for name in proof.variables),
            tuple(program.rows[index] for index in rows[place]),
            tuple(
                Objective(o.key, own, 0 if place else o.constant, o.unit)
                for o, own in zip(program.objectives, terms[place], strict=True)
            ),
        )
        for place, proof in enumerate(proofs)
    ]


def _component_faults(part: Program, values: Mapping[str, int], proof: ComponentProof) -> list[str]:
    keys, due = [level.key for level in proof.levels], [o.key for o in part.objectives]
    if keys != due:
        return [f"its levels are {_list(keys)}; they must be {_list(due)}"]
    for index, (objective, level) in enumerate(zip(part.objectives, proof.levels, strict=True)):
        if fault := _level_fault(part, proof, index, objective.value(values)):
            return [f"level {level.key!r}: {fault}"]  # later levels stand on this one
    return []


def _level_fault(part: Program, proof: ComponentProof, index: int, reached: int) -> str | None:
    level = proof.levels[index]
    if not is_whole(level.value) or level.value != reached:
        return f"its value is {shown(level.value)}, but the plan gives {shown(reached)}"
    if not is_whole(level.bound) or level.bound > level.value:
        return f"its bound is {shown(level.bound)}, which is no whole number up to its value {shown(level.value)}"
    try:
        proved = proved_bound(level_subject(part, proof.levels[:index]), level.tree)
    except ProofError as refused:
        return str(refused)
    if proved is not None and proved < level.bound:
        return f"its tree proves a bound of {shown(proved)}, not of {shown(level.bound)}"
    return None


def _total_faults(
    program: Program, proofs: Sequence[ComponentProof], levels: Sequence[LevelResult]
) -> list[str]:
    keys, due = [level.key for level in levels], [o.key for o in program.objectives]
    if keys != due:
        return [f"the levels are {_list(keys)}; they must be {_list(due)}"]
    faults = []
    for index, (objective, level) in enumerate(zip(program.objectives, levels, strict=True)):
        value = sum(proof.levels[index].value for proof in proofs)
        bound = sum(proof.levels[index].bound for proof in proofs)
        if level.unit != objective.unit:
            faults.append(
                f"level {level.key!r}: its unit is {level.unit}, but the program counts in {objective.unit}"
            )
        for word, stated, total in (("value", level.value, value), ("bound", level.bound, bound)):
            if not is_whole(stated) or stated != total:
                sums = f"the components add up to {shown(total)}"
                faults.append(f"level {level.key!r}: its {word} is {shown(stated)}, but {sums}")
    return faults


def _fact_faults(program: Program, facts: Sequence[str] | None) -> list[str]:
    known = {fact for row in program.rows for fact in row.facts}.union(program.facts)
    faults = [
        f"the proof keeps an unknown fact {shown_name(fact)}" for fact in facts or () if fact not in known
    ]
    return _few(faults + [f"the proof keeps fact {shown_name(fact)} twice" for fact in _twice(facts or ())])


def _home(proofs: Sequence[ComponentProof]) -> dict[str, int]:
    return {name: index for index, proof in enumerate(proofs) for name in proof.variables}


def _twice(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def _list(keys: Sequence[str]) -> str:
    return ", ".join(map(shown_name, keys[:_MOST_SHOWN])) or "none"


def _few(faults: list[str]) -> list[str]:
    """At most a handful of faults of one kind: the first ones tell, a million would bury them."""
    more = len(faults) - _MOST_SHOWN
    return faults if more <= 0 else [*faults[:_MOST_SHOWN], f"and {more} more of this kind"]
