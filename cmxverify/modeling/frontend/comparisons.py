"""Comparisons: equality within one type, order of numbers, `is None`, membership (L3)."""

from __future__ import annotations

import ast
from contextlib import ExitStack

from cmxverify.modeling.declarations import Index, Range
from cmxverify.modeling.domains import (
    Domain,
    RangeDomain,
    SetDomain,
)
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.elements import known_key, taken_back
from cmxverify.modeling.frontend.evaluation import Method, Thing, evaluate, handles, kind_of, unwrapped, value
from cmxverify.modeling.frontend.fitting import narrowed
from cmxverify.modeling.frontend.joining import adapted, equal
from cmxverify.modeling.frontend.names import domain_of
from cmxverify.modeling.frontend.symbols import (
    Counts,
    Line,
    Listed,
    Maybe,
    Members,
    MismatchError,
    NoneSymbol,
    Scalar,
    Symbol,
    constant,
    is_number,
    truth,
    type_name,
)
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr


@handles(ast.Compare)
def _compare(context: Context, node: ast.Compare) -> Symbol:
    if len(node.ops) > 1 and any(
        isinstance(each, ast.In | ast.NotIn | ast.Is | ast.IsNot) for each in node.ops
    ):
        raise context.refusal(node, "`in` and `is` stand alone, not in a chain", "Join the parts by `and`.")
    parts: list[Expr] = []
    left_node = node.left
    left = evaluate(context, left_node)
    with ExitStack() as stack:
        for operator, right_node in zip(node.ops, node.comparators, strict=True):
            part, left = _comparison(context, node, operator, left_node, left, right_node)
            left_node = right_node
            parts.append(part)
            stack.enter_context(context.under(part))
    return truth(ir.and_(*parts))


def _comparison(
    context: Context,
    node: ast.Compare,
    operator: ast.cmpop,
    left_node: ast.expr,
    left: Symbol,
    right_node: ast.expr,
) -> tuple[Expr, Symbol]:
    if isinstance(operator, ast.In | ast.NotIn):
        inside = contains(context, left_node, left, right_node)
        return (inside if isinstance(operator, ast.In) else ir.not_(inside)), left
    right = evaluate(context, right_node)
    for each, symbol in ((left_node, left), (right_node, right)):
        if isinstance(symbol, Thing | Method):
            raise context.refusal(each, f"`{ast.unparse(each)}` is not a value")
    if isinstance(operator, ast.Is | ast.IsNot):
        same = _is_none(context, node, left, right)
        return (same if isinstance(operator, ast.Is) else ir.not_(same)), right
    if isinstance(operator, ast.Eq | ast.NotEq):
        same = _equal(left, right)
        return (same if isinstance(operator, ast.Eq) else ir.not_(same)), right
    return _order(context, operator, left_node, left, right_node, right), right


def _is_none(context: Context, node: ast.Compare, left: Symbol, right: Symbol) -> Expr:
    if not isinstance(right, NoneSymbol):
        raise context.refusal(node, "`is` is for None only", "Write ==.")
    if isinstance(left, NoneSymbol):
        return ir.TRUE
    if not isinstance(left, Maybe):
        raise context.refusal(
            node, f"{type_name(left)} is never None", "Declare it T | None, or leave the test out."
        )
    return ir.not_(left.present)


def _order(
    context: Context,
    operator: ast.cmpop,
    left_node: ast.expr,
    left: Symbol,
    right_node: ast.expr,
    right: Symbol,
) -> Expr:
    if isinstance(left, Members | Listed) and isinstance(operator, ast.LtE):
        return _subset(context, left, right, right_node)
    a, b = (unwrapped(context, n, s) for n, s in ((left_node, left), (right_node, right)))
    for each, symbol in ((left_node, a), (right_node, b)):
        if not is_number(symbol):
            raise context.refusal(
                each, f"{kind_of(symbol)} has no order", "Only numbers are ordered (L3, S6)."
            )
    assert isinstance(a, Scalar)
    assert isinstance(b, Scalar)
    match operator:
        case ast.Lt():
            return ir.lt(a.expr, b.expr)
        case ast.LtE():
            return ir.le(a.expr, b.expr)
        case ast.Gt():
            return ir.lt(b.expr, a.expr)
    return ir.le(b.expr, a.expr)


