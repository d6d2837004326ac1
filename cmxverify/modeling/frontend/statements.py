"""Statements: sequential execution over all states at once; branches are merged field by field (L11)."""

from __future__ import annotations

import ast

from cmxverify.modeling import functions as language
from cmxverify.modeling.frontend.branches import branch, loop_then
from cmxverify.modeling.frontend.calls import calls_own_method, own_method
from cmxverify.modeling.frontend.changes import change, ghost_update, loaded_first
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.elements import known_key, taken_back
from cmxverify.modeling.frontend.evaluation import Method, Thing, as_integer, condition, evaluate, value
from cmxverify.modeling.frontend.fitting import fitted
from cmxverify.modeling.frontend.inlining import inline
from cmxverify.modeling.frontend.mutators import MUTATORS
from cmxverify.modeling.frontend.operators import combined, set_operation
from cmxverify.modeling.frontend.symbols import (
    Counts,
    Line,
    Listed,
    Members,
    NoneSymbol,
    Record,
    Scalar,
    Symbol,
    number,
)
from cmxverify.modeling.frontend.vocabulary import refused
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.system import ObligationKind


def run_body(context: Context, body: list[ast.stmt]) -> None:
    """Execute statements one after the other; stops where every path has returned."""
    for position, statement in enumerate(body):
        with context.reporting(statement):
            if isinstance(statement, ast.If | ast.Match):
                branch(context, statement, body[position + 1 :])
                return
            if isinstance(statement, ast.For):
                loop_then(context, statement, body[position + 1 :])
                return
            _simple(context, statement)
            if context.env.returned is ir.TRUE:
                return


def _simple(context: Context, statement: ast.stmt) -> None:
    match statement:
        case ast.Pass():
            return
        case ast.Expr():
            _expression(context, statement)
        case ast.Assign():
            _assign(context, statement)
        case ast.AnnAssign():
            if statement.value is not None:
                _assign_to(context, statement.target, _right_side(context, statement.value), statement.value)
        case ast.AugAssign():
            _augmented(context, statement)
        case ast.Return():
            result = NoneSymbol() if statement.value is None else _right_side(context, statement.value)
            context.env.returned, context.env.result = ir.TRUE, result
        case ast.Assert():
            holds = condition(context, statement.test)
            context.duty(ObligationKind.ASSERT, statement, ir.not_(holds), ast.unparse(statement.test))
            context.facts[-1].add(holds)
        case _:
            raise context.refusal(statement, *refused(statement))


def _expression(context: Context, statement: ast.Expr) -> None:
    """A call that changes something; a text alone is a comment."""
    node = statement.value
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return
    if not isinstance(node, ast.Call):
        raise context.refusal(statement, *_IDLE)
    own = calls_own_method(context, node)
    if own is not None:
        own_method(context, node, own, pure=False, valued=False)
        return
    target = _called(context, node.func)
    if isinstance(target, Thing) and target.object is language.require:
        _require(context, node)
    elif isinstance(target, Method) and not isinstance(target.value, Record):
        _mutate(context, node, target)
    elif isinstance(target, Thing) and type(target.object).__name__ == "function":
        inline(context, node, target.object, None, pure=False, valued=False)
    else:
        evaluate(context, node)
        raise context.refusal(statement, *_IDLE)


def _called(context: Context, function: ast.expr) -> Symbol:
    """What a line calls; that a ghost set is changed in place does not count as reading it (L15)."""
    if not isinstance(function, ast.Attribute):
        return evaluate(context, function)
    with ghost_update(context, [function.value]):
        return evaluate(context, function)


_IDLE = ("an expression alone does nothing", "Assign it, require it or assert it.")


def _require(context: Context, node: ast.Call) -> None:
    if len(node.args) != 1 or node.keywords:
        raise context.refusal(node, "require takes one condition", "require(a and b)")
    if context.in_property:
        raise context.refusal(
            node, "require belongs to steps", "Write the condition into the property: `not c or ...`."
        )
    if context.pure:
        raise context.refusal(node, *_PURE)
    context.require(condition(context, node.args[0]))


_PURE = (
    "a call inside an expression changes nothing and requires nothing (L7)",
    "Call it on a line of its own: x = self.helper(n).",
)


def _right_side(context: Context, node: ast.expr) -> Symbol:
    """What is assigned or returned; a method of the model called as the whole of it may change state."""
    own = calls_own_method(context, node)
    if own is not None and isinstance(node, ast.Call):
        return own_method(context, node, own, pure=False)
    return value(context, node)


def _assign(context: Context, statement: ast.Assign) -> None:
    if len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Tuple):
        _assign_tuple(context, statement, statement.targets[0])
        return
    if _is_pop(context, statement.value) and len(statement.targets) == 1:
        symbol = _pop(context, statement.value)
    else:
        with ghost_update(context, statement.targets):
            symbol = _right_side(context, statement.value)
    for target in statement.targets:
        _assign_to(context, target, symbol, statement.value)


