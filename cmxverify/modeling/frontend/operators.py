"""Operators: and, or, not, arithmetic on whole numbers (L4, L5), sets, the conditional expression (L7)."""

from __future__ import annotations

import ast
from contextlib import ExitStack

from cmxverify.modeling.frontend.comparisons import paired_sets
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import as_integer, condition, handles, integer, value
from cmxverify.modeling.frontend.fitting import set_of
from cmxverify.modeling.frontend.joining import choose
from cmxverify.modeling.frontend.symbols import Listed, Members, Symbol, number, truth
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr

_SIGNS: dict[type[ast.operator], str] = {
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitXor: "^",
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.MatMult: "@",
}


@handles(ast.BoolOp)
def _bool_op(context: Context, node: ast.BoolOp) -> Symbol:
    """Short-circuit matters only for what is known and for obligations on the right (L7)."""
    conjunction = isinstance(node.op, ast.And)
    parts: list[Expr] = []
    with ExitStack() as stack:
        for each in node.values:
            part = condition(context, each)
            parts.append(part)
            stack.enter_context(context.under(part if conjunction else ir.not_(part)))
    return truth(ir.and_(*parts) if conjunction else ir.or_(*parts))


@handles(ast.UnaryOp)
def _unary(context: Context, node: ast.UnaryOp) -> Symbol:
    match node.op:
        case ast.Not():
            return truth(ir.not_(condition(context, node.operand)))
        case ast.USub():
            return number(ir.neg(integer(context, node.operand)))
        case ast.UAdd():
            return number(integer(context, node.operand))
    raise context.refusal(node, "~ is not part of the language", "Write `not`.")


@handles(ast.BinOp)
def _binary(context: Context, node: ast.BinOp) -> Symbol:
    left, right = value(context, node.left), value(context, node.right)
    if isinstance(left, Members | Listed) and isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub):
        return set_operation(context, node, node.op, left, right)
    a, b = as_integer(context, node.left, left), as_integer(context, node.right, right)
    return number(combined(context, node, node.op, a, b))


def combined(context: Context, node: ast.AST, operator: ast.operator, a: Expr, b: Expr) -> Expr:
    """+ - * on numbers, // and % by a positive constant (L4, L5)."""
    match operator:
        case ast.Add():
            return ir.add(a, b)
        case ast.Sub():
            return ir.sub(a, b)
        case ast.Mult():
            return ir.mul(a, b)
        case ast.FloorDiv() | ast.Mod():
            if b.constant is None or b.constant <= 0:
                raise context.refusal(
                    node, "the divisor must be a positive constant (L5)", "Divide by a literal or len(Range)."
                )
            return ir.floordiv(a, b.constant) if isinstance(operator, ast.FloorDiv) else ir.mod(a, b.constant)
        case ast.Div():
            raise context.refusal(node, "/ gives a fraction", "Write //.")
    raise context.refusal(
        node, f"`{_SIGNS[type(operator)]}` is not part of the language", "Use + - * // %, and | & - of sets."
    )


def set_operation(
    context: Context, node: ast.AST, operator: ast.operator, left: Symbol, right: Symbol
) -> Symbol:
    """| & - of sets; the left one is a set of the model, so that the type is known."""
    if not isinstance(left, Members):
        raise context.refusal(
            node, "the type of the left set is not known", "Begin with a field: self.held | {n}."
        )
    if isinstance(operator, ast.BitOr):
        right = set_of(context, node, right, left.domain)
    a, b = paired_sets(context, node, left, right)
    pairs = zip(a.members, b.members, strict=True)
    match operator:
        case ast.BitOr():
            return Members(a.domain, tuple(ir.or_(x, y) for x, y in pairs))
        case ast.BitAnd():
            return Members(a.domain, tuple(ir.and_(x, y) for x, y in pairs))
    return Members(a.domain, tuple(ir.and_(x, ir.not_(y)) for x, y in pairs))


@handles(ast.IfExp)
def _if_expression(context: Context, node: ast.IfExp) -> Symbol:
    test = condition(context, node.test)
    with context.under(test):
        then = value(context, node.body)
    with context.under(ir.not_(test)):
        other = value(context, node.orelse)
    return choose(test, then, other)
