"""Sequential loops over a symmetric type: whether the order of the rounds can matter (ruling S6).

Accepted: round ``n`` writes elements ``[n]`` only, and reads of what it writes only those; or it adds to a counter, a
set or an unordered channel that the body does not otherwise read. Anything else makes the type asymmetric, with the
reason; the model is still checked, without that reduction.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cmxverify.modeling.declarations import Index
from cmxverify.modeling.domains import BagDomain, MapDomain, SetDomain, mentions_index
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.evaluation import Thing, evaluate
from cmxverify.modeling.frontend.symbols import Counts, Line, Members

COMMUTATIVE = (ast.Add, ast.Sub, ast.BitOr)
ADDING = ("send", "add")


def certify_loop(context: Context, loop: ast.For) -> None:
    """Note in the ledger which symmetric types the loop makes asymmetric, and why."""
    sorts = _sorts(context, loop.iter)
    if not sorts:
        return
    reason = _reason(context, loop)
    if reason is not None:
        node, what = reason
        for each in sorts:
            context.ledger.asymmetric.setdefault(each, f"{context.function.at(node)}: {what}")


def _sorts(context: Context, node: ast.expr) -> set[str]:
    if isinstance(node, ast.Call | ast.Tuple):
        return set()
    found = evaluate(context, node)
    match found:
        case Thing() if isinstance(found.object, Index):
            return {found.object.name}
        case Members():
            return mentions_index(found.domain.element)
        case Counts():
            return mentions_index(found.domain.message)
        case Line():
            return mentions_index(found.domain.message)
    return set()


Reason = tuple[ast.AST, str]


def _reason(context: Context, loop: ast.For) -> Reason | None:
    assert isinstance(loop.target, ast.Name)
    own = loop.target.id
    before = set(context.env.names)
    written: dict[str, ast.AST] = {}
    accumulated: dict[str, ast.AST] = {}
    for statement in _statements(loop.body):
        if isinstance(statement, ast.Return):
            return statement, "a return in the loop depends on which element comes first"
        for target, adding in _targets(context, statement):
            kind = _write(context, target, own, adding, before)
            if kind is None:
                return target, f"`{ast.unparse(target)}` keeps what the last round wrote"
            name = _root(target)
            (accumulated if kind == "accumulate" else written)[name] = target
    return _misread(loop, own, written, accumulated)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.stmt):
                yield node


def _targets(context: Context, statement: ast.stmt) -> Iterator[tuple[ast.expr, bool]]:
    """What a statement writes, and whether it only adds to it."""
    match statement:
        case ast.Assign():
            for each in statement.targets:
                for target in each.elts if isinstance(each, ast.Tuple) else [each]:
                    yield target, False
        case ast.AnnAssign():
            yield statement.target, False
        case ast.AugAssign():
            yield statement.target, isinstance(statement.op, COMMUTATIVE)
        case ast.Expr(value=ast.Call(func=ast.Attribute() as function)):
            if isinstance(function.value, ast.Name):
                yield from _helper_writes(context, function)
            else:
                yield function.value, function.attr in ADDING and _unordered(context, function.value)


def _helper_writes(context: Context, function: ast.Attribute) -> Iterator[tuple[ast.expr, bool]]:
    if hasattr(context.schema.model, function.attr):
        yield function, False


def _unordered(context: Context, node: ast.expr) -> bool:
    name = _root(node)
    field = context.schema.fields.get(name.removeprefix("self."))
    domain = field.domain if field else None
    while isinstance(domain, MapDomain):
        domain = domain.value
    return isinstance(domain, SetDomain) or (isinstance(domain, BagDomain) and domain.overflow == "bound")


def _write(context: Context, target: ast.expr, own: str, adding: bool, before: set[str]) -> str | None:
    del context
    if isinstance(target, ast.Name):
        if adding:
            return "accumulate"
        return None if target.id in before else "local"
    if _has_own_key(target, own):
        return "element"
    return "accumulate" if adding else None


def _has_own_key(target: ast.expr, own: str) -> bool:
    while isinstance(target, ast.Subscript):
        if isinstance(target.slice, ast.Name) and target.slice.id == own:
            return True
        target = target.value
    return False


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    return ast.unparse(node)


def _misread(
    loop: ast.For, own: str, written: dict[str, ast.AST], accumulated: dict[str, ast.AST]
) -> Reason | None:
    """Reads in the body of what other rounds write."""
    counts: dict[str, int] = {}
    for statement in loop.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name | ast.Attribute):
                counts[ast.unparse(node)] = counts.get(ast.unparse(node), 0) + 1
    for name, node in accumulated.items():
        writes = sum(1 for each in _all_targets(loop) if _root(each) == name)
        if counts.get(name, 0) > writes:
            return node, f"`{name}` is added to and read in the same loop"
    for name, node in written.items():
        if not name.startswith("self."):
            continue
        own_reads = sum(
            1
            for statement in loop.body
            for each in ast.walk(statement)
            if isinstance(each, ast.Subscript) and ast.unparse(each.value) == name and _has_own_key(each, own)
        )
        nested = sum(
            1
            for statement in loop.body
            for each in ast.walk(statement)
            if isinstance(each, ast.Subscript)
            and _root(each) == name
            and _has_own_key(each, own)
            and isinstance(each.value, ast.Subscript)
            and not _has_own_key(each.value, own)
        )
        if counts.get(name, 0) > own_reads + nested:
            return node, f"`{name}` is written at [{own}] and read elsewhere in the same loop"
    return None


def _all_targets(loop: ast.For) -> Iterator[ast.expr]:
    for statement in _statements(loop.body):
        match statement:
            case ast.AugAssign():
                yield statement.target
            case ast.Expr(value=ast.Call(func=ast.Attribute() as function)):
                yield function.value
