"""Random small systems, made directly from the constructors of the intermediate representation.

``random_system(random.Random(seed))`` gives one for a seed; ``systems()`` is the hypothesis strategy of the same.
They hold cells of all kinds, every operation, guards, obligations of each kind, invariants with and without
premises, step and reachable properties, several initial states. At most a few thousand states each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from hypothesis import strategies as st

from cmxverify.errors import Location
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.system import (
    ActionKind,
    Cell,
    Instance,
    Obligation,
    ObligationKind,
    Part,
    Property,
    PropertyKind,
    System,
)

MOST_STATES = 600
Reader = Callable[[Cell], Expr]


def systems(*, wide: bool | None = None, most_states: int = MOST_STATES) -> st.SearchStrategy[System]:
    """Systems without symmetry; ``wide`` ones take several words a state (None: some do)."""
    draws = st.randoms(use_true_random=False, note_method_calls=False)
    return draws.map(lambda draw: random_system(draw, wide=wide, most_states=most_states))


def random_system(draw: Random, *, wide: bool | None = None, most_states: int = MOST_STATES) -> System:
    """A system without symmetry; the same generator state gives the same system."""
    cells = _cells(draw, most_states)
    if draw.random() < 0.3 if wide is None else wide:
        cells = _widened(draw, cells)
    small = [cell for cell in cells if cell.codes <= 8]
    risky, properties = draw.random() < 0.4, draw.choice((0, 0, 1, 2, 3, 4))
    patient = draw.random() < 0.4  # one thing that may go wrong, far away if at all
    return System(
        name="random",
        cells=tuple(cells),
        initial=_initial_states(draw, cells, small)[: 1 if patient else None],
        instances=tuple(
            _instance(draw, number, cells, small, risky) for number in range(draw.randint(2, 10))
        ),
        properties=tuple(
            _property(draw, number, small, risky, patient) for number in range(1 if patient else properties)
        ),
        quiescent=random_bool(draw, small, 2) if not patient and draw.random() < 0.5 else None,
    )


# Cells and initial states


def _cells(draw: Random, most_states: int) -> list[Cell]:
    cells: list[Cell] = []
    states = 1
    for index in range(draw.randint(2, 8)):
        made = _cell(draw, index)
        if cells and states * made.codes > most_states:
            break
        states *= made.codes
        cells.append(made)
    return cells


def _cell(draw: Random, index: int) -> Cell:
    name = f"c{index}"
    if draw.random() < 0.35:
        return Cell(index, name, (), name, 2, is_bool=True)
    return Cell(
        index, name, (), name, draw.choice((1, 2, 3, 3, 4, 4, 6)), low=draw.choice((0, 0, 0, -1, -3, 2))
    )


def _widened(draw: Random, cells: Sequence[Cell]) -> list[Cell]:
    """The same cells with wide ones in between, so that a state takes two words or more."""
    spread: list[Cell] = []
    for each in cells:
        for _ in range(draw.randint(1, 3)):
            codes = draw.choice((1 << 20, (1 << 33) + 1, (1 << 60) - 5, 1 << 61))
            spread.append(Cell(0, "w", (), "w", codes, low=draw.choice((0, -5, -(1 << 40), 1 << 35))))
        spread.append(each)
    return [
        replace(each, index=index, field=f"c{index}", name=f"c{index}") for index, each in enumerate(spread)
    ]


def _initial_states(
    draw: Random, cells: Sequence[Cell], small: Sequence[Cell]
) -> tuple[tuple[int, ...], ...]:
    first = [draw.choice((each.low, each.high, each.low + each.codes // 3)) for each in cells]
    found = {tuple(first): None}
    for _ in range(draw.choice((0, 0, 1, 4))):
        other = list(first)
        for each in small:
            other[each.index] = draw.randint(each.low, each.high)
        found[tuple(other)] = None
    return tuple(found)


# Expressions


def random_bool(draw: Random, cells: Sequence[Cell], depth: int, read: Reader = Cell.read) -> Expr:
    """A condition over some cells."""
    flags = [each for each in cells if each.is_bool]
    kind = draw.choice(
        ("flag", "eq", "lt") if depth <= 0 else ("flag", "eq", "lt", "le", "not", "and", "or", "eqv", "ite")
    )
    if kind == "flag":
        return read(draw.choice(flags)) if flags else ex.boolean(draw.random() < 0.5)
    if kind in ("eq", "lt", "le"):
        compare = {"eq": ex.eq, "lt": ex.lt, "le": ex.le}[kind]
        return compare(random_int(draw, cells, depth - 1, read), random_int(draw, cells, depth - 1, read))
    args = [random_bool(draw, cells, depth - 1, read) for _ in range(3)]
    match kind:
        case "not":
            return ex.not_(args[0])
        case "and":
            return ex.and_(*args)
        case "or":
            return ex.or_(*args)
        case "eqv":
            return ex.eq(args[0], args[1])
    return ex.ite(*args)


def random_int(draw: Random, cells: Sequence[Cell], depth: int, read: Reader = Cell.read) -> Expr:
    """An integer over some cells; ``depth`` at most 3 keeps it far inside 62 bits for cells of up to 8 values."""
    numbers = [each for each in cells if not each.is_bool]
    kinds = (
        ("cell", "cell", "const")
        if depth <= 0
        else ("cell", "const", "add", "sub", "mul", "div", "mod", "ite", "int")
    )
    kind = draw.choice(kinds)
    if kind == "cell" and numbers:
        return read(draw.choice(numbers))
    if kind in ("cell", "const"):
        return ex.integer(draw.randint(-3, 5))
    if kind == "int":
        return ex.as_int(random_bool(draw, cells, depth - 1, read))
    left, right = (random_int(draw, cells, depth - 1, read) for _ in range(2))
    match kind:
        case "add":
            return ex.add(left, right)
        case "sub":
            return ex.sub(left, right)
        case "mul":
            return ex.mul(left, right)
        case "div":
            return ex.floordiv(left, draw.randint(1, 5))
        case "mod":
            return ex.mod(left, draw.randint(1, 5))
    return ex.ite(random_bool(draw, cells, depth - 1, read), left, right)


def _corner(draw: Random, cells: Sequence[Cell], read: Reader = Cell.read, *, whole: bool = False) -> Expr:
    """A condition that few states meet: several cells at a value each, and sometimes something more."""
    chosen = draw.sample(list(cells), len(cells) if whole else draw.randint(min(2, len(cells)), len(cells)))
    parts = [_is(read(each), draw.randint(each.low, each.high)) for each in chosen]
    return ex.and_(*parts, *(random_bool(draw, cells, 2, read) for _ in range(draw.choice((0, 0, 1)))))


def _is(value: Expr, constant: int) -> Expr:
    return ex.eq(value, ex.boolean(constant == 1) if value.is_bool else ex.integer(constant))


# Instances


@dataclass(slots=True)
class _Step:
    """What an instance is made of while its updates are drawn."""

    guard: Expr
    updates: dict[int, Expr]
    obligations: list[Obligation]

    def owe(self, kind: ObligationKind, breach: Expr) -> bool:
        """Add an obligation unless it is always or never breached; whether it was added."""
        if breach.constant is None:
            number = len(self.obligations)
            self.obligations.append(
                Obligation(kind, Location("random.py", number + 1), f"{kind.value} {number}", breach)
            )
        return breach.constant is None


def _instance(
    draw: Random, number: int, cells: Sequence[Cell], small: Sequence[Cell], risky: bool
) -> Instance:
    guard = ex.and_(*(random_bool(draw, small, 2) for _ in range(draw.choice((0, 0, 1, 1, 2)))))
    step = _Step(ex.TRUE if guard is ex.FALSE else guard, {}, [])
    if risky and draw.random() < 0.5:
        kind = draw.choice((ObligationKind.DEFINED, ObligationKind.ASSERT, ObligationKind.BOUND))
        step.owe(kind, _corner(draw, small))
    for target in draw.sample(list(cells), min(len(cells), draw.choice((0, 1, 1, 2, 3)))):
        step.updates[target.index] = _new_value(draw, target, small, step, risky)
    kind = draw.choice((ActionKind.ACTION, ActionKind.ACTION, ActionKind.ENVIRONMENT, ActionKind.FAULT))
    return Instance(f"a{number}", kind, (), step.guard, tuple(step.updates.items()), tuple(step.obligations))


def _new_value(draw: Random, target: Cell, small: Sequence[Cell], step: _Step, risky: bool) -> Expr:
    if target.is_bool:
        return ex.not_(target.read()) if draw.random() < 0.4 else random_bool(draw, small, 2)
    if target.codes <= 8 and draw.random() < 0.4:
        return ex.add(
            ex.mod(ex.add(target.read(), ex.integer(1 - target.low)), target.codes), ex.integer(target.low)
        )
    value = random_int(draw, small, 2)
    if target.codes > 8:
        return _wide_value(draw, target, value)
    if value.low >= target.low and value.high <= target.high:
        return value
    match draw.choice(("wrap", "wrap", "saturate", "owe" if risky else "wrap")):
        case "wrap":
            return ex.add(ex.mod(value, target.codes), ex.integer(target.low))
        case "saturate":
            return saturated(value, target)
    outside = ex.or_(ex.lt(value, ex.integer(target.low)), ex.lt(ex.integer(target.high), value))
    owed = step.owe(draw.choice((ObligationKind.RANGE, ObligationKind.BOUND)), ex.and_(step.guard, outside))
    return value if owed else saturated(value, target)


def saturated(value: Expr, target: Cell) -> Expr:
    """The value, or the end of the cell's range that is nearest."""
    low, high = ex.integer(target.low), ex.integer(target.high)
    return ex.ite(ex.lt(value, low), low, ex.ite(ex.lt(high, value), high, value))