def _equal(left: Symbol, right: Symbol) -> Expr:
    """Equality; a set display is compared as it is, with elements that no set of the other type could hold."""
    if isinstance(left, Members) and isinstance(right, Listed):
        return ir.and_(_within(left, right), _within(right, left))
    if isinstance(left, Listed) and isinstance(right, Members):
        return _equal(right, left)
    return equal(left, right)


def _subset(context: Context, left: Symbol, right: Symbol, node: ast.expr) -> Expr:
    if isinstance(left, Listed) != isinstance(right, Listed):
        return _within(left, right)
    a, b = paired_sets(context, node, left, right)
    return ir.and_(*(ir.implies(x, y) for x, y in zip(a.members, b.members, strict=True)))


def _within(left: Symbol, right: Symbol) -> Expr:
    """Whether each element of the one is in the other."""
    if isinstance(left, Listed) and isinstance(right, Members):
        domain = right.domain.element
        return ir.and_(
            *(ir.implies(when, _found(each, domain, right.members)) for when, each in left.elements)
        )
    if not isinstance(left, Members) or not isinstance(right, Listed):
        raise MismatchError(f"{type_name(left)} and {type_name(right)} are different types")
    domain = left.domain.element
    return ir.and_(
        *(
            ir.implies(here, _listed(constant(domain, plain), right))
            for plain, here in zip(domain.listed, left.members, strict=True)
        )
    )


def _listed(value: Symbol, listed: Listed) -> Expr:
    return ir.or_(*(ir.and_(when, equal(value, each)) for when, each in listed.elements))


def paired_sets(context: Context, node: ast.AST, left: Symbol, right: Symbol) -> tuple[Members, Members]:
    """Both as sets of the same type, that of the one whose type is known."""
    domain = left.domain if isinstance(left, Members) else right.domain
    if not isinstance(domain, SetDomain) or not (isinstance(left, Members) or isinstance(right, Members)):
        raise context.refusal(
            node, "the type of these sets is not known", "Start from a field of type Set[T]."
        )
    a, b = adapted(left, domain), adapted(right, domain)
    assert isinstance(a, Members)
    assert isinstance(b, Members)
    return a, b


def contains(context: Context, node: ast.AST, left: Symbol, right_node: ast.expr) -> Expr:
    """``x in y``: y a set, a channel, or a tuple of values."""
    if isinstance(right_node, ast.Tuple):
        return ir.or_(*(equal(left, value(context, each)) for each in right_node.elts))
    right = evaluate(context, right_node)
    whole = taken_back(context, right_node)
    if whole is not None:
        element = isinstance(right, Members)
        context.accessed("read", whole.root, (*whole.path, known_key(left)) if element else whole.path)
    if isinstance(left, Thing | Method):
        raise context.refusal(node, "the left side of `in` is not a value")
    match right:
        case Listed():
            return _listed(left, right)
        case Members():
            return _found(
                narrowed(context, node, left, right.domain.element), right.domain.element, right.members
            )
        case Counts():
            present = tuple(ir.lt(ir.integer(0), each) for each in right.counts)
            return _found(narrowed(context, node, left, right.domain.message), right.domain.message, present)
        case Line():
            message = narrowed(context, node, left, right.domain.message)
            return ir.or_(*(ir.and_(slot.present, equal(slot.value, message)) for slot in right.slots))
        case Thing() if isinstance(right.object, Index | Range):
            domain = domain_of(context, node, right.object)
            if isinstance(domain, RangeDomain) and is_number(left) and isinstance(left, Scalar):
                return ir.and_(
                    ir.le(ir.integer(domain.low), left.expr), ir.le(left.expr, ir.integer(domain.high))
                )
            adapted(left, domain)
            return ir.TRUE
    raise context.refusal(
        right_node, f"{kind_of(right)} contains nothing", "`in` asks a set, a channel or a tuple."
    )


def _found(left: Symbol, domain: Domain, present: tuple[Expr, ...]) -> Expr:
    wanted = adapted(left, domain)
    pairs = zip(domain.listed, present, strict=True)
    return ir.or_(*(ir.and_(equal(wanted, constant(domain, plain)), here) for plain, here in pairs))
