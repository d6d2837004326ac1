"""Certificates found by trying every point and guessing multipliers, so that tests of the checker need no solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random

from cmxverify.placement.proof.certificate import (
    BoundLeaf,
    ComponentProof,
    EmptyLeaf,
    InfeasibleProof,
    LevelProof,
    Split,
    Tree,
)
from cmxverify.placement.proof.outcome import LevelResult, Outcome, Status
from cmxverify.placement.proof.program import Objective, Program, Row, Sense, Variable, level_row

Bounds = dict[str, tuple[int, int]]


def random_program(random: Random) -> Program:
    """Up to five variables in one to three components, with rows of every sense and up to two objectives."""
    names = [f"x{i}" for i in range(random.randint(1, 5))]
    variables = tuple(
        Variable(name, low := random.randint(-1, 1), low + random.randint(0, 3)) for name in names
    )
    rows = tuple(_random_row(random, f"r{i}", names) for i in range(random.randint(0, 4)))
    keys = ["late", "power"][: random.randint(0, 2)]
    objectives = tuple(Objective(key, _random_terms(random, names, 3), random.randint(-2, 2)) for key in keys)
    return Program(variables, rows, objectives)


def _random_row(random: Random, name: str, names: list[str]) -> Row:
    facts = tuple(random.sample(["fact a", "fact b", "fact c"], random.randint(0, 2)))
    sense = random.choice([Sense.AT_MOST, Sense.AT_LEAST, Sense.AT_MOST, Sense.AT_LEAST, Sense.EQUAL])
    return Row(name, _random_terms(random, names, 2), sense, random.randint(-2, 5), facts)


def _random_terms(random: Random, names: list[str], most: int) -> dict[str, int]:
    chosen = random.sample(names, min(len(names), random.randint(1, most)))
    return {name: random.choice([-2, -1, 1, 2, 3]) for name in chosen}


def points(program: Program) -> Iterator[dict[str, int]]:
    """Every point that satisfies the program."""
    ranges = [range(v.lower, v.upper + 1) for v in program.variables]
    for numbers in product(*ranges):
        point = {v.name: n for v, n in zip(program.variables, numbers, strict=True)}
        if not program.violations(point):
            yield point


def naive_outcome(program: Program, random: Random, *, any_plan: bool = False) -> Outcome:
    """Solve by enumeration; with ``any_plan`` a random feasible point whose proofs keep a gap."""
    empty = next((part for part in program.components() if not any(points(part))), None)
    if empty is not None:
        tree = _tree(empty, None, 0, _box(empty), random)
        return Outcome(Status.INFEASIBLE, infeasible=InfeasibleProof(_names(empty), None, tree))
    proofs, values = [], {}
    for part in program.components():
        best = min(points(part), key=lambda point, part=part: [o.value(point) for o in part.objectives])
        plan = random.choice(list(points(part))) if any_plan else best
        values.update(plan)
        proofs.append(_component(part, plan, random))
    levels = totals(program, proofs)
    status = Status.OPTIMAL if all(level.value == level.bound for level in levels) else Status.FEASIBLE
    return Outcome(status, values, levels, tuple(proofs))


def totals(program: Program, proofs: Sequence[ComponentProof]) -> tuple[LevelResult, ...]:
    """Levels of the whole program."""
    return tuple(
        LevelResult(
            o.key, sum(p.levels[i].value for p in proofs), sum(p.levels[i].bound for p in proofs), o.unit
        )
        for i, o in enumerate(program.objectives)
    )


def _component(part: Program, plan: Mapping[str, int], random: Random) -> ComponentProof:
    levels = []
    for objective in part.objectives:
        value = objective.value(plan)
        bound = min(objective.value(point) for point in points(part))
        tree = _tree(part, objective, bound, _box(part), random)
        levels.append(LevelProof(objective.key, value, bound, tree))
        part = part.with_rows([level_row(objective, value)])
    return ComponentProof(_names(part), tuple(levels))


def _tree(part: Program, objective: Objective | None, bound: int, box: Bounds, random: Random) -> Tree:
    for _ in range(6):
        leaf = _guess(part, random, bound_leaf=objective is not None and random.random() < 0.7)
        if naive_number(part, objective, leaf, box) >= _due(objective, bound, leaf):
            return leaf
    wide = [name for name, (low, high) in box.items() if low < high]
    if not wide:
        return _point_leaf(part, objective, {name: low for name, (low, _) in box.items()})
    name = random.choice(wide)
    low, high = box[name]
    at = random.randint(low, high - 1)
    sides = ({**box, name: (low, at)}, {**box, name: (at + 1, high)})
    return Split(name, at, *(_tree(part, objective, bound, side, random) for side in sides))


def _guess(part: Program, random: Random, *, bound_leaf: bool) -> BoundLeaf | EmptyLeaf:
    multipliers = {}
    for row in random.sample(part.rows, min(len(part.rows), random.randint(0, 3))):
        size = random.randint(0, 3)
        sign = {Sense.AT_MOST: -1, Sense.AT_LEAST: 1, Sense.EQUAL: random.choice([-1, 1])}[row.sense]
        multipliers[row.name] = sign * size
    return BoundLeaf(multipliers, random.randint(1, 3)) if bound_leaf else EmptyLeaf(multipliers)


def _point_leaf(
    part: Program, objective: Objective | None, point: Mapping[str, int]
) -> BoundLeaf | EmptyLeaf:
    for row in part.rows:
        if not row.holds(point):
            return EmptyLeaf({row.name: 1 if row.activity(point) < row.rhs else -1})
    assert objective is not None, "the part was not empty after all"
    return BoundLeaf({})


def naive_number(part: Program, objective: Objective | None, leaf: BoundLeaf | EmptyLeaf, box: Bounds) -> int:
    """What a leaf proves, as the least value over all corners of its box of the function that bounds it."""
    rows = {row.name: row for row in part.rows}

    def at(corner: Mapping[str, int]) -> int:
        cost = objective.value(corner) if objective and isinstance(leaf, BoundLeaf) else 0
        scaled = leaf.denominator * cost if isinstance(leaf, BoundLeaf) else 0
        return scaled + sum(q * (rows[r].rhs - rows[r].activity(corner)) for r, q in leaf.multipliers.items())

    return min(at(dict(zip(box, corner, strict=True))) for corner in product(*box.values()))


def _due(objective: Objective | None, bound: int, leaf: BoundLeaf | EmptyLeaf) -> int:
    return (bound - 1) * leaf.denominator + 1 if isinstance(leaf, BoundLeaf) else 1


def _box(part: Program) -> Bounds:
    return {v.name: (v.lower, v.upper) for v in part.variables}


def _names(part: Program) -> tuple[str, ...]:
    return tuple(v.name for v in part.variables)
