"""Properties: the formula, cut into conjuncts so that a report can name the one that fails (L21)."""

from __future__ import annotations

import ast
from contextlib import ExitStack

from cmxverify.modeling import functions as language
from cmxverify.modeling.domains import BoolDomain
from cmxverify.modeling.frontend.allocation import text_of
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import Thing, condition, evaluate
from cmxverify.modeling.frontend.iteration import each_binding
from cmxverify.modeling.frontend.statements import run_body
from cmxverify.modeling.frontend.storage import scalar_value
from cmxverify.modeling.frontend.symbols import Scalar, Symbol
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr
from cmxverify.modeling.ir.system import Part


def parts_of(context: Context) -> tuple[Part, ...]:
    """Conjuncts of a property's method; together they are its value."""
    body = context.function.tree.body
    last = body[-1]
    if isinstance(last, ast.Return) and last.value is not None:
        run_body(context, body[:-1])
        if context.env.returned is ir.FALSE:
            with context.reporting(last):
                return tuple(_split(context, last.value, ir.TRUE, {}))
        run_body(context, [])
    context.env.returned = ir.FALSE
    context.env.result = None
    run_body(context, body)
    return (Part(context.function.name, returned_condition(context)),)


def returned_condition(context: Context) -> Expr:
    """The bool that a method returned.

    Raises:
        InputError: If it returns something else, or nothing on some path.
    """
    result = context.env.result
    if not isinstance(result, Scalar) or not isinstance(result.domain, BoolDomain):
        raise context.refusal(
            context.function.tree, f"{context.function.name} does not return a bool", "Return a condition."
        )
    if context.env.returned is not ir.TRUE:
        raise context.refusal(
            context.function.tree,
            f"{context.function.name} returns nothing on some path",
            "Return a bool on every path.",
        )
    return result.expr


def _split(context: Context, node: ast.expr, when: Expr, bound: dict[str, str]) -> list[Part]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return _split_conjunction(context, node, when, bound)
    if _is_all(context, node):
        return _split_all(context, node, when, bound)
    premise, holds = _premise(context, node)
    text = ast.unparse(node) + _where(bound)
    with_premise = None if premise is None else ir.and_(when, premise)
    return [Part(text, ir.implies(when, holds), with_premise)]


def _where(bound: dict[str, str]) -> str:
    return f"  [{', '.join(f'{name} = {text}' for name, text in bound.items())}]" if bound else ""


def _split_conjunction(context: Context, node: ast.BoolOp, when: Expr, bound: dict[str, str]) -> list[Part]:
    found: list[Part] = []
    with ExitStack() as stack:
        for each in node.values:
            parts = _split(context, each, when, bound)
            found += parts
            stack.enter_context(context.under(ir.and_(*(part.holds for part in parts))))
    return found


def _is_all(context: Context, node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "all"
        and len(node.args) == 1
        and isinstance(node.args[0], ast.GeneratorExp)
        and evaluates_to(context, node.func, all)
    )


def evaluates_to(context: Context, node: ast.expr, wanted: object) -> bool:
    """Whether a name stands for a certain function."""
    found = evaluate(context, node)
    return isinstance(found, Thing) and found.object is wanted


def _split_all(context: Context, node: ast.expr, when: Expr, bound: dict[str, str]) -> list[Part]:
    assert isinstance(node, ast.Call)
    generator = node.args[0]
    assert isinstance(generator, ast.GeneratorExp)
    names = [each.target.id for each in generator.generators if isinstance(each.target, ast.Name)]

    def body(inside: Expr) -> list[Part]:
        here = {name: _text(context.env.names[name]) for name in names}
        return _split(context, generator.elt, ir.and_(when, inside), {**bound, **here})

    found: list[list[Part]] = each_binding(context, generator.generators, body, goes_on=lambda holds: holds)
    return [part for parts in found for part in parts]


def _text(symbol: Symbol) -> str:
    if isinstance(symbol, Scalar) and symbol.expr.constant is not None:
        domain = symbol.domain
        plain = symbol.expr.constant if not domain.size else scalar_value(domain, symbol.expr.constant)
        return text_of(plain)
    return "..."


def _premise(context: Context, node: ast.expr) -> tuple[Expr | None, Expr]:
    """Premise and formula: of ``implies(a, b)``, of ``not a or b`` and of ``x is None or b``."""
    if (
        isinstance(node, ast.Call)
        and len(node.args) == 2
        and evaluates_to(context, node.func, language.implies)
    ):
        premise = condition(context, node.args[0])
        return premise, ir.implies(premise, condition(context, node.args[1]))
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and _denies(node.values[0]):
        premise = ir.not_(condition(context, node.values[0]))
        return premise, condition(context, node)
    return None, condition(context, node)


def _denies(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is)