def _wide_value(draw: Random, target: Cell, value: Expr) -> Expr:
    """Few of the values of a wide cell: near its ends, or its middle."""
    near = ex.add(
        ex.mod(value, 2),
        ex.integer(draw.choice((target.low, target.high - 1, target.low + target.codes // 3))),
    )
    return near if draw.random() < 0.5 else ex.ite(ex.lt(value, ex.integer(1)), target.read(), near)


# Properties


def _property(draw: Random, number: int, small: Sequence[Cell], risky: bool, patient: bool) -> Property:
    kind = draw.choice(tuple(PropertyKind))
    step = kind is PropertyKind.STEP

    def read(cell: Cell) -> Expr:
        return cell.read_next() if step and draw.random() < 0.5 else cell.read()

    parts = tuple(_part(draw, small, read, kind, patient) for _ in range(draw.randint(1, 3)))
    obligations = []
    if risky and draw.random() < 0.3:
        breach = _corner(draw, small, read)
        if breach.constant is None:
            obligations.append(
                Obligation(ObligationKind.DEFINED, Location("random.py", number), "DEFINED", breach)
            )
    return Property(f"P{number}", kind, parts, tuple(obligations))


def _part(draw: Random, small: Sequence[Cell], read: Reader, kind: PropertyKind, patient: bool) -> Part:
    if kind is PropertyKind.REACHABLE:
        return Part("part", random_bool(draw, small, 2, read))
    conclusion = ex.not_(_corner(draw, small, read, whole=patient))
    if draw.random() < 0.5:
        return Part("part", conclusion)
    premise = random_bool(draw, small, 2, read)
    return Part("part", ex.implies(premise, conclusion), premise)
