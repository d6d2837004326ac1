"""Refinement (ruling L26): every step of a model is a step of a simpler one, or changes nothing there.

A method decorated ``@refines(Abstract)`` says which abstract state a state stands for: it assigns the fields of its
parameter. Two properties come of it. One is a step property: the abstract states before and after are equal, or some
instance of the abstract model, enabled before, leads from the one to the other. The other is an invariant that fails
only in an initial state that stands for no abstract initial state.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.symbols import Symbol, constant
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.evaluate import State, evaluate
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.substitution import substituted
from cmxverify.modeling.ir.system import Cell, Instance, Obligation, Part
from cmxverify.modeling.members import MISSING

if TYPE_CHECKING:
    from cmxverify.modeling.compile import Compiled

CellValues = Mapping[int, Expr]
"""Of each cell of the abstract model its value, over the cells of the concrete one."""


@dataclass(frozen=True, slots=True)
class Image:
    """The abstract cells of a state, and the duties met in working them out."""

    cells: CellValues
    obligations: tuple[Obligation, ...]


def image_of(context: Context, abstract: Compiled) -> Image:
    """Execute a mapping method: values of the abstract cells in the state that ``context`` reads.

    Raises:
        InputError: If the method leaves a field of the abstract model open, or changes its own model.
    """
    tree = context.function.tree
    parameters = [each.arg for each in tree.args.args[1:]]
    if len(parameters) != 1:
        what = f"{context.function.name} has {len(parameters)} parameters besides self"
        raise context.refusal(
            tree, what, "Give it one: the state of the specification, whose fields it assigns."
        )
    prefix = f"{parameters[0]}."
    own = dict(context.env.fields)
    fields = {f"{prefix}{name}": each for name, each in abstract.model.schema.fields.items()}
    context.schema = replace(context.schema, fields={**context.schema.fields, **fields})
    context.env.fields |= {name: _open(each.domain, each.default) for name, each in fields.items()}
    before = dict(context.env.fields)
    context.function = replace(context.function, tree=_renamed(tree, tree.args.args[0].arg, parameters[0]))
    assert context.run_body is not None
    context.run_body(context, context.function.tree.body)
    for name in own:
        if context.env.fields[name] is not own[name]:
            raise context.refusal(
                tree, f"{context.function.name} changes '{name}' of its own model", "Only read it."
            )
    cells: dict[int, Expr] = {}
    for name, each in fields.items():
        symbol = context.env.fields[name]
        if each.default is MISSING and symbol is before[name]:
            raise context.refusal(
                tree, f"{context.function.name} does not assign '{name}'", "Assign each field."
            )
        shape = abstract.shapes[name.removeprefix(prefix)]
        cells |= {cell.index: expr for cell, expr in shape.store(symbol)}
    return Image(cells, tuple(context.obligations))


def _open(domain: Any, default: Any) -> Symbol:
    return constant(domain, next(iter(domain.values())) if default is MISSING else default)


def _renamed(tree: ast.FunctionDef, own: str, specification: str) -> ast.FunctionDef:
    """The method with ``spec.avail`` written as the field ``spec.avail`` of the model itself."""

    class Rename(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
            self.generic_visit(node)
            if isinstance(node.value, ast.Name) and node.value.id == specification:
                node.value = ast.copy_location(ast.Name(own, ast.Load()), node.value)
                node.attr = f"{specification}.{node.attr}"
            return node

    renamed = Rename().visit(deepcopy(tree))
    assert isinstance(renamed, ast.FunctionDef)
    return renamed


def step_part(abstract: Compiled, before: CellValues, after: CellValues) -> Part:
    """The step property."""
    cells = abstract.system.cells
    stutters = ir.and_(*(ir.eq(before[cell.index], after[cell.index]) for cell in cells))
    steps = [_is_step(cells, instance, before, after) for instance in abstract.system.instances]
    return Part(f"a step of {abstract.system.name}, or none there", ir.or_(stutters, *steps))


def _is_step(cells: tuple[Cell, ...], instance: Instance, before: CellValues, after: CellValues) -> Expr:
    updates = dict(instance.updates)
    breached = [substituted(each.breach, before) for each in instance.obligations]
    guard = ir.and_(substituted(instance.guard, before), *(ir.not_(each) for each in breached))
    if guard is ir.FALSE:
        return ir.FALSE
    moved = [
        ir.eq(
            after[c.index], substituted(updates[c.index], before) if c.index in updates else before[c.index]
        )
        for c in cells
    ]
    return ir.and_(guard, *moved)


def initial_part(
    abstract: Compiled, cells: tuple[Cell, ...], mapping: CellValues, initial: tuple[State, ...]
) -> Part:
    """The invariant on initial states: false exactly in those that stand for no abstract initial state."""
    allowed = set(abstract.system.initial)
    wrong = []
    for state in initial:
        image = tuple(evaluate(mapping[cell.index], state) for cell in abstract.system.cells)
        if image not in allowed:
            here = [
                ir.eq(cell.read(), _as_expr(cell, value)) for cell, value in zip(cells, state, strict=True)
            ]
            wrong.append(ir.not_(ir.and_(*here)))
    return Part(f"an initial state of {abstract.system.name}", ir.and_(*wrong))


def _as_expr(cell: Cell, value: int) -> Expr:
    return ir.boolean(bool(value)) if cell.is_bool else ir.integer(value)
