"""Random systems that are truly symmetric: every action, property and set of initial states is drawn once, as a
template over variables of the sorts, and instantiated for all their values.

Their cells are keyed by one value of a sort, by two, or by values of two sorts; hold values of a sort; are flags of a
set of messages that name such values; or stand apart from every sort.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random

from hypothesis import strategies as st

from cmxverify.checking.symmetry import symmetry_of
from cmxverify.errors import Location
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.system import (
    ActionKind,
    Argument,
    Atom,
    Cell,
    Instance,
    Obligation,
    ObligationKind,
    Part,
    Property,
    PropertyKind,
    System,
)

MOST_STATES = 5000
Values = Mapping[str, int]
"""Ordinal of each variable in scope."""
Scope = Mapping[str, str]
"""Sort of each variable in scope."""
Template = Callable[[Values], Expr]


def symmetric_systems(most_states: int = MOST_STATES) -> st.SearchStrategy[System]:
    """Systems with one or two symmetric sorts."""
    draws = st.randoms(use_true_random=False, note_method_calls=False)
    return draws.map(lambda draw: random_symmetric_system(draw, most_states=most_states))


def random_symmetric_system(draw: Random, *, most_states: int = MOST_STATES) -> System:
    """A symmetric system; the same generator state gives the same system."""
    sorts = {"node": draw.choice((2, 3, 3, 4))}
    if draw.random() < 0.4:
        sorts["block"] = 2
    state = _StateSpace(sorts)
    state.draw_fields(draw, most_states)
    return _Writer(draw, state, risky=draw.random() < 0.3).system()


@dataclass(frozen=True, slots=True)
class _Field:
    """A field: sorts of its keys, and what its elements are."""

    name: str
    keys: tuple[str, ...]
    codes: int
    low: int
    is_bool: bool
    sort: str


@dataclass(slots=True)
class _StateSpace:
    sorts: dict[str, int]
    fields: list[_Field] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    places: dict[tuple[str, tuple[int, ...]], Cell] = field(default_factory=dict)

    def draw_fields(self, draw: Random, most_states: int) -> None:
        """Fields until the space is full."""
        states = 1
        for number in range(draw.randint(2, 5)):
            made = self._field(draw, f"f{number}")
            keys = list(product(*(range(self.sorts[sort]) for sort in made.keys)))
            if states * made.codes ** len(keys) <= most_states:
                states *= made.codes ** len(keys)
                self._add(draw, made, keys)
        if not self.fields:
            self._add(draw, _Field("f", ("node",), 2, 0, True, ""), [(n,) for n in range(self.sorts["node"])])

    def _field(self, draw: Random, name: str) -> _Field:
        node, other = "node", draw.choice(tuple(self.sorts))
        keys = draw.choice(((), (node,), (node,), (other,), (node, other)))
        match draw.choice(("bool", "bool", "range", "value", "optional")):
            case "bool":
                return _Field(name, keys, 2, 0, True, "")
            case "range":
                return _Field(name, keys, draw.choice((2, 3)), draw.choice((0, -1, 1)), False, "")
            case "value":
                return _Field(name, keys, self.sorts[other], 0, False, other)
        return _Field(name, keys, self.sorts[other] + 1, -1, False, other)

    def _add(self, draw: Random, made: _Field, keys: Sequence[tuple[int, ...]]) -> None:
        self.fields.append(made)
        front = (Atom("", 0, "Grant"),) if draw.random() < 0.5 else ()
        for key in keys:
            atoms = tuple(
                Atom(sort, each, f"{sort}{each}") for sort, each in zip(made.keys, key, strict=True)
            )
            name = f"{made.name}[{', '.join(atom.name for atom in atoms)}]"
            cell = Cell(
                len(self.cells), made.name, front + atoms, name, made.codes, made.low, made.is_bool, made.sort
            )
            self.cells.append(cell)
            self.places[made.name, key] = cell


@dataclass(slots=True)
class _Writer:
    """Draws templates and instantiates them."""

    draw: Random
    space: _StateSpace
    risky: bool
    fresh: int = 0
    step: bool = False

    def system(self) -> System:
        """Everything, drawn in a fixed order."""
        instances = [each for number in range(self.draw.randint(2, 7)) for each in self.action(number)]
        properties = [self.property_(number) for number in range(self.draw.choice((0, 0, 1, 2, 3)))]
        quiescent = self.condition({}, 2)({}) if self.draw.random() < 0.4 else None
        bare = System(
            "symmetric",
            tuple(self.space.cells),
            (),
            tuple(instances),
            tuple(properties),
            quiescent,
            self.space.sorts,
        )
        return System(
            **{**{name: getattr(bare, name) for name in System.__slots__}, "initial": self.initial(bare)}
        )

    def initial(self, bare: System) -> tuple[tuple[int, ...], ...]:
        """Whole orbits of a state or two."""
        symmetry = symmetry_of(bare)
        found: set[tuple[int, ...]] = set()
        for _ in range(self.draw.choice((1, 1, 2))):
            start = {
                each.name: self.draw.randint(each.low, each.low + each.codes - 1)
                for each in self.space.fields
            }
            found |= symmetry.orbit(tuple(start[cell.field] for cell in bare.cells))
        return tuple(sorted(found))

    # Templates

    def scopes(self, scope: Scope) -> Iterator[Values]:
        """Every choice of values for the variables."""
        for values in product(*(range(self.space.sorts[sort]) for sort in scope.values())):
            yield dict(zip(scope, values, strict=True))

    def element(self, chosen: _Field, scope: Scope) -> Callable[[Values], Cell] | None:
        """A cell of a field at variables in scope; None where a sort has no variable."""
        names = []
        for sort in chosen.keys:
            fitting = [name for name, its in scope.items() if its == sort]
            if not fitting:
                return None
            names.append(self.draw.choice(fitting))
        return lambda values: self.space.places[chosen.name, tuple(values[name] for name in names)]

    def read(self, fitting: Callable[[_Field], bool], scope: Scope) -> Template | None:
        """The value of some cell that fits, of the next state now and then in a step property."""
        fields = [each for each in self.space.fields if fitting(each)]
        found = self.element(self.draw.choice(fields), scope) if fields else None
        if found is None:
            return None
        place, later = found, self.step and self.draw.random() < 0.5
        return lambda values: place(values).read_next() if later else place(values).read()

    def condition(self, scope: Scope, depth: int) -> Template:
        """A condition on the variables in scope."""
        leaves = ("flag", "flag", "same", "less")
        kind = self.draw.choice(
            leaves if depth <= 0 else (*leaves, "not", "and", "or", "all", "any", "any", "ite")
        )
        match kind:
            case "flag":
                return self.read(lambda each: each.is_bool, scope) or self.quantified(scope, depth - 1)
            case "same":
                return self.same(scope)
            case "less":
                left, right = self.number(scope, depth - 1), self.number(scope, depth - 1)
                return lambda values: ex.lt(left(values), right(values))
            case "all" | "any":
                return self.quantified(scope, depth - 1)
        first, second, third = (self.condition(scope, depth - 1) for _ in range(3))
        match kind:
            case "not":
                return lambda values: ex.not_(first(values))
            case "and":
                return lambda values: ex.and_(first(values), second(values))
            case "or":
                return lambda values: ex.or_(first(values), second(values))
        return lambda values: ex.ite(first(values), second(values), third(values))

    def quantified(self, scope: Scope, depth: int) -> Template:
        """All or any of a new variable."""
        if depth < -2:
            return lambda values: ex.TRUE
        name, sort, join = (
            f"v{self.fresh}",
            self.draw.choice(tuple(self.space.sorts)),
            self.draw.choice((ex.and_, ex.or_)),
        )
        self.fresh += 1
        body, size = self.condition({**scope, name: sort}, depth), self.space.sorts[sort]
        return lambda values: join(*(body({**values, name: each}) for each in range(size)))

    def same(self, scope: Scope) -> Template:
        """Two values of one sort compared."""
        sort = self.draw.choice(tuple(self.space.sorts))
        left, right = self.value(sort, scope), self.value(sort, scope)
        return lambda values: ex.eq(left(values), right(values))

    def value(self, sort: str, scope: Scope) -> Template:
        """A value of a sort: of a cell, of a variable, or none."""
        variables = [name for name, its in scope.items() if its == sort]
        if self.draw.random() < 0.6:
            found = self.read(lambda each: each.sort == sort, scope)
            if found is not None:
                return found
        if variables:
            name = self.draw.choice(variables)
            return lambda values: ex.integer(values[name])
        return lambda values: ex.integer(-1)

    def number(self, scope: Scope, depth: int) -> Template:
        """A small integer: of a cell, a constant, or how many values of a sort satisfy a condition."""
        if self.draw.random() < 0.5:
            found = self.read(lambda each: not each.is_bool and not each.sort, scope)
            if found is not None:
                return found
        if depth < -1 or self.draw.random() < 0.4:
            constant = self.draw.randint(-1, 3)
            return lambda values: ex.integer(constant)
        name, sort = f"v{self.fresh}", self.draw.choice(tuple(self.space.sorts))
        self.fresh += 1
        body = self.condition({**scope, name: sort}, 0)
        counted = range(self.space.sorts[sort])

        def count(values: Values) -> Expr:
            total = ex.integer(0)
            for each in counted:
                total = ex.add(total, ex.as_int(body({**values, name: each})))
            return total

        return count

    # Actions

    def action(self, number: int) -> Iterator[Instance]:
        """One action, instantiated for all values of its parameters."""
        draw = self.draw
        scope = {
            f"p{place}": draw.choice(tuple(self.space.sorts)) for place in range(draw.choice((0, 1, 1, 2)))
        }
        guard = self.condition(scope, 2) if draw.random() < 0.6 else lambda values: ex.TRUE
        effects = [self.effect(scope) for _ in range(draw.choice((1, 1, 2, 3)))]
        duties = [self.duty(scope) for _ in range(draw.choice((0, 1, 2)) if self.risky else 0)]
        kind = draw.choice((ActionKind.ACTION, ActionKind.ACTION, ActionKind.FAULT))
        for values in self.scopes(scope):
            updates: dict[int, Expr] = {}
            for effect in effects:
                effect(values, updates)
            held = guard(values)
            owed = [duty(values, held) for duty in duties]
            arguments = tuple(
                Argument(name, f"{scope[name]}{values[name]}", scope[name], values[name]) for name in scope
            )
            obligations = tuple(each for each in owed if each.breach.constant is None)
            yield Instance(f"a{number}", kind, arguments, held, tuple(updates.items()), obligations)

    def effect(self, scope: Scope) -> Callable[[Values, dict[int, Expr]], None]:
        """An assignment to one cell of a field, or to all of them in a loop; later ones win."""
        chosen = self.draw.choice(self.space.fields)
        place = self.element(chosen, scope) if self.draw.random() < 0.7 else None
        if place is not None:
            target, new = place, self.new_value(chosen, scope)
            return lambda values, updates: updates.update({target(values).index: new(values, target(values))})
        loop = {f"w{place}": sort for place, sort in enumerate(chosen.keys)}
        each_new = self.new_value(chosen, {**scope, **loop})

        def assign_all(values: Values, updates: dict[int, Expr]) -> None:
            for keys in self.scopes(loop):
                cell = self.space.places[chosen.name, tuple(keys.values())]
                updates[cell.index] = each_new({**values, **keys}, cell)

        return assign_all

    def new_value(self, chosen: _Field, scope: Scope) -> Callable[[Values, Cell], Expr]:
        """A value that a cell of a field, which is given, can hold."""
        if chosen.is_bool:
            flag = self.condition(scope, 1)
            return lambda values, cell: flag(values)
        if chosen.sort:
            value = self.value(chosen.sort, scope)
            return lambda values, cell: _present(value(values), cell)
        number = self.number(scope, 1)
        return lambda values, cell: ex.add(ex.mod(number(values), chosen.codes), ex.integer(chosen.low))

    def duty(self, scope: Scope) -> Callable[[Values, Expr], Obligation]:
        """An obligation under the guard."""
        breach = [self.condition(scope, 1) for _ in range(3)]
        kind = self.draw.choice(tuple(ObligationKind))
        at = Location("symmetric.py", self.fresh)
        return lambda values, held: Obligation(
            kind, at, kind.value, ex.and_(held, *(each(values) for each in breach))
        )

    # Properties

    def property_(self, number: int) -> Property:
        """A property with a part for each value of its outer variable, if it has one."""
        kind = self.draw.choice(tuple(PropertyKind))
        self.step = kind is PropertyKind.STEP
        scope = self.draw.choice(({}, {"q": "node"}))
        premise, bodies = self.condition(scope, 2), [self.condition(scope, 2) for _ in range(3)]
        bare = kind is PropertyKind.REACHABLE or self.draw.random() < 0.5
        doubts = (
            [self.condition(scope, 1) for _ in range(4)] if self.risky and self.draw.random() < 0.7 else []
        )
        parts, duties = [], []
        for values in self.scopes(scope):
            conclusion = ex.or_(*(body(values) for body in bodies))
            holds = conclusion if bare else ex.implies(premise(values), conclusion)
            parts.append(Part(str(dict(values)), holds, None if bare else premise(values)))
            breach = ex.and_(*(doubt(values) for doubt in doubts)) if doubts else ex.FALSE
            if breach.constant is None:
                duties.append(
                    Obligation(ObligationKind.DEFINED, Location("symmetric.py", number), "DEFINED", breach)
                )
        self.step = False
        return Property(f"P{number}", kind, tuple(parts), tuple(duties))


def _present(value: Expr, cell: Cell) -> Expr:
    """The value; where it is none and the cell cannot hold that, the cell stays as it is."""
    if value.low >= cell.low:
        return value
    return ex.ite(ex.lt(value, ex.integer(cell.low)), cell.read(), value)
