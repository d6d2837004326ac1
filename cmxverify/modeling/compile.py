"""From a model class and bounds to the system that engines search: ``system_of(Lease, {"node": 3})``."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cmxverify.errors import InputError
from cmxverify.modeling.abstraction import Abstraction
from cmxverify.modeling.declared import Declared
from cmxverify.modeling.domains import Domain, IndexDomain, signature
from cmxverify.modeling.frontend.allocation import Allocator, text_of
from cmxverify.modeling.frontend.context import Context, Environment, Ledger
from cmxverify.modeling.frontend.evaluation import OLD, SELF, Thing
from cmxverify.modeling.frontend.inlining import checked
from cmxverify.modeling.frontend.language import run_body
from cmxverify.modeling.frontend.properties import parts_of, returned_condition
from cmxverify.modeling.frontend.storage import Shape
from cmxverify.modeling.frontend.symbols import Counts, Scalar, Symbol, constant
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.evaluate import State
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.system import (
    Argument,
    Atom,
    Cell,
    Instance,
    Obligation,
    ObligationKind,
    Property,
    PropertyKind,
    System,
)
from cmxverify.modeling.members import MISSING, NamedProperty, Schema, Step
from cmxverify.modeling.model import Model, Plain
from cmxverify.modeling.simulation import Image, image_of, initial_part, step_part
from cmxverify.modeling.source import Function, digest


@dataclass
class Compiled:
    """A system with the way back to the model's own values.

    Args:
        system: What engines search.
        model: An instance of the model under the same bounds.
        shapes: Cells of each field.
        functions: All that was read of the source.
    """

    system: System
    model: Model
    shapes: dict[str, Shape] = field(default_factory=dict)
    functions: tuple[Function, ...] = ()

    def encode(self, state: Plain) -> tuple[int, ...]:
        """Cell values of a state of the model."""
        return tuple(
            code
            for shape, plain in zip(self.shapes.values(), state, strict=True)
            for code in shape.encode(plain)
        )

    def decode(self, cells: tuple[int, ...]) -> Plain:
        """State of the model of the cell values."""
        values = list(cells)
        return tuple(shape.decode(values) for shape in self.shapes.values())


def system_of(model: type[Model], bounds: Mapping[str, int] | None = None) -> System:
    """Flatten a model under bounds.

    Raises:
        InputError: Where the model leaves the language, or bounds are missing, unknown or empty.
    """
    return compiled(model, bounds).system


def compiled(model: type[Model], bounds: Mapping[str, int] | None = None) -> Compiled:
    """Flatten a model under bounds, keeping the way back to its own values.

    Raises:
        InputError: As ``system_of``.
    """
    try:
        return _Compiler(model, dict(bounds or {})).compiled()
    except RecursionError:
        raise InputError(
            f"an expression of {model.__name__} is nested too deeply under these bounds",
            fix="Give smaller bounds, or split the expression into several.",
        ) from None


class _Compiler:
    def __init__(self, model: type[Model], bounds: dict[str, int]) -> None:
        self.running = model(**bounds)
        self.schema: Schema = self.running.schema
        self.ledger = Ledger()
        self.allocator = Allocator()
        self.shapes = {
            each.name: self.allocator.shape(each.name, each.domain, ghost=each.ghost)
            for each in self.schema.fields.values()
        }
        self._refuse_namesakes()
        self.loaded = {name: shape.load() for name, shape in self.shapes.items()}

    def _refuse_namesakes(self) -> None:
        """Symmetry and exporters know cells by their places, so that two of one place would be taken for each other."""
        seen: dict[tuple[str, tuple[Atom, ...]], Cell] = {}
        for cell in self.allocator.cells:
            if (cell.field, cell.place) in seen:
                raise InputError(
                    f"'{cell.name}' names two parts of the state",
                    at=self.schema.fields[cell.field].at,
                    fix="Give the records that are joined there different names.",
                )
            seen[cell.field, cell.place] = cell

    def compiled(self) -> Compiled:
        if self.schema.initial:
            self._check_initial()
        instances = tuple(self._instance(step, arguments) for step, arguments in self.running.instances())
        result = Compiled(self._system(instances, (), ir.FALSE), self.running, self.shapes)
        initial = tuple(dict.fromkeys(result.encode(state) for state in self.running.initial_states()))
        properties = tuple(
            self._property(each)
            if each.abstraction is None
            else self._refinement(each, each.abstraction, initial)
            for each in self.schema.properties
        )
        quiescent = self._quiescent()
        result.system = replace(self._system(instances, properties, quiescent), initial=initial)
        result.functions = tuple(self.ledger.functions.values())
        self.running.state = result.decode(result.system.initial[0])
        return result

    def _system(
        self, instances: tuple[Instance, ...], properties: tuple[Property, ...], quiescent: Expr
    ) -> System:
        asymmetric = self.ledger.asymmetric
        sorts = {
            name: size for name, size in self.schema.sorts.items() if name not in asymmetric and size > 1
        }
        checked = Counter(kind.value for kind, _ in self.ledger.places)
        closed = Counter(kind.value for (kind, _), needed in self.ledger.places.items() if not needed)
        return System(
            self.schema.model.__name__,
            tuple(_certified(cell, sorts) for cell in self.allocator.cells),
            (),
            instances,
            properties,
            quiescent,
            sorts,
            dict(asymmetric),
            self.schema.bounds,
            self._digest(),
            {kind.value: checked[kind.value] for kind in ObligationKind},
            {kind.value: closed[kind.value] for kind in ObligationKind},
        )

    def _digest(self) -> str:
        """Of all that was read: functions, types and defaults of the fields, bounds, constants (S4)."""
        fields = [
            (each.name, signature(each.domain), "any" if each.default is MISSING else each.default)
            for each in self.schema.fields.values()
        ]
        extra = (sorted(self.schema.bounds.items()), fields, sorted(self.ledger.constants.items()))
        return digest(list(self.ledger.functions.values()), repr(extra))

    def _context(self, method: Any, names: dict[str, Symbol], fields: dict[str, Symbol]) -> Context:
        plain = inspect.unwrap(method)
        if id(plain) not in self.ledger.functions:
            self.ledger.functions[id(plain)] = checked(method)
        function = self.ledger.functions[id(plain)]
        first = function.tree.args.args[0].arg
        environment = Environment(dict(fields), {first: Thing(SELF), **names})
        return Context(self.schema, self.ledger, function, environment, run_body=run_body)

    def _check_initial(self) -> None:
        """Read ``@initial`` as a whole, for any choice; its states are those that the source itself gives."""
        cells = self.allocator.cells
        before = len(cells)
        parameters = self.schema.initial_parameters.items()
        symbols = {name: self.allocator.shape(name, each, ghost=False).load() for name, each in parameters}
        del cells[before:]
        context = self._context(self.schema.initial, symbols, self.loaded)
        run_body(context, context.function.tree.body)

    def _instance(self, step: Step, values: tuple[Any, ...]) -> Instance:
        domains = step.parameters
        symbols = {name: constant(domains[name], each) for name, each in zip(domains, values, strict=True)}
        arguments = tuple(
            _argument(name, domains[name], each) for name, each in zip(domains, values, strict=True)
        )
        fields = dict(self.loaded)
        spent = self._spend(step, fields)
        if step.method is None:
            guards, obligations = self._channel_fault(step, spent, values[0], fields)
        else:
            guards, obligations, fields = self._run(step, symbols, fields, spent)
        guard = ir.and_(spent, *guards)
        return Instance(step.name, step.kind, arguments, guard, self._updates(fields), tuple(obligations))

    def _spend(self, step: Step, fields: dict[str, Symbol]) -> Expr:
        if step.budget is None:
            return ir.TRUE
        counter = fields[step.budget_field]
        assert isinstance(counter, Scalar)
        fields[step.budget_field] = Scalar(counter.domain, ir.add(counter.expr, ir.integer(1)))
        return ir.lt(counter.expr, ir.integer(step.budget))

    def _run(
        self, step: Step, symbols: dict[str, Symbol], fields: dict[str, Symbol], spent: Expr
    ) -> tuple[list[Expr], list[Obligation], dict[str, Symbol]]:
        context = self._context(step.method, symbols, fields)
        context.guards.append(spent)
        if step.at:
            if step.at in symbols:
                context.at_node = symbols[step.at]
            else:
                context.at_home = True
        run_body(context, context.function.tree.body)
        self._normalized(context)
        return context.guards, context.obligations, context.env.fields

    def _normalized(self, context: Context) -> None:
        if self.schema.normalize is None:
            return
        inner = self._context(self.schema.normalize, {}, context.env.fields)
        inner.guards, inner.obligations = context.guards, context.obligations
        run_body(inner, inner.function.tree.body)
        context.env.fields = inner.env.fields

    def _channel_fault(
        self, step: Step, spent: Expr, plain: Any, fields: dict[str, Symbol]
    ) -> tuple[list[Expr], list[Obligation]]:
        """A message under way is lost, or sent once more; a full channel is the same duty as in any send (L17)."""
        bag = fields[step.channel]
        assert isinstance(bag, Counts)
        domain = bag.domain
        at = domain.message.ordinals[plain]
        there = ir.lt(ir.integer(0), bag.counts[at])
        total = ir.integer(0)
        for each in bag.counts:
            total = ir.add(total, each)
        full = ir.le(ir.integer(domain.cap), total)
        losing = step.name.endswith(".lose")
        guards, obligations = [there], []
        if not losing and domain.overflow == "bound":
            guard = ir.and_(spent, there, full)
            place = self.schema.fields[step.channel].at
            self.ledger.met(ObligationKind.BOUND, f"{place} {step.name}", open_=guard is not ir.FALSE)
            if guard is not ir.FALSE:
                text = f"the channel is full, capacity {domain.cap}"
                obligations.append(Obligation(ObligationKind.BOUND, place, text, guard))
        elif not losing and domain.overflow == "block":
            guards.append(ir.not_(full))
        by = ir.integer(-1) if losing else ir.ite(full, ir.integer(0), ir.integer(1))
        counts = list(bag.counts)
        counts[at] = ir.add(counts[at], by)
        fields[step.channel] = replace(bag, counts=tuple(counts))
        if self.schema.normalize is not None:
            context = self._context(self.schema.normalize, {}, fields)
            context.guards, context.obligations = [spent, *guards], obligations
            run_body(context, context.function.tree.body)
            fields.update(context.env.fields)
            guards = context.guards
        return guards, obligations

    def _updates(self, fields: dict[str, Symbol]) -> tuple[tuple[int, Expr], ...]:
        found = []
        for name, symbol in fields.items():
            if symbol is not self.loaded[name]:
                found += [
                    (cell.index, expr)
                    for cell, expr in self.shapes[name].store(symbol)
                    if expr is not cell.read()
                ]
        return tuple(found)

    def _property(self, named: NamedProperty) -> Property:
        what: Declared = named.declared
        context = self._context(named.method, {}, self.loaded)
        context.may_write, context.in_property = False, True
        parameters = [each.arg for each in context.function.tree.args.args[1:]]
        if what.property is PropertyKind.STEP:
            self._add_old(context, parameters)
        elif parameters:
            raise context.refusal(
                context.function.tree,
                f"{named.method.__name__} has parameters",
                "Write `all(... for n in Node)` inside.",
            )
        before = set(self.ledger.asymmetric)
        parts = parts_of(context)
        symmetric = self._take_back_asymmetry(before)
        return Property(what.name, what.property, parts, tuple(context.obligations), symmetric)

    def _refinement(
        self, named: NamedProperty, abstraction: Abstraction, initial: tuple[State, ...]
    ) -> Property:
        """What a mapping to a simpler model demands: of initial states, or of steps (L26)."""
        abstract = _Compiler(type(abstraction.abstract), abstraction.abstract.schema.bounds).compiled()
        self.ledger.functions |= {id(each): each for each in abstract.functions}
        before = set(self.ledger.asymmetric)
        now = self._image(abstraction, abstract, following=False)
        if named.declared.property is PropertyKind.INVARIANT:
            part = initial_part(abstract, tuple(self.allocator.cells), now.cells, initial)
            symmetric = self._take_back_asymmetry(before)
            return Property(named.declared.name, PropertyKind.INVARIANT, (part,), now.obligations, symmetric)
        after = self._image(abstraction, abstract, following=True)
        part = step_part(abstract, now.cells, after.cells)
        obligations = (*now.obligations, *after.obligations)
        symmetric = self._take_back_asymmetry(before) and not abstract.system.asymmetric
        return Property(named.declared.name, PropertyKind.STEP, (part,), obligations, symmetric)

    def _image(self, abstraction: Abstraction, abstract: Compiled, *, following: bool) -> Image:
        loaded = {name: shape.load(following=following) for name, shape in self.shapes.items()}
        context = self._context(abstraction.mapping, {}, loaded)
        context.in_property = True
        return image_of(context, abstract)

    def _add_old(self, context: Context, parameters: list[str]) -> None:
        if len(parameters) != 1:
            raise context.refusal(
                context.function.tree,
                "a step property has one parameter, the state before",
                "def f(self, old)",
            )
        context.old_fields = self.loaded
        context.old_name = parameters[0]
        context.env.names[parameters[0]] = Thing(OLD)
        context.env.fields = {name: shape.load(following=True) for name, shape in self.shapes.items()}

    def _take_back_asymmetry(self, before: set[str]) -> bool:
        """A loop in a property makes that property asymmetric, not the model."""
        added = set(self.ledger.asymmetric) - before
        for each in added:
            del self.ledger.asymmetric[each]
        return not added

    def _quiescent(self) -> Expr:
        if self.schema.quiescent is None:
            return ir.FALSE
        context = self._context(self.schema.quiescent, {}, self.loaded)
        context.may_write, context.in_property = False, True
        run_body(context, context.function.tree.body)
        return returned_condition(context)


def _argument(name: str, domain: Domain, value: Any) -> Argument:
    if isinstance(domain, IndexDomain):
        return Argument(name, text_of(value), domain.sort, domain.ordinals[value])
    return Argument(name, text_of(value))


def _certified(cell: Cell, sorts: dict[str, int]) -> Cell:
    """A cell without the sorts that are not symmetric."""
    atoms = tuple(atom if atom.sort in sorts else replace(atom, sort="") for atom in cell.place)
    return replace(cell, place=atoms, sort=cell.sort if cell.sort in sorts else "")