def _assign_tuple(context: Context, statement: ast.Assign, target: ast.Tuple) -> None:
    if not isinstance(statement.value, ast.Tuple) or len(statement.value.elts) != len(target.elts):
        raise context.refusal(statement, "a tuple assignment needs as many values as names", "a, b = x, y")
    symbols = [value(context, each) for each in statement.value.elts]
    for each, symbol, node in zip(target.elts, symbols, statement.value.elts, strict=True):
        _assign_to(context, each, symbol, node)


def _assign_to(context: Context, target: ast.expr, symbol: Symbol, node: ast.AST) -> None:
    if isinstance(target, ast.Name):
        _assign_name(context, target, symbol, "write")
        return
    if isinstance(target, ast.Subscript):
        loaded_first(context, target.value)
    change(context, target, lambda old: fitted(context, node, symbol, old.domain))


def _assign_name(context: Context, target: ast.Name, symbol: Symbol, kind: str) -> None:
    if isinstance(context.env.names.get(target.id), Thing):
        raise context.refusal(target, f"'{target.id}' cannot be assigned", "Use another name.")
    context.accessed(kind, context.local(target.id))
    context.env.names[target.id] = symbol


def _augmented(context: Context, statement: ast.AugAssign) -> None:
    target = statement.target
    loaded_first(context, target)
    with ghost_update(context, [target]):
        right = value(context, statement.value)
    if isinstance(target, ast.Name):
        noted = len(context.accesses or ())
        old = value(context, ast.copy_location(ast.Name(target.id, ast.Load()), target))
        if context.accesses is not None:
            del context.accesses[noted:]
        kind = _kind(statement, right, local=True)
        _assign_name(context, target, _updated(context, statement, old, right), kind)
        return

    def updated(old: Symbol) -> Symbol:
        return fitted(context, statement, _updated(context, statement, old, right), old.domain)

    change(context, target, updated, _kind(statement, right, local=False))


def _kind(statement: ast.AugAssign, right: Symbol, *, local: bool) -> str:
    """How the change commutes with others: a field leaves its range upwards in any order, if all changes go up."""
    if isinstance(right, Members | Listed):
        return {"BitOr": "add", "Sub": "discard", "BitAnd": "intersect"}.get(
            type(statement.op).__name__, "write"
        )
    if not isinstance(statement.op, ast.Add | ast.Sub) or not isinstance(right, Scalar):
        return "write"
    if local:
        return "sum"
    low, high = right.expr.low, right.expr.high
    if isinstance(statement.op, ast.Sub):
        low, high = -high, -low
    return "up" if low >= 0 else "down" if high <= 0 else "write"


def _updated(context: Context, statement: ast.AugAssign, old: Symbol, right: Symbol) -> Symbol:
    if isinstance(old, Members):
        return set_operation(context, statement, statement.op, old, right)
    a = as_integer(context, statement.target, old)
    return number(combined(context, statement, statement.op, a, as_integer(context, statement.value, right)))


def _mutate(context: Context, node: ast.Call, target: Method) -> None:
    mutator = MUTATORS.get((type(target.value), target.name))
    if mutator is None:
        evaluate(context, node)
        raise context.refusal(node, f"`.{target.name}` changes nothing", _IDLE[1])
    if node.keywords or len(node.args) != (0 if target.name in ("pop", "clear") else 1):
        raise context.refusal(
            node,
            f".{target.name} takes {'no' if target.name in ('pop', 'clear') else 'one'} argument",
            "self.wire.send(Grant(n))",
        )
    taken_back(context, target.receiver)
    with ghost_update(context, [target.receiver]):
        argument = [value(context, each) for each in node.args]
    kind, path = _kind_of_mutator(target, argument)
    change(context, target.receiver, lambda old: mutator(context, node, old, *argument), kind, path)


def _kind_of_mutator(target: Method, argument: list[Symbol]) -> tuple[str, tuple[object, ...]]:
    match target.value:
        case Members() if target.name in ("add", "send", "discard"):
            return ("discard" if target.name == "discard" else "add"), (known_key(argument[0]),)
        case Counts() if target.name == "send" and target.value.domain.overflow == "bound":
            return "send", ()
    return "write", ()


def _is_pop(context: Context, node: ast.expr) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "pop":
        return False
    target = evaluate(context, node.func)
    return isinstance(target, Method) and isinstance(target.value, Line)


def _pop(context: Context, node: ast.expr) -> Symbol:
    assert isinstance(node, ast.Call)
    target = evaluate(context, node.func)
    assert isinstance(target, Method)
    assert isinstance(target.value, Line)
    oldest = target.value.slots[0].value
    _mutate(context, node, target)
    return oldest
